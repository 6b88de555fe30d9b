// The reference under which a network knows a payment: fixed by the id, so there is never a second one; decodable, so
// that a notice finds its payment; and valid on both wires.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  parseRailReference,
  type ReferenceKind,
  railReference,
} from '../../../src/core/connections/reference.ts'

const KINDS: readonly ReferenceKind[] = ['payin', 'payout', 'return']
const anyKind = fc.constantFrom(...KINDS)
const WIRE = /^[A-Za-z0-9_-]{1,64}$/

describe('a rail reference', () => {
  it('is one text per payment, and decodes to it', () => {
    fc.assert(
      fc.property(anyKind, fc.uuid(), fc.uuid(), (kind, organizationId, id) => {
        const reference = railReference(kind, organizationId, id)
        assert.equal(railReference(kind, organizationId, id), reference)
        assert.match(reference, WIRE)
        assert.deepEqual(parseRailReference(reference), { kind, organizationId, id })
      }),
    )
  })

  it('differs wherever kind, organization or id differ', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        const all = KINDS.flatMap((kind) => [
          railReference(kind, one, other),
          railReference(kind, other, one),
          railReference(kind, one, one),
        ])
        assert.equal(new Set(all).size, one === other ? KINDS.length : all.length)
      }),
    )
  })

  it('is the same whether the id was written in capitals or not', () => {
    const id = '0199a0b0-abcd-7000-8000-00000000000f'
    assert.equal(railReference('payin', id.toUpperCase(), id), railReference('payin', id, id.toUpperCase()))
  })

  it('is not decoded from anything else', () => {
    const good = railReference(
      'payout',
      '0199a0b0-abcd-7000-8000-00000000000f',
      '0199a0b0-abcd-7000-8000-000000000001',
    )
    const bad = [
      '',
      good.slice(0, -1),
      `${good}A`,
      `X${good.slice(1)}`,
      `p${good.slice(1)}`,
      ` ${good}`,
      `${good}\n`,
    ]
    for (const text of bad) assert.equal(parseRailReference(text), undefined, JSON.stringify(text))
    fc.assert(fc.property(fc.string(), (text) => assert.equal(parseRailReference(text), undefined)))
  })

  it('has one spelling: another that decodes alike is rejected', () => {
    const good = railReference(
      'payin',
      '0199a0b0-abcd-7000-8000-00000000000f',
      '0199a0b0-abcd-7000-8000-000000000001',
    )
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(good.at(-1) as string)
    const twin = good.slice(0, -1) + alphabet[last + 1]
    assert.deepEqual(Buffer.from(twin.slice(1), 'base64url'), Buffer.from(good.slice(1), 'base64url'))
    assert.equal(parseRailReference(twin), undefined)
  })
})
