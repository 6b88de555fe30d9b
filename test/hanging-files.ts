// Ends test files that do not end. Node's runner asks a file that takes too long to end, and then waits for as long as the file is
// there, or anything it started that writes to the same place: a whole run would hang without a word.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { TestsStream } from 'node:test'

// `outputs`: the pipes that it writes to.
type Process = {
  readonly pid: number
  readonly parent: number
  readonly command: string
  readonly outputs: readonly string[]
}

// A file is there, with its pipes, soon after it was begun. One that ended may leave others behind.
const LOOK_AFTER_MS = 1_000

export function endHangingFiles(tests: TestsStream, limitMs: number, say: (line: string) => void): void {
  const timers = new Map<string, NodeJS.Timeout[]>()
  const onFile =
    (act: (file: string) => void) => (event: { name: string; nesting: number; file?: string }) => {
      if (event.nesting === 0 && event.name === event.file) act(event.file)
    }
  const watch = (file: string): void => {
    let begun: Process | undefined
    const look = (): void => {
      const isIt = ({ parent, command }: Process): boolean => parent === process.pid && command.includes(file)
      begun = processes().find(isIt) ?? begun
    }
    const end = (): void => {
      look()
      say(`${file} did not end within ${limitMs / 60_000} minutes, so it was ended.`)
      if (begun !== undefined) endAllOf(begun)
    }
    // What is waited for keeps the run alive, and the timers alone do not.
    timers.set(file, [setTimeout(look, LOOK_AFTER_MS).unref(), setTimeout(end, limitMs).unref()])
  }
  tests.on('test:dequeue', onFile(watch))
  tests.on(
    'test:complete',
    onFile((file) => timers.get(file)?.forEach(clearTimeout)),
  )
}

// It, what it started, what that started, and whatever writes to its pipes.
function endAllOf(begun: Process): void {
  const all = processes()
  const ending = new Map([[begun.pid, begun]])
  for (const { pid } of ending.values())
    for (const one of all)
      if (one.parent === pid || one.outputs.some((pipe) => begun.outputs.includes(pipe)))
        if (one.pid !== process.pid) ending.set(one.pid, one)
  for (const pid of ending.keys())
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
}

function processes(): Process[] {
  return process.platform === 'linux' ? processesOfLinux() : processesOfPs()
}

function processesOfLinux(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent = ''] =
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const outputs = [1, 2].map((number) => readlinkSync(`/proc/${name}/fd/${number}`))
        return [{ pid: Number(name), parent: Number(parent), command, outputs: outputs.filter(isPipe) }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}

// Node's own are sockets.
function isPipe(output: string): boolean {
  return output.startsWith('pipe:') || output.startsWith('socket:')
}

function processesOfPs(): Process[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' }).split(
    '\n',
  )
  return lines.flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command, outputs: [] }]
  })
}
