// What a row's cells become: whose key it is, the key as it was written, and how long is too long. And how seldom a batch is looked at.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { KEY_MAX_LENGTH } from '../../../src/core/directory/breb-key.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import { NO_SEPARATORS } from '../../../src/core/payout-batches/amount-text.ts'
import { lookAgainAt } from '../../../src/core/payout-batches/batch.ts'
import { isSameName } from '../../../src/core/payout-batches/holder.ts'
import { NO_PERSON, personFields } from '../../../src/core/payout-batches/person.ts'
import { readRow, textCells } from '../../../src/core/payout-batches/row.ts'
import { receiverOf } from '../../../src/core/people/sealed.ts'

it('a masked name is that of whoever has more names than it shows', () => {
  assert.ok(isSameName('Ana María Gómez', 'AN* GO***'))
  assert.ok(isSameName('Ana Gómez', 'AN* MA*** GO***'))
  assert.ok(!isSameName('Ana María Gómez', 'AN* RU***'))
})

it('initials and the order of names say nothing, and each word of the shorter one must be in the longer one', () => {
  assert.ok(isSameName('Ana M. Gómez', 'GOMEZ RUIZ ANA'))
  assert.ok(isSameName('Gómez-Ruiz, Ana', 'Ana Gomez Ruiz'))
  assert.ok(!isSameName('Ana Gómez Paz', 'Ana Gómez Ruiz'))
  assert.ok(!isSameName('Ana', 'Anabel'))
  for (const none of ['', 'A.', 'de la']) {
    assert.ok(!isSameName(none, 'Ana'), none)
    assert.ok(!isSameName('Ana', none), none)
  }
})

it('a key is too long beyond the longest, and not before', () => {
  const problemsOf = (key: string) => {
    const cells = textCells({ ...NO_PERSON, key })
    const { problems } = readRow(cells, NO_SEPARATORS, 1n)
    return problems.filter(({ column }) => column === 'key').map(({ code }) => code)
  }
  assert.deepEqual(problemsOf('!'.repeat(KEY_MAX_LENGTH)), ['KEY_INVALID'])
  assert.deepEqual(problemsOf('!'.repeat(KEY_MAX_LENGTH + 1)), ['TOO_LONG'])
})

it('a key is kept as it was written, beside how it is spelled', () => {
  const fields = (key: string) =>
    receiverOf(personFields({ cells: { ...NO_PERSON, key }, idType: null }, '@ANAGOMEZ'))
  const sent = ['@anagomez', ''].map((key) => [fields(key).keyString, fields(key).keyStringSent])
  assert.deepEqual(sent, [
    ['@ANAGOMEZ', '@anagomez'],
    ['@ANAGOMEZ', '@ANAGOMEZ'],
  ])
})

it('a batch whose payouts take long is looked at every minute, and one that has just begun twice a second', () => {
  assert.equal(lookAgainAt({ updatedAt: 0 }, 0), 500)
  assert.equal(lookAgainAt({ updatedAt: 0 }, MINUTE_MS), MINUTE_MS + 6_000)
  assert.equal(lookAgainAt({ updatedAt: 0 }, DAY_MS), DAY_MS + MINUTE_MS)
})
