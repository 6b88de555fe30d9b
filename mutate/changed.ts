// The lines that differ from a revision, uncommitted ones and new files included.

import { execFileSync } from 'node:child_process'
import { WrongFlags } from './flags.ts'

export type ChangedLines = (file: string, line: number, lastLine: number) => boolean

export function changedSince(root: string, revision: string): ChangedLines {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  let diff: string
  try {
    diff = git('diff', '--unified=0', '--no-color', '--no-ext-diff', '--relative', revision, '--')
  } catch {
    throw new WrongFlags(
      `--changed ${revision}: git knows no such revision; write for instance --changed HEAD~3.`,
    )
  }
  const whole = new Set(git('ls-files', '--others', '--exclude-standard').split('\n'))
  const spans = new Map<string, [number, number][]>()
  let file = ''
  for (const line of diff.split('\n')) {
    const name = /^\+\+\+ b\/(.*)$/.exec(line)?.[1]
    if (name !== undefined) file = name
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (from === undefined) continue
    const own = spans.get(file) ?? []
    own.push([Number(from), Number(from) + Number(count) - 1])
    spans.set(file, own)
  }
  return (path, line, lastLine) =>
    whole.has(path) || (spans.get(path) ?? []).some(([from, to]) => line <= to && lastLine >= from)
}
