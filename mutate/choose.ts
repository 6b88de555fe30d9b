// Which mutants a run is about: those within what was asked for, of these a draw, without those proven to change nothing. The
// draw follows a number that every mutant has from the seed and its own id, so that one that is drawn stays drawn when others
// come or go around it.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { changedSince } from './changed.ts'
import { outdated, readEquivalent, refuseTooMany } from './equivalent.ts'
import { EQUIVALENT, type Flags, WrongFlags } from './flags.ts'
import { applied, type Mutant } from './mutant.ts'
import { readResults } from './results.ts'
import { mutantsOf, type Source } from './sources.ts'
import { parses } from './syntax.ts'

export function choose(
  root: string,
  sources: readonly Source[],
  flags: Flags,
  say: (line: string) => void,
): Mutant[] {
  const all = mutantsOf(sources)
  const drawn = draw(all.filter(isWithin(root, all, sources, flags)), flags.sample, flags.seed)
  const equivalent = readEquivalent(join(root, flags.equivalent), flags.equivalent !== EQUIVALENT)
  for (const { file, before } of outdated(equivalent, all))
    say(`${flags.equivalent}: no such mutant any more, take it out: ${file}: ${before.trim()}`)
  const chosen = drawn.filter(({ id }) => !equivalent.has(id))
  refuseTooMany(drawn.length - chosen.length, drawn.length)
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  return chosen.filter((mutant) => parses(mutant.file, applied(texts.get(mutant.file) as string, mutant)))
}

function isWithin(
  root: string,
  all: readonly Mutant[],
  sources: readonly Source[],
  flags: Flags,
): (mutant: Mutant) => boolean {
  const rooms = [...new Set(all.map(({ room }) => room))]
  for (const room of flags.rooms)
    if (!rooms.includes(room)) throw new WrongFlags(`--room ${room}: there are ${rooms.join(', ')}.`)
  const files = sources.map(({ path }) => path)
  for (const file of flags.files)
    if (!files.includes(file))
      throw new WrongFlags(
        `--file ${file}: it is none of the sources; write for instance --file ${files[0]}.`,
      )
  const isChanged = flags.changed === undefined ? () => true : changedSince(root, flags.changed)
  const survived = flags.survivors ? survivorsOf(root) : undefined
  const isAsked = <Value>(asked: readonly Value[], value: Value): boolean =>
    asked.length === 0 || asked.includes(value)
  return ({ id, room, file, kind, line, lastLine }) =>
    isAsked(flags.rooms, room) &&
    isAsked(flags.files, file) &&
    isAsked<string>(flags.kinds, kind) &&
    (survived === undefined || survived.has(id)) &&
    isChanged(file, line, lastLine)
}

function survivorsOf(root: string): Set<string> {
  const survivors = readResults(root).filter(({ outcome }) => /^(?:survived|uncovered)$/.test(outcome))
  if (survivors.length === 0)
    throw new WrongFlags('--survivors: no mutant survived a run before; run without it first.')
  return new Set(survivors.map(({ id }) => id))
}

function draw(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, lot: createHash('sha1').update(`${seed} ${mutant.id}`).digest('hex') }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
