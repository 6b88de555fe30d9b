// Collections at the simulated Mono, held against its documentation: how they are paid, rejected, changed and ended.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  collectionBatch,
  idPattern,
  OUTCOME_DELAY_MS,
  outcome,
  pathsIn,
  pesos,
  ready,
  simulateMono,
} from './mono-caller.ts'

describe('a collection at the simulated Mono', () => {
  it('takes an external id once, and shows the existing collection whatever else is sent', async () => {
    await using simulated = await simulateMono()
    const { id } = await simulated.collect()
    const again = collectionBatch({ usage_mode: 'multiple_use' })
    again.collections.push({ ...again.collections[0], external_id: 'order-2' } as never)
    again.collections.push({ ...again.collections[1], total_maximum_amount: pesos(1) } as never)
    const bad = { total_maximum_amount: pesos(1), external_id: 'order-3' }
    again.collections.push({ ...again.collections[0], ...bad } as never)
    const { status, json } = await simulated.send('POST', '/collections', again)
    assert.equal(status, 201)
    const names = (list: { external_id: string }[]) => list.map((one) => one.external_id)
    assert.deepEqual(names(json.created), ['order-2'])
    assert.deepEqual(names(json.duplicated), ['order-1', 'order-2'])
    assert.equal(json.duplicated[0].id, id)
    assert.deepEqual(json.rejected, [
      {
        external_id: 'order-3',
        error_code: 'invalid_amount_range',
        message: 'The minimum exceeds the maximum',
      },
    ])
    const found = await simulated.read('/collections?external_id=order-3')
    assert.deepEqual([found.collections, found.pagination.total_entries], [[], 0])
    for (const changes of [
      { expires_at: '2026-11-16T15:00:00Z' },
      { minimum_attempt_amount: pesos(1) },
      { usage_mode: 'multiple_use', minimum_attempt_amount: pesos(2), maximum_attempt_amount: pesos(1) },
    ]) {
      const answer = await simulated.send(
        'POST',
        '/collections',
        collectionBatch({ external_id: 'x', ...changes }),
      )
      assert.deepEqual([answer.status, answer.json.created, answer.json.rejected.length], [200, [], 1])
    }
  })

  it('is paid in the sandbox, and tells the attempt before the collection', async () => {
    await using simulated = await simulateMono()
    const { id, path, key } = await ready(simulated)
    const payer = {
      full_name: 'Ana Gómez',
      document_type: 'CC',
      document_number: '52000111',
      type: 'natural',
    }
    simulated.received.length = 0
    assert.deepEqual(await outcome(simulated, path, key, { payer }), ['successful', null, 'paid'])
    const { attempts, pagination } = await simulated.read(`${path}/attempts`)
    assert.deepEqual(pagination, { page_number: 1, page_size: 10, total_entries: 1, total_pages: 1 })
    const [attempt] = attempts
    assert.match(attempt.id, idPattern('bbcolat'))
    assert.match(attempt.end_to_end_id, /^20261116900406150CRB\d{15}$/)
    assert.deepEqual(
      [attempt.collection_id, attempt.amount, attempt.key_type, attempt.key_value, attempt.payer],
      [id, pesos(24_900), 'alphanumeric', key, payer],
    )
    assert.deepEqual(Object.keys(attempt.payer_account), ['number', 'type', 'currency_code'])
    const paid = await simulated.read(path)
    assert.deepEqual([paid.paid_amount, paid.successful_attempts], [pesos(24_900), 1])
    assert.deepEqual(
      simulated.events().map(({ type }) => type),
      ['collection.attempt_successful', 'collection.minimum_paid', 'collection.paid'],
    )
    assert.deepEqual(simulated.events()[0]?.data, { id: attempt.id, collection_id: id })
    assert.deepEqual(await outcome(simulated, path, key), ['rejected', 'collection_invalid_state', 'paid'])
    await simulated.advance(OUTCOME_DELAY_MS)
    const pruned = await simulated.read(path)
    assert.deepEqual([pruned.prune_status, typeof pruned.key_pruned_at], ['pruned', 'string'])
    const late = await simulated.pay(key)
    assert.deepEqual([late.status, late.json.errors[0].error_code], [404, 'key_not_found'])

    const filters: [query: string, found: number][] = [
      [`collection_id=${id}`, 2],
      ['state=rejected', 1],
      [`key_value=${encodeURIComponent(key)}`, 2],
      [`end_to_end_id=${attempt.end_to_end_id}`, 1],
      [`collection_id=${id}&state=created`, 0],
      ['collection_id=x', 0],
    ]
    for (const [query, found] of filters)
      assert.equal((await simulated.read(`/collections/attempts?${query}`)).attempts.length, found, query)
    assert.equal((await simulated.send('GET', '/collections/attempts?state=x')).status, 400)
  })

  it('rejects a payment by its own rules, and fails one as asked, without ending the collection', async () => {
    await using simulated = await simulateMono()
    const payer = { document_type: 'CC', document_number: '52000111' }
    const { path, key } = await ready(simulated, { expected_payers: [payer] })
    const of = (changes: Record<string, unknown>) => outcome(simulated, path, key, { payer, ...changes })
    assert.deepEqual(await of({ amount: pesos(24_899) }), ['rejected', 'amount', 'ready'])
    assert.deepEqual(await of({ amount: pesos(24_901) }), ['rejected', 'amount', 'ready'])
    const other = { ...payer, document_number: '1' }
    assert.deepEqual(await of({ payer: other }), ['rejected', 'unexpected_payer', 'ready'])
    await simulated.send('PATCH', path, { enabled: false })
    assert.deepEqual(await of({}), ['rejected', 'disabled', 'ready'])
    await simulated.send('PATCH', path, { enabled: true })
    await simulated.advance(1)
    simulated.received.length = 0
    for (const error of ['unknown', 'provider_unavailable', 'breb_timeout', 'risk_control'])
      assert.deepEqual(await of({ error: `tx_${error}` }), ['failed', error, 'ready'])
    assert.deepEqual(
      new Set(simulated.events().map(({ type }) => type)),
      new Set(['collection.attempt_unsuccessful']),
    )
    const read = await simulated.read(path)
    assert.deepEqual([read.failed_attempts, read.successful_attempts, read.paid_amount.amount], [8, 0, 0])
    assert.deepEqual(await of({}), ['successful', null, 'paid'])
  })

  it('is paid in parts if it is of multiple use: to its minimum, then to its maximum', async () => {
    await using simulated = await simulateMono()
    const { path, key } = await ready(simulated, {
      usage_mode: 'multiple_use',
      total_minimum_amount: pesos(100),
      total_maximum_amount: pesos(200),
      minimum_attempt_amount: pesos(40),
      maximum_attempt_amount: pesos(90),
    })
    simulated.received.length = 0
    for (const [amount, ...expected] of [
      [39, 'rejected', 'amount', 'ready'],
      [91, 'rejected', 'amount', 'ready'],
      [60, 'successful', null, 'ready'],
      [60, 'successful', null, 'minimum_paid'],
      [81, 'rejected', 'amount', 'minimum_paid'],
      [80, 'successful', null, 'paid'],
    ] as const)
      assert.deepEqual(await outcome(simulated, path, key, { amount: pesos(amount) }), expected)
    const states = simulated.events().filter(({ type }) => !type.includes('attempt'))
    assert.deepEqual(
      states.map(({ type, data }) => [type, data.paid_amount.amount]),
      [
        ['collection.minimum_paid', 12_000],
        ['collection.paid', 20_000],
      ],
    )
  })

  it('is paid by one payment if it is of single use, whatever its limits are', async () => {
    await using simulated = await simulateMono()
    const none = { total_minimum_amount: undefined, total_maximum_amount: undefined }
    for (const [external_id, limits] of [
      ['free', none],
      ['range', { total_minimum_amount: pesos(100), total_maximum_amount: pesos(30_000) }],
    ] as const) {
      const { path, key } = await ready(simulated, { external_id, ...limits })
      assert.deepEqual(await outcome(simulated, path, key), ['successful', null, 'paid'])
    }
  })

  it('expires without a key if that is sooner, and keeps its state if its minimum is paid', async () => {
    await using simulated = await simulateMono()
    const { id } = await simulated.collect({ expires_in: 1 })
    await simulated.advance(OUTCOME_DELAY_MS)
    const early = await simulated.read(`/collections/${id}`)
    assert.deepEqual([early.state, early.state_reason, early.keys], ['discarded', 'expired', []])
    const { path, key } = await ready(simulated, {
      external_id: 'order-2',
      usage_mode: 'multiple_use',
      total_minimum_amount: pesos(100),
      expires_in: 10,
    })
    const amount = pesos(100)
    assert.deepEqual(await outcome(simulated, path, key, { amount }), ['successful', null, 'minimum_paid'])
    await simulated.advance(10_000 - OUTCOME_DELAY_MS * 1.5)
    assert.deepEqual(await outcome(simulated, path, key, { amount }), ['rejected', 'expired', 'minimum_paid'])
  })

  it('expires: it is discarded, what comes then is rejected, and the key is withdrawn a little later', async () => {
    await using simulated = await simulateMono()
    const { path, key } = await ready(simulated, { expires_in: 10 })
    await simulated.advance(10_000 - OUTCOME_DELAY_MS - 1)
    assert.equal((await simulated.read(path)).state, 'ready')
    await simulated.advance(1)
    const ended = await simulated.read(path)
    assert.deepEqual(
      [ended.state, ended.state_reason, ended.prune_status, ended.key_pruned_at],
      ['discarded', 'expired', 'pending', null],
    )
    assert.equal(simulated.events().at(-1)?.type, 'collection.discarded')
    assert.deepEqual(await outcome(simulated, path, key), ['rejected', 'expired', 'discarded'])
    await simulated.advance(OUTCOME_DELAY_MS / 2)
    const pruned = await simulated.read(path)
    assert.deepEqual([pruned.prune_status, pruned.keys[0].state], ['pruned', 'canceled'])
    assert.equal((await simulated.pay(key)).status, 404)
  })

  it('is deleted while unpaid: the answer is empty, and it ends when its key is withdrawn', async () => {
    await using simulated = await simulateMono()
    const { path } = await ready(simulated)
    const deleted = await simulated.send('DELETE', path)
    assert.deepEqual([deleted.status, deleted.text], [200, ''])
    assert.equal((await simulated.read(path)).state, 'ready')
    const again = await simulated.send('DELETE', path)
    assert.deepEqual([again.status, again.json.errors[0].error_code], [409, 'collection_invalid_state'])
    await simulated.advance(OUTCOME_DELAY_MS)
    const ended = await simulated.read(path)
    assert.deepEqual(
      [ended.state, ended.state_reason, ended.prune_status],
      ['discarded', 'deleted', 'pruned'],
    )
    assert.equal(simulated.events().at(-1)?.type, 'collection.discarded')
    for (const method of ['DELETE', 'PATCH']) {
      const late = await simulated.send(method, path, {})
      assert.deepEqual([late.status, late.json.errors[0].error_code], [409, 'collection_invalid_state'])
    }
    const { id } = await simulated.collect({ external_id: 'order-2' })
    assert.equal((await simulated.send('DELETE', `/collections/${id}`)).status, 200)
    await simulated.advance(OUTCOME_DELAY_MS)
    assert.equal((await simulated.read(`/collections/${id}`)).state_reason, 'deleted')
  })

  it('may still be paid while it is being deleted, and then is paid', async () => {
    await using simulated = await simulateMono()
    const { path, key } = await ready(simulated)
    await simulated.send('DELETE', path)
    assert.deepEqual(await outcome(simulated, path, key), ['successful', null, 'paid'])
    const paid = await simulated.send('DELETE', path)
    assert.deepEqual([paid.status, paid.json.errors[0].error_code], [409, 'has_payments'])
    await simulated.advance(OUTCOME_DELAY_MS / 2)
    const read = await simulated.read(path)
    assert.deepEqual([read.state, read.prune_status], ['paid', 'pending'])
    const part = await ready(simulated, { external_id: 'order-2', usage_mode: 'multiple_use' })
    await simulated.send('DELETE', part.path)
    const amount = pesos(100)
    assert.deepEqual(await outcome(simulated, part.path, part.key, { amount }), ['successful', null, 'ready'])
    await simulated.advance(OUTCOME_DELAY_MS)
    const kept = await simulated.read(part.path)
    assert.deepEqual([kept.state, kept.prune_status, kept.keys[0].state], ['ready', null, 'active'])
    assert.ok(!simulated.events().some(({ type }) => type === 'collection.discarded'))
  })

  it('fails or ends after acceptance: a key in use, and the words of the simulator', async () => {
    await using simulated = await simulateMono()
    await ready(simulated, { custom_key_value: '@CAFELAPALMA' })
    for (const [changes, state, reason] of [
      [{ custom_key_value: '@CAFELAPALMA' }, 'failed', 'key_already_registered'],
      [{ nickname: 'x col_key_already_registered' }, 'failed', 'key_already_registered'],
      [{ reference: 'col_key_registration_failed' }, 'failed', 'key_registration_failed'],
      [{ nickname: 'col_inactivity' }, 'discarded', 'inactivity'],
      [{ custom_merchant_name: 'col_key_canceled' }, 'discarded', 'key_canceled'],
    ] as const) {
      const { id } = await simulated.collect({ external_id: JSON.stringify(changes), ...changes })
      await simulated.advance(2 * OUTCOME_DELAY_MS)
      const read = await simulated.read(`/collections/${id}`)
      assert.deepEqual([read.state, read.state_reason], [state, reason])
      assert.equal(simulated.events().at(-1)?.type, `collection.${state}`)
    }
  })

  it('is changed until its end: expiry and totals', async () => {
    await using simulated = await simulateMono()
    const { path, key } = await ready(simulated, { expires_in: 10, usage_mode: 'multiple_use' })
    const changes = { expires_at: '2026-11-16T11:00:00-05:00', total_minimum_amount: pesos(100) }
    const { status, json } = await simulated.send('PATCH', path, changes)
    assert.deepEqual([status, json.expires_at], [200, '2026-11-16T16:00:00.000Z'])
    await simulated.advance(1)
    const told = simulated.events().at(-1)
    assert.deepEqual([told?.type, told?.data], ['collection.updated', json])
    await simulated.advance(10_000)
    const amount = pesos(150)
    assert.deepEqual(await outcome(simulated, path, key, { amount }), ['successful', null, 'minimum_paid'])
    const wrong: [changes: unknown, paths: (string | null)[]][] = [
      [{ enabled: 'yes' }, ['/enabled']],
      [{ expires_at: '2026-11-16T15:00:00Z' }, ['/expires_at']],
      [{ expires_at: null }, ['/expires_at']],
      [{ total_minimum_amount: pesos(24_901) }, ['/total_maximum_amount']],
      [{ total_maximum_amount: pesos(149) }, ['/total_maximum_amount']],
      [{ total_maximum_amount: 5 }, ['/total_maximum_amount']],
      [{ external_id: 'order-2' }, ['/external_id']],
      ['{', [null]],
    ]
    for (const [sent, paths] of wrong) {
      const refused = await simulated.send('PATCH', path, sent)
      assert.deepEqual([refused.status, pathsIn(refused)], [400, paths])
    }
    const full = await simulated.send('PATCH', path, { total_maximum_amount: amount })
    assert.deepEqual([full.status, full.json.state], [200, 'paid'])
  })

  it('is found by its id, and listed in pages of 10 to 500', async () => {
    await using simulated = await simulateMono()
    for (const method of ['GET', 'PATCH', 'DELETE'])
      for (const [id, status] of [
        [`bbcol_${'A'.repeat(22)}`, 404],
        ['bbcol_short', 400],
      ] as const) {
        const body = method === 'GET' ? undefined : {}
        const unknown = await simulated.send(method, `/collections/${id}`, body)
        assert.deepEqual(
          [unknown.status, unknown.json.errors[0].error_code],
          [status, 'collection_not_found'],
        )
        assert.equal((await simulated.send('GET', `/collections/${id}/attempts`)).status, status)
      }
    for (let count = 1; count <= 12; count += 1) await simulated.collect({ external_id: `order-${count}` })
    const { collections, pagination } = await simulated.read('/collections?page_number=2&page_size=10')
    assert.deepEqual(
      collections.map((one: { external_id: string }) => one.external_id),
      ['order-11', 'order-12'],
    )
    assert.deepEqual(pagination, { page_number: 2, page_size: 10, total_entries: 12, total_pages: 2 })
    assert.equal((await simulated.read('/collections')).collections.length, 10)
    assert.equal((await simulated.read('/collections?page_size=500')).collections.length, 12)
    for (const query of ['page_size=9', 'page_size=501', 'page_size=x', 'page_number=0', 'page_number=-1']) {
      const refused = await simulated.send('GET', `/collections?${query}`)
      assert.deepEqual([refused.status, pathsIn(refused)], [400, [`/${query.split('=')[0]}`]])
    }
  })
})
