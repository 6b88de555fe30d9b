// Whoever commits work says so: a loop whose polling is slow hears of it at once. Each flow that sends a signal has its row
// here; the signals that a file may send are read from its source.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { HeldKind } from '../../src/core/backups/held-back.ts'
import { startOfDay } from '../../src/core/bogota-day.ts'
import { railReference } from '../../src/core/connections/reference.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../src/core/organizations/organization.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import type { PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import { decideApproval } from '../../src/flows/approvals/decide.ts'
import { releaseHeldBack } from '../../src/flows/backups/held-back.ts'
import { applyChargeback } from '../../src/flows/connections/apply-chargeback.ts'
import { applyNotice } from '../../src/flows/connections/apply-notice.ts'
import { receiveHint } from '../../src/flows/connections/receive-hint.ts'
import { receiveNotice } from '../../src/flows/connections/receive-notice.ts'
import type { WorkKind } from '../../src/flows/context.ts'
import { reconcileNow } from '../../src/flows/ledger/reconcile-due.ts'
import { suspendUnknownPayment } from '../../src/flows/ledger/suspend-unknown-payment.ts'
import { changeCharges } from '../../src/flows/organizations/change-charges.ts'
import { changeOrganizationLimits } from '../../src/flows/organizations/change-limits.ts'
import { requestStatusCheck, setPayer } from '../../src/flows/payins/payer-actions.ts'
import { reportChargebacks } from '../../src/flows/payins/report-chargebacks.ts'
import { abandonAttempt } from '../../src/flows/payment-links/abandon-attempt.ts'
import { startAttempt } from '../../src/flows/payment-links/start-attempt.ts'
import { claimWithKey, findClaimable } from '../../src/flows/refunds/claim.ts'
import { rotateSecretsKey } from '../../src/flows/secrets-key.ts'
import { claimDueNotices, type StoredNotice } from '../../src/store/connections/notices.ts'
import { getPayins } from '../../src/store/payins/payins.ts'
import { getLink } from '../../src/store/payment-links/payment-links.ts'
import { listMembers } from '../../src/store/team/members.ts'
import { WOMPI } from '../api/connections/fake-provider.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import {
  newApproval,
  newApprovers,
  newBatch,
  newCheckedBatch,
  newPayout,
  newRefund,
  newVerifiableEndpoint,
} from '../api/http/calls.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../world.ts'

const FLOWS = join(import.meta.dirname, '../../src/flows')
const PERSON = { ...CUSTOMER, idType: 'CO_CC' } as const
const open = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }

type Row = {
  signals: WorkKind[]
  prepare?: (world: World) => Promise<void>
  act: (world: World) => Promise<unknown>
}

const payinOf = async (world: World, payinId: string): Promise<Payin> => {
  const { organizationId } = world.organization
  return (await getPayins(world.db, [{ organizationId, payinId }]))[0] as Payin
}
const made = async (world: World, path: string, body: unknown): Promise<string> => {
  const { json, status } = await world.client('POST', path, body)
  assert.equal(status, 201)
  return json.id ?? json.paymentLinkId ?? json.paymentPageId
}
const newLink = async (world: World): Promise<PaymentLink> => {
  const id = await made(world, '/payment-links', {
    amountType: 'FIXED',
    amountInCents: 100_000,
    reference: 'order',
    callbackUrl: 'https://shop.example/return',
  })
  return (await getLink(world.db, world.organization.organizationId, id)) as PaymentLink
}
const attemptOf = async (world: World, link: PaymentLink): Promise<Payin> => {
  const way = { rail: 'BRE_B', keyType: 'SINGLE_USE' } as const
  const started = await startAttempt(world.ctx, world.organization, link, { customer: PERSON, way })
  return started?.payin as Payin
}

