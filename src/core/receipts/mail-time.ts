// A moment as an e-mail says it, in Bogotá's time.

import type { Instant } from '../instant.ts'

const LOCALES = { es: 'es-CO', en: 'en-GB' } as const

// Spaces that do not break are for pages.
export function mailTime(instant: Instant, language: keyof typeof LOCALES): string {
  const format = { timeZone: 'America/Bogota', dateStyle: 'long', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat(LOCALES[language], format).format(instant).replaceAll(/[\u00a0\u202f]/g, ' ')
}
