// Look-ups over Mono, against the simulated Mono.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyType } from '../../../src/core/directory/breb-key.ts'
import type { Directory } from '../../../src/rails/rail.ts'
import { type Mono, simulateMono } from '../../sandbox/providers/mono-caller.ts'
import { acceptedValue, lookUpUntilAnswered, openAt } from './opened.ts'

const directoryOf = (mono: Mono) => {
  const rails = openAt(mono.url, { now: mono.now })
  return Object.assign(rails, { directory: rails.directory as Directory })
}

test('a key of each type tells who holds it', async () => {
  await using mono = await simulateMono()
  await using rails = directoryOf(mono)
  const keys: Record<KeyType, string> = {
    PHONE: '3001234567',
    DOCUMENT: '1012345678',
    EMAIL: 'ana@example.com',
    ALPHANUMERIC: '@ANA12345',
    MERCHANT_CODE: '0012345678',
  }
  for (const [keyType, keyString] of Object.entries(keys) as [KeyType, string][]) {
    const found = acceptedValue(await lookUpUntilAnswered(rails.directory, keyString, keyType))
    const { name, idNumber } = found.holder
    assert.match(name, /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u)
    assert.match(idNumber ?? '', /^\d{10}$/)
    assert.deepEqual(found, {
      keyString,
      keyType,
      holder: { name, idNumber, personType: 'INDIVIDUAL', idType: 'CO_CC' },
      participant: { name: 'NIT 900406150', code: '900406150' },
      account: { type: 'SAVINGS', lastFour: found.account?.lastFour },
    })
    assert.match(found.account?.lastFour ?? '', /^\d{4}$/)
  }
})

test('a key that nobody can pay is refused by name', async () => {
  await using mono = await simulateMono()
  await using rails = directoryOf(mono)
  const keys: Record<string, readonly [string, string]> = {
    'sandbox@key_not_found.err': ['KEY_NOT_FOUND', 'key_not_found'],
    'sandbox@key_suspended.err': ['KEY_SUSPENDED', 'key_suspended'],
    'sandbox@key_invalid_key_format.err': ['KEY_INVALID', 'invalid_key_format'],
  }
  for (const [key, [reason, networkCode]] of Object.entries(keys))
    assert.deepEqual(await lookUpUntilAnswered(rails.directory, key, 'EMAIL'), {
      outcome: 'rejected',
      reason,
      networkCode,
    })
})

test('a look-up that Mono answers later has timed out, and does not stop other calls', async () => {
  await using mono = await simulateMono()
  await using rails = directoryOf(mono)
  let later = 0
  for (let call = 0; call < 30; call += 1)
    if ((await rails.directory.lookUp('3001234567', 'PHONE')).outcome === 'unknown') later += 1
  assert.ok(later > 5, `${later} of 30 were answered later`)
  assert.equal(rails.exchanges.filter(({ operation }) => operation.endsWith('/resolve')).length, 30)
})

test('a key of another type than the one asked for is no answer', async () => {
  await using mono = await simulateMono()
  await using rails = directoryOf(mono)
  for (let calls = 0; calls < 20; calls += 1) {
    const answer = await rails.directory.lookUp('3001234567', 'DOCUMENT')
    assert.ok(answer.outcome === 'unknown')
    if (answer.kind === 'unreadable') return
  }
  assert.fail('Mono never answered at once')
})
