// What somebody sees before they approve money: who gets it, at which key, and the way to all of it. Nothing is signed blind.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { NO_CHARGES } from '../../src/core/ledger/charges.ts'
import { changeCharges } from '../../src/flows/organizations/change-charges.ts'
import { checkedBatch, goodRow, person } from '../api/payout-batches/files.ts'
import { approvalOf, payoutBody, setRules } from '../flows/approvals/approving.ts'
import { refunding } from '../flows/refunds/refunding.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

describe('the page of an approval says exactly what will happen', () => {
  let world: World
  let checker: Person
  let support: Person
  before(async () => {
    world = await createWorld()
    await signIn(world, 'owner')
    checker = await signIn(world, 'approver', { language: 'en', name: 'Carla Checker' })
    support = await signIn(world, 'support', { language: 'es' })
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, confirmed } = refunding(() => world)

  it('of a batch: its file, its sum, who gets most, and the way to its rows', async () => {
    await setRules(world, [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])
    const rows = [1, 2, 3, 4, 5, 6].map((at) => goodRow(at, `${100 + at}.000`))
    const batch = await checkedBatch(world, world.client, ...rows)
    await world.client('POST', `/payout-batches/${batch.id}/submit`)
    const path = `/approvals/${(await approvalOf(world, batch.id)).id}`
    const { text } = await checker.get(path)
    assert.match(text, /If you approve, 6 payouts of [^<]*621,000[^<]* leave/)
    assert.match(text, new RegExp(`href="[^"]*/batches/${batch.id}"`))
    assert.ok(text.includes(batch.fileName))
    for (const at of [2, 3, 4, 5, 6]) assert.ok(text.includes(person(at).name), `row ${at} is not named`)
    assert.ok(!text.includes(person(1).name), 'the smallest is on the page of the batch')
    const masked = await support.get(path)
    assert.match(masked.text, /Si lo apruebas, salen 6 pagos/)
    assert.ok(!masked.text.includes(person(6).name), 'whoever sees people masked sees them so here')
  })

  it('of a batch and of a payout that cost something: the fees that were set aside', async () => {
    const { organizationId } = world.organization
    const fee = { fixedInCents: 70_000n, basisPoints: 0, taxBasisPoints: 0 }
    await changeCharges(world.ctx, organizationId, () => ({ ...NO_CHARGES, payoutFees: { BRE_B: fee } }))
    const rule = [{ fromAmountInCents: 0, approvers: 1 }]
    await setRules(
      world,
      ['payout-batch', 'payout'].map((kind) => ({ kind, tiers: rule })),
    )
    const batch = await checkedBatch(world, world.client, goodRow(11), goodRow(12))
    await world.client('POST', `/payout-batches/${batch.id}/submit`)
    const payout = (await world.client('POST', '/payouts', payoutBody())).json
    for (const [id, fees] of [
      [batch.id, '1,400'],
      [payout.id, '700'],
    ]) {
      const { text } = await checker.get(`/approvals/${(await approvalOf(world, id)).id}`)
      assert.match(text, new RegExp(`<dt>Fees</dt><dd>[^<]*\\${'$'}[^<]*${fees}`), id)
    }
    assert.match((await checker.get(`/batches/${batch.id}`)).text, /<dt>Fees set aside<\/dt><dd>[^<]*1,400/)
    await changeCharges(world.ctx, organizationId, () => NO_CHARGES)
  })

  it('of a refund: its payin, its reason, and the key and its holder', async () => {
    const made = await asked(await confirmed(), { breb: { keyString: '@OTRAPERSONA' } })
    const path = `/approvals/${(await approvalOf(world, made.id)).id}`
    const { text } = await checker.get(path)
    assert.match(text, /is given back to [^<]+, at the key @OTRAPERSONA/)
    assert.match(text, new RegExp(`href="[^"]*/payins/${made.payinId}"`))
    assert.match(text, new RegExp(`href="[^"]*/refunds/${made.id}"`))
    assert.match(text, /Holder of the key/)
    assert.match(text, /It is somebody else|Could not be compared/)
    const shown = text.slice(0, text.indexOf('id="object-raw"'))
    assert.ok(!shown.includes('receiverSha256'), 'what the digest is of is folded away')
    const masked = await support.get(path)
    assert.ok(!masked.text.includes('@OTRAPERSONA'))
  })
})
