// A signed statement is genuine, altered or unknown, however it was pasted.

import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { checkStatement, type StatementKey } from '../../src/core/receipts/check.ts'
import { receiptIdOf, signedBytes, unsignedStatement } from '../../src/core/receipts/statement.ts'

const ID = '0199a0b0-0000-7000-8000-000000000001'
const RECEIPT_ID = receiptIdOf(ID, ID)
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const key: StatementKey = { kid: 'k-1', x: publicKey.export({ format: 'jwk' }).x ?? '', retiredAt: null }
const AT_SECONDS = Date.UTC(2026, 10, 17, 15) / 1_000
const FACTS = ['payin', 'Café', '900123456-8', 123_456, AT_SECONDS, 'order-1', 'PSE', 'T1']
const signed = (facts: readonly unknown[] = FACTS, kid = 'k-1'): string => {
  const unsigned = unsignedStatement(kid, RECEIPT_ID, facts)
  return `${unsigned}.${sign(null, signedBytes(unsigned), privateKey).toString('base64url')}`
}
const statement = signed()
const verdictOf = async (text: string, keys: readonly StatementKey[] = [key]) =>
  (await checkStatement(text, keys)).verdict

describe('a statement', () => {
  it('that is genuine says all that was signed', async () => {
    const facts = {
      ...{ kind: 'payin', merchant: 'Café', taxId: '900123456-8', amountInCents: 123_456, currency: 'COP' },
      ...{ at: '2026-11-17T15:00:00.000Z', reference: 'order-1', rail: 'PSE', trace: 'T1' },
      ...{ status: null, key: null, evidence: null },
    }
    const other = { ...key, kid: 'k-0', x: 'x' }
    assert.deepEqual(await checkStatement(statement, [other, key]), {
      ...{ verdict: 'genuine', keyId: 'k-1', receiptId: RECEIPT_ID, facts },
    })
    const more = await checkStatement(signed([...FACTS, 'CONFIRMED', '@ANA', { a: 1 }]), [key])
    assert.deepEqual(more, {
      ...{ verdict: 'genuine', keyId: 'k-1', receiptId: RECEIPT_ID },
      facts: { ...facts, status: 'CONFIRMED', key: '@ANA', evidence: { a: 1 } },
    })
  })

  it('is found where it was pasted: behind an address, before words, or in several lines', async () => {
    const lines = statement.match(/.{1,60}/g)?.join('\n ') ?? ''
    for (const pasted of [
      ...[
        `https://pay.example/verify#${statement}`,
        ` ${statement} `,
        `${statement}.`,
        `${statement}... and more`,
      ],
      ...[`recaudo1. of ${statement}`, lines, `https://pay.example/verify#${lines}\n`, `"${statement}"`],
    ])
      assert.equal(await verdictOf(pasted), 'genuine', pasted)
  })

  it('that nobody can know is unknown, and one that was cut or changed is altered', async () => {
    for (const text of ['', 'x', 'recaudo1', 'recaudo2.a.b.c.d'])
      assert.equal(await verdictOf(text), 'unknown', text)
    assert.equal(await verdictOf(statement, []), 'unknown')
    assert.equal(await verdictOf(signed(FACTS, 'k-2')), 'unknown')
    const parts = statement.split('.')
    const without = (at: number) => parts.toSpliced(at, 1).join('.')
    const withPart = (at: number, part: string) => parts.with(at, part).join('.')
    const [, , receiptId = '', facts = '', signature = ''] = parts
    const broken = [
      ...[statement.slice(0, -1), `${statement}A`, without(1), without(2), without(3), without(4)],
      ...[`${statement}.x`, withPart(2, `${receiptId}A`), withPart(2, receiptId.slice(1)), withPart(3, '')],
      ...[withPart(4, signature.slice(1)), withPart(4, `${signature.slice(0, -1)}B`), 'recaudo1.'],
      ...[withPart(4, `A${signature.slice(1)}A`), withPart(3, `${facts}A`), withPart(1, 'k-2').slice(0, -1)],
    ]
    for (const text of broken) assert.equal(await verdictOf(text), 'altered', text)
    const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    assert.equal(await verdictOf(withPart(4, other)), 'altered')
    assert.equal(await verdictOf(withPart(3, Buffer.from('["payin"]').toString('base64url'))), 'altered')
    // Whether its key is unknown or its text was cut can be told only of one that is whole.
    for (const text of [statement.slice(0, -1), without(2), withPart(3, ''), `${statement}.x`])
      assert.equal(await verdictOf(text, []), 'altered', text)
  })

  it('of a key that was retired holds for payments up to a minute later', async () => {
    const retiredAt = (ms: number) => [{ ...key, retiredAt: new Date(AT_SECONDS * 1_000 + ms).toISOString() }]
    assert.equal(await verdictOf(statement, retiredAt(0)), 'genuine')
    assert.equal(await verdictOf(statement, retiredAt(-60_000)), 'genuine')
    assert.equal(await verdictOf(statement, retiredAt(-60_001)), 'unknown')
  })
})
