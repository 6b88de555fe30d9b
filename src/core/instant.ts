// A point in time: whole milliseconds since 1970, UTC. Nothing here reads the clock; the context provides the time.

export type Instant = number

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

// Caches the text of the day: nearly all instants share it, and formatting it is most of the work.
let cachedDay = { startsAt: 0, text: '1970-01-01T' }

export function isoInstant(instant: Instant): string {
  const inDay = instant - cachedDay.startsAt
  if (!(inDay >= 0 && inDay < DAY_MS)) {
    const text = new Date(instant).toISOString()
    // Years beyond four digits have another format.
    if (text.length !== 24) return text
    cachedDay = { startsAt: Math.floor(instant / DAY_MS) * DAY_MS, text: text.slice(0, 11) }
    return text
  }
  const seconds = Math.floor(inDay / 1_000)
  const ms = Math.floor(inDay) % 1_000
  const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`)
  const three = ms < 10 ? `00${ms}` : ms < 100 ? `0${ms}` : `${ms}`
  return `${cachedDay.text}${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${three}Z`
}

export function isoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : isoInstant(instant)
}
