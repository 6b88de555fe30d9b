// The Mono adapter against a scripted Mono: what it makes of answers that leave doubt.

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { UnknownKind } from '../../../src/rails/rail.ts'
import { type Answer, type FakeNetwork, openFakeNetwork } from '../fake-network.ts'
import {
  ATTEMPT_ID,
  attempt,
  COLLECTION_ID,
  collection,
  money,
  page,
  paidCollection,
  refusal,
  resolution,
  TRANSFER_ID,
  target,
  transfer,
} from './answers.ts'
import {
  AMOUNT,
  acceptedValue,
  assertUnknown,
  handle,
  type OpenedMono,
  OUR_KEY,
  openAt,
  PAYIN,
  PAYOUT,
  payinOrder,
  payoutOrder,
} from './opened.ts'

const ok = (json: unknown): Answer => ({ status: 200, json })
const html: Answer = { status: 200, bytes: '<html></html>', headers: { 'content-type': 'text/html' } }

describe('a scripted Mono whose answers leave doubt', () => {
  let mono: FakeNetwork
  let rails: OpenedMono
  before(async () => {
    mono = await openFakeNetwork()
  })
  beforeEach(() => {
    rails = openAt(mono.url, { limits: { breakAfterFailures: 1_000 } })
  })
  afterEach(() => rails.close())
  after(() => mono[Symbol.asyncDispose]())

  const notFound = ok(page('collections', []))

  it('believes a refused payin only if a search finds nothing', async () => {
    const refused: Answer = { status: 422, json: refusal('validation_error') }
    const rejected = { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'validation_error' }
    mono.willAnswer(refused, notFound)
    assert.deepEqual(await rails.payin.submit(payinOrder()), rejected)
    const said = ok({ rejected: [{ external_id: PAYIN, error_code: 'invalid_expiration' }] })
    for (const no of [refused, said]) {
      mono.willAnswer(no, ok(page('collections', [collection])))
      const found = acceptedValue(await rails.payin.submit(payinOrder()))
      assert.deepEqual([found.providerId, found.instructions.keyString], [COLLECTION_ID, OUR_KEY])
      mono.willAnswer(no, { status: 503, bytes: '' })
      assertUnknown(await rails.payin.submit(payinOrder()), 'unavailable')
    }
  })

  it('ends no payin by a refusal that leaves doubt', async () => {
    for (const status of [404, 409, 423]) {
      mono.willAnswer({ status, json: refusal('conflict') }, notFound)
      assertUnknown(await rails.payin.submit(payinOrder()), 'undecided', String(status))
    }
  })

  it('believes a refused payout only if a search finds nothing', async () => {
    const refused: Answer = { status: 400, json: refusal('validation_error') }
    const said = ok({ rejected_transfers: [{ external_id: PAYOUT, reason: 'target_already_exists' }] })
    for (const [no, networkCode] of [
      [refused, 'validation_error'],
      [said, 'target_already_exists'],
    ] as const) {
      mono.willAnswer(no, ok(page('transfers', [])))
      const rejected = { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode }
      assert.deepEqual(await rails.payout.submit(payoutOrder()), rejected)
      mono.willAnswer(no, ok(page('outgoing_transfers', [{ ...transfer, state: 'successful' }])))
      assert.equal(acceptedValue(await rails.payout.submit(payoutOrder())).state, 'completed')
      mono.willAnswer(no, ok(page('transfers', [transfer, transfer])))
      assertUnknown(await rails.payout.submit(payoutOrder()), 'undecided')
      mono.willAnswer(no, 'reset')
      assertUnknown(await rails.payout.submit(payoutOrder()), 'unavailable')
    }
  })

  it('ends no payout by a refusal that leaves doubt', async () => {
    for (const status of [404, 409, 423]) {
      mono.willAnswer({ status, json: refusal('conflict') }, ok(page('transfers', [])))
      assertUnknown(await rails.payout.submit(payoutOrder()), 'undecided', String(status))
    }
  })

  it('rejects a payout that failed at once', async () => {
    const failed = { state: 'failed', state_reason: 'key_not_found' }
    mono.willAnswer(ok({ accepted_transfers: [{ ...transfer, ...failed }] }))
    const rejected = { outcome: 'rejected', reason: 'KEY_NOT_FOUND', networkCode: 'key_not_found' }
    assert.deepEqual(await rails.payout.submit(payoutOrder()), rejected)
  })

  it('calls a payout absent only by a search that holds the whole answer', async () => {
    mono.willAnswer(ok(page('transfers', [])))
    assert.deepEqual(acceptedValue(await rails.payout.query(handle(PAYOUT))), { state: 'absent' })
    mono.willAnswer(ok(page('transfers', [transfer], { total_pages: 2, total_items: 11 })))
    assertUnknown(await rails.payout.query(handle(PAYOUT)), 'undecided')
    mono.willAnswer({ status: 404, json: refusal('outgoing_transfer_not_found') })
    assertUnknown(await rails.payout.query(handle(PAYOUT)), 'undecided')
    assertUnknown(await rails.payout.query(handle(PAYOUT, TRANSFER_ID)), 'undecided')
  })

  it('settles nothing by several collections under one reference', async () => {
    mono.willAnswer(ok(page('collections', [collection, collection])))
    for (const ask of [rails.payin.query, rails.payin.cancel])
      assertUnknown(await ask(handle(PAYIN)), 'undecided')
  })

  it('finds payments whatever the collection’s state, and lists the first one first', async () => {
    const second = { ...attempt, id: 'bbcolat_secondAttemptSecondAtt', inserted_at: '2026-11-16T15:02:00Z' }
    const payments = [
      { paymentId: `mono:${ATTEMPT_ID}`, amountInCents: AMOUNT },
      { paymentId: 'mono:bbcolat_secondAttemptSecondAtt', amountInCents: AMOUNT },
    ]
    for (const changes of [
      { state: 'discarded', state_reason: 'expired', successful_attempts: 1 },
      { state: 'discarded', state_reason: 'deleted', successful_attempts: 0, paid_amount: money() },
      { state: 'failed', state_reason: 'key_registration_failed', successful_attempts: 2 },
      { state: 'minimum_paid', paid_amount: null },
    ]) {
      // Mono lists the newest first, and one page may repeat what the page before had.
      mono.willAnswer(
        ok({ ...collection, ...changes }),
        ok(page('attempts', [second, second], { total_pages: 2, total_items: 3 })),
        ok(page('attempts', [attempt], { page_number: 2, total_pages: 2, total_items: 3 })),
      )
      const status = acceptedValue(await rails.payin.query(handle(PAYIN, COLLECTION_ID)))
      assert.deepEqual(status, {
        state: 'paid',
        payments,
        networkCode: changes.state_reason ?? changes.state,
      })
    }
  })

  it('does not refuse an order whose failed collection was paid', async () => {
    const failed = { ...collection, state: 'failed', state_reason: 'key_registration_failed' }
    const order = async (changes: object) => {
      mono.willAnswer(ok({ duplicated: [{ ...failed, ...changes }] }))
      return (await rails.payin.submit(payinOrder())).outcome
    }
    assert.equal(await order({}), 'rejected')
    for (const changes of [{ successful_attempts: 1 }, { paid_amount: money(1) }])
      assert.equal(await order(changes), 'accepted')
  })

  it('does not let a discarded collection end before its payments can be read', async () => {
    const discarded = { ...collection, state: 'discarded', state_reason: 'expired', successful_attempts: 1 }
    mono.willAnswer(ok(discarded), { status: 503, bytes: '' })
    assertUnknown(await rails.payin.query(handle(PAYIN, COLLECTION_ID)), 'unavailable')
    mono.willAnswer(ok({ ...discarded, successful_attempts: 2 }), ok(page('attempts', [attempt])))
    assertUnknown(await rails.payin.query(handle(PAYIN, COLLECTION_ID)), 'unreadable')
  })

  it('stops reading a list that has no end', async () => {
    const answers = Array.from({ length: 11 }, (_, at) =>
      ok(page('attempts', [attempt], { page_number: at + 1, total_pages: 999, total_items: 9_999 })),
    )
    mono.willAnswer(ok(paidCollection), ...answers)
    assertUnknown(await rails.payin.query(handle(PAYIN, COLLECTION_ID)), 'undecided')
    assert.equal(mono.asked.length, 11)
  })

  it('is not ready while the key is not active, or not there', async () => {
    const [key] = collection.keys
    for (const changes of [
      { keys: [] },
      { keys: [{ ...key, state: 'canceled' }] },
      { state: 'created' },
      { keys: [{ ...key, state: 'pending' }], custom_key_value: null },
    ]) {
      mono.willAnswer(ok({ ...collection, ...changes }))
      const status = acceptedValue(await rails.payin.query(handle(PAYIN, COLLECTION_ID)))
      assert.ok(status.state === 'open')
      const { isReady, keyString } = status.opened?.instructions ?? {}
      assert.deepEqual([isReady, keyString], [false, null], JSON.stringify(changes))
    }
    mono.willAnswer(ok({ ...collection, keys: [{ ...key, state: 'canceled', value: '@RCOLD00001' }, key] }))
    const status = acceptedValue(await rails.payin.query(handle(PAYIN, COLLECTION_ID)))
    assert.ok(status.state === 'open' && status.opened?.instructions.keyString === OUR_KEY)
  })

  it('takes the key as it is compared: without regard to case, or to the sign that begins it', async () => {
    const keys = [{ state: 'active', value: OUR_KEY.toLowerCase() }]
    for (const custom_key_value of [OUR_KEY, OUR_KEY.slice(1), null]) {
      mono.willAnswer(ok({ ...collection, keys, custom_key_value }))
      const status = acceptedValue(await rails.payin.query(handle(PAYIN, COLLECTION_ID)))
      assert.ok(status.state === 'open')
      assert.equal(status.opened?.instructions.keyString, OUR_KEY)
    }
  })

  it('calls a discarded collection of an unknown reason declined', async () => {
    for (const reason of [null, 'constructor', 'moon_phase']) {
      mono.willAnswer(ok({ ...collection, state: 'discarded', state_reason: reason }))
      assert.deepEqual(acceptedValue(await rails.payin.query(handle(PAYIN, COLLECTION_ID))), {
        state: 'ended',
        how: 'declined',
        reason: 'RAIL_ERROR',
        networkCode: reason ?? 'discarded',
      })
    }
  })

  it('asks after a deletion that Mono took or could not take, and after no other', async () => {
    const empty: Answer = { status: 200, bytes: '' }
    const conflicts = ['collection_invalid_state', 'has_payments'].map(
      (code): Answer => ({ status: 409, json: refusal(code) }),
    )
    for (const deleted of [empty, { status: 204, bytes: '' } as const, ok({}), ...conflicts]) {
      mono.willAnswer(deleted, ok(collection))
      const status = acceptedValue(await rails.payin.cancel(handle(PAYIN, COLLECTION_ID)))
      assert.equal(status.state, 'open')
      assert.deepEqual(
        mono.asked.map(({ method }) => method),
        ['DELETE', 'GET'],
      )
    }
    const others: [Answer, UnknownKind][] = [
      [{ status: 404, json: refusal('collection_not_found') }, 'undecided'],
      [{ status: 403, json: refusal('not_authorized') }, 'unavailable'],
      [{ status: 409, bytes: '' }, 'unreadable'],
      [html, 'unreadable'],
      ['reset', 'unavailable'],
    ]
    for (const [answer, kind] of others) {
      mono.willAnswer(answer)
      assertUnknown(await rails.payin.cancel(handle(PAYIN, COLLECTION_ID)), kind)
      assert.ok(mono.asked.every(({ method }) => method === 'DELETE'))
    }
  })

  it('reads what a look-up leaves open', async () => {
    const lookUp = async (json: object) => {
      mono.willAnswer(ok(json))
      return (await rails.directory?.lookUp('3001234567', 'PHONE')) ?? assert.fail()
    }
    for (const state of ['created', 'retrying'])
      assertUnknown(await lookUp({ ...resolution, state, target: null }), 'timeout')
    const failed = (state_reason: string | null) => ({
      ...resolution,
      state: 'failed',
      state_reason,
      target: null,
    })
    assertUnknown(await lookUp(failed('breb_timeout')), 'timeout')
    for (const reason of [null, 'provider_unavailable', 'constructor'])
      assertUnknown(await lookUp(failed(reason)), 'unavailable')
    assert.deepEqual(acceptedValue(await lookUp(resolution)), {
      keyString: '3001234567',
      keyType: 'PHONE',
      holder: { name: 'Canaria S.A.S.', personType: 'BUSINESS', idType: 'CO_NIT', idNumber: '900123456' },
      participant: { name: 'NIT 900123456', code: '900123456' },
      account: { type: 'ORDINARY_DEPOSIT', lastFour: '3132' },
    })
    const bare = {
      ...target,
      creditor: { full_name: 'Canaria', document_type: null, type: 'other' },
      creditor_account: { type: 'mattress', number: '123' },
    }
    assert.deepEqual(acceptedValue(await lookUp({ ...resolution, target: bare })), {
      keyString: '3001234567',
      keyType: 'PHONE',
      holder: { name: 'Canaria', personType: null, idType: null, idNumber: null },
      participant: { name: 'NIT 900123456', code: '900123456' },
      account: null,
    })
    const short = { ...target, creditor_account: { type: 'savings_account', number: '123' } }
    const found = acceptedValue(await lookUp({ ...resolution, target: short }))
    assert.deepEqual(found.account, { type: 'SAVINGS', lastFour: '***' })
    mono.willAnswer({ status: 400, json: refusal('validation_error') })
    assertUnknown((await rails.directory?.lookUp('3001234567', 'PHONE')) ?? assert.fail(), 'undecided')
  })

  it('is away after calls without an answer, and look-ups do not count', async () => {
    await using weary = openAt(mono.url, { limits: { breakAfterFailures: 2, breakMs: 60_000, tries: 1 } })
    mono.willAnswer('reset')
    for (const _ of [1, 2, 3]) await weary.directory?.lookUp('3001234567', 'PHONE')
    assert.equal(weary.isAway('BRE_B_OUT'), false)
    for (const _ of [1, 2, 3]) await weary.payout.query(handle(PAYOUT))
    assert.deepEqual([weary.isAway('BRE_B_OUT'), weary.isAway('BRE_B_IN')], [true, true])
    assert.equal(mono.asked.length, 4)
  })
})
