// Transfers and resolutions at the simulated Mono, held against its documentation: their states, and everything with which they fail.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  idPattern,
  type Mono,
  OUTCOME_DELAY_MS,
  pesos,
  simulateMono,
  tenantAccountId,
  transferBatch,
} from './mono-caller.ts'

const resolve = (simulated: Mono, value: string, changes: Record<string, unknown> = {}) =>
  simulated.send('POST', '/targets/resolve', {
    tenant_account_id: tenantAccountId,
    format: 'plain_key',
    value,
    ...changes,
  })

/** The resolution when it has ended, whether it answered at once or tells it in a notice. */
async function resolved(simulated: Mono, value: string, changes?: Record<string, unknown>) {
  const { json } = await resolve(simulated, value, changes)
  await simulated.advance(OUTCOME_DELAY_MS)
  const told = simulated.events().filter(({ data }) => data.id === json.id)
  return told.at(-1)?.data
}

/** The states a transfer was told to be in, and the reason of the last. */
async function life(simulated: Mono, changes: Record<string, unknown>, batch?: Record<string, unknown>) {
  const { id } = await simulated.transfer(changes, batch)
  await simulated.advance(3 * OUTCOME_DELAY_MS)
  const told = simulated.events().filter(({ data }) => data.id === id)
  const last = await simulated.read(`/outgoing_transfers/${id}`)
  assert.deepEqual(told.at(-1)?.data, last)
  assert.ok(told.every(({ type, data }) => type === `outgoing_transfer.${data.state}`))
  return [...told.map(({ data }) => data.state), last.state_reason]
}

const SENT = ['created', 'processing', 'target_resolved', 'held', 'sent_to_breb_provider']

