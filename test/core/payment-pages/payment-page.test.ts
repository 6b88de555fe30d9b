// What a page is made of, what is left of it, and which of its fields each step changes.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { instantOfId } from '../../../src/core/ids.ts'
import {
  amountsOffered,
  changeTerms,
  closePage,
  countPayment,
  hasFreePieces,
  holdPieces,
  isPayable,
  MAX_OPEN_LINKS,
  newPaymentPage,
  type PageTerms,
  type PaymentPage,
  pageUrl,
  payableCounts,
  paymentPageEnd,
  piecesLeft,
  piecesOffered,
  readPageToken,
  releasePieces,
  sellOut,
  stopOf,
} from '../../../src/core/payment-pages/payment-page.ts'
import { changedFieldsOf } from '../changed-fields.ts'

const ORGANIZATION_ID = '0199a0b0-0000-7000-8000-000000000001'
const PAGE_ID = '0199a0b0-0000-7000-8000-000000000004'
const TOKEN = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
const CREATED = instantOfId(PAGE_ID)
const NOW = CREATED + 60_000
const TERMS: PageTerms = {
  name: 'Café',
  description: null,
  items: null,
  image: null,
  metadata: null,
  amountInCents: 100n,
  minAmountInCents: null,
  maxAmountInCents: null,
  reference: 'page-1',
  callbackUrl: null,
  rail: null,
  validUntil: null,
  maxPayments: null,
  maxPieces: null,
}
const NEW = newPaymentPage(ORGANIZATION_ID, PAGE_ID, TOKEN, TERMS)
const page = (changes: Partial<PaymentPage> = {}): PaymentPage => ({ ...NEW, version: 4, ...changes })

