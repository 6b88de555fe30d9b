// Which lines ran. V8 reports ranges of characters with how often each ran; Node takes types away without moving a
// character, so the ranges fit the sources as they stand. Kept short: `3-7,9`.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Lines = Set<number>

type Range = { startOffset: number; endOffset: number; count: number }
type Script = { url: string; functions: { ranges: Range[] }[] }

// By path in the tree, for every file of ours that was loaded.
export function readCoverage(directory: string, tree: string): Map<string, Lines> {
  const lines = new Map<string, Lines>()
  const prefix = `${tree}/`
  for (const report of globSync('*.json', { cwd: directory })) {
    const { result } = JSON.parse(readFileSync(join(directory, report), 'utf8')) as { result: Script[] }
    for (const script of result) {
      if (!script.url.startsWith('file://')) continue
      const file = fileURLToPath(script.url.replace(/[?#].*$/, ''))
      if (!file.startsWith(prefix) || file.includes('/node_modules/')) continue
      const path = file.slice(prefix.length)
      const covered = lines.get(path) ?? new Set()
      lines.set(path, covered)
      for (const line of coveredLines(script, readIfThere(file))) covered.add(line)
    }
  }
  return lines
}

export function coveredLines(script: Pick<Script, 'functions'>, source: string): Lines {
  const ran = new Uint8Array(source.length)
  // Inner ranges come after those around them and say more.
  const ranges = script.functions
    .flatMap(({ ranges }) => ranges)
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  const lines: Lines = new Set()
  let line = 1
  for (let at = 0; at < source.length; at++) {
    const letter = source[at] as string
    if (letter === '\n') line += 1
    else if (ran[at] === 1 && letter > ' ') lines.add(line)
  }
  return lines
}

// A file may be gone that a test had made for itself.
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export function written(lines: Lines): string {
  const spans: [number, number][] = []
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last?.[1] === line - 1) last[1] = line
    else spans.push([line, line])
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

export function read(text: string): Lines {
  const spans = text === '' ? [] : text.split(',')
  return new Set(
    spans.flatMap((span) => {
      const [from = 0, to = from] = span.split('-').map(Number)
      return Array.from({ length: to - from + 1 }, (_, index) => from + index)
    }),
  )
}

// Where the lines of an older text went. What was rewritten in between counts as run if anything at its place was.
export function moved(lines: Lines, before: string, after: string): Lines {
  if (before === after) return lines
  const [old, now] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const result: Lines = new Set()
  for (const line of lines) {
    if (line <= head) result.add(line)
    else if (line > old.length - tail) result.add(line + now.length - old.length)
  }
  const around = Array.from({ length: old.length - tail - head + 2 }, (_, index) => head + index)
  if (around.some((line) => lines.has(line)))
    for (let line = head + 1; line <= now.length - tail; line++) result.add(line)
  return result
}
