// The constants of time and number in the source, read from its text: many are private to their file.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const UNITS = { MINUTE_MS: 60_000, HOUR_MS: 3_600_000, DAY_MS: 86_400_000 }
const OF_A_SCHEDULE =
  /(_MS|_SECONDS|_DAYS|_MINUTES|_HOURS|BREAKER_FAILURES)$|BUDGET|^COST$|^REWARD$|JITTER|LIMITS|TIMES$|TIMEOUTS|(?<!EN)TRIES$|MAX_\w+_ATTEMPTS$|^ATTEMPTS$/

// Rooms without a schedule of their own: what only stands on a page or starts and stops a process.
const ELSEWHERE = /^src\/(sandbox|embedded|operator|docs|checkout\/(pages|words))\//

// Every constant of a schedule, as `file NAME`, with its value.
export function scheduleConstants(): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const file of globSync('src/**/*.ts', { cwd: ROOT }).sort()) {
    if (ELSEWHERE.test(file)) continue
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const match of text.matchAll(/^(?:export )?const ([A-Z][A-Z0-9_]*)\b[^=\n]*= /gm)) {
      const [opening, name = ''] = match
      if (!OF_A_SCHEDULE.test(name) || name in UNITS) continue
      const value = evaluated(expressionAt(text, match.index + opening.length), found, file)
      if (value !== undefined) found.set(`${file.slice('src/'.length)} ${name}`, value)
    }
  }
  return found
}

// From here to the end of the line on which the last bracket closes.
function expressionAt(text: string, start: number): string {
  let depth = 0
  let end = start
  for (; end < text.length; end += 1) {
    const character = text[end] as string
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    if (character === '\n' && depth === 0) break
  }
  return text.slice(start, end).replace(/ (as const|satisfies .*)$/, '')
}

// Undefined if it is not made of numbers.
function evaluated(expression: string, known: ReadonlyMap<string, unknown>, file: string): unknown {
  const names = [...known].flatMap(([key, value]) => {
    const [where, name = ''] = key.split(' ')
    return where === file.slice('src/'.length) ? [[name, value] as const] : []
  })
  const scope = { ...UNITS, ...Object.fromEntries(names) }
  try {
    return new Function(...Object.keys(scope), `return (${expression})`)(...Object.values(scope))
  } catch {
    return undefined
  }
}

const WORDS: Readonly<Record<string, number>> = {
  an: 1,
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  five: 5,
  seven: 7,
  ten: 10,
  twelve: 12,
  thirty: 30,
}
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  second: 1_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  day: 86_400_000,
}

// '2 min', 'five days', 'an hour' in milliseconds; a number without a unit as it is.
export function durationMs(text: string): number {
  const [count = '', unit = ''] = text.trim().toLowerCase().split(/\s+/)
  const number = WORDS[count] ?? Number(count.replaceAll(',', ''))
  const factor = unit === '' ? 1 : UNIT_MS[unit.replace(/s$/, '') || unit]
  if (factor === undefined || Number.isNaN(number)) throw new Error(`'${text}' is no duration`)
  return number * factor
}

// What a page says: every group that the pattern captures.
export function saidIn(page: string, pattern: RegExp): string[] {
  const match = pattern.exec(readFileSync(join(ROOT, page), 'utf8').replaceAll(/\s+/g, ' '))
  if (match === null) throw new Error(`${page} no longer says ${pattern}`)
  return match.slice(1)
}
