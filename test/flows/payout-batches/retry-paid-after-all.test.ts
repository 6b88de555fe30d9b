// A row that failed is tried again, and before the retry is sent the network pays the first payout after all. paid-twice.test.ts has the
// other order, where the row is not tried again.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import { keyRecord } from '../../../src/sandbox/directory.ts'
import { checkedBatch } from '../../api/payout-batches/files.ts'
import { createWorld, eventually, type World } from '../../world.ts'
import { approvalOf, decideAs, setRules } from '../approvals/approving.ts'
import { notify } from '../connections/notify.ts'
import { peopleIn, SITE } from '../team/people.ts'

// The network has it and says nothing until it is told to.
const OPEN = '1000000007'

describe('a retry of rows that the network has paid after all since', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
  })
  after(() => world[Symbol.asyncDispose]())
  const turns = async (count = 4) => {
    for (let turn = 0; turn < count; turn += 1) await world.passTime(2_000)
  }

  // A batch whose row was declined, and the batch that tries it again.
  const retriedOf = async (reference: string, amount: string) => {
    const { client } = world
    const row = `${OPEN};${amount};${reference};${keyRecord('NRIC', OPEN).person.name};CC;${OPEN};`
    const batch = await checkedBatch(world, client, row)
    const submitted = await client('POST', `/payout-batches/${batch.id}/submit`, { acceptWarnings: true })
    assert.equal(submitted.status, 200, submitted.text)
    await world.work()
    const { payoutId } = await rowOf(batch.id)
    await client('POST', `/sandbox/payouts/${payoutId}/simulate`, { outcome: 'declined' })
    await turns()
    assert.equal((await client('GET', `/payouts/${payoutId}`)).json.status, 'DECLINED')
    const retried = await client('POST', `/payout-batches/${batch.id}/retry`)
    assert.equal(retried.status, 201, retried.text)
    await turns()
    return { payoutId: payoutId as string, retryId: retried.json.id as string }
  }
  const rowOf = async (batchId: string) =>
    (await world.client('GET', `/payout-batches/${batchId}/rows`)).json.data[0]
  const paysAfterAll = async (payoutId: string) => {
    const reference = railReference('payout', world.organization.organizationId, payoutId)
    const said = { type: 'transfer.completed', reference, endToEndId: `E2E-${payoutId}` }
    assert.equal(await notify(world, said), 200)
    await turns()
    const { rows } = await world.db.query<{ stage: string }>({
      text: 'select stage from payouts where payout_id = $1',
      values: [payoutId],
    })
    assert.equal(rows[0]?.stage, 'STOPPED')
  }
  const submit = (batchId: string, body: object = {}) =>
    world.client('POST', `/payout-batches/${batchId}/submit`, body)

  it('pays nobody a second time without anybody having accepted that', async () => {
    const { payoutId, retryId } = await retriedOf('r-1', '50.000')
    await paysAfterAll(payoutId)
    // No payout of the last day.
    await world.passTime(25 * 60 * 60_000)
    const again = await submit(retryId)
    assert.deepEqual([again.status, again.json.code], [422, 'BATCH_NOT_READY'])
    const { problems } = await rowOf(retryId)
    assert.deepEqual(
      problems.map(({ code, duplicateOf }: { code: string; duplicateOf: string }) => [code, duplicateOf]),
      [['PAID_AFTER_ALL', payoutId]],
    )
    assert.equal((await submit(retryId, { acceptWarnings: true })).status, 200)
    await turns()
    assert.notEqual((await rowOf(retryId)).payoutId, null, 'somebody has accepted it')
  })

  it('pays nobody a second time where the network paid after the retry was submitted', async () => {
    const { payoutId, retryId } = await retriedOf('r-2', '60.000')
    const people = peopleIn(world)
    const approver = await people.newMember('administrator')
    await setRules(world, [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])
    assert.equal((await submit(retryId)).status, 200)
    await paysAfterAll(payoutId)
    const approval = await approvalOf(world, retryId)
    const sign = (await people.withPasskey(approver)).answer
    const passkey = sign(Buffer.from(approval.digest, 'hex').toString('base64url'))
    const decided = await decideAs(people.ctx, approver, approval, 'APPROVED', { given: { passkey } })
    assert.ok(!isRefusal(decided), isRefusal(decided) ? decided.refused : '')
    const {
      state,
      errorCode,
      payoutId: second,
    } = await eventually(
      async () => {
        await turns(1)
        return rowOf(retryId)
      },
      (row) => row.state !== 'QUEUED',
    )
    assert.deepEqual([state, errorCode, second], ['REFUSED', 'PAID_AFTER_ALL', null])
  })
})
