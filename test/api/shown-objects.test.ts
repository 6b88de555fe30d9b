// How what is stored is shown, each object whole and bare: what is there as it is, and what is not there as null.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { presentApiKey, presentClient } from '../../src/api/credentials/schema.ts'
import { presentAlarm } from '../../src/api/ledger/alarms.ts'
import { presentDay, presentMonth, presentMovement } from '../../src/api/ledger/report-schema.ts'
import { presentCandidate, presentSuspense } from '../../src/api/ledger/suspense-schema.ts'
import { presentFound } from '../../src/api/search/schema.ts'
import { ACCOUNTS } from '../../src/core/ledger/bookings.ts'
import { CLOSE_COLUMN_NAMES } from '../../src/core/ledger/close-columns.ts'

const NOW = Date.parse('2026-11-14T12:00:00Z')
const [BEFORE, AFTER] = ['2026-11-14T11:59:59.999Z', '2026-11-14T12:00:00.001Z']
const at = (text: string): number => Date.parse(text)

// Of what a function is given: whatever it reads.
const stored = (fields: object) => fields as never

describe('a credential', () => {
  const bare = {
    name: 'Web shop',
    scopes: null,
    maxPerSecond: null,
    allowedAddresses: null,
    payoutsPerDay: null,
    payoutSumPerDay: null,
    createdAt: NOW,
    revokedAt: null,
    lastUsedAt: null,
  }
  const limited = {
    maxPerSecond: 5,
    allowedAddresses: ['203.0.113.7/32'],
    payoutsPerDay: 0,
    payoutSumPerDay: 0n,
    lastUsedAt: NOW,
  }
  const shown = {
    name: 'Web shop',
    scopes: null,
    maxPerSecond: null,
    allowedAddresses: null,
    payoutsPerDay: null,
    payoutSumPerDayInCents: null,
    createdAt: '2026-11-14T12:00:00.000Z',
    revokedAt: null,
    lastUsedAt: null,
  }
  const shownLimits = {
    maxPerSecond: 5,
    allowedAddresses: ['203.0.113.7/32'],
    payoutsPerDay: 0,
    payoutSumPerDayInCents: 0,
    lastUsedAt: '2026-11-14T12:00:00.000Z',
  }

  it('is shown as a key that is active, has expired or was revoked', () => {
    const key = { ...bare, apiKeyId: 'one', displayPrefix: 'rk_stg_3fK9', expiresAt: null }
    const shownKey = { id: 'one', prefix: 'rk_stg_3fK9', status: 'ACTIVE', ...shown, expiresAt: null }
    const of = (fields: object) => presentApiKey(stored({ ...key, ...fields }), NOW)
    assert.deepEqual(of({}), shownKey)
    assert.deepEqual(of(limited), { ...shownKey, ...shownLimits })
    assert.deepEqual(of({ expiresAt: at(AFTER) }), { ...shownKey, expiresAt: AFTER })
    assert.deepEqual(of({ expiresAt: NOW }).status, 'EXPIRED')
    assert.deepEqual(of({ expiresAt: at(BEFORE), revokedAt: at(BEFORE) }), {
      ...shownKey,
      status: 'REVOKED',
      expiresAt: BEFORE,
      revokedAt: BEFORE,
    })
  })

  it('is shown as a client, with the end of the secret before the present one while it works', () => {
    const of = (fields: object) =>
      presentClient(stored({ ...bare, clientId: 'one', previousUntil: null, ...fields }), NOW)
    const shownClient = { id: 'one', status: 'ACTIVE', ...shown, previousSecretUntil: null }
    assert.deepEqual(of({}), shownClient)
    assert.deepEqual(of({ ...limited, previousUntil: at(AFTER) }), {
      ...shownClient,
      ...shownLimits,
      previousSecretUntil: AFTER,
    })
    assert.deepEqual(of({ previousUntil: NOW, revokedAt: NOW }), {
      ...shownClient,
      status: 'REVOKED',
      revokedAt: '2026-11-14T12:00:00.000Z',
    })
  })
})

