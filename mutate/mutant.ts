// One small bug to plant: where, what stands there and what would stand there instead. A mutant is known by its file, the
// lines before and after, and which of several like it in the file it is, so that it stays itself when lines move.

import { createHash } from 'node:crypto'

export type Kind =
  | 'condition'
  | 'comparison'
  | 'constant'
  | 'arguments'
  | 'call'
  | 'branch'
  | 'return'
  | 'property'
  | 'text'
  | 'sql-guard'
  | 'sql-predicate'
  | 'sql-lock'
  | 'sql-comparison'
  | 'sql-order'
  | 'sql-limit'
  | 'sql-set'

export const KINDS: readonly Kind[] = [
  'condition',
  'comparison',
  'constant',
  'arguments',
  'call',
  'branch',
  'return',
  'property',
  'text',
  'sql-guard',
  'sql-predicate',
  'sql-lock',
  'sql-comparison',
  'sql-order',
  'sql-limit',
  'sql-set',
]

export type Edit = { start: number; end: number; text: string; kind: Kind }

export type Mutant = Edit & {
  id: string
  file: string
  room: string
  line: number
  lastLine: number
  before: string
  after: string
  occurrence: number
}

export function mutantsFrom(file: string, source: string, edits: readonly Edit[]): Mutant[] {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  return [...edits]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .filter(({ start, end, text }) => {
      const key = `${start} ${end} ${text}`
      return source.slice(start, end) !== text && !seen.has(key) && seen.add(key)
    })
    .map((edit) => {
      const from = source.lastIndexOf('\n', edit.start - 1) + 1
      const newline = source.indexOf('\n', edit.end)
      const to = newline === -1 ? source.length : newline
      const before = source.slice(from, to)
      const after = source.slice(from, edit.start) + edit.text + source.slice(edit.end, to)
      const key = `${before.trim()}\n→\n${after.trim()}`
      const occurrence = counts.get(key) ?? 0
      counts.set(key, occurrence + 1)
      const line = lineAt(source, edit.start)
      const lastLine = line + source.slice(edit.start, edit.end).split('\n').length - 1
      const id = idOf(file, before, after, occurrence)
      return { ...edit, id, file, room: roomOf(file), line, lastLine, before, after, occurrence }
    })
}

export function idOf(file: string, before: string, after: string, occurrence: number): string {
  const parts = [file, before.trim(), after.trim(), String(occurrence)]
  return createHash('sha1').update(parts.join('\0')).digest('hex').slice(0, 12)
}

export function applied(source: string, edit: Edit): string {
  return source.slice(0, edit.start) + edit.text + source.slice(edit.end)
}

// src/core/payin.ts stands in core, src/config.ts in src, cli/src/links.ts in cli.
export function roomOf(file: string): string {
  const [top = '', room = '', ...rest] = file.split('/')
  return top === 'src' && rest.length > 0 ? room : top
}

export function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

// Only the lines that differ, with one around them.
export function diffOf(mutant: Mutant): string {
  const before = mutant.before.split('\n')
  const after = mutant.after.split('\n')
  let head = 0
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++
  const gone = before.slice(head, before.length - tail).map((line) => `-${line}`)
  const come = after.slice(head, after.length - tail).filter((line) => line.trim() !== '')
  const at = `${mutant.line + head},${gone.length}`
  const title = `@@ -${at} +${mutant.line + head},${come.length} @@ ${mutant.kind} ${mutant.id}`
  return [`--- ${mutant.file}`, title, ...gone, ...come.map((line) => `+${line}`)].join('\n')
}
