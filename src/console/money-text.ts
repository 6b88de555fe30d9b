// Amounts as people type them, and as they are put into a field.

export { typedCents } from '../core/typed-cents.ts'

// As it is put into a field.
export function centsForField(cents: bigint, language: 'es' | 'en'): string {
  const [thousands, decimal] = language === 'es' ? ['.', ','] : [',', '.']
  const pesos = (cents / 100n).toString().replaceAll(/\B(?=(\d{3})+$)/g, thousands)
  const rest = cents % 100n
  return rest === 0n ? pesos : `${pesos}${decimal}${rest.toString().padStart(2, '0')}`
}