describe('what was found', () => {
  const object = { reference: 'order', status: 'CONFIRMED', amountInCents: 500n, createdAt: NOW }
  const FOUND: Readonly<Record<string, [object, object]>> = {
    payin: [
      { ...object, payinId: 'id' },
      { name: 'order', status: 'CONFIRMED', amountInCents: 500 },
    ],
    payout: [
      { ...object, payoutId: 'id' },
      { name: 'order', status: 'CONFIRMED', amountInCents: 500 },
    ],
    paymentlink: [
      { ...object, paymentLinkId: 'id' },
      { name: 'order', status: 'CONFIRMED', amountInCents: 500 },
    ],
    paymentpage: [
      { ...object, paymentPageId: 'id', amountInCents: null },
      { name: 'order', status: 'CONFIRMED', amountInCents: null },
    ],
    event: [
      { type: 'payin.confirmed', eventId: 'id', createdAt: NOW },
      { name: 'payin.confirmed', status: null, amountInCents: null },
    ],
    webhookendpoint: [
      { url: 'https://shop.example', state: 'ENABLED', endpointId: 'id', createdAt: NOW },
      { name: 'https://shop.example', status: 'ENABLED', amountInCents: null },
    ],
    transfer: [
      { booking: 'payin settled', amountInCents: 500n, transferId: 'id', createdAt: NOW },
      { name: 'payin settled', status: null, amountInCents: 500 },
    ],
  }
  for (const [kind, [found, brief]] of Object.entries(FOUND))
    it(`is shown with what tells it from others: ${kind}`, () => {
      assert.deepEqual(presentFound(stored({ kind, by: 'reference', object: found })), {
        resource: kind,
        id: 'id',
        foundBy: 'reference',
        ...brief,
        createdAt: '2026-11-14T12:00:00.000Z',
      })
    })

  it('is shown with the amount of a page that has one', () => {
    const page = { ...object, paymentPageId: 'id' }
    assert.equal(
      presentFound(stored({ kind: 'paymentpage', by: 'reference', object: page })).amountInCents,
      500,
    )
  })
})

describe('an alarm', () => {
  const open = {
    alarmId: 'a',
    kind: 'orphan-notice',
    subjectId: 's',
    detail: 'Whose?',
    createdAt: NOW,
    takenBy: null,
    takenAt: null,
    resolvedAt: null,
    resolvedBy: null,
    resolution: null,
  }
  it('is shown open until it is resolved, and who took it', () => {
    const shown = {
      id: 'a',
      kind: 'orphan-notice',
      status: 'OPEN',
      subjectId: 's',
      detail: 'Whose?',
      createdAt: '2026-11-14T12:00:00.000Z',
      takenBy: null,
      takenAt: null,
      resolvedAt: null,
      resolvedBy: null,
      resolution: null,
    }
    assert.deepEqual(presentAlarm(stored(open), stored({})), shown)
    const taken = { takenBy: 'Ana', takenAt: at(BEFORE) }
    assert.deepEqual(presentAlarm(stored({ ...open, ...taken }), stored({})), {
      ...shown,
      takenBy: 'Ana',
      takenAt: BEFORE,
    })
    const ended = presentAlarm(stored({ ...open, resolvedAt: NOW, resolvedBy: 'Eva' }), stored({}))
    assert.deepEqual(ended, {
      ...shown,
      status: 'RESOLVED',
      resolvedAt: '2026-11-14T12:00:00.000Z',
      resolvedBy: 'Eva',
    })
  })
})

describe('money in suspense', () => {
  const item = {
    suspenseId: 's',
    state: 'OPEN',
    reason: 'UNKNOWN_PAYIN',
    rail: 'PSE',
    paymentId: 'p',
    amountInCents: 12_345n,
    chargedBackInCents: 345n,
    payinId: null,
    attachedTo: 'x',
    note: null,
    createdAt: NOW - 1_999,
    updatedAt: NOW,
  }
  const of = (fields: object, now = NOW) => presentSuspense(stored({ ...item, ...fields }), stored({}), now)
  it('is shown with its age, and with the payin that has it unless another organization has', () => {
    assert.deepEqual(of({}), {
      id: 's',
      state: 'OPEN',
      reason: 'UNKNOWN_PAYIN',
      rail: 'PSE',
      paymentId: 'p',
      amount: 123.45,
      amountInCents: 12_345,
      leftInCents: 12_000,
      currency: 'COP',
      payinId: null,
      attachedTo: 'x',
      note: null,
      message: null,
      ageSeconds: 1,
      createdAt: '2026-11-14T11:59:58.001Z',
      updatedAt: '2026-11-14T12:00:00.000Z',
    })
    assert.equal(of({ state: 'COUNTED' }).attachedTo, null)
    assert.equal(typeof of({ state: 'RETURNING' }).message, 'string')
    assert.equal(of({}, 0).ageSeconds, 0, 'never less than none')
  })

  it('is shown beside the payins that it may be for', () => {
    const payin = {
      payinId: 'p',
      reference: 'order',
      status: 'EXPIRED',
      source: { rail: 'BRE_B' },
      amountInCents: 7n,
      createdAt: NOW,
    }
    assert.deepEqual(presentCandidate(stored({ payin, fits: ['SAME_AMOUNT'] })), {
      payinId: 'p',
      reference: 'order',
      status: 'EXPIRED',
      rail: 'BRE_B',
      amountInCents: 7,
      createdAt: '2026-11-14T12:00:00.000Z',
      fits: ['SAME_AMOUNT'],
    })
  })
})