const done = async (world: World, method: string, path: string, body?: unknown): Promise<void> => {
  const { status, text } = await world.client(method, path, body)
  assert.ok(status === 200 || status === 201, text)
}
const askFor = async (world: World, rules: unknown[]): Promise<void> => {
  await done(world, 'PUT', '/approval-rules', { rules })
}
// A submitted batch that waits for somebody.
const newWaitingBatch = async (world: World): Promise<string> => {
  await newApprovers(world, world.client)
  await askFor(world, [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])
  const batchId = await newCheckedBatch(world, world.client, false)
  await done(world, 'POST', `/payout-batches/${batchId}/submit`, { acceptWarnings: true })
  assert.equal((await world.client('GET', `/payout-batches/${batchId}`)).json.status, 'WAITING')
  return batchId
}
const claimAsPayer = async ({ ctx, organization }: World, refundId: string): Promise<void> => {
  const claimable = await findClaimable(ctx, { organizationId: organization.organizationId, refundId })
  assert.ok(claimable !== undefined)
  const claimed = await claimWithKey(ctx, claimable, PERSON.idNumber, PERSON)
  assert.ok(typeof claimed === 'object' && 'refundId' in claimed)
}

// Somebody of the team who may.
const refuseAsAnybody = async (
  { ctx, db, organization, client }: World,
  approvalId: string,
): Promise<void> => {
  const { organizationId } = organization
  const { digest } = (await client('GET', `/approvals/${approvalId}`)).json
  const member = (await listMembers(db, organizationId)).find(({ role }) => role === 'approver')
  const decided = { userId: member?.userId ?? '', decision: 'REFUSED', reason: null, given: {} } as const
  const bound = { organizationId, approvalId, digest: Buffer.from(digest, 'hex') }
  const outcome = await decideApproval(ctx, { ...bound, ...decided })
  assert.ok('approval' in outcome)
}

// The network's statement has money that we have not heard of.
const withUnknownCredit = (world: World): World['ctx'] => {
  const line = {
    movement: 'credit',
    reference: railReference('payin', world.organization.organizationId, world.ctx.ids.next()),
    networkId: 'payment-1',
    amountInCents: 100n,
    occurredAt: startOfDay('2026-11-14'),
  } as const
  const page = { lines: [line], unreadable: [], nextCursor: null, complete: true }
  const statement = { BRE_B: async () => ({ outcome: 'accepted', value: page }) as const }
  return { ...world.ctx, networks: { ...world.ctx.networks, statement } }
}

// What a step needs beforehand, made without counting its signals.
let id = ''
// As a restore leaves it.
const held = async (world: World, table: string, column: string, heldId: string): Promise<void> => {
  id = heldId
  const text = `update ${table} set due_at = 'infinity', lease_token = $2 where ${column} = $1`
  await world.db.query({ text, values: [id, world.ctx.ids.next()] })
}
const released = async (world: World, kind: HeldKind): Promise<void> => {
  const { organizationId } = world.organization
  assert.equal(await releaseHeldBack(world.ctx, { kind, id, organizationId }), 'released')
}
let hinted = ''
let link: PaymentLink
let attempt: Payin

const noticeOfPayment = (world: World): StoredNotice => ({
  organizationId: world.organization.organizationId,
  rail: 'BRE_B',
  noticeId: id,
  subjectKind: 'payin',
  subjectId: id,
  update: { kind: 'payin.paid', amountInCents: 5_000_000n, paymentId: id },
  networkCode: '',
  occurredAt: world.ctx.clock.now(),
  receivedAt: world.ctx.clock.now(),
  reference: null,
})
// An open payin, whose payment is in suspense.
const suspend = async (world: World, organizationId: string): Promise<void> => {
  id = await made(world, '/payins', brebPayin(open))
  const payment = { amountInCents: 5_000_000n, paymentId: id }
  await suspendUnknownPayment(world.ctx, { ...noticeOfPayment(world), organizationId }, payment)
}

const connectionOf = (world: World, connectionId: string) => ({
  organizationId: world.organization.organizationId,
  connectionId,
})
const hintOf = (world: World, payinId: string) => {
  const reference = railReference('payin', world.organization.organizationId, payinId)
  return { ask: [{ kind: 'payin', reference }], kind: 'test' } as const
}
// A payin as if it had been made over the connection.
const overConnection = async (world: World, connectionId: string): Promise<string> => {
  const payinId = await made(world, '/payins', brebPayin(open))
  await world.db.query({
    text: `update payins set connection_id = $2, provider = 'wompi' where payin_id = $1`,
    values: [payinId, connectionId],
  })
  return payinId
}
const FAR_AHEAD = Date.parse('2036-01-01T00:00:00.000Z')