describe('a transfer at the simulated Mono', () => {
  it('goes through its states one by one, and is successful after the delay', async () => {
    await using simulated = await simulateMono()
    const { inserted_at, updated_at, id, ...others } = await simulated.transfer({ description: 'Pago' })
    assert.match(id, idPattern('bbot'))
    assert.equal(inserted_at, updated_at)
    assert.deepEqual(others, {
      external_id: 'payout-1',
      amount: pesos(50_000),
      description: 'Pago',
      state: 'created',
      state_reason: null,
    })
    const state = async () => (await simulated.read(`/outgoing_transfers/${id}`)).state
    for (const expected of [...SENT, 'successful']) {
      assert.equal(await state(), expected)
      await simulated.advance(OUTCOME_DELAY_MS / 5)
    }
    const { transfers } = await simulated.read('/outgoing_transfers?external_id=payout-1')
    assert.deepEqual(
      transfers.map((one: { id: string; state: string }) => [one.id, one.state]),
      [[id, 'successful']],
    )
    assert.deepEqual(
      simulated.events().map(({ type }) => type),
      [...SENT, 'successful'].map((one) => `outgoing_transfer.${one}`),
    )
  })

  it('fails by a word in its description or in that of its batch', async () => {
    for (const reason of [
      'unknown',
      'amount_exceeds_balance_limit',
      'creditor_account_not_found',
      'invalid_creditor_account',
      'risk_control',
      'breb_timeout',
    ]) {
      await using simulated = await simulateMono()
      const description = `Nómina tx_${reason}.`
      assert.deepEqual(await life(simulated, { description }), [...SENT, 'failed', reason])
      const other = { external_id: 'payout-2', description: 'Pago' }
      assert.deepEqual(await life(simulated, other, { description }), [...SENT, 'failed', reason])
    }
  })

  it('fails by a key of the sandbox, a wrong key, or another creditor than expected', async () => {
    await using simulated = await simulateMono()
    let count = 0
    const of = (value: string, changes: Record<string, unknown> = {}) => {
      count += 1
      const query = { format: 'plain_key', value }
      return life(simulated, { external_id: `payout-${count}`, query, ...changes })
    }
    for (const [key, reason] of [
      ['sandbox@key_not_found.err', 'key_not_found'],
      ['sandbox@key_key_suspended.err', 'key_suspended'],
      ['sandbox@key_suspended.err', 'key_suspended'],
      ['sandbox@key_invalid_key_format.err', 'invalid_key_format'],
      ['sandbox@key_else.err', 'key_not_found'],
      ['+573001234567', 'invalid_key_format'],
    ] as const)
      assert.deepEqual(await of(key), ['created', 'processing', 'failed', reason], key)
    const unavailable = await of('sandbox@tx_provider_unavailable.err')
    assert.deepEqual(unavailable, [...SENT, 'failed', 'provider_unavailable'])
    const { creditor } = (await resolved(simulated, '3001234567')).target
    const { document_type, document_number } = creditor
    const expected_creditor = { document_type, document_number }
    assert.deepEqual(await of('3001234567', { expected_creditor }), [...SENT, 'successful', null])
    for (const other of [{ document_type: 'NIT' }, { document_number: '1' }])
      assert.deepEqual(await of('3001234567', { expected_creditor: { ...expected_creditor, ...other } }), [
        'created',
        'processing',
        'target_resolved',
        'failed',
        'target_creditor_mismatch',
      ])
  })

  it('has words of the simulator for what the documentation names and gives no word for', async () => {
    await using simulated = await simulateMono()
    const of = (word: string) => life(simulated, { external_id: word, description: word })
    assert.deepEqual(await of('tx_insufficient_funds'), [...SENT.slice(0, 3), 'failed', 'insufficient_funds'])
    assert.deepEqual(await of('tx_internal_error'), ['created', 'processing', 'failed', 'internal_error'])
    assert.deepEqual(await of('tx_canceled'), [...SENT.slice(0, 4), 'canceled', null])
    assert.deepEqual(await of('tx_reversed'), [...SENT, 'successful', 'reversed', null])
    assert.deepEqual(await of('tx_reapplied'), [...SENT, 'successful', 'reversed', 'reapplied', null])
  })

  it('comes back from a key of the simulator, for callers who cannot choose its description', async () => {
    await using simulated = await simulateMono()
    for (const value of ['@DEVUELTA', '@devuelta'])
      assert.deepEqual(await life(simulated, { external_id: value, query: { format: 'plain_key', value } }), [
        ...SENT,
        'successful',
        'reversed',
        null,
      ])
  })

  it('is accepted or rejected alone in its batch, and what is rejected leaves nothing behind', async () => {
    await using simulated = await simulateMono()
    const { target } = await resolved(simulated, '@CAFELAPALMA')
    simulated.received.length = 0
    const batch = transferBatch({ target_id: target.id })
    const one = batch.transfers[0]
    const cap = 1_211_000_000
    const transfers = [
      one,
      { ...one, external_id: 'again' },
      { ...one, external_id: 'unknown', target_id: `bbtgt_${'A'.repeat(22)}` },
      transferBatch({ external_id: 'free', amount: undefined }).transfers[0],
      transferBatch({ external_id: 'dear', amount: { amount: cap + 1, currency: 'COP' } }).transfers[0],
      transferBatch({ external_id: 'most', amount: { amount: cap, currency: 'COP' } }).transfers[0],
    ]
    const { status, json } = await simulated.send('POST', '/outgoing_transfers', { ...batch, transfers })
    assert.equal(status, 202)
    assert.deepEqual(
      (json.accepted_transfers ?? json.transfers).map(
        ({ external_id }: { external_id: string }) => external_id,
      ),
      ['payout-1', 'most'],
    )
    assert.deepEqual(json.rejected_transfers, [
      { external_id: 'again', reason: 'target_already_exists' },
      { external_id: 'unknown', reason: 'target_not_found' },
      { external_id: 'free', reason: 'amount_not_provided' },
      { external_id: 'dear', reason: 'amount_exceeds_max_limit' },
    ])
    await simulated.advance(OUTCOME_DELAY_MS)
    const told = new Set(simulated.events().map(({ data }) => data.external_id))
    assert.deepEqual(told, new Set(['payout-1', 'most']))
    const none = await simulated.send(
      'POST',
      '/outgoing_transfers',
      transferBatch({ external_id: 'again', target_id: target.id }),
    )
    assert.equal(none.status, 200)
    for (const name of ['again', 'free'])
      assert.deepEqual((await simulated.read(`/outgoing_transfers?external_id=${name}`)).transfers, [])
  })

  it('is paid twice if it is sent twice, and both are found under the external id', async () => {
    await using simulated = await simulateMono()
    const first = await simulated.transfer()
    const second = await simulated.transfer()
    assert.notEqual(first.id, second.id)
    await simulated.advance(OUTCOME_DELAY_MS)
    const { transfers } = await simulated.read('/outgoing_transfers?external_id=payout-1')
    assert.deepEqual(
      transfers.map((one: { id: string; state: string }) => [one.id, one.state]),
      [
        [first.id, 'successful'],
        [second.id, 'successful'],
      ],
    )
  })

  it('is listed as accepted_transfers, or as transfers as in the guide', async () => {
    await using simulated = await simulateMono()
    const names = new Set<string>()
    for (let count = 0; count < 20; count += 1) {
      const batch = transferBatch({ external_id: `payout-${count}` })
      const { json } = await simulated.send('POST', '/outgoing_transfers', batch)
      names.add(Object.keys(json).join())
    }
    const both = ['accepted_transfers,rejected_transfers', 'transfers,rejected_transfers']
    assert.deepEqual(names, new Set(both))
  })

  it('is unknown under any other id, and another account has none', async () => {
    await using simulated = await simulateMono()
    assert.equal((await simulated.send('GET', `/outgoing_transfers/bbot_${'A'.repeat(22)}`)).status, 404)
    assert.equal((await simulated.send('GET', '/outgoing_transfers/x')).status, 400)
    const tenant_account_id = `bbtacc_${'A'.repeat(22)}`
    const other = await simulated.send(
      'POST',
      '/outgoing_transfers',
      transferBatch({}, { tenant_account_id }),
    )
    assert.deepEqual([other.status, other.json.errors[0].error_code], [403, 'not_authorized'])
    assert.equal((await resolve(simulated, '3001234567', { tenant_account_id })).status, 403)
  })
})

