// Hashing passwords, a few at a time: each takes 19 MiB and a fifth of a second of a core, and anybody can ask for it. Whoever
// comes while too many wait is told to come again.

import { hashPassword, isPassword, NOBODYS_HASH, SALT_BYTES } from '../../core/team/password.ts'
import type { Needs } from '../context.ts'

const AT_ONCE = 2
// About two seconds of work.
const MAX_WAITING = 20

let running = 0
const waiting: (() => void)[] = []

// 'busy' if too many wait.
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result | 'busy'> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) return 'busy'
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

// Takes as long for somebody who has none.
export function checkPassword(password: string, hash: string | null): Promise<boolean | 'busy'> {
  return inTurn(async () => (await isPassword(password, hash ?? NOBODYS_HASH)) && hash !== null)
}

export function newPasswordHash(ctx: Needs<'ids'>, password: string): Promise<string | 'busy'> {
  return inTurn(() => hashPassword(password, ctx.ids.randomBytes(SALT_BYTES)))
}
