// Passwords: which are accepted, and how they are stored. The hash is argon2id in its usual text form
// ($argon2id$v=19$m=…,t=…,p=…$salt$hash), with the cost that OWASP names. Salts are passed in.

import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

export const PASSWORD_LENGTH = { min: 12, max: 200 } as const
// Twelve times the same letter is no password.
const MIN_DIFFERENT_CHARACTERS = 5
export const SALT_BYTES = 16
const HASH_BYTES = 32
// In KiB: 19 MiB.
const HASH_COST = { memory: 19_456, passes: 2, parallelism: 1 } as const

export const PASSWORD_PROBLEMS = ['TOO_SHORT', 'TOO_LONG', 'TOO_SIMPLE', 'IS_EMAIL'] as const
export type PasswordProblem = (typeof PASSWORD_PROBLEMS)[number]

export function passwordProblem(password: string, email: string): PasswordProblem | undefined {
  // A longer one is not even looked at.
  if (password.length > 2 * PASSWORD_LENGTH.max) return 'TOO_LONG'
  const characters = [...password.normalize('NFC')]
  if (characters.length < PASSWORD_LENGTH.min) return 'TOO_SHORT'
  if (characters.length > PASSWORD_LENGTH.max) return 'TOO_LONG'
  if (new Set(characters).size < MIN_DIFFERENT_CHARACTERS) return 'TOO_SIMPLE'
  const said = password.trim().toLowerCase()
  return said === email || said === email.slice(0, email.lastIndexOf('@')) ? 'IS_EMAIL' : undefined
}

export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const { memory, passes, parallelism } = HASH_COST
  const hash = await derive(password, salt, HASH_COST)
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

// What is compared for somebody who has no password, so that it takes as long. No password has this hash.
export const NOBODYS_HASH = `$argon2id$v=19$m=${HASH_COST.memory},t=${HASH_COST.passes},p=${HASH_COST.parallelism}$${unpadded(Buffer.alloc(SALT_BYTES))}$${unpadded(Buffer.alloc(HASH_BYTES))}`

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', stored = ''] = STORED.exec(hash) ?? []
  const known = Buffer.from(stored, 'base64')
  if (known.length !== HASH_BYTES) throw new Error('a stored password has no form that we write')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  // One that nobody could have set takes as long, too.
  const tried = password.length > 2 * PASSWORD_LENGTH.max ? '' : password
  return timingSafeEqual(await derive(tried, Buffer.from(salt, 'base64'), cost), known)
}

const STORED =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{43})$/

type Cost = { readonly memory: number; readonly passes: number; readonly parallelism: number }

// The same letters may be typed as other bytes on another keyboard.
function derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'))
  return promisify(argon2)('argon2id', { message, nonce, ...cost, tagLength: HASH_BYTES })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
