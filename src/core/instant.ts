// A point in time: whole milliseconds since 1970, UTC. Nobody here asks what time it is; the context says.

export type Instant = number

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export function isoInstant(instant: Instant): string {
  return new Date(instant).toISOString()
}

export function isoOrNull(instant: Instant | null): string | null {
  return instant === null ? null : isoInstant(instant)
}
