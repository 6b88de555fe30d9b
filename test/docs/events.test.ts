// The documented events match the real ones: each is caused, received and compared.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../src/api/openapi/document.ts'
import { PAGE_EXAMPLES } from '../../src/api/payment-pages/examples.ts'
import { railReference } from '../../src/core/connections/reference.ts'
import { EVENT_TYPES } from '../../src/core/events/event.ts'
import { DAY_MS } from '../../src/core/instant.ts'
import type { PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import type { User } from '../../src/core/team/user.ts'
import { readApi } from '../../src/docs/open-api.ts'
import { eventDocs } from '../../src/docs/pages/event-examples.ts'
import { decideApproval } from '../../src/flows/approvals/decide.ts'
import { receiveHint } from '../../src/flows/connections/receive-hint.ts'
import { startAttempt } from '../../src/flows/payment-links/start-attempt.ts'
import { startPagePayment } from '../../src/flows/payment-pages/start-payment.ts'
import { getLink } from '../../src/store/payment-links/payment-links.ts'
import { listMembers } from '../../src/store/team/members.ts'
import { getUser } from '../../src/store/team/users.ts'
import { newApprovers, newBatch, newPayout } from '../api/http/calls.ts'
import { startReceiver } from '../api/webhooks/receiver.ts'
import { moveToProviders } from '../flows/connections/funds.ts'
import { accepted, connect } from '../flows/connections/scripted-provider.ts'
import { refunding } from '../flows/refunds/refunding.ts'
import { peopleIn } from '../flows/team/people.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, psePayin, type World } from '../world.ts'

// biome-ignore lint/suspicious/noExplicitAny: events are read where the test expects things to be
type Json = any

const payer = (idNumber: string) => ({ inlineCustomer: { ...CUSTOMER, idNumber } })
const LINK = {
  amountType: 'FIXED',
  amountInCents: 100_000,
  reference: 'told',
  description: 'Two bags of coffee',
  callbackUrl: 'https://shop.example/return',
}

describe('an event of the documentation', () => {
  let world: World
  let sent: Map<string, Json>
  before(async () => {
    world = await createWorld()
    sent = await bringAbout(world)
  })
  after(() => world[Symbol.asyncDispose]())

  for (const { name, example } of eventDocs(readApi('http://127.0.0.1:4000', 'staging')))
    it(`${name} has the fields and the values of the one that is sent`, () => {
      const real = sent.get(name) ?? assert.fail(`${name} was not brought about`)
      assert.deepEqual(Object.keys(example), Object.keys(real))
      assert.deepEqual(shapeOf(example), shapeOf(real))
      const summaryOf = (event: Json) => [
        event.resource,
        event.data.status,
        event.data.settlementStatus,
        event.data.confirmedAmountInCents === null,
        event.data.errorCode === null,
      ]
      assert.deepEqual(summaryOf(example), summaryOf(real))
    })

  it('is of the time at which its object changed, and of its version then', () => {
    const firsts = ['refund.created', 'approval.waiting']
    for (const [name, { createdAt, version, data }] of sent) {
      if (data.updatedAt !== undefined) assert.equal(createdAt, data.updatedAt, name)
      if (data.createdAt !== undefined) assert.equal(version > 1, !firsts.includes(name), name)
    }
    const late = ['payout.confirmed', 'refund.confirmed', 'paymentlink.completed', 'payoutbatch.completed']
    for (const { createdAt, data } of late.map((name) => sent.get(name)))
      assert.ok(createdAt > data.createdAt)
  })

  it('is described in the webhooks of openapi.json, by a schema that it satisfies', () => {
    const document: Json = openApiDocument()
    assert.deepEqual(Object.keys(document.webhooks).toSorted(), [...sent.keys()].toSorted())
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
    ajv.addSchema(document, 'openapi.json')
    for (const [name, event] of sent) {
      const pointer = `/webhooks/${name}/post/requestBody/content/application~1json/schema`
      const validate = ajv.compile<Json>({ $ref: `openapi.json#${pointer}` })
      assert.ok(validate(event), `${name}: ${JSON.stringify(validate.errors)}`)
      assert.equal(validate({ ...event, event: 'payin.unheard' }), false)
      assert.equal(validate({ ...event, data: {} }), false, name)
    }
  })
})

async function bringAbout(world: World): Promise<Map<string, Json>> {
  await using receiver = await startReceiver()
  const { client } = world
  const endpoint = await client('POST', '/webhook-endpoints', { url: receiver.url, events: [...EVENT_TYPES] })
  await client('POST', `/webhook-endpoints/${endpoint.json.id}/test`)
  const create = async (body: Json) => (await client('POST', '/payins', body)).json.id as string
  await create(brebPayin())
  await create(psePayin({ ...payer('1000000007'), callbackUrl: 'https://shop.example/return' }))
  await create(brebPayin(payer('1000000003')))
  await create(brebPayin(payer('1000000017')))
  await client('POST', `/payins/${await create(brebPayin(payer('1000000007')))}/cancel`)
  const links = [await client('POST', '/payment-links', LINK), await client('POST', '/payment-links', LINK)]
  const [paid, expired] = links.map(({ json }) => json.paymentLinkId as string) as [string, string]
  await client('POST', `/payment-links/${expired}/expire`)
  const { organizationId } = world.organization
  await startAttempt(
    world.ctx,
    world.organization,
    (await getLink(world.db, organizationId, paid)) as PaymentLink,
    {
      customer: CUSTOMER,
      way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
    },
  )
  const pages = []
  for (let count = 0; count < 2; count += 1)
    pages.push(await client('POST', '/payment-pages', { ...PAGE_EXAMPLES.fixed, maxPieces: 1 }))
  const [sold, closed] = pages.map(({ json }) => json.paymentPageId as string) as [string, string]
  await client('POST', `/payment-pages/${closed}/close`)
  const choice = { amountInCents: null, pieces: 1 }
  const started = await startPagePayment(world.ctx, world.organization, sold, choice)
  assert.ok('link' in started)
  await startAttempt(world.ctx, world.organization, started.link, {
    customer: CUSTOMER,
    way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
  })
  await world.passTime(1_000)
  await world.passTime(30_000)
  await world.passTime(DAY_MS)
  // Only settled money can be paid out.
  await client('POST', `/payouts/${(await client('POST', '/payouts', newPayout())).json.id}/cancel`)
  await client('POST', '/payouts', newPayout())
  await client('POST', '/payouts', newPayout(payer('1000000003')))
  const batchId = await newBatch(client)
  await world.work()
  await client('POST', `/payout-batches/${batchId}/submit`, { acceptWarnings: true })
  for (let turn = 0; turn < 3; turn += 1) await world.passTime(2_000)
  await giveBack(world)
  await askForApprovals(world)
  await payOutAndReturn(world)
  const wanted = eventDocs(readApi('http://127.0.0.1:4000', 'staging')).map(({ name }) => name)
  // Awaited here: the receiver is gone when we return.
  return await eventually(
    async () => {
      await world.passTime(1_000)
      // Of each kind the first that came.
      const arrived = receiver.got.map(({ body }) => JSON.parse(body)).reverse()
      return new Map<string, Json>(arrived.map((event: Json) => [event.event, event]))
    },
    (events) => wanted.every((name) => events.has(name)),
  )
}

// Over the rail: one of each end, and one that waits for more money than there is.
async function giveBack(world: World): Promise<void> {
  const { asked, confirmed, ends, reaches } = refunding(() => world)
  await ends((await asked(await confirmed(), { amountInCents: 2_000_000 })).id, 'CONFIRMED')
  const canceled = await asked(await confirmed())
  await world.client('POST', `/refunds/${canceled.id}/cancel`)
  const adapter = world.ctx.networks.payins.BRE_B
  const { returnPayment } = adapter
  const refused = { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'B106' } as const
  Object.assign(adapter, { returnPayment: async () => refused })
  await ends((await asked(await confirmed())).id, 'DECLINED')
  Object.assign(adapter, { returnPayment })
  // The largest over PSE: the balance of a new organization has the first, and not the second.
  const large = { amountInCents: 78_880_000_000 }
  await ends((await asked(await confirmed(large, 'PSE'))).id, 'CONFIRMED')
  await reaches((await asked(await confirmed(large, 'PSE'))).id, 'AWAITING_FUNDS')
}

// One that waits on, and one of each end.
async function askForApprovals(world: World): Promise<void> {
  const { client, ctx, db } = world
  const { organizationId } = world.organization
  await newApprovers(world, client)
  const tiers = [{ fromAmountInCents: 0, approvers: 1 }]
  const asked = async () => {
    const { id } = (await client('POST', '/payouts', newPayout())).json
    return (await client('GET', `/approvals?subjectId=${id}`)).json.data[0]
  }
  await client('PUT', '/approval-rules', { rules: [{ kind: 'payout', tiers }] })
  const [approved, refused, lapsed, voided] = [await asked(), await asked(), await asked(), await asked()]
  await client('PUT', '/approval-rules', { rules: [] })
  const [member] = (await listMembers(db, organizationId)).filter(({ role }) => role === 'approver')
  const by = { organizationId, userId: member?.userId as string }
  const person = { ...world.ctx.actor, kind: 'person', id: by.userId } as const
  const { codeAt } = await peopleIn(world).withApp((await getUser(db, by.userId)) as User)
  // The code that enabled the app is used up.
  await db.query({ text: 'update users set totp_last_step = 0' })
  for (const [{ id, digest }, decision, reason] of [
    [approved, 'APPROVED', null],
    [refused, 'REFUSED', 'Nobody ordered this.'],
  ] as const) {
    const outcome = await decideApproval(
      { ...ctx, actor: person },
      {
        ...by,
        approvalId: id,
        decision,
        reason,
        digest: Buffer.from(digest, 'hex'),
        given: decision === 'APPROVED' ? { code: codeAt(Date.now()) } : {},
      },
    )
    assert.ok('approval' in outcome)
  }
  await client('POST', `/payouts/${voided.subjectId}/cancel`)
  await db.query({
    text: 'update approvals set lapses_at = created_at where approval_id = $1',
    values: [lapsed.id],
  })
}

// Only providers report that money came back. Payouts over a connection are paid, one of them for a refund, and returned when we are
// told to ask.
async function payOutAndReturn(world: World): Promise<void> {
  await world.passTime(1_000)
  const { asked, confirmed, ends } = refunding(() => world)
  const keyString = '1020304050'
  // Before the connection, which looks up no keys: the payer's own needs no approval.
  const refund = await asked(await confirmed(payer(keyString)), { amountInCents: 1, breb: { keyString } })
  const provider = await connect(world, { uses: ['BRE_B_OUT'] })
  await moveToProviders(world)
  provider.submitPayout = () => accepted({ state: 'completed', traceId: 'mono:1' })
  provider.payout = () => accepted({ state: 'returned', traceId: 'mono:1', networkCode: 'reversed' })
  const { json } = await world.client('POST', '/payouts', newPayout())
  const { payoutId } = await ends(refund.id, 'CONFIRMED')
  const { organizationId } = world.organization
  const connection = { organizationId, connectionId: provider.connectionId }
  const ask = [json.id, payoutId].map((id) => ({
    kind: 'payout' as const,
    reference: railReference('payout', organizationId, id),
  }))
  await receiveHint(world.ctx, connection, { ask, kind: 'reversed' })
}

// Names and types, down to the last field.
function shapeOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
}
