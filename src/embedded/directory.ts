// Directories made and kept. Node's own `recursive` never comes back where a parent is there and takes no entries,
// as under /proc; here each level is made by itself, and the system's refusal is told.

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

// True where it was made now.
export function makeDirectory(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path).isDirectory()) return false
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error
  }
  makeDirectory(dirname(path), mode)
  mkdirSync(path, { mode })
  return true
}

// What was made or renamed in it is still so after a power failure.
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r')
  await directory.sync()
}
