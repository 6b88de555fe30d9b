// Where the rules of a batch begin and end: the day of a limit, quiet hours, how long a file or a payout counts as the same, what may be
// tried again, and who has written what is paid.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { BOGOTA_OFFSET_MS } from '../../../src/core/bogota-day.ts'
import { DAY_MS, HOUR_MS } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import {
  changeApiKeyLimits,
  changeOrganizationLimits,
} from '../../../src/flows/organizations/change-limits.ts'
import { leaveOutRows } from '../../../src/flows/payout-batches/change-rows.ts'
import { createBatch } from '../../../src/flows/payout-batches/create.ts'
import { retryBatch } from '../../../src/flows/payout-batches/retry.ts'
import { submitBatch } from '../../../src/flows/payout-batches/submit.ts'
import { keyRecord } from '../../../src/sandbox/directory.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { claimDueBatches, keepBatchLease } from '../../../src/store/payout-batches/batches.ts'
import { newPayout } from '../../api/http/calls.ts'
import { checkedBatch, csv, goodRow, handIn, person } from '../../api/payout-batches/files.ts'
import { type Client, createWorld, type World } from '../../world.ts'
import { approvalOf, decideAs, personActor, setRules } from '../approvals/approving.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'

const NO_LIMITS = { payoutsPerDay: null, payoutSumPerDay: null }
// The simulated network declines what goes to the first, and calls off what goes to the second.
const [DECLINED, CANCELED] = ['1000000003', '1000000005']
const rowTo = (idNumber: string, amount = '5.000'): string =>
  `${idNumber};${amount};r-${idNumber};${keyRecord('NRIC', idNumber).person.name};CC;${idNumber};`

let world: World
before(async () => {
  world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
})
after(() => world[Symbol.asyncDispose]())

const turns = async (count = 4) => {
  for (let turn = 0; turn < count; turn += 1) await world.passTime(2_000)
}
const submit = (client: Client, id: string) =>
  client('POST', `/payout-batches/${id}/submit`, { acceptWarnings: true })
const read = async (client: Client, id: string) => (await client('GET', `/payout-batches/${id}`)).json

