export const PRODUCT = { name: 'Coffee from Huila, 500 g', amountInCents: 3_800_000 }

export function pesos(amountInCents) {
  return new Intl.NumberFormat('es-CO', {
    style: 'currency',
    currency: 'COP',
    maximumFractionDigits: 0,
  }).format(amountInCents / 100)
}
