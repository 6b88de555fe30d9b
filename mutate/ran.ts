// Which parts of a file ran. V8 reports ranges of characters with how often each ran; Node takes types away without moving a
// character, so the ranges fit the sources as they stand. Parts, not lines: the line of a short function runs when its file
// is loaded, its body only when it is called. Kept as `30-75,90-120`.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// From the first character to the one after the last, in order, never touching.
export type Parts = [number, number][]

type Range = { startOffset: number; endOffset: number; count: number }
type Script = { url: string; functions: { ranges: Range[] }[] }

// By path in the tree, for every file of ours that was loaded, in whatever process.
export function readRan(directory: string, tree: string): Map<string, Parts> {
  const ran = new Map<string, Uint8Array>()
  const prefix = `${tree}/`
  for (const report of globSync('*.json', { cwd: directory })) {
    for (const script of scriptsOf(join(directory, report))) {
      if (!script.url.startsWith('file://')) continue
      const file = fileURLToPath(script.url.replace(/[?#].*$/, ''))
      if (!file.startsWith(prefix) || file.includes('/node_modules/')) continue
      const path = file.slice(prefix.length)
      const marks = marksOf(script)
      const before = ran.get(path)
      ran.set(path, before === undefined ? marks : marks.map((mark, at) => mark | (before[at] ?? 0)))
    }
  }
  return new Map([...ran].map(([path, marks]) => [path, partsOf(marks)]))
}

// A process that was killed may have left half a report.
function scriptsOf(file: string): Script[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { result: Script[] }).result
  } catch {
    return []
  }
}

function marksOf({ functions }: Script): Uint8Array {
  // Inner ranges come after those around them and say more.
  const ranges = functions
    .flatMap(({ ranges }) => ranges)
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const marks = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)))
  for (const { startOffset, endOffset, count } of ranges)
    marks.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  return marks
}

export function partsOf(marks: Uint8Array): Parts {
  const parts: Parts = []
  for (let from = marks.indexOf(1); from !== -1; ) {
    const end = marks.indexOf(0, from)
    const to = end === -1 ? marks.length : end
    parts.push([from, to])
    from = marks.indexOf(1, to)
  }
  return parts
}

export function unionOfParts(one: Map<string, Parts>, other: Map<string, Parts>): Map<string, Parts> {
  const all = new Map(one)
  for (const [path, parts] of other) {
    const before = all.get(path)
    all.set(path, before === undefined ? parts : partsOf(marked([...before, ...parts])))
  }
  return all
}

function marked(parts: Parts): Uint8Array {
  const marks = new Uint8Array(Math.max(0, ...parts.map(([, to]) => to)))
  for (const [from, to] of parts) marks.fill(1, from, to)
  return marks
}

export function written(parts: Parts): string {
  return parts.map(([from, to]) => `${from}-${to}`).join(',')
}

export function read(text: string): Parts {
  const parts = text === '' ? [] : text.split(',')
  return parts.map((part) => {
    const [from = 0, to = 0] = part.split('-').map(Number)
    return [from, to]
  })
}

export function touches(parts: Parts | undefined, start: number, end: number): boolean {
  return parts?.some(([from, to]) => start < to && end > from) ?? false
}

// Where the parts of an older text are now. What was rewritten counts as run if anything at its place was.
export function moved(parts: Parts, before: string, after: string): Parts {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const marks = new Uint8Array(after.length)
  const shift = after.length - before.length
  for (const [from, to] of parts) {
    marks.fill(1, Math.min(from, head), Math.min(to, head))
    marks.fill(1, Math.max(from, before.length - tail) + shift, Math.max(to, before.length - tail) + shift)
  }
  if (touches(parts, head - 1, before.length - tail + 1)) marks.fill(1, head, after.length - tail)
  return partsOf(marks)
}
