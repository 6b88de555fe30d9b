// What is kept of a receiver's answer: its beginning, made safe for a log, a database and a terminal, and how long the
// receiver asks us to wait. All of it is untrusted.

// Appends a chunk to the kept beginning of a body, up to its limit.
export function beginningWith(kept: Buffer | undefined, chunk: Buffer): Buffer {
  const wanted = SHOWN_BYTES - (kept?.length ?? 0)
  if (kept !== undefined && wanted === 0) return kept
  // Copied, because the chunk is a view that would keep a larger buffer alive.
  const part = Buffer.from(chunk.subarray(0, wanted))
  return kept === undefined ? part : Buffer.concat([kept, part])
}

// At most 1,024 characters, none of them invisible, on one line.
export function shownText(beginning: Buffer, totalBytes: number): string {
  const text = beginning.toString('utf8')
  // A cut through a character leaves one replacement character at the end.
  const whole = totalBytes > beginning.length ? text.replace(/\uFFFD$/, '') : text
  return whole.replace(INVISIBLE, escaped).slice(0, SHOWN_BYTES)
}

// Whole seconds or an HTTP date; anything else is ignored.
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,15}$/.test(header)) return Math.min(Number(header), MAX_RETRY_AFTER_SECONDS)
  const atMs = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN
  if (Number.isNaN(atMs)) return null
  return Math.min(Math.max(0, Math.ceil((atMs - nowMs) / 1_000)), MAX_RETRY_AFTER_SECONDS)
}

const SHOWN_BYTES = 1_024
// A receiver may slow us down, but not stop us.
const MAX_RETRY_AFTER_SECONDS = 3_600

// Control characters, direction marks, line separators and lone surrogates.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function escaped(character: string): string {
  const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
  return short ?? `\\u{${character.codePointAt(0)?.toString(16)}}`
}
