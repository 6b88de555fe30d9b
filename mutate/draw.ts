// A draw that a seed repeats: every mutant gets a number from the seed and its own id, and those with the lowest are drawn.
// So a mutant that is drawn stays drawn when others come or go around it.

import { createHash } from 'node:crypto'
import type { Mutant } from './mutant.ts'

export function draw(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, lot: createHash('sha1').update(`${seed} ${mutant.id}`).digest('hex') }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
