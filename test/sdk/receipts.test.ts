// The client's check of receipts is the server's, and asks the server where it can.

import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { ConnectionError, checkStatement, verifyReceipt } from '../../sdk/src/receipts.ts'
import { receiptIdOf, signedBytes, unsignedStatement } from '../../src/core/receipts/statement.ts'

const textOf = (path: string) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const found = /export type StatementKey.*\/\/ END\n/s.exec(text)?.[0]
  assert.ok(found, path)
  return found
}

describe('the client’s check of a receipt', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const kid = '5b0e7f0a-3c52-4b0e-9d3f-0a1b2c3d4e5f'
  const keys = [{ kid, x: publicKey.export({ format: 'jwk' }).x as string, retiredAt: null }]
  const receiptId = receiptIdOf(
    '01900000-0000-7000-8000-000000000001',
    '01900000-0000-7000-8000-000000000002',
  )
  const unsigned = unsignedStatement(kid, receiptId, [
    'payin',
    'Café',
    null,
    100,
    1_800_000_000,
    'r',
    'PSE',
    't',
  ])
  const statement = `${unsigned}.${sign(null, signedBytes(unsigned), privateKey).toString('base64url')}`
  const answering = (status: number, body: unknown) => async () => Response.json(body, { status })

  it('is the server’s, letter for letter', () => {
    assert.equal(textOf('sdk/src/check-statement.ts'), textOf('src/core/receipts/check.ts'))
  })

  it('needs only the keys', async () => {
    const checked = await checkStatement(statement, keys)
    assert.ok(checked.verdict === 'genuine')
    assert.deepEqual([checked.facts.merchant, checked.facts.amountInCents], ['Café', 100])
    const retired = keys.map((key) => ({ ...key, retiredAt: '2026-11-16T00:00:00.000Z' }))
    assert.equal((await checkStatement(statement, retired)).verdict, 'unknown')
    assert.equal((await checkStatement(statement, [])).verdict, 'unknown')
    // What the same key signed for another purpose does not begin with the line of statements.
    const elsewhere = sign(null, Buffer.from(unsigned), privateKey).toString('base64url')
    assert.equal((await checkStatement(`${unsigned}.${elsewhere}`, keys)).verdict, 'altered')
  })

  it('asks the server, and without it answers by the keys or says that it could not', async () => {
    const fromServer = { verdict: 'unknown' }
    assert.deepEqual(await verifyReceipt(statement, { keys, fetch: answering(200, fromServer) }), fromServer)
    const offline = await verifyReceipt(statement, { keys, fetch: answering(503, {}) })
    assert.deepEqual([offline.verdict, offline.since], ['genuine', null])
    await assert.rejects(verifyReceipt(statement, { fetch: answering(503, {}) }), ConnectionError)
    await assert.rejects(verifyReceipt(statement, { keys, baseUrl: 'nowhere' }), /baseUrl must be like/)
  })
})