describe('a payment page', () => {
  it('is made of its terms, and nothing of it is held or paid', () => {
    assert.deepEqual(NEW, {
      ...TERMS,
      organizationId: ORGANIZATION_ID,
      paymentPageId: PAGE_ID,
      token: TOKEN,
      version: 1,
      status: 'OPEN',
      currency: 'COP',
      heldPayments: 0,
      heldPieces: 0,
      paidPayments: 0,
      paidPieces: 0,
      paidInCents: 0n,
      createdAt: CREATED,
      updatedAt: CREATED,
    })
  })

  it('has an address that names its organization, and is read from it again', () => {
    const url = pageUrl('https://pay.example', NEW)
    assert.equal(url, 'https://pay.example/page/AZmgsAAAcACAAAAAAAAAAQARIjNEVWZ3iJmqu8zd7v8')
    assert.deepEqual(readPageToken(url.slice('https://pay.example/page/'.length)), {
      organizationId: ORGANIZATION_ID,
      token: TOKEN,
    })
    assert.equal(readPageToken('AZmgsAAAcACAAAAAAAAAAQ'), undefined)
  })

  it('counts what is held, given up and paid, and its version with what is paid alone', () => {
    const held = page({ heldPayments: 3, heldPieces: 7, paidPayments: 2, paidPieces: 5, paidInCents: 40n })
    assert.deepEqual(changedFieldsOf(held, holdPieces(held, 2)), { heldPayments: 4, heldPieces: 9 })
    assert.deepEqual(changedFieldsOf(held, releasePieces(held, 2)), { heldPayments: 2, heldPieces: 5 })
    assert.deepEqual(changedFieldsOf(held, countPayment(held, 2, 60n, NOW)), {
      heldPayments: 2,
      heldPieces: 5,
      paidPayments: 3,
      paidPieces: 7,
      paidInCents: 100n,
      version: 5,
      updatedAt: NOW,
    })
  })

  it('is sold out with its last payment or its last piece, once, and open again when there is more', () => {
    const changes = { status: 'SOLD_OUT', version: 5, updatedAt: NOW }
    for (const sold of [page({ maxPayments: 2, paidPayments: 2 }), page({ maxPieces: 5, paidPieces: 5 })]) {
      assert.deepEqual(changedFieldsOf<PaymentPage>(sold, sellOut(sold, NOW)), changes)
      assert.equal(sellOut({ ...sold, status: 'SOLD_OUT' }, NOW), undefined)
      assert.equal(sellOut({ ...sold, status: 'CLOSED' }, NOW), undefined)
      const over = { ...sold, status: 'SOLD_OUT' } as const
      assert.deepEqual(
        changedFieldsOf<PaymentPage>(over, changeTerms(over, { maxPayments: 9, maxPieces: 9 }, NOW)),
        {
          ...{ status: 'OPEN', version: 5, updatedAt: NOW },
          ...{ maxPayments: 9, maxPieces: 9 },
        },
      )
      assert.equal(changeTerms(sold, { name: 'Té' }, NOW).status, 'SOLD_OUT')
    }
    for (const more of [
      page({ maxPayments: 2, paidPayments: 1 }),
      page({ maxPieces: 5, paidPieces: 4 }),
      page(),
    ])
      assert.equal(sellOut(more, NOW), undefined)
  })

  it('is closed once', () => {
    const closed = closePage(page(), NOW)
    assert.deepEqual(changedFieldsOf<PaymentPage>(page(), closed), {
      status: 'CLOSED',
      version: 5,
      updatedAt: NOW,
    })
    assert.equal(closePage(page({ status: 'CLOSED' }), NOW), undefined)
    assert.equal(closePage(page({ status: 'SOLD_OUT' }), NOW)?.status, 'CLOSED')
  })

  it('sells no more when it is closed, sold out or over, and tells which in this order', () => {
    const over = { validUntil: NOW }
    const out = { maxPieces: 1, paidPieces: 1 }
    assert.equal(paymentPageEnd(page({ ...over, ...out, status: 'CLOSED' }), NOW), 'closed')
    assert.equal(paymentPageEnd(page({ ...over, ...out }), NOW), 'sold-out')
    assert.equal(paymentPageEnd(page(over), NOW), 'over')
    assert.equal(paymentPageEnd(page(over), NOW - 1), null)
    assert.equal(stopOf(page(over), 1, NOW), 'over')
    assert.equal(stopOf(page(), 1, NOW), null)
  })

  it('is held while others have begun to pay for all that is left', () => {
    const stop = (changes: Partial<PaymentPage>, pieces = 1) => stopOf(page(changes), pieces, NOW)
    assert.equal(stop({ maxPayments: 3, paidPayments: 1, heldPayments: 1 }), null)
    assert.equal(stop({ maxPayments: 3, paidPayments: 1, heldPayments: 2 }), 'held')
    const some = { maxPieces: 9, paidPieces: 3, heldPieces: 4 }
    assert.deepEqual([stop(some, 2), stop(some, 3)], [null, 'held'])
    assert.equal(stop({ heldPayments: MAX_OPEN_LINKS - 1 }), null)
    assert.equal(stop({ heldPayments: MAX_OPEN_LINKS }), 'held')
    assert.equal(MAX_OPEN_LINKS, 1_000)
  })

  it('lets a payer ask for what is not paid, and offers what nobody holds: one at least, twenty at most', () => {
    const counts = (maxPieces: number | null, paidPieces: number, heldPieces: number) => {
      const of = page({ maxPieces, paidPieces, heldPieces })
      return [piecesLeft(of), piecesOffered(of), hasFreePieces(of)]
    }
    assert.deepEqual(counts(null, 5, 5), [1, 1, false])
    assert.deepEqual(counts(10, 2, 3), [8, 5, true])
    assert.deepEqual(counts(10, 2, 7), [8, 1, true])
    assert.deepEqual(counts(10, 2, 8), [8, 1, false])
    assert.deepEqual(counts(10, 10, 0), [1, 1, false])
    assert.deepEqual(counts(50, 0, 0), [20, 20, true])
    assert.deepEqual(counts(22, 1, 0), [20, 20, true])
  })

  it('can be paid if a number of its pieces, or an amount within its own, can', () => {
    const ranges = [{ leastInCents: 250n, mostInCents: 600n }]
    assert.deepEqual(payableCounts(100n, 8, ranges), [3, 4, 5, 6])
    assert.equal(isPayable(page(), ranges), false)
    assert.equal(isPayable(page({ maxPieces: 2 }), ranges), false)
    assert.equal(isPayable(page({ maxPieces: 3 }), ranges), true)
    const far = [{ leastInCents: 2_000n, mostInCents: 2_000n }]
    assert.deepEqual(
      [20, 99].map((maxPieces) => isPayable(page({ maxPieces }), far)),
      [true, true],
    )
    assert.equal(isPayable(page({ maxPieces: 99 }), [{ leastInCents: 2_100n, mostInCents: 9_000n }]), false)
    const typed = page({ amountInCents: null, minAmountInCents: 600n, maxAmountInCents: 900n })
    assert.equal(isPayable(typed, ranges), true)
    assert.equal(isPayable({ ...typed, minAmountInCents: 601n }, ranges), false)
    assert.deepEqual(amountsOffered(typed, ranges), [{ leastInCents: 600n, mostInCents: 600n }])
    const free = { minAmountInCents: null, maxAmountInCents: null }
    assert.deepEqual(amountsOffered(free, [{ leastInCents: 0n, mostInCents: 5n }]), [
      { leastInCents: 1n, mostInCents: 5n },
    ])
  })
})
