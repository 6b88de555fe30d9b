// The Bre-B keys that Wompi's sandbox knows, and what it tells of their holders: never the whole name, document or account.

import type { RefusalCode } from './payout-answers.ts'

export const KEY_TYPES = ['ALPHANUMERIC', 'MAIL', 'PHONE', 'IDENTIFICATION', 'ESTABLISHMENT_CODE'] as const
export type KeyType = (typeof KEY_TYPES)[number]

type Holder = { readonly type: KeyType; readonly holder: string }

// Which type the last two have is not printed: there are five types and five keys, and both lists have this order.
export const REGISTERED: ReadonlyMap<string, Holder> = new Map([
  ['@elias123', { type: 'ALPHANUMERIC', holder: 'ELIAS PRUEBA' }],
  ['ecolon@wompi.com', { type: 'MAIL', holder: 'ELENA COLON' }],
  ['3001234567', { type: 'PHONE', holder: 'JUAN PEREZ' }],
  ['1020304050', { type: 'IDENTIFICATION', holder: 'MARTA RUIZ' }],
  ['900123456', { type: 'ESTABLISHMENT_CODE', holder: 'TIENDA PRUEBA' }],
])

export const REFUSED: ReadonlyMap<string, RefusalCode> = new Map([
  ['noexiste@test.com', 'KEY_UNKNOWN'],
  ['12345', 'KEY_FORMAT'],
  ['inactiva@test.com', 'KEY_INACTIVE'],
  ['timeout@test.com', 'KEY_TIMEOUT'],
  ['error@test.com', 'KEY_UNAVAILABLE'],
])

/** Any key that the sandbox does not know is not registered, whatever it looks like. Bre-B does not tell capitals from small letters. */
export function findKey(key: string): Holder | RefusalCode {
  const known = key.toLowerCase()
  return REGISTERED.get(known) ?? REFUSED.get(known) ?? 'KEY_UNKNOWN'
}

/** "JUAN PEREZ" → "JUA*** PER***" */
export const masked = (text: string): string =>
  text
    .split(' ')
    .map((word) => `${word.slice(0, 3)}***`)
    .join(' ')

export const presentKey = (key: string, { type, holder }: Holder): Record<string, unknown> => ({
  holderName: masked(holder),
  financialEntity: { name: 'BANCO DE PRUEBAS', code: '9999' },
  keyType: type,
  keyValue: masked(key),
})
