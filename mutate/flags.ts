// What may be asked of `npm run mutate`, and what is said to whoever asks for something else.

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { KINDS } from './mutant.ts'

export type Flags = {
  sample: number
  seed: number
  rooms: string[]
  kinds: string[]
  files: string[]
  // Only lines that differ from this revision.
  changed: string | undefined
  tests: string[]
  resume: boolean
  survivors: boolean
  list: boolean
  minutes: number
  jobs: number
  // How many covering test files a mutant has to pass before it counts as survived.
  mostTests: number
  // What a test file may take beyond four times of what it took alone.
  timeoutSeconds: number
  bar: number
  equivalent: string
}

// Committed; it need not be there.
export const EQUIVALENT = 'mutate/equivalent.json'

export class WrongFlags extends Error {}

export const HELP = `npm run mutate -- [flags]: plants small bugs in the sources, one at a time, and runs the tests that cover them.

  --sample 400       so many mutants, drawn at random (all of them without it)
  --seed 7           the draw: the same seed draws the same mutants (1)
  --room core,flows  only in these rooms
  --file PATH        only in this file; may be given several times
  --kind sql-guard   only of these kinds: ${KINDS.join(', ')}
  --changed [REV]    only on lines that differ from REV (HEAD); ends after 5 minutes unless --minutes says otherwise
  --tests PATH       only with test files under PATH; may be given several times
  --most-tests 20    a mutant that passed so many covering test files counts as survived
  --timeout 15       a test file that takes so many seconds more than four times its usual has caught the mutant
  --resume           goes on where an interrupted run ended
  --survivors        only mutants that survived the last run
  --list             prints the mutants and runs nothing
  --minutes N        begins no mutant after N minutes
  --jobs N           so many at once (as many as cores)
  --bar 90           exit code 1 where fewer of a hundred are caught
  --equivalent FILE  mutants proven to change nothing (${EQUIVALENT})
`

const OPTIONS = {
  sample: { type: 'string' },
  seed: { type: 'string' },
  room: { type: 'string', multiple: true },
  kind: { type: 'string', multiple: true },
  file: { type: 'string', multiple: true },
  changed: { type: 'string' },
  tests: { type: 'string', multiple: true },
  'most-tests': { type: 'string' },
  timeout: { type: 'string' },
  resume: { type: 'boolean' },
  survivors: { type: 'boolean' },
  list: { type: 'boolean' },
  minutes: { type: 'string' },
  jobs: { type: 'string' },
  bar: { type: 'string' },
  equivalent: { type: 'string' },
} as const

export function readFlags(args: readonly string[]): Flags {
  const { values } = parsed(withRevision(args))
  const number = (name: keyof typeof values, usual: number, least: number, most = Infinity): number => {
    const text = values[name]
    const value = text === undefined ? usual : Number(text)
    if (Number.isNaN(value) || value < least || value > most)
      throw new WrongFlags(
        `--${name} ${text} is no number ${most === Infinity ? `from ${least} on` : `from ${least} to ${most}`}: write for instance --${name} ${usual === Infinity ? 400 : usual}.`,
      )
    return value
  }
  const words = (list: string[] = []): string[] =>
    list.flatMap((text) => text.split(',')).filter((one) => one !== '')
  const kinds = words(values.kind)
  const unknown = kinds.find((kind) => !(KINDS as readonly string[]).includes(kind))
  if (unknown !== undefined) throw new WrongFlags(`--kind ${unknown}: there are ${KINDS.join(', ')}.`)
  return {
    sample: number('sample', Infinity, 1),
    seed: number('seed', 1, 0),
    rooms: words(values.room),
    kinds,
    files: words(values.file).map((file) => file.replace(/^\.\//, '')),
    changed: values.changed,
    tests: words(values.tests).map((path) => path.replace(/^\.\//, '')),
    resume: values.resume ?? false,
    survivors: values.survivors ?? false,
    list: values.list ?? false,
    minutes: number('minutes', values.changed === undefined ? Infinity : 5, 0),
    jobs: number('jobs', availableParallelism(), 1),
    mostTests: number('most-tests', 20, 1),
    timeoutSeconds: number('timeout', 15, 1),
    bar: number('bar', 90, 0, 100),
    equivalent: values.equivalent ?? EQUIVALENT,
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, strict: true, allowPositionals: false })
  } catch (error) {
    const names = Object.keys(OPTIONS).map((name) => `--${name}`)
    throw new WrongFlags(`${(error as Error).message.split('. ')[0]}. There are ${names.join(', ')}.`)
  }
}

// --changed may stand alone.
function withRevision(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const next = args[index + 1]
    return arg === '--changed' && (next === undefined || next.startsWith('--')) ? '--changed=HEAD' : arg
  })
}
