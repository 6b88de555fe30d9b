// The proof of an approved batch or refund is held against what was paid.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Sealed } from '../../../src/core/people/sealed.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import { verifyApprovals } from '../../../src/flows/approvals/verify.ts'
import { openReceiver, sealReceiver } from '../../../src/flows/people/vault.ts'
import { newPayout } from '../../api/http/calls.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { createWorld, eventually, type World } from '../../world.ts'
import { refunding } from '../refunds/refunding.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'
import { approvalOf, decideAs, setRules } from './approving.ts'

describe('the proof of what was paid', () => {
  let world: World
  let people: People
  let diego: User
  let answer: (challenge: string) => unknown
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    people = peopleIn(world)
    diego = await people.newMember('approver')
    await people.newMember('owner')
    answer = (await people.withPasskey(diego)).answer
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, confirmed } = refunding(() => world)
  const approved = async (subjectId: string) => {
    const approval = await approvalOf(world, subjectId)
    const passkey = answer(Buffer.from(approval.digest, 'hex').toString('base64url'))
    assert.ok(!isRefusal(await decideAs(people.ctx, diego, approval, 'APPROVED', { given: { passkey } })))
  }
  const problems = async () =>
    (await verifyApprovals(world.ctx, world.organization.organizationId)).problems.map((one) => one.problem)
  const run = async (text: string, values: unknown[]) => {
    const { rowCount } = await world.db.query({ text, values })
    assert.ok(rowCount)
  }
  const read = async (path: string) => {
    await world.passTime(1_000)
    return (await world.client('GET', path)).json
  }

  it('of a batch: its rows and their payouts are those that were approved', async () => {
    await setRules(world, [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])
    const batch = await checkedBatch(world, world.client, goodRow(90), goodRow(91))
    await world.client('POST', `/payout-batches/${batch.id}/submit`)
    const due = await world.db.query({
      text: 'select due_at from payout_batches where batch_id = $1',
      values: [batch.id],
    })
    assert.deepEqual(due.rows, [{ due_at: null }], 'no worker looks at what waits for people')
    await approved(batch.id)
    assert.deepEqual(await problems(), [])
    await eventually(
      () => read(`/payout-batches/${batch.id}`),
      ({ status }) => status === 'COMPLETED',
    )
    assert.deepEqual(await problems(), [])
    const move = `update payout_batch_rows set amount_cents = amount_cents + case row_number when 2 then $2 else -$2::bigint end
                   where batch_id = $1`
    await run(move, [batch.id, 4_900_000])
    const found = await problems()
    assert.ok(found.includes('the batch’s rowsSha256 is not what was approved'), found.join())
    assert.ok(found.includes('the payout of row 2 has another amount'), found.join())
    await run(move, [batch.id, -4_900_000])
    await run(
      `update payouts set amount_cents = amount_cents + 1 where payout_id in
                 (select payout_id from payout_batch_rows where batch_id = $1 and row_number = 3)`,
      [batch.id],
    )
    assert.deepEqual(await problems(), ['the payout of row 3 has another amount'])
    await run(
      `update payouts set amount_cents = amount_cents - 1 where payout_id in
                 (select payout_id from payout_batch_rows where batch_id = $1 and row_number = 3)`,
      [batch.id],
    )
    assert.deepEqual(await problems(), [])
    // Sealed by whoever has the keys, so that it opens.
    const { rows } = await world.db.query<{ payout_id: string; customer: Sealed }>({
      text: `select payout_id, customer from payouts where payout_id in
               (select payout_id from payout_batch_rows where batch_id = $1 and row_number = 2)`,
      values: [batch.id],
    })
    const { payout_id: payoutId, customer } = rows[0] ?? assert.fail()
    const vault = await world.ctx.vault(world.organization.organizationId)
    const receiver = openReceiver(vault, payoutId, customer)
    assert.ok(typeof receiver !== 'string')
    const other = sealReceiver(vault, payoutId, { ...receiver, keyString: '@OTRAPERSONA' })
    const pay = (sealed: unknown) =>
      run('update payouts set customer = $2 where payout_id = $1', [payoutId, JSON.stringify(sealed)])
    await pay(other)
    assert.deepEqual(await problems(), ['the payout of row 2 went to another receiver'])
    await pay(customer)
    assert.deepEqual(await problems(), [])
  })

  it('of a refund: its payin, its amount and its key', async () => {
    const made = await asked(await confirmed(), { breb: { keyString: '@OTRAPERSONA' } })
    await approved(made.id)
    const changes: [set: string, undo: string, problem: RegExp][] = [
      ['amount_cents = amount_cents - 1', 'amount_cents = amount_cents + 1', /refund’s amountInCents/],
      [`reason = 'FRAUD'`, `reason = '${made.reason}'`, /refund’s reason/],
      [
        `receiver = json_build_object('sealed', receiver->>'sealed' || 'x')`,
        `receiver = json_build_object('sealed', rtrim(receiver->>'sealed', 'x'))`,
        /refund’s receiverSha256/,
      ],
    ]
    assert.deepEqual(await problems(), [])
    for (const [set, undo, problem] of changes) {
      await run(`update refunds set ${set} where refund_id = $1`, [made.id])
      assert.match((await problems()).join(), problem)
      await run(`update refunds set ${undo} where refund_id = $1`, [made.id])
    }
    assert.deepEqual(await problems(), [])
    const { rows } = await world.db.query<{ claim: Record<string, unknown> }>({
      text: 'select claim from refunds where refund_id = $1',
      values: [made.id],
    })
    const [first] = rows
    const name = (claim: unknown) =>
      run('update refunds set claim = $2 where refund_id = $1', [made.id, JSON.stringify(claim)])
    await name({ ...first?.claim, lastFour: '0000' })
    assert.match((await problems()).join(), /refund’s lastFour/)
    await name({ ...first?.claim, lastFour: '0000', claimedAt: world.ctx.clock.now() + 1 })
    assert.deepEqual(await problems(), [], 'a key that the payer has named since was not approved with it')
    await name(first?.claim)
    await eventually(
      () => read(`/refunds/${made.id}`),
      ({ payoutId }) => payoutId !== null,
    )
    assert.deepEqual(await problems(), [])
    const { payoutId } = await read(`/refunds/${made.id}`)
    await run('update payouts set amount_cents = amount_cents + 1 where payout_id = $1', [payoutId])
    assert.match((await problems()).join(), /refund’s payout’s amountInCents/)
    await run('update payouts set amount_cents = amount_cents - 1 where payout_id = $1', [payoutId])
  })

  it('every word of what was approved is held against what is there', async () => {
    await setRules(world, [
      { kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 1 }] },
      { kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] },
    ])
    const { id: payoutId } = (await world.client('POST', '/payouts', newPayout())).json
    const batch = await checkedBatch(world, world.client, goodRow(92))
    await world.client('POST', `/payout-batches/${batch.id}/submit`)
    const refund = await asked(await confirmed(), { breb: { keyString: '@OTRAPERSONA' } })
    const subjects = { payout: payoutId, batch: batch.id, refund: refund.id }
    for (const subjectId of Object.values(subjects)) await approved(subjectId)
    assert.deepEqual(await problems(), [])
    const write = 'update approvals set canonical_text = $2 where subject_id = $1'
    for (const [what, subjectId] of Object.entries(subjects)) {
      const { rows } = await world.db.query<{ canonical_text: string }>({
        text: 'select canonical_text from approvals where subject_id = $1',
        values: [subjectId],
      })
      const { canonical_text: text = '' } = rows[0] ?? {}
      const { claim, ...fields } = JSON.parse(text).document
      const words = [...Object.keys(fields), ...Object.keys(claim ?? {})]
      assert.ok(words.length >= 4, text)
      for (const word of words) {
        const parsed = JSON.parse(text)
        const said = word in fields ? parsed.document : parsed.document.claim
        said[word] = 'another'
        await run(write, [subjectId, JSON.stringify(parsed)])
        const found = await problems()
        assert.ok(
          found.includes(`the ${what}’s ${word} is not what was approved`),
          `${word}: ${found.join()}`,
        )
      }
      await run(write, [subjectId, text])
      const other = world.ctx.ids.next()
      const move = 'update approvals set subject_id = $2 where subject_id = $1'
      await run(move, [subjectId, other])
      const found = await problems()
      assert.ok(found.includes(`the ${what} that was approved is gone`), found.join())
      await run(move, [other, subjectId])
    }
    assert.deepEqual(await problems(), [])
  })
})