describe('a day of the books', () => {
  const organization = (accounting: object) =>
    stored({
      organizationId: 'one',
      name: 'Café',
      taxId: null,
      accounting: { pucAccounts: {}, estimatesMovementTax: false, ...accounting },
    })
  const columns = (paidOut: bigint) =>
    Object.fromEntries(
      CLOSE_COLUMN_NAMES.map((column) => [
        column,
        column === 'paidOut' ? { movements: 2, amountInCents: paidOut } : { movements: 0, amountInCents: 0n },
      ]),
    )
  const balances = (base: bigint) =>
    Object.fromEntries(ACCOUNTS.map((account, index) => [account, base + BigInt(index)]))
  const day = (fields: object) =>
    stored({
      day: '2026-11-13',
      state: 'OPEN',
      proof: null,
      closedAt: null,
      figures: {
        movements: 2,
        opening: balances(0n),
        closing: balances(1_000n),
        columns: columns(1_000_000n),
      },
      ...fields,
    })
  const closed = day({
    state: 'CLOSED',
    closedAt: NOW,
    proof: { digest: 'd', previousDigest: 'p', movementsDigest: 'm' },
  })

  it('is shown without a proof until it is closed', () => {
    const shown = presentDay(organization({}), day({}))
    assert.deepEqual(
      [shown.status, shown.closedAt, shown.digest, shown.previousDigest, shown.movementsDigest],
      ['OPEN', null, null, null, null],
    )
    const proven = presentDay(organization({}), closed)
    assert.deepEqual(
      [proven.status, proven.closedAt, proven.digest, proven.previousDigest, proven.movementsDigest],
      ['CLOSED', '2026-11-14T12:00:00.000Z', 'd', 'p', 'm'],
    )
    const first = day({ proof: { digest: 'd', previousDigest: null, movementsDigest: 'm' } })
    assert.equal(presentDay(organization({}), first).previousDigest, null)
  })

  it('is shown with its balances and columns, and with accounts and tax where they are set', () => {
    const plain = presentDay(organization({}), day({}))
    assert.deepEqual(
      [plain.movements, plain.balancePucAccount, plain.estimatedMovementTaxInCents],
      [2, null, null],
    )
    assert.deepEqual(
      plain.closingBalances,
      Object.fromEntries(ACCOUNTS.map((account, index) => [account, 1_000 + index])),
    )
    const set = presentDay(
      organization({ pucAccounts: { balance: '1110', paidOut: '2205' }, estimatesMovementTax: true }),
      day({}),
    )
    assert.deepEqual([set.balancePucAccount, set.estimatedMovementTaxInCents], ['1110', 4_000])
    const { paidOut, confirmed } = set.columns as Record<string, unknown>
    assert.deepEqual(paidOut, { movements: 2, amountInCents: 1_000_000, pucAccount: '2205' })
    assert.deepEqual(confirmed, { movements: 0, amountInCents: 0, pucAccount: null })
  })

  it('is one of a month, which is final once it is over and every day is closed', () => {
    const of = (days: unknown[], isOver: boolean, accounting = {}) =>
      presentMonth(organization(accounting), '2026-11', days as never, isOver)
    assert.equal(of([closed, closed], true).isFinal, true)
    assert.equal(of([closed, day({})], true).isFinal, false)
    assert.equal(of([closed, closed], false).isFinal, false)
    const second = day({
      figures: {
        movements: 5,
        opening: balances(50n),
        closing: balances(7_000n),
        columns: columns(500_000n),
      },
    })
    const month = of([day({}), second], true, { estimatesMovementTax: true })
    const sums = month.columns as Record<string, unknown>
    assert.deepEqual(sums.paidOut, { movements: 4, amountInCents: 1_500_000, pucAccount: null })
    assert.deepEqual([month.month, month.movements, month.estimatedMovementTaxInCents], ['2026-11', 7, 6_000])
    const [one, two] = [presentDay(organization({}), day({})), presentDay(organization({}), second)]
    assert.deepEqual(
      [month.openingBalanceInCents, month.closingBalanceInCents],
      [one.openingBalanceInCents, two.closingBalanceInCents],
    )
    assert.equal(of([day({})], true).estimatedMovementTaxInCents, null)
    assert.equal((month.days as unknown[]).length, 2)
  })

  it('has movements, each as it was booked', () => {
    const transfer = {
      transferId: 't',
      createdAt: NOW,
      booking: 'payin confirmed',
      debit: 'NETWORK',
      credit: 'PENDING',
      amountInCents: 9n,
      subjectId: 's',
    }
    const { columns: _, ...shown } = presentMovement(
      stored({
        transfer,
        day: '2026-11-14',
        ownDay: '2026-11-13',
        rail: 'PSE',
        reference: 'order',
        networkId: 'n',
        thirdParty: null,
      }),
    )
    assert.deepEqual(shown, {
      id: 't',
      day: '2026-11-14',
      ownDay: '2026-11-13',
      bookedAt: '2026-11-14T12:00:00.000Z',
      booking: 'payin confirmed',
      debitAccount: 'NETWORK',
      creditAccount: 'PENDING',
      amountInCents: 9,
      subjectId: 's',
      rail: 'PSE',
      reference: 'order',
      networkId: 'n',
      thirdParty: null,
    })
  })
})
