// Builds a request body from flags and from JSON given with --data. A flag overrides the JSON. The same table lets an error
// about a field name its flag.

import { readFileSync } from 'node:fs'
import type { Flags } from './command.ts'
import { usageFailure } from './failure.ts'
import { readCents } from './money.ts'

type Body = Record<string, unknown>

// The field that each flag sets.
const FIELD_OF = {
  'amount-in-cents': '/amountInCents',
  rail: '/rail',
  reference: '/reference',
  'callback-url': '/callbackUrl',
  'key-type': '/breb/keyType',
  key: '/breb/keyString',
  bank: '/pse/bank',
  'person-type': '/pse/personType',
  name: '/inlineCustomer/name',
  email: '/inlineCustomer/email',
  phone: '/inlineCustomer/phone',
  'document-type': '/inlineCustomer/idType',
  'document-number': '/inlineCustomer/idNumber',
  reason: '/reason',
  way: '/way',
  url: '/url',
  events: '/events',
  description: '/description',
  'page-name': '/name',
  'min-amount-in-cents': '/minAmountInCents',
  'max-amount-in-cents': '/maxAmountInCents',
  'valid-until': '/validUntil',
  'max-payments': '/maxPayments',
  'max-pieces': '/maxPieces',
} as const

export type FieldFlag = keyof typeof FIELD_OF

// What takes an optional field away where an object is changed.
const NONE = 'none'

export const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  CC: 'CO_CC',
  CE: 'CO_CE',
  NIT: 'CO_NIT',
  RFC: 'MXN_RFC',
}

export function flagOf(pointer: string): string | undefined {
  if (pointer.startsWith('/credentials')) return 'credential'
  return Object.entries(FIELD_OF).find(([, field]) => field === pointer)?.[0]
}

// `defaults` are the fields that neither flags nor JSON set. They may depend on the fields that are set.
export function bodyOf(
  flags: Flags,
  required: readonly FieldFlag[],
  defaults: (body: Body) => Readonly<Record<string, unknown>>,
): Body {
  const body = readFields(flags, readValue)
  for (const [pointer, value] of Object.entries(defaults(body)))
    if (valueAt(body, pointer) === undefined) setValue(body, pointer, value)
  const missing = required.filter((flag) => valueAt(body, FIELD_OF[flag]) === undefined)
  if (missing.length > 0)
    throw usageFailure(
      `${missing.map((flag) => `--${flag}`).join(', ')} ${missing.length === 1 ? 'is' : 'are'} required.`,
    )
  return body
}

// The fields to change in an object. Of those in `optional`, the word none takes one away.
export function changesOf(flags: Flags, optional: readonly FieldFlag[]): Body {
  return readFields(flags, (flag, text) =>
    text === NONE && optional.includes(flag) ? null : readValue(flag, text),
  )
}

function readFields(flags: Flags, read: (flag: FieldFlag, text: string) => unknown): Body {
  const body = readData(flags.data)
  for (const [flag, pointer] of Object.entries(FIELD_OF)) {
    const value = flags[flag]
    if (typeof value === 'string') setValue(body, pointer, read(flag as FieldFlag, value))
  }
  return body
}

function readValue(flag: FieldFlag, text: string): unknown {
  if (flag === 'document-type') return DOCUMENT_TYPES[text] ?? text
  const isCents = flag.endsWith('amount-in-cents')
  if (!isCents && flag !== 'max-payments' && flag !== 'max-pieces') return text
  const number = readCents(text)
  if (number === undefined)
    throw usageFailure(
      `--${flag} must be a whole number${isCents ? ' of cents, such as 5000000 for $ 50.000,00' : ', such as 40'}; not ${JSON.stringify(text)}.`,
    )
  return number
}

function readData(data: unknown): Body {
  if (typeof data !== 'string') return {}
  const text = data === '-' ? readFileSync(0, 'utf8') : data.startsWith('@') ? readFile(data.slice(1)) : data
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body
  } catch {
    // Reported below.
  }
  throw usageFailure(
    '--data must be a JSON object, @ and the name of a file that holds one, or - for standard input.',
  )
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usageFailure(`--data: ${(error as Error).message}.`)
  }
}

function valueAt(body: Body, pointer: string): unknown {
  return pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((value, name) => (value as Body | undefined)?.[name], body)
}

function setValue(body: Body, pointer: string, value: unknown): void {
  const names = pointer.slice(1).split('/')
  const last = names.pop() as string
  let target = body
  for (const name of names) {
    const inner = target[name]
    target[name] = typeof inner === 'object' && inner !== null ? { ...inner } : {}
    target = target[name] as Body
  }
  target[last] = value
}