describe('a batch', () => {
  it('whose keys take long to look up stays with the worker that keeps its lease', async () => {
    const { client, organization } = await world.newMerchant()
    const { json } = await handIn(client, goodRow(1))
    const now = world.ctx.clock.now()
    const claimAt = (at: number) =>
      claimDueBatches(world.db, organization.organizationId, at, { token: randomUUID(), until: at + 1 }, 1)
    const [claim] = await claimAt(now)
    assert.ok(claim)
    assert.equal(claim.batch.batchId, json.id)
    assert.equal(await keepBatchLease(world.db, claim, now + HOUR_MS), true)
    assert.deepEqual(await claimAt(now + HOUR_MS - 1), [])
    assert.equal((await claimAt(now + HOUR_MS)).length, 1)
    assert.equal(await keepBatchLease(world.db, claim, now + DAY_MS), false, 'another has it')
  })

  it('is refused beyond what the day has left for the key that submits it, and not before', async () => {
    const { apiKeyId, client } = await world.key(null)
    const { organizationId } = world.organization
    const limit = (limits: object) => changeApiKeyLimits(world.ctx, { apiKeyId, organizationId }, limits)
    const batch = await checkedBatch(world, client, goodRow(1), goodRow(2))
    await limit({ payoutsPerDay: 1 })
    assert.equal((await submit(client, batch.id)).json.code, 'PAYOUT_LIMIT_REACHED')
    await limit({ payoutsPerDay: 2, payoutSumPerDay: 9_999_999n })
    assert.equal((await submit(client, batch.id)).json.code, 'PAYOUT_LIMIT_REACHED')
    await limit({ payoutSumPerDay: 10_000_000n })
    assert.equal((await submit(client, batch.id)).status, 200)
    await turns()
    assert.equal((await read(client, batch.id)).payoutsConfirmed, 2)
  })

  it('is refused where what was paid that day leaves too little for it', async () => {
    const { apiKeyId, client } = await world.key(null)
    const { organizationId } = world.organization
    await changeApiKeyLimits(world.ctx, { apiKeyId, organizationId }, { payoutsPerDay: 2 })
    assert.equal((await client('POST', '/payouts', newPayout())).status, 201)
    const batch = await checkedBatch(world, client, goodRow(90), goodRow(91))
    assert.equal((await submit(client, batch.id)).json.code, 'PAYOUT_LIMIT_REACHED')
  })

  it('takes the day of the key that submits it, and not of the one that handed it in', async () => {
    const [handing, submitting] = [await world.key(null), await world.key(null)]
    const { organizationId } = world.organization
    const limit = (apiKeyId: string, payoutsPerDay: number) =>
      changeApiKeyLimits(world.ctx, { apiKeyId, organizationId }, { payoutsPerDay })
    await limit(handing.apiKeyId, 1)
    await limit(submitting.apiKeyId, 2)
    const batch = await checkedBatch(world, handing.client, goodRow(80), goodRow(81))
    assert.equal((await submit(submitting.client, batch.id)).status, 200)
    await turns()
    assert.equal((await read(submitting.client, batch.id)).payoutsConfirmed, 2)
    const payout = async (client: Client) => (await client('POST', '/payouts', newPayout())).json.code
    assert.equal(await payout(submitting.client), 'PAYOUT_LIMIT_REACHED')
    assert.equal(await payout(handing.client), undefined)
  })

  it('that is submitted already is not sent in quiet hours, and goes on after them', async () => {
    const { client, organization } = await world.newMerchant()
    const batch = await checkedBatch(world, client, goodRow(3))
    assert.equal((await submit(client, batch.id)).status, 200)
    const hour = new Date(world.ctx.clock.now() - BOGOTA_OFFSET_MS).getUTCHours()
    const quietHours = [hour, (hour + 2) % 24].map((one) => String(one).padStart(2, '0')).join('-')
    await changeOrganizationLimits(world.ctx, organization.organizationId, { quietHours })
    await turns()
    assert.deepEqual((await client('GET', '/payouts')).json.data, [])
    await world.passTime(2 * HOUR_MS)
    await turns()
    assert.equal((await read(client, batch.id)).payoutsConfirmed, 1)
  })

  it('of a file that was handed in within thirty days is refused, unless that one was canceled', async () => {
    const { client } = await world.newMerchant()
    const again = async () => (await handIn(client, goodRow(4))).json
    const { id } = await again()
    await world.passTime(29 * DAY_MS)
    assert.equal((await again()).code, 'BATCH_FILE_REPEATED')
    assert.equal((await client('POST', `/payout-batches/${id}/cancel`)).status, 200)
    const second = await again()
    assert.ok(second.id, JSON.stringify(second))
    await world.passTime(31 * DAY_MS)
    assert.ok((await again()).id, 'what was handed in longer ago is another month’s')
  })

  it('says whom a payout of the last day paid the same, and of no other day', async () => {
    const { client } = await world.newMerchant()
    const { idNumber, name } = person(5)
    const row = (reference: string) => `${idNumber};50.000;${reference};${name};CC;${idNumber};`
    const paid = await checkedBatch(world, client, row('enero'))
    await submit(client, paid.id)
    await turns()
    assert.equal((await read(client, paid.id)).payoutsConfirmed, 1)
    const problems = async (reference: string) => {
      const { id } = await checkedBatch(world, client, row(reference))
      const [shown] = (await client('GET', `/payout-batches/${id}/rows`)).json.data
      await client('POST', `/payout-batches/${id}/cancel`)
      return shown.problems.map(({ code }: { code: string }) => code)
    }
    await world.passTime(23 * HOUR_MS)
    assert.deepEqual(await problems('febrero'), ['DUPLICATE_PAYOUT'])
    await world.passTime(2 * HOUR_MS)
    assert.deepEqual(await problems('marzo'), [])
  })

  it('tries again what was declined and what was called off', async () => {
    const { client } = await world.newMerchant()
    const batch = await checkedBatch(world, client, goodRow(6), rowTo(DECLINED), rowTo(CANCELED))
    assert.equal((await submit(client, batch.id)).status, 200)
    await turns()
    const done = await read(client, batch.id)
    assert.deepEqual([done.status, done.payoutsConfirmed, done.payoutsFailed], ['COMPLETED', 1, 2])
    const retry = (await client('POST', `/payout-batches/${batch.id}/retry`)).json
    assert.deepEqual([retry.rows, retry.fileName], [2, batch.fileName])
    const early = await submit(client, retry.id)
    assert.match(early.json.detail, /still being looked up/)
    assert.equal(early.headers['retry-after'], '1')
  })

  it('tries again the amount that was read, whatever its file has said of commas', async () => {
    const { client } = await world.newMerchant()
    const batch = await checkedBatch(world, client, goodRow(92, '1,250,000'), rowTo(DECLINED, '5,000'))
    await submit(client, batch.id)
    await turns()
    const retry = (await client('POST', `/payout-batches/${batch.id}/retry`)).json
    const { data } = (await client('GET', `/payout-batches/${retry.id}/rows`)).json
    assert.deepEqual([data.length, data[0].amountInCents, data[0].problems], [1, 500_000, []])
  })

  it('counts its rows as they stand, from the correction to the network, and says since when', async () => {
    const { client } = await world.newMerchant()
    const refused = await client('POST', '/payout-batches', { file: Buffer.from('x').toString('base64') })
    assert.equal(refused.json.errors[0].path, '/file')
    const batch = await checkedBatch(
      world,
      client,
      goodRow(7),
      goodRow(8),
      goodRow(9),
      '@NOEXISTE1;1;r;n;CC;1;',
    )
    const rows = (await client('GET', `/payout-batches/${batch.id}/rows`)).json.data
    const severities = rows.map(({ problems }: { problems: { severity: string }[] }) =>
      problems.map(({ severity }) => severity),
    )
    assert.deepEqual(severities, [[], [], [], ['error']])
    world.advance(1_000)
    const left = await client('POST', `/payout-batches/${batch.id}/leave-out`, { rows: [2] })
    assert.deepEqual([left.json.rowsLeftOut, left.json.rowsWithErrors], [1, 1])
    assert.ok(left.json.updatedAt > batch.updatedAt)
    await client('POST', `/payout-batches/${batch.id}/leave-out`, {})
    const { json: queued } = await submit(client, batch.id)
    assert.deepEqual([queued.payoutsQueued, queued.payoutsProcessing], [2, 0])
    await world.work()
    const sent = await read(client, batch.id)
    assert.deepEqual([sent.payoutsQueued, sent.payoutsProcessing], [0, 2])
    const again = await submit(client, batch.id)
    assert.match(again.json.detail, /is PROCESSING/)
  })
})

