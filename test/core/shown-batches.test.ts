// Pages, batches and beneficiaries as merchants see them: each field, in each form that it has.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { presentBeneficiary } from '../../src/core/beneficiaries/beneficiary.ts'
import type { PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import { pageEventData, presentPage } from '../../src/core/payment-pages/object.ts'
import type { PaymentPage } from '../../src/core/payment-pages/payment-page.ts'
import type { BatchRow, PayoutBatch } from '../../src/core/payout-batches/batch.ts'
import type { RowCells } from '../../src/core/payout-batches/columns.ts'
import { presentBatch, presentRow } from '../../src/core/payout-batches/object.ts'

const ID = '0199a0b0-0000-7000-8000-000000000001'
const T = Date.parse('2026-11-17T15:00:00.000Z')
const at = (minutes: number) => T + minutes * 60_000
const iso = (minutes: number) => new Date(at(minutes)).toISOString()
const customer = { name: 'Ana', idType: 'CO_CC', idNumber: '1', phone: '', email: '' }

describe('a page, as it is shown', () => {
  const page = {
    ...{ organizationId: ID, paymentPageId: ID, token: Buffer.alloc(16), version: 2, status: 'OPEN' },
    ...{ name: 'Café', description: 'Rico', items: [], image: 'data:', metadata: { a: 'b' } },
    ...{ amountInCents: 12_345n, minAmountInCents: null, maxAmountInCents: null, currency: 'COP' },
    ...{ reference: 'page-1', callbackUrl: 'https://shop.example/', rail: 'PSE', validUntil: at(9) },
    ...{ maxPayments: 9, maxPieces: 8, heldPayments: 1, heldPieces: 2, paidPayments: 3, paidPieces: 4 },
    ...{ paidInCents: 55n, createdAt: at(0), updatedAt: at(1) },
  } as unknown as PaymentPage
  const SHOWN = {
    paymentPageId: ID,
    paymentPageUrl: 'https://pay.example/page/AZmgsAAAcACAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAA',
    status: 'OPEN',
    name: 'Café',
    description: 'Rico',
    items: [],
    amountType: 'FIXED',
    amount: 123.45,
    amountInCents: 12_345,
    minAmountInCents: null,
    maxAmountInCents: null,
    currency: 'COP',
    reference: 'page-1',
    metadata: { a: 'b' },
    callbackUrl: 'https://shop.example/',
    rail: 'PSE',
    validUntil: iso(9),
    maxPayments: 9,
    maxPieces: 8,
    openPayments: 1,
    openPieces: 2,
    paidPayments: 3,
    paidPieces: 4,
    paidAmountInCents: 55,
    createdAt: iso(0),
    updatedAt: iso(1),
  }

  it('has its terms, and what is open and paid of it', () => {
    assert.deepEqual(presentPage('https://pay.example', page), { ...SHOWN, image: 'data:' })
    const typed = {
      ...page,
      amountInCents: null,
      minAmountInCents: 1n,
      maxAmountInCents: 2n,
      validUntil: null,
    }
    assert.deepEqual(presentPage('https://pay.example', typed), {
      ...SHOWN,
      image: 'data:',
      amountType: 'OPEN',
      amount: null,
      amountInCents: null,
      minAmountInCents: 1,
      maxAmountInCents: 2,
      validUntil: null,
    })
  })

  it('is told without its image, with what was paid where something was', () => {
    const told = (paidBy: PaymentLink | null) =>
      JSON.parse(pageEventData('https://pay.example', page, paidBy)) as unknown
    assert.deepEqual(told(null), { ...SHOWN, payment: null })
    const link = { paymentLinkId: 'l', amountInCents: 250n, pieces: 2, completedAt: at(5) } as PaymentLink
    const payment = { paymentLinkId: 'l', amount: 2.5, amountInCents: 250, pieces: 2, completedAt: iso(5) }
    assert.deepEqual(told(link), { ...SHOWN, payment })
  })
})

describe('a batch, as it is shown', () => {
  it('has what it counts, and what became of it', () => {
    const batch = {
      ...{
        organizationId: ID,
        batchId: ID,
        version: 5,
        status: 'PROCESSING',
        fileName: 'a.csv',
        retryOf: 'b',
      },
      ...{ reservedInCents: 1n, reservedFeesInCents: 2n, createdAt: at(0), updatedAt: at(1) },
      ...{ submittedAt: at(2), completedAt: null },
    } as unknown as PayoutBatch
    const totals = {
      ...{ rows: 3, leftOut: 4, toSend: 5, sumInCents: 6n, largestInCents: 7n, withErrors: 8 },
      ...{ withWarnings: 9, keysUnchecked: 10, keysPending: 11 },
    }
    const results = { queued: 12, processing: 13, confirmed: 14, confirmedInCents: 15n, failed: 16 }
    assert.deepEqual(presentBatch(batch, totals, results), {
      id: ID,
      status: 'PROCESSING',
      fileName: 'a.csv',
      version: 5,
      currency: 'COP',
      retryOf: 'b',
      rows: 3,
      rowsLeftOut: 4,
      rowsToSend: 5,
      totalInCents: 6,
      rowsWithErrors: 8,
      rowsWithWarnings: 9,
      keysPending: 11,
      keysUnchecked: 10,
      reservedInCents: 1,
      reservedFeesInCents: 2,
      payoutsQueued: 12,
      payoutsProcessing: 13,
      payoutsConfirmed: 14,
      payoutsFailed: 16,
      confirmedInCents: 15,
      createdAt: iso(0),
      updatedAt: iso(1),
      submittedAt: iso(2),
      completedAt: null,
      organizationId: ID,
    })
  })

  it('has rows with their cells, their problems, and the payout of each', () => {
    const row = {
      ...{ rowNumber: 2, state: 'SENT', amountInCents: 5n, isKeyFromBook: true, keyCheck: 'FOUND' },
      ...{ problems: [{ column: 'name', code: 'REQUIRED' }], duplicateOf: 1, payoutId: 'o', refusal: null },
    } as unknown as BatchRow
    const cells = { key: '@ana', amount: '0,05' } as RowCells
    const outcome = { status: 'DECLINED', errorCode: 'RISK_REJECTED' } as const
    assert.deepEqual(presentRow(row, cells, '@ANA', outcome), {
      row: 2,
      state: 'SENT',
      key: '@ana',
      amount: '0,05',
      amountInCents: 5,
      paidKey: '@ANA',
      keyFromBook: true,
      keyCheck: 'FOUND',
      problems: [
        { column: 'name', code: 'REQUIRED', severity: 'error', duplicateOf: null },
        { column: 'key', code: 'DUPLICATE_IN_FILE', severity: 'warning', duplicateOf: '1' },
      ],
      payoutId: 'o',
      payoutStatus: 'DECLINED',
      errorCode: 'RISK_REJECTED',
    })
    const refused = {
      ...row,
      amountInCents: null,
      duplicateOf: null,
      refusal: 'KEY_NOT_FOUND',
      payoutId: null,
    }
    const shown = presentRow(refused, cells, null, null)
    assert.deepEqual(
      [shown.amountInCents, shown.payoutStatus, shown.errorCode, (shown.problems as unknown[]).length],
      [null, null, 'KEY_NOT_FOUND', 1],
    )
    assert.equal(presentRow(refused, cells, null, outcome).errorCode, 'KEY_NOT_FOUND')
    assert.equal(presentRow({ ...refused, refusal: null }, cells, null, null).errorCode, null)
  })
})

describe('a beneficiary, as it is shown', () => {
  it('has the person, their key, and how it was verified', () => {
    const beneficiary = {
      ...{ organizationId: ID, beneficiaryId: ID, version: 1, documentDigest: Buffer.alloc(1) },
      ...{ person: { sealed: 'x' }, verifiedAt: at(2), createdAt: at(0) },
      verifiedBy: 'DOCUMENT',
      updatedAt: at(1),
    } as const
    const person = { ...customer, email: 'ana@example.com' }
    const shown = presentBeneficiary(beneficiary, {
      customer: person,
      keyString: '@ANA',
      keyStringSent: '@ana',
    })
    const expected = {
      ...{ id: ID, idType: 'CO_CC', idNumber: '1', name: 'Ana', email: 'ana@example.com', key: '@ANA' },
      ...{
        verifiedAt: iso(2),
        verifiedBy: 'DOCUMENT',
        createdAt: iso(0),
        updatedAt: iso(1),
        organizationId: ID,
      },
    }
    assert.deepEqual(shown, expected)
    const unverified = { ...beneficiary, verifiedAt: null, verifiedBy: null }
    const { verifiedAt, verifiedBy } = presentBeneficiary(unverified, {
      ...{ customer: person, keyString: '@ANA', keyStringSent: '@ana' },
    })
    assert.deepEqual([verifiedAt, verifiedBy], [null, null])
  })
})
