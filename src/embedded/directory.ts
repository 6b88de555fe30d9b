// Creates and syncs directories. Node's `recursive` option never returns if an existing parent accepts no entries, as
// under /proc. Here each level is created separately, and the system's error is thrown.

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

// Returns whether the directory was created by this call.
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

// Makes files created or renamed in the directory survive a power failure.
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r')
  await directory.sync()
}
