// Amounts and times as people write them. Not by Intl, which puts other spaces into es-CO with each version. All times are
// Bogotá's, which has one all year round.

import { BOGOTA_OFFSET_MS, bogotaDay, type Day, daysAfter, isSameBogotaDay } from '../core/bogota-day.ts'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../core/instant.ts'
import type { UserLanguage } from '../core/team/user.ts'

const NO_BREAK = '\u00a0'
const MARKS = { es: { thousands: '.', decimal: ',' }, en: { thousands: ',', decimal: '.' } } as const
const MONTHS = {
  es: 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' '),
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
} as const
const HALVES = { es: [`a.${NO_BREAK}m.`, `p.${NO_BREAK}m.`], en: ['am', 'pm'] } as const

// $ 1.250.000 in Spanish, $1,250,000 in English. Cents only if there are any.
export function amountText(cents: bigint, language: UserLanguage): string {
  const isNegative = cents < 0n
  const positive = isNegative ? -cents : cents
  const rest = positive % 100n
  const fraction = rest === 0n ? '' : MARKS[language].decimal + rest.toString().padStart(2, '0')
  const sign = language === 'es' ? `$${NO_BREAK}` : '$'
  return `${isNegative ? '−' : ''}${sign}${grouped(positive / 100n, language)}${fraction}`
}

export function countText(count: number | bigint, language: UserLanguage): string {
  return grouped(BigInt(count), language)
}

function grouped(whole: bigint, language: UserLanguage): string {
  const digits = whole.toString()
  let text = digits.slice(-3)
  for (let end = digits.length - 3; end > 0; end -= 3)
    text = digits.slice(Math.max(0, end - 3), end) + MARKS[language].thousands + text
  return text
}

// 87,4 %. Of nothing there is no share.
export function shareText(part: number, whole: number, language: UserLanguage): string {
  if (whole === 0) return '–'
  const percent = ((part / whole) * 100).toFixed(part === whole || part === 0 ? 0 : 1)
  return language === 'es' ? `${percent.replace('.', ',')}${NO_BREAK}%` : `${percent}%`
}

// 7:00 a. m.
export function clockText(instant: Instant, language: UserLanguage): string {
  const { hour, minute } = inBogota(instant)
  return `${hour % 12 || 12}:${two(minute)}${NO_BREAK}${HALVES[language][hour < 12 ? 0 : 1]}`
}

// 7:00:04 a. m., where things follow each other closely.
export function exactClockText(instant: Instant, language: UserLanguage): string {
  const { hour, minute, second } = inBogota(instant)
  return `${hour % 12 || 12}:${two(minute)}:${two(second)}${NO_BREAK}${HALVES[language][hour < 12 ? 0 : 1]}`
}

// 20 oct, with the year where it is not this one.
export function dayText(day: Day, now: Instant, language: UserLanguage): string {
  const [year = '', month = '1', date = ''] = day.split('-')
  const name = MONTHS[language][Number(month) - 1]
  const isThisYear = bogotaDay(now).startsWith(year)
  return `${Number(date)} ${name}${isThisYear ? '' : ` ${year}`}`.replaceAll(' ', NO_BREAK)
}

// noviembre de 2026
export function monthText(month: string, language: UserLanguage): string {
  return MONTH_FORMATS[language].format(Date.parse(`${month}-01T00:00:00Z`))
}

const MONTH_FORMATS = {
  es: new Intl.DateTimeFormat('es-CO', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  en: new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
} as const

// 20 oct, 7:00 a. m.
export function timeText(instant: Instant, now: Instant, language: UserLanguage): string {
  return `${dayText(bogotaDay(instant), now, language)}, ${clockText(instant, language)}`
}

// The clock for what is of today, else the day with it.
export function shortTimeText(instant: Instant, now: Instant, language: UserLanguage): string {
  return isSameBogotaDay(instant, now) ? clockText(instant, language) : timeText(instant, now, language)
}

// Where in a sentence a time stands: at 10:42 am, on 16 Oct at 10:42 am.
export function whenText(instant: Instant, now: Instant, language: UserLanguage): string {
  const clock = clockText(instant, language)
  const date = isSameBogotaDay(instant, now) ? null : dayText(bogotaDay(instant), now, language)
  if (language === 'en') return date === null ? `at ${clock}` : `on ${date} at ${clock}`
  const article = inBogota(instant).hour % 12 === 1 ? 'la' : 'las'
  return `${date === null ? '' : `el ${date} `}a ${article} ${clock}`
}

// Where words that stand within sentences begin one.
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

// A sentence has one full stop, also after "p. m." and "S.A.S.".
export function withFullStop(sentence: string): string {
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}

// 250 ms, 12 s, 5 min, 3 h, 2 d
export function durationText(ms: number, language: UserLanguage): string {
  const decimal = (value: number): string =>
    (value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))).replace(
      '.',
      MARKS[language].decimal,
    )
  const [value, unit] =
    ms < 1_000
      ? [String(Math.round(ms)), 'ms']
      : ms < MINUTE_MS
        ? [decimal(ms / 1_000), 's']
        : ms < HOUR_MS
          ? [String(Math.round(ms / MINUTE_MS)), 'min']
          : ms < 2 * DAY_MS
            ? [String(Math.round(ms / HOUR_MS)), 'h']
            : [String(Math.round(ms / DAY_MS)), 'd']
  return `${value}${NO_BREAK}${unit}`
}

export function isToday(day: Day, now: Instant): boolean {
  return day === bogotaDay(now)
}

export function isYesterday(day: Day, now: Instant): boolean {
  return day === daysAfter(bogotaDay(now), -1)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function inBogota(instant: Instant): { hour: number; minute: number; second: number } {
  const shifted = new Date(instant - BOGOTA_OFFSET_MS)
  return { hour: shifted.getUTCHours(), minute: shifted.getUTCMinutes(), second: shifted.getUTCSeconds() }
}