describe('whoever has a hand in a batch', () => {
  let people: People
  let users: User[]
  before(async () => {
    people = peopleIn(world)
    users = await Promise.all([0, 1, 2].map(() => people.newMember('administrator')))
  })

  const as = (user: User) => ({ ...people.ctx, actor: personActor(user) })
  const creator = (user: User) => ({ credentialId: user.userId, limits: NO_LIMITS })
  const organization = async () => {
    const found = await getOrganization(world.db, world.organization.organizationId)
    assert.ok(found)
    return found
  }
  const made = async (user: User, ...rows: string[]) => {
    const file = { bytes: Buffer.from(csv(...rows), 'base64'), fileName: 'n.csv', isRepeated: true }
    const batch = await createBatch(as(user), await organization(), creator(user), file, null)
    assert.ok(!isRefusal(batch))
    await world.work()
    return batch.batch.batchId
  }
  const submitted = async (user: User, batchId: string) => {
    const asked = { version: null, acceptsWarnings: true }
    const batch = await submitBatch(as(user), await organization(), creator(user), batchId, asked, null)
    assert.ok(
      !isRefusal(batch),
      JSON.stringify(batch, (_, value) => String(value)),
    )
  }
  const refusedTo = async (user: User, batchId: string) => {
    const approval = await approvalOf(world, batchId)
    const sign = (await people.withPasskey(user)).answer
    const passkey = sign(Buffer.from(approval.digest, 'hex').toString('base64url'))
    const decided = await decideAs(people.ctx, user, approval, 'APPROVED', { given: { passkey } })
    return isRefusal(decided) ? decided.refused : decided.approval.status
  }
  const RULES = [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }]

  it('by leaving rows out does not approve what is left', async () => {
    const [ana, beto, caro] = users as [User, User, User]
    await setRules(world, RULES)
    const batchId = await made(ana, goodRow(20), goodRow(21), goodRow(22))
    const { organizationId } = world.organization
    assert.ok(!isRefusal(await leaveOutRows(as(beto), organizationId, batchId, [3], null)))
    assert.ok(!isRefusal(await leaveOutRows(as(caro), organizationId, batchId, [4], null)))
    await submitted(ana, batchId)
    for (const user of [ana, beto, caro]) assert.equal(await refusedTo(user, batchId), 'APPROVAL_OWN')
    await setRules(world, [])
  })

  it('decides nothing once it is canceled, under whichever key it was asked', async () => {
    const [ana] = users as [User]
    await setRules(world, RULES)
    const batchId = await made(ana, goodRow(30))
    await submitted(ana, batchId)
    const { id } = await approvalOf(world, batchId)
    const headers = { 'idempotency-key': `cancel-${batchId}` }
    const canceled = await world.client('POST', `/payout-batches/${batchId}/cancel`, undefined, headers)
    assert.equal(canceled.status, 200, canceled.text)
    assert.equal((await world.client('GET', `/approvals/${id}`)).json.status, 'VOIDED')
    await setRules(world, [])
  })

  it('does not approve its rows when somebody else tries them again', async () => {
    const [ana, beto, caro] = users as [User, User, User]
    const batchId = await made(ana, rowTo(DECLINED, '6.000'))
    await submitted(ana, batchId)
    await turns()
    await setRules(world, RULES)
    const retried = await retryBatch(as(beto), await organization(), creator(beto), batchId, null)
    assert.ok(!isRefusal(retried))
    await world.work()
    await submitted(caro, retried.batch.batchId)
    assert.equal(await refusedTo(ana, retried.batch.batchId), 'APPROVAL_OWN')
    assert.equal(await refusedTo(beto, retried.batch.batchId), 'APPROVAL_OWN')
    await setRules(world, [])
  })
})
