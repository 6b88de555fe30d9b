// A directory that answers otherwise for a while: it is away, or a key has another owner.

import type { Directory } from '../../../src/rails/rail.ts'
import type { World } from '../../world.ts'

type LookUp = Directory['lookUp']

export async function withDirectory(world: World, lookUp: LookUp, act: () => Promise<void>): Promise<void> {
  const directory = world.ctx.networks.directory as { lookUp: LookUp }
  const original = directory.lookUp
  directory.lookUp = lookUp
  try {
    await act()
  } finally {
    directory.lookUp = original
  }
}

export function heldBy(world: World, name: string, idNumber: string, isMasked?: true): LookUp {
  const directory = world.ctx.networks.directory as Directory
  const lookUp = directory.lookUp.bind(directory)
  return async (key, type) => {
    const found = await lookUp(key, type)
    if (found.outcome !== 'accepted') return found
    const holder = { ...found.value.holder, name, idNumber }
    return { ...found, value: { ...found.value, ...(isMasked && { isMasked }), holder } }
  }
}
