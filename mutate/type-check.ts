// Sets mutants aside that the compiler refuses: `npm test` would never run with them. One run of the compiler takes seconds
// whatever has changed, so it looks at mutants of many files at once and is asked again only about what it refused.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WrongFlags } from './flags.ts'
import { applied, type Mutant } from './mutant.ts'
import { textMark } from './results.ts'
import { CACHE, makeTree, putFile } from './tree.ts'

// Text stays text, whatever it says.
const NEVER_REFUSED = /^(?:sql-|text$)/
// A name that is no longer used is no bug.
const RELAXED = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false']

export async function refusedByTypes(
  root: string,
  mutants: readonly Mutant[],
  texts: ReadonlyMap<string, string>,
  options: { isOver: () => boolean; say: (line: string) => void },
): Promise<Set<string>> {
  const compiler = join(root, 'node_modules/.bin/tsc')
  const waiting = mutants.filter(({ kind }) => !NEVER_REFUSED.test(kind))
  if (waiting.length === 0 || !existsSync(compiler) || !existsSync(join(root, 'tsconfig.json')))
    return new Set()
  const tree = makeTree(root, 'types')
  const workspaces = readdirSync(tree).filter((name) => existsSync(join(tree, name, 'tsconfig.json')))
  const refused = new Set<string>()

  const filesWithErrors = async (list: readonly Mutant[]): Promise<Set<string>> => {
    for (const mutant of list) putFile(tree, mutant.file, applied(texts.get(mutant.file) as string, mutant))
    const concerned = workspaces.filter((name) => list.some(({ file }) => file.startsWith(`${name}/`)))
    const files: string[] = []
    for (const project of [[], ...concerned.map((name) => ['-p', name])]) {
      const info = join(root, CACHE, `types-${project[1] ?? 'root'}.tsbuildinfo`)
      const flags = ['--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', info]
      const said = await outputOf(compiler, [...project, ...flags, ...RELAXED], tree)
      for (const [, file] of said.matchAll(/^([^\s(][^(\n]*)\(\d+,\d+\): error/gm)) files.push(file as string)
    }
    for (const { file } of list) putFile(tree, file, texts.get(file) as string)
    return new Set(files)
  }
  const check = async (list: readonly Mutant[]): Promise<void> => {
    if (list.length === 0 || options.isOver()) return
    const errors = await filesWithErrors(list)
    const own = list.filter(({ file }) => errors.has(file))
    for (const { id } of own) refused.add(id)
    const elsewhere = [...errors].filter((file) => !list.some((mutant) => mutant.file === file))
    if (elsewhere.length === 0) return
    // An error in a file that was not touched comes from one that it imports.
    const imported = new Set(elsewhere.flatMap((file) => importsOf(tree, file)))
    const suspects = list.filter((mutant) => !own.includes(mutant) && imported.has(mutant.file))
    if (suspects.length < list.length) await check(suspects)
    else if (list.length === 1) refused.add((list[0] as Mutant).id)
    else {
      await check(list.slice(0, list.length / 2))
      await check(list.slice(list.length / 2))
    }
  }

  const [wrong] = await filesWithErrors([])
  if (wrong !== undefined)
    throw new WrongFlags(`the compiler refuses ${wrong} as it is: \`npm run check\` has to pass first.`)
  const rounds = ofUnrelatedFiles(waiting, (file) => importsOf(tree, file))
  options.say(`types: ${waiting.length} mutants are shown to the compiler`)
  for (const [index, round] of rounds.entries()) {
    await check(round)
    options.say(`types ${index + 1}/${rounds.length}: ${refused.size} refused so far`)
  }
  rmSync(tree, { recursive: true, force: true })
  return refused
}

// A run that goes on does not ask the compiler again about what it accepted, while the source is the same.
export function acceptedBefore(root: string): (mutant: Mutant, text: string) => boolean {
  const file = join(root, ACCEPTED)
  const marks = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  return (mutant, text) => marks.has(acceptedMark(mutant, text))
}

export function noteAccepted(
  root: string,
  mutants: readonly Mutant[],
  textOf: (mutant: Mutant) => string,
): void {
  const marks = mutants.map((mutant) => acceptedMark(mutant, textOf(mutant)))
  mkdirSync(join(root, CACHE), { recursive: true })
  writeFileSync(join(root, ACCEPTED), marks.join('\n'))
}

const ACCEPTED = join(CACHE, 'accepted.txt')

function acceptedMark({ id }: Mutant, text: string): string {
  return `${id} ${textMark(text)}`
}

// It answers with an error where it refuses something, which is what we ask it for.
function outputOf(command: string, args: string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, maxBuffer: 1 << 28 }, (_, stdout) => resolve(stdout))
  })
}

function importsOf(tree: string, file: string): string[] {
  const found = readFileSync(join(tree, file), 'utf8').matchAll(/from '(\.[^']+)'/g)
  return [...found].map(([, path]) => join(dirname(file), path as string))
}

// One of each file, and none of a file that another of the round imports: it would have the other's error.
export function ofUnrelatedFiles(
  mutants: readonly Mutant[],
  importsOfFile: (file: string) => readonly string[],
): Mutant[][] {
  const imports = new Map(
    [...new Set(mutants.map(({ file }) => file))].map((file) => [file, importsOfFile(file)]),
  )
  const isRelated = (a: string, b: string): boolean =>
    a === b || imports.get(a)?.includes(b) === true || imports.get(b)?.includes(a) === true
  const rounds: Mutant[][] = []
  for (const mutant of mutants) {
    const round = rounds.find((list) => list.every(({ file }) => !isRelated(file, mutant.file)))
    if (round === undefined) rounds.push([mutant])
    else round.push(mutant)
  }
  return rounds
}
