// Parses times and spans that people type, and formats times for output.

import { usageFailure } from './failure.ts'

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

// Accepts `90s`, `30m`, `2h`, `1d`, `1h30m`. Returns undefined if the text is not a span.
export function readSpanSeconds(text: string): number | undefined {
  if (!/^(?:\d{1,9}[smhd])+$/.test(text)) return undefined
  return [...text.matchAll(/(\d+)([smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNIT_SECONDS[unit as string] as number),
    0,
  )
}

// Accepts a time with its zone, because without one it is ambiguous. Returns undefined for anything else.
export function readTimeMs(text: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

export function wrongTime(flag: string, text: string, more = ''): Error {
  return usageFailure(
    `${flag} must be ${more}a time with its zone, such as 2026-11-15T08:00:00-05:00, or a span, such as 10m or 2h; not ${JSON.stringify(text)}.`,
  )
}

// Leaves out the milliseconds, which people do not need.
export function shownTime(iso: string | null | undefined): string | null {
  return iso?.replace(/\.\d+Z$/, 'Z') ?? null
}
