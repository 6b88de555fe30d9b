// A tiny project in a directory of its own, for mutate to work on: sources, tests, and a repository where one is needed.

import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const RUN = join(import.meta.dirname, '../../mutate/run.ts')

export const ADULT_SOURCE = `// Who may.
export function isAdult(age: number): boolean {
  return age >= 18
}
`

export type Project = {
  directory: string
  write: (path: string, text: string) => void
  git: (...args: string[]) => void
  mutate: (...flags: string[]) => Promise<{ code: number | null; stdout: string; stderr: string }>
  // Begins a run and ends it as soon as it has said this.
  interrupt: (signal: NodeJS.Signals, said: RegExp, ...flags: string[]) => Promise<number | null>
  [Symbol.dispose](): void
}

export function createProject(files: Record<string, string>): Project {
  const directory = mkdtempSync(join(tmpdir(), 'mutate-test-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  write('package.json', '{"private":true,"type":"module"}')
  for (const [path, text] of Object.entries(files)) write(path, text)
  const start = (flags: string[]) =>
    spawn(process.execPath, [RUN, ...flags], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  return {
    directory,
    write,
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
        cwd: directory,
        stdio: 'ignore',
      }),
    mutate: (...flags) => {
      const child = start(flags)
      let [stdout, stderr] = ['', '']
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text
      })
      return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
    },
    interrupt: (signal, said, ...flags) => {
      const child = start(flags)
      let stdout = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text
        if (said.test(stdout) && !child.killed) child.kill(signal)
      })
      return new Promise((resolve) => child.once('close', resolve))
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }),
  }
}