const ROWS: Readonly<Record<string, Row[]>> = {
  'credentials/change.ts': ['/api-keys', '/oauth-clients'].map((path) => ({
    signals: ['events', 'settings'],
    prepare: async (world) => {
      id = await made(world, path, { name: 'Shop' })
    },
    act: (world) => world.client('PATCH', `${path}/${id}`, { name: 'Otro' }),
  })),
  'credentials/create.ts': ['/api-keys', '/oauth-clients'].map((path) => ({
    // Where it waits for approval, people are told.
    signals: ['events'],
    act: (world) => made(world, path, { name: 'Shop' }),
  })),
  'credentials/revoke.ts': ['/api-keys', '/oauth-clients'].map((path) => ({
    signals: ['settings'],
    prepare: async (world) => {
      id = await made(world, path, { name: 'Shop' })
    },
    act: (world) => world.client('DELETE', `${path}/${id}`),
  })),
  'credentials/roll.ts': ['/api-keys', '/oauth-clients'].map((path) => ({
    signals: ['events', 'settings'],
    prepare: async (world) => {
      id = await made(world, path, { name: 'Shop' })
    },
    act: (world) => world.client('POST', `${path}/${id}/roll`),
  })),
  'payins/create.ts': [{ signals: ['payins'], act: (world) => made(world, '/payins', brebPayin()) }],
  'payins/cancel.ts': [
    {
      signals: ['events', 'payins'],
      prepare: async (world) => {
        id = await made(world, '/payins', brebPayin(open))
      },
      act: (world) => world.client('POST', `/payins/${id}/cancel`),
    },
  ],
  'payins/count-payment.ts': [
    {
      signals: ['events'],
      prepare: (world) => suspend(world, world.organization.organizationId),
      act: (world) => applyNotice(world.ctx, noticeOfPayment(world), world.organization),
    },
    {
      // The payin is due, to have the item released.
      signals: ['events', 'payins'],
      prepare: (world) => suspend(world, UNATTRIBUTED_ORGANIZATION),
      act: (world) => applyNotice(world.ctx, noticeOfPayment(world), world.organization),
    },
  ],
  'payins/payer-actions.ts': [
    {
      signals: ['payins'],
      prepare: async (world) => {
        id = await made(world, '/payins', brebPayin(open))
        await world.work()
      },
      act: async (world) => requestStatusCheck(world.ctx, await payinOf(world, id)),
    },
    { signals: ['payins'], act: async (world) => setPayer(world.ctx, await payinOf(world, id), PERSON) },
  ],
  'payins/report-chargebacks.ts': [
    {
      signals: ['notices'],
      prepare: async (world) => {
        id = await made(world, '/payins', brebPayin(open))
      },
      act: async (world) => {
        const payment = { paymentId: 'mono:1', amountInCents: 1n }
        const chargebacks = [{ ...payment, chargebackId: '1' }]
        const status = { state: 'paid', payments: [payment], chargebacks, networkCode: 'REVERSED' } as const
        await reportChargebacks(world.ctx, await payinOf(world, id), status)
      },
    },
  ],
  'approvals/change-rules.ts': [
    {
      signals: ['events', 'settings'],
      act: (world) => world.client('PUT', '/approval-rules', { rules: [] }),
    },
  ],
  'approvals/decide.ts': [
    {
      signals: ['events', 'payouts'],
      prepare: async (world) => {
        id = await newApproval(world, world.client)
      },
      act: (world) => refuseAsAnybody(world, id),
    },
  ],
  'backups/held-back.ts': [
    {
      signals: ['batches'],
      prepare: async (world) => held(world, 'payout_batches', 'batch_id', await newBatch(world.client)),
      act: (world) => released(world, 'batch'),
    },
    {
      signals: ['refunds'],
      prepare: async (world) => held(world, 'refunds', 'refund_id', await newRefund(world, world.client)),
      act: (world) => released(world, 'refund'),
    },
    {
      signals: ['payouts'],
      prepare: async (world) =>
        held(world, 'payouts', 'payout_id', await made(world, '/payouts', newPayout(open))),
      act: (world) => released(world, 'payout'),
    },
  ],
  'payouts/create.ts': [{ signals: ['payouts'], act: (world) => made(world, '/payouts', newPayout(open)) }],
  'payouts/cancel.ts': [
    {
      signals: ['events'],
      prepare: async (world) => {
        id = await made(world, '/payouts', newPayout(open))
      },
      act: (world) => world.client('POST', `/payouts/${id}/cancel`),
    },
  ],
  'payment-links/create.ts': [{ signals: ['shown'], act: newLink }],
  'payment-pages/create.ts': [
    {
      signals: ['shown'],
      act: (world) =>
        made(world, '/payment-pages', {
          name: 'Coffee',
          amountType: 'FIXED',
          amountInCents: 100_000,
          reference: 'beans',
        }),
    },
  ],
  'payment-links/start-attempt.ts': [
    {
      signals: ['payins'],
      prepare: async (world) => {
        link = await newLink(world)
      },
      act: (world) => attemptOf(world, link),
    },
  ],
  'payment-links/abandon-attempt.ts': [
    {
      signals: ['events', 'payins'],
      prepare: async (world) => {
        attempt = await attemptOf(world, await newLink(world))
      },
      act: (world) => abandonAttempt(world.ctx, world.organization, attempt),
    },
  ],
  'payment-links/expire.ts': [
    {
      signals: ['events', 'payins'],
      prepare: async (world) => {
        link = await newLink(world)
      },
      act: (world) => world.client('POST', `/payment-links/${link.paymentLinkId}/expire`),
    },
  ],
  'connections/receive-notice.ts': [
    {
      signals: ['notices'],
      prepare: async (world) => {
        id = await made(world, '/payins', brebPayin(open))
      },
      act: (world) =>
        receiveNotice(world.ctx, {
          rail: 'BRE_B',
          noticeId: world.ctx.ids.next(),
          reference: railReference('payin', world.organization.organizationId, id),
          update: { kind: 'payin.declined', reason: 'BANK_DECLINED' },
          networkCode: 'BANK_DECLINED',
          occurredAt: world.ctx.clock.now(),
        }),
    },
  ],
  'connections/create-connection.ts': [
    {
      signals: ['settings'],
      act: async (world) => {
        id = await made(world, '/connections', WOMPI)
      },
    },
  ],
  'connections/change-connection.ts': [
    {
      signals: ['events', 'settings'],
      act: (world) => world.client('PATCH', `/connections/${id}`, { priority: 7 }),
    },
  ],
  'connections/receive-hint.ts': [
    {
      signals: ['notices'],
      prepare: async (world) => {
        hinted = await overConnection(world, id)
      },
      act: (world) => receiveHint(world.ctx, connectionOf(world, id), hintOf(world, hinted)),
    },
    {
      // What was told is applied.
      signals: ['payins'],
      act: async (world) => {
        const { organizationId } = world.organization
        const notices = await claimDueNotices(world.db, organizationId, FAR_AHEAD, FAR_AHEAD, 10)
        const told = notices.find(({ subjectId }) => subjectId === hinted) as StoredNotice
        await applyNotice(world.ctx, told, world.organization)
      },
    },
  ],
  'connections/delete-connection.ts': [
    {
      signals: ['events', 'settings'],
      prepare: async (world) => {
        await world.db.query({ text: 'update payins set due_at = null where connection_id is not null' })
      },
      act: (world) => world.client('DELETE', `/connections/${id}`),
    },
  ],
  'connections/apply-chargeback.ts': [
    {
      // Told under a name of nobody.
      signals: ['events'],
      prepare: async (world) => {
        id = await made(world, '/payins', brebPayin(open))
        await applyNotice(world.ctx, noticeOfPayment(world), world.organization)
      },
      act: (world) =>
        applyChargeback(
          world.ctx,
          { ...noticeOfPayment(world), organizationId: UNATTRIBUTED_ORGANIZATION },
          { amountInCents: 5_000_000n, paymentId: id },
        ),
    },
  ],
  'connections/simulate.ts': [
    {
      // Whatever becomes due by the new time, and every process' clock.
      signals: [
        'audit',
        'batches',
        'clock',
        'deliveries',
        'events',
        'links',
        'notices',
        'payins',
        'payouts',
        'refunds',
        'retention',
      ],
      act: (world) => world.client('POST', '/sandbox/clock/advance', { seconds: 1 }),
    },
  ],
  'ledger/reconcile.ts': [
    {
      signals: ['notices'],
      act: (world) => reconcileNow(withUnknownCredit(world), 'BRE_B', '2026-11-14'),
    },
  ],
  'ledger/suspend-unknown-payment.ts': [
    {
      signals: ['shown'],
      prepare: async (world) => {
        id = await made(world, '/payins', brebPayin(open))
      },
      act: (world) =>
        suspendUnknownPayment(world.ctx, noticeOfPayment(world), {
          amountInCents: 5_000_000n,
          paymentId: id,
        }),
    },
  ],
  'ledger/decide-suspense.ts': [
    {
      signals: ['events', 'shown'],
      act: (world) => world.client('POST', `/suspense/${randomUUID()}/return`),
    },
    {
      signals: ['shown'],
      prepare: (world) => suspend(world, world.organization.organizationId),
      act: async (world) => {
        const { data } = (await world.client('GET', '/suspense')).json
        await done(world, 'POST', `/suspense/${data[0].id}/attach`, { payinId: id })
      },
    },
  ],
  'organizations/change.ts': [
    { signals: ['settings'], act: (world) => world.client('PATCH', '/organization', { name: 'Otro' }) },
  ],
  'events/sequence.ts': [
    {
      signals: ['deliveries', 'streams'],
      prepare: (world) => insertEvents(world, world.organization.organizationId, ['payin.settled']),
      act: (world) => sequenceAllEvents(world.ctx, world.organization.organizationId),
    },
  ],
  'organizations/change-charges.ts': [
    {
      signals: ['settings'],
      act: ({ ctx, organization }) =>
        changeCharges(ctx, organization.organizationId, () => ({
          fees: {},
          withholdings: [],
          payoutFees: {},
        })),
    },
  ],
  'organizations/change-limits.ts': [
    {
      signals: ['settings'],
      act: ({ ctx, organization }) =>
        changeOrganizationLimits(ctx, organization.organizationId, { payoutsPerDay: null }),
    },
  ],
  'payment-pages/change.ts': [
    {
      signals: ['events'],
      prepare: async (world) => {
        id = await made(world, '/payment-pages', {
          name: 'Coffee',
          amountType: 'FIXED',
          amountInCents: 100_000,
          reference: 'coffee',
        })
      },
      act: (world) => world.client('PATCH', `/payment-pages/${id}`, { name: 'Tea' }),
    },
    { signals: ['events'], act: (world) => world.client('POST', `/payment-pages/${id}/close`) },
  ],
  'payment-pages/start-payment.ts': [
    {
      signals: ['events'],
      prepare: async (world) => {
        const page = { name: 'Tea', amountType: 'FIXED', amountInCents: 100_000, reference: 'tea' }
        id = (await world.client('POST', '/payment-pages', page)).json.paymentPageUrl
      },
      act: (world) =>
        fetch(world.baseUrl + new URL(id).pathname, {
          method: 'POST',
          body: new URLSearchParams({ pieces: '1' }),
          redirect: 'manual',
        }),
    },
  ],
  'secrets-key.ts': [{ signals: ['secrets'], act: ({ ctx }) => rotateSecretsKey(ctx) }],
  'events/send-test.ts': [
    {
      signals: ['deliveries', 'streams'],
      prepare: async (world) => {
        id = await made(world, '/webhook-endpoints', { url: 'https://shop.example/events' })
      },
      act: (world) => world.client('POST', `/webhook-endpoints/${id}/test`),
    },
  ],
  'webhooks/change-endpoint.ts': [
    {
      signals: ['deliveries'],
      act: (world) => world.client('PATCH', `/webhook-endpoints/${id}`, { status: 'ENABLED' }),
    },
    {
      signals: ['shown'],
      act: (world) => world.client('PATCH', `/webhook-endpoints/${id}`, { description: 'Shop' }),
    },
  ],
  'webhooks/verify-endpoint.ts': [
    {
      signals: ['deliveries'],
      act: async (world) =>
        world.client('POST', `/webhook-endpoints/${await newVerifiableEndpoint(world.client)}/verify`),
    },
  ],
  'webhooks/recover-endpoint.ts': [
    {
      signals: ['deliveries'],
      act: (world) =>
        world.client('POST', `/webhook-endpoints/${id}/recover`, { since: '2026-01-01T00:00:00.000Z' }),
    },
  ],
  'events/redeliver.ts': [
    {
      signals: ['deliveries', 'streams'],
      prepare: async (world) => {
        id = (await world.client('GET', '/events')).json.data[0].id
      },
      act: (world) => world.client('POST', `/events/${id}/redeliver`),
    },
  ],
  'payout-batches/create.ts': [
    {
      signals: ['batches'],
      act: async (world) => {
        id = await newBatch(world.client)
      },
    },
  ],
  'payout-batches/change-rows.ts': [
    {
      signals: ['batches'],
      act: (world) => done(world, 'PATCH', `/payout-batches/${id}/rows/2`, { reference: 'nomina' }),
    },
    { signals: ['batches'], act: (world) => done(world, 'POST', `/payout-batches/${id}/check`) },
    {
      // It waits for somebody, who is told that it no longer does.
      signals: ['batches', 'events'],
      prepare: async (world) => {
        id = await newWaitingBatch(world)
      },
      act: (world) => done(world, 'PATCH', `/payout-batches/${id}/rows/2`, { reference: 'nomina' }),
    },
  ],
  'payout-batches/submit.ts': [
    {
      signals: ['batches', 'events'],
      prepare: async (world) => {
        id = await newCheckedBatch(world, world.client, false)
      },
      act: (world) => done(world, 'POST', `/payout-batches/${id}/submit`, { acceptWarnings: true }),
    },
    {
      signals: ['batches', 'events'],
      prepare: async (world) => {
        id = await newWaitingBatch(world)
      },
      act: (world) => done(world, 'POST', `/payout-batches/${id}/cancel`),
    },
  ],
  'payout-batches/retry.ts': [
    {
      signals: ['batches'],
      prepare: async (world) => {
        await askFor(world, [])
        id = await newCheckedBatch(world, world.client, true)
      },
      act: (world) => done(world, 'POST', `/payout-batches/${id}/retry`),
    },
  ],
  'refunds/create.ts': [
    {
      signals: ['events', 'refunds'],
      prepare: async (world) => {
        id = await made(world, '/payins', brebPayin(open))
        await endPayin(world, world.client, id, 'confirmed')
      },
      act: (world) => made(world, `/payins/${id}/refunds`, { amountInCents: 1, reason: 'OTHER' }),
    },
  ],
  'refunds/claim.ts': [
    {
      signals: ['events', 'refunds'],
      prepare: async (world) => {
        id = await newRefund(world, world.client)
      },
      act: (world) => claimAsPayer(world, id),
    },
  ],
  'refunds/cancel.ts': [
    {
      signals: ['events'],
      prepare: async (world) => {
        id = await newRefund(world, world.client)
      },
      act: (world) => done(world, 'POST', `/refunds/${id}/cancel`),
    },
  ],
}

