// One run at a time in a project: two would write into each other's trees and results.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WrongFlags } from './flags.ts'
import { CACHE } from './tree.ts'

export function lockCache(root: string): Disposable {
  const file = join(root, CACHE, 'lock')
  const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (holder > 0 && isAlive(holder))
    throw new WrongFlags(
      `process ${holder} is at work here already; wait for it, or stop it and use --resume.`,
    )
  mkdirSync(join(root, CACHE), { recursive: true })
  writeFileSync(file, String(process.pid))
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
