// The units of deploy/systemd as systemd reads them: each with the drop-in that all of them share.

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const UNITS = join(import.meta.dirname, '../../deploy/systemd')
const SHARED = 'recaudo-.service.d/common.conf'

export type Unit = { name: string; values: (key: string) => string[] }

export const services: readonly Unit[] = globSync('*.service', { cwd: UNITS })
  .sort()
  .map((name) => {
    // A drop-in is read after its unit.
    const lines = [name, SHARED].flatMap((file) => readFileSync(join(UNITS, file), 'utf8').split('\n'))
    const values = (key: string): string[] =>
      lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
    return { name, values }
  })

export function hasSystemdAnalyze(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Every system call that the units' filter lets through. */
export function allowedSystemCalls(): string[] {
  const printed = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const sets = new Map<string, string[]>()
  let members: string[] = []
  for (const line of printed.split('\n')) {
    const word = line.trim()
    if (line.startsWith('@')) {
      members = []
      sets.set(word, members)
    } else if (/^[@\w]/.test(word)) members.push(word)
  }
  const callsOf = (name: string): string[] =>
    name.startsWith('@') ? (sets.get(name) ?? []).flatMap(callsOf) : [name]
  const allowed = new Set<string>()
  for (const filter of services[0]?.values('SystemCallFilter') ?? []) {
    const isDenied = filter.startsWith('~')
    for (const call of filter.replace('~', '').split(' ').flatMap(callsOf))
      isDenied ? allowed.delete(call) : allowed.add(call)
  }
  return [...allowed]
}