describe('a resolution at the simulated Mono', () => {
  it('tells who is behind a key, unmasked, and the type of the key', async () => {
    await using simulated = await simulateMono()
    for (const [value, type] of [
      ['3001234567', 'cellphone'],
      ['0012345678', 'merchant_code'],
      ['@CAFELAPALMA', 'alphanumeric'],
      ['ana@example.com', 'email'],
      ['52000111', 'identification'],
    ] as const) {
      const { id, state, state_reason: reason, target } = await resolved(simulated, value)
      assert.match(id, idPattern('bbtgr'))
      assert.deepEqual([state, reason], ['resolved', null])
      assert.match(target.id, idPattern('bbtgt'))
      assert.deepEqual([target.key_type, target.key_value, target.spbvi], [type, value, 'CRB'])
      assert.match(target.creditor.document_number, /^[1-9]\d{9}$/)
      assert.match(target.creditor.full_name, /^[\p{L} ]+$/u)
      assert.equal(target.creditor.type, 'natural')
      assert.match(target.creditor_account.number, /^\d{11}$/)
      assert.equal(target.transaction_amount, null)
    }
    const [one, other] = [await resolved(simulated, '3001234567'), await resolved(simulated, '3001234567')]
    assert.deepEqual(one.target.creditor, other.target.creditor)
    assert.notEqual(one.target.id, other.target.id)
  })

  it('answers at once or later, sometimes after retrying, and a notice tells it', async () => {
    const run = async (seed: number) => {
      await using simulated = await simulateMono({ seed })
      const answers: string[] = []
      const lives = new Set<string>()
      for (let count = 0; count < 24; count += 1) {
        const { status, json } = await resolve(simulated, `30012345${10 + count}`)
        answers.push(`${status} ${json.state} ${json.target === null}`)
        await simulated.advance(OUTCOME_DELAY_MS)
        const told = simulated.events().filter(({ data }) => data.id === json.id)
        assert.ok(told.every(({ type, data }) => type === `target_resolution.${data.state}`))
        lives.add(told.map(({ data }) => data.state).join())
      }
      assert.deepEqual(new Set(answers), new Set(['200 resolved false', '202 created true']))
      assert.deepEqual(lives, new Set(['resolved', 'created,resolved', 'created,retrying,resolved']))
      return answers
    }
    assert.deepEqual(await run(5), await run(5))
    assert.notDeepEqual(await run(5), await run(6))
  })

  it('fails with the keys of the sandbox, and with formats that it does not read', async () => {
    await using simulated = await simulateMono()
    for (const [value, changes, reason] of [
      ['sandbox@key_not_found.err', {}, 'key_not_found'],
      ['sandbox@key_suspended.err', {}, 'key_suspended'],
      ['300-123', {}, 'invalid_key_format'],
      ['3001234567', { format: 'emvco', user_requested_at: '2026-11-16T15:00:00Z' }, 'invalid_key_format'],
    ] as const) {
      const { state, state_reason, target } = await resolved(simulated, value, changes)
      assert.deepEqual([state, state_reason, target], ['failed', reason, null])
    }
    const unavailable = await resolved(simulated, 'sandbox@tx_provider_unavailable.err')
    assert.equal(unavailable.state, 'resolved')
  })
})
