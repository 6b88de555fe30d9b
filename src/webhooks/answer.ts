// What is kept of a receiver's answer: its beginning, made harmless for a log, a database and a terminal, and how long the
// receiver asks us to wait. Everything in it was chosen by a stranger.

// The first bytes of a body, as they come in chunks.
export function beginningWith(kept: Buffer | undefined, chunk: Buffer): Buffer {
  const wanted = SHOWN_BYTES - (kept?.length ?? 0)
  if (kept !== undefined && wanted === 0) return kept
  // Copied: the chunk is a window into a larger buffer, which would be kept alive.
  const part = Buffer.from(chunk.subarray(0, wanted))
  return kept === undefined ? part : Buffer.concat([kept, part])
}

// At most 1,024 characters, none of them invisible, in one line.
export function shownText(beginning: Buffer, totalBytes: number): string {
  const text = beginning.toString('utf8')
  // A cut through a character leaves one replacement character at the end.
  const whole = totalBytes > beginning.length ? text.replace(/\uFFFD$/, '') : text
  return whole.replace(INVISIBLE, escaped).slice(0, SHOWN_BYTES)
}

// Whole seconds or an HTTP date; anything else says nothing.
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,15}$/.test(header)) return Math.min(Number(header), MAX_RETRY_AFTER_SECONDS)
  const atMs = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN
  if (Number.isNaN(atMs)) return null
  return Math.min(Math.max(0, Math.ceil((atMs - nowMs) / 1_000)), MAX_RETRY_AFTER_SECONDS)
}

const SHOWN_BYTES = 1_024
// A receiver may slow us down, not put us off for good.
const MAX_RETRY_AFTER_SECONDS = 3_600

// Control characters, marks that turn the direction of writing, line separators, halves of characters.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function escaped(character: string): string {
  const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
  return short ?? `\\u{${character.codePointAt(0)?.toString(16)}}`
}