// Sent by workers in the middle of their own work: signals-of-workers.test.ts.
const BY_WORKERS: readonly string[] = [
  'connections/apply-notice.ts',
  'payins/advance.ts',
  'payouts/dispatch.ts',
  'approvals/lapse.ts',
  'payout-batches/check-keys.ts',
  'payout-batches/send.ts',
  'refunds/advance.ts',
]

describe('a flow that commits work', () => {
  let world: World
  const heard = new Set<WorkKind>()
  before(async () => {
    world = await createWorld()
    world.ctx.signals.onWork((kind) => heard.add(kind))
  })
  after(() => world[Symbol.asyncDispose]())

  it('has a row in the table', () => {
    const senders = globSync('**/*.ts', { cwd: FLOWS }).filter((file) =>
      /\bworkAdded\(/.test(readFileSync(join(FLOWS, file), 'utf8')),
    )
    assert.deepEqual(senders.sort(), [...Object.keys(ROWS), ...BY_WORKERS].sort())
  })

  for (const [file, rows] of Object.entries(ROWS)) {
    for (const { signals, prepare, act } of rows) {
      it(`${file} tells of ${signals.join(', ')}`, async () => {
        await prepare?.(world)
        heard.clear()
        await act(world)
        assert.deepEqual([...heard].sort(), signals)
      })
    }
  }
})
