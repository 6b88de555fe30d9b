// What the simulated Mono refuses, field by field, in Mono's own format.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  collectionBatch,
  idPattern,
  pathsIn,
  ready,
  simulateMono,
  tenantAccountId,
  transferBatch,
} from './mono-caller.ts'

describe('the fields that the simulated Mono reads', () => {
  it('says which field of a collection or of a payment is wrong', async () => {
    await using simulated = await simulateMono()
    const { key } = await ready(simulated)
    const wrong: Record<string, unknown[]> = {
      external_id: ['', 7, null, 'x'.repeat(256), 'a\nb', '\ud800'],
      usage_mode: ['once', null],
      custom_key_value: ['MONO', '@abc', '@lowercase', 7],
      custom_merchant_name: [''],
      nickname: [7],
      reference: [{}],
      metadata: ['x', []],
      expected_payers: [{}, [{}], [{ document_type: ['CC'], document_number: '1' }]],
      expires_at: ['tomorrow', '2026-13-01T00:00:00Z', 1_800_000_000],
      expires_in: [0, -1, 1.5, '60', 1e15],
      total_minimum_amount: [24_900, { amount: 1.5, currency: 'COP' }, { amount: 0, currency: 'COP' }],
      total_maximum_amount: [
        { amount: 100, currency: 'USD' },
        { amount: '100', currency: 'COP' },
      ],
      minimum_attempt_amount: [{}],
      maximum_attempt_amount: [{ amount: 1, currency: 'COP', cents: 1 }],
      no_such_field: [1],
      enabled: [true],
    }
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const refused = await simulated.send('POST', '/collections', collectionBatch({ [field]: value }))
        assert.deepEqual([refused.status, refused.json.code], [400, '400 Bad Request'], `${field} ${value}`)
        assert.match(refused.json.id, idPattern('log'))
        assert.deepEqual(pathsIn(refused), [`/collections/0/${field}`])
        assert.deepEqual(Object.keys(refused.json.errors[0]).sort(), ['error_code', 'message', 'path', 'url'])
      }
    const batch = collectionBatch()
    const item = batch.collections[0]
    const bodies: [body: unknown, paths: (string | null)[]][] = [
      ['{', [null]],
      ['[]', [null]],
      [{}, ['/collections', '/tenant_account_id']],
      [{ ...batch, collections: [] }, ['/collections']],
      [{ ...batch, collections: Array(1_001).fill(1) }, ['/collections']],
      [{ ...batch, collections: [item, null] }, ['/collections/1']],
      [{ ...batch, tenant_account_id: 'bbtacc_short' }, ['/tenant_account_id']],
      [collectionBatch({ expires_in: 5, expires_at: '2027-01-01T00:00:00Z' }), ['/collections/0/expires_in']],
      [{ tenant_account_id: tenantAccountId, collections: [{}] }, ['/collections/0/external_id']],
    ]
    for (const [body, paths] of bodies) {
      const refused = await simulated.send('POST', '/collections', body)
      assert.equal(refused.status, 400)
      assert.deepEqual(pathsIn(refused)[0], paths[0], JSON.stringify(body).slice(0, 100))
    }
    const payments: Record<string, unknown[]> = {
      amount: [24_900, null, undefined],
      creditor_key_value: ['', 'a b', 'x'.repeat(93), undefined],
      creditor_key_type: ['email'],
      payer: ['Ana', {}, { document_type: 'CC', document_number: '1', type: 'cat' }],
      payment_id: ['x'.repeat(37)],
      error: ['tx_else', 1],
      extra: [1],
    }
    for (const [field, values] of Object.entries(payments))
      for (const value of values) {
        const refused = await simulated.pay(key, { [field]: value })
        assert.deepEqual([refused.status, pathsIn(refused)], [400, [`/${field}`]])
      }
    assert.equal((await simulated.pay('@NOBODY')).status, 404)
  })

  it('says which field of a transfer or of a resolution is wrong', async () => {
    await using simulated = await simulateMono()
    const target_id = `bbtgt_${'A'.repeat(22)}`
    const query = { format: 'plain_key', value: '3001234567' }
    const wrong: [changes: Record<string, unknown>, path: string][] = [
      [{ external_id: 'x'.repeat(256) }, '/external_id'],
      [{ external_id: undefined }, '/external_id'],
      [{ external_id: 5 }, '/external_id'],
      [{ amount: 50_000 }, '/amount'],
      [{ amount: { amount: -1, currency: 'COP' } }, '/amount'],
      [{ amount: { amount: 2 ** 53, currency: 'COP' } }, '/amount'],
      [{ description: ['tx_unknown'] }, '/description'],
      [{ target_id: 'bbtgr_x', query: undefined }, '/target_id'],
      [{ target_id, query }, ''],
      [{ query: undefined }, ''],
      [{ query: { format: 'emvco', value: 'x' } }, '/query/format'],
      [{ query: { format: 'plain_key', value: '300 123' } }, '/query/value'],
      [{ query: { format: 'plain_key' } }, '/query/value'],
      [{ query: { ...query, type: 'x' } }, '/query/type'],
      [{ payment_id: 'x'.repeat(37) }, '/payment_id'],
      [{ expected_creditor: { document_type: 'CC' } }, '/expected_creditor'],
      [{ reference: 'x' }, '/reference'],
    ]
    for (const [changes, path] of wrong) {
      const refused = await simulated.send('POST', '/outgoing_transfers', transferBatch(changes))
      assert.deepEqual([refused.status, pathsIn(refused)], [400, [`/transfers/0${path}`]])
    }
    const batch = transferBatch()
    const bodies: [body: unknown, path: string | null][] = [
      ['{', null],
      [{ ...batch, transfers: {} }, '/transfers'],
      [{ ...batch, transfers: [] }, '/transfers'],
      [{ ...batch, transfers: ['x'] }, '/transfers/0'],
      [{ ...batch, description: '' }, '/description'],
      [{ ...batch, tenant_account_id: 1 }, '/tenant_account_id'],
      [{ ...batch, notify_url: 'x' }, '/notify_url'],
    ]
    for (const [body, path] of bodies) {
      const refused = await simulated.send('POST', '/outgoing_transfers', body)
      assert.deepEqual([refused.status, pathsIn(refused)], [400, [path]])
    }
    assert.equal((await simulated.read('/outgoing_transfers')).pagination.total_entries, 0)

    const asked = { tenant_account_id: tenantAccountId, ...query }
    const resolutions: [body: unknown, path: string | null][] = [
      ['[]', null],
      [{ ...asked, tenant_account_id: undefined }, '/tenant_account_id'],
      [{ ...asked, format: 'key' }, '/format'],
      [{ ...asked, value: '' }, '/value'],
      [{ ...asked, value: 'a b' }, '/value'],
      [{ ...asked, value: 'x'.repeat(93) }, '/value'],
      [{ ...asked, value: 3001234567 }, '/value'],
      [{ ...asked, user_requested_at: 'now' }, '/user_requested_at'],
      [{ ...asked, key_type: 'cellphone' }, '/key_type'],
    ]
    for (const [body, path] of resolutions) {
      const refused = await simulated.send('POST', '/targets/resolve', body)
      assert.deepEqual([refused.status, pathsIn(refused)], [400, [path]])
    }
  })
})
