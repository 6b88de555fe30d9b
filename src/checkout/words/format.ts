// Formats amounts and times as people write them. Not by Intl, because it puts special spaces into es-CO that no one
// types and that change with its version. Colombia has one time, UTC−5, all year.

import { HOUR_MS, type Instant } from '../../core/instant.ts'
import type { Language } from './language.ts'

/** $ 1.250.000 in Spanish, COP 1,250,000 in English. Cents only if there are any. */
export function amountText(amountInCents: bigint, language: Language): string {
  const { sign, thousands, decimal } = MARKS[language]
  const pesos = (amountInCents / 100n).toString().replaceAll(/\B(?=(\d{3})+$)/g, thousands)
  return `${sign}${NO_BREAK}${pesos}${centsText(amountInCents, decimal)}`
}

/** What a payer pastes into an app's amount field: no sign, no dots. */
export function amountToPaste(amountInCents: bigint): string {
  return `${amountInCents / 100n}${centsText(amountInCents, ',')}`
}

/** 4:35 p. m., in Bogotá. */
export function clockText(instant: Instant, language: Language): string {
  const { hour, minute } = inBogota(instant)
  const half = HALVES[language][hour < 12 ? 0 : 1]
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')}${NO_BREAK}${half}`
}

export function dateText(instant: Instant, language: Language): string {
  const { year } = inBogota(instant)
  return language === 'es'
    ? `${dayText(instant, language)} de ${year}`
    : `${dayText(instant, language)}, ${year}`
}

export function dateAndClockText(instant: Instant, language: Language): string {
  return `${dateText(instant, language)}, ${clockText(instant, language)}`
}

/** A sentence has one full stop, also after "S.A.S." and "p. m.". */
export function withFullStop(sentence: string): string {
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

/** Completes "until …": las 4:35 p. m., with the day if it is not today. */
export function deadlineText(deadline: Instant, now: Instant, language: Language): string {
  const clock = clockText(deadline, language)
  const today = dateText(deadline, language) === dateText(now, language)
  if (language === 'en') return today ? clock : `${clock} on ${dayText(deadline, language)}`
  const article = inBogota(deadline).hour % 12 === 1 ? 'la' : 'las'
  return `${article} ${clock}${today ? '' : ` del ${dayText(deadline, language)}`}`
}

const NO_BREAK = '\u00a0'
const MARKS = {
  es: { sign: '$', thousands: '.', decimal: ',' },
  en: { sign: 'COP', thousands: ',', decimal: '.' },
} as const
const HALVES = { es: [`a.${NO_BREAK}m.`, `p.${NO_BREAK}m.`], en: ['a.m.', 'p.m.'] } as const
const MONTHS = {
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
} as const
const BOGOTA_BEHIND_MS = 5 * HOUR_MS

function centsText(amountInCents: bigint, decimal: string): string {
  const cents = amountInCents % 100n
  return cents === 0n ? '' : `${decimal}${cents.toString().padStart(2, '0')}`
}

function dayText(instant: Instant, language: Language): string {
  const { month, day } = inBogota(instant)
  const name = MONTHS[language][month] as string
  return language === 'es' ? `${day} de ${name}` : `${name} ${day}`
}

function inBogota(instant: Instant) {
  const shifted = new Date(instant - BOGOTA_BEHIND_MS)
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth(),
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
  }
}
