// What a worker finishes is work for other loops, which hear of it at once. Each step that tells of something has its row here, and so
// has each that has nothing to tell. What a request tells of is in signals.test.ts.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { APPROVAL_KINDS } from '../../src/core/approvals/rule.ts'
import { DAY_MS } from '../../src/core/instant.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import type { PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import { effectOf } from '../../src/flows/approvals/effects.ts'
import { lapseApproval } from '../../src/flows/approvals/lapse.ts'
import { applyNotice } from '../../src/flows/connections/apply-notice.ts'
import { applyHint } from '../../src/flows/connections/receive-hint.ts'
import type { WorkKind } from '../../src/flows/context.ts'
import { changeApiKeyLimits, changeOAuthClientLimits } from '../../src/flows/organizations/change-limits.ts'
import { advancePayin } from '../../src/flows/payins/advance.ts'
import { confirmPayer } from '../../src/flows/payins/payer-actions.ts'
import { expireDueLink } from '../../src/flows/payment-links/expire.ts'
import { startAttempt } from '../../src/flows/payment-links/start-attempt.ts'
import { advanceBatch } from '../../src/flows/payout-batches/advance.ts'
import { claimPayouts } from '../../src/flows/payouts/dispatch.ts'
import { advanceRefund, claimRefunds } from '../../src/flows/refunds/advance.ts'
import type { StoredNotice } from '../../src/store/connections/notices.ts'
import { claimDuePayins, getPayins, type PayinClaim } from '../../src/store/payins/payins.ts'
import { getLink } from '../../src/store/payment-links/payment-links.ts'
import { claimDueBatches } from '../../src/store/payout-batches/batches.ts'
import { newApproval, newBatch, newCheckedBatch, newPayout } from '../api/http/calls.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, psePayin, type World } from '../world.ts'

// The network holds what is for this person until it is told how it ends.
const HELD = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
const PERSON = { ...CUSTOMER, idType: 'CO_CC' } as const
const MANY = 100
const connectionId = randomUUID()

type Row = {
  step: string
  tells: WorkKind[]
  prepare?: (world: World) => Promise<void>
  act: (world: World) => Promise<unknown>
}

let id = ''
let link: PaymentLink
let claim: PayinClaim

const ownerOf = (world: World): string => world.organization.organizationId
const made = async ({ client }: World, path: string, body: unknown): Promise<string> => {
  const { status, json, text } = await client('POST', path, body)
  assert.equal(status, 201, text)
  return json.id ?? json.paymentLinkId
}
const leaseOf = ({ ctx }: World) => ({ token: ctx.ids.next(), until: ctx.clock.now() + 60_000 })
const newLink = async (world: World): Promise<void> => {
  const body = {
    amountType: 'FIXED',
    amountInCents: 100_000,
    reference: 'order',
    callbackUrl: 'https://shop.example/return',
  }
  link = (await getLink(world.db, ownerOf(world), await made(world, '/payment-links', body))) as PaymentLink
}
const payinOf = async (world: World): Promise<Payin> => {
  const [payin] = await getPayins(world.db, [{ organizationId: ownerOf(world), payinId: id }])
  assert.ok(payin !== undefined)
  return payin
}
// As if it had been made over the connection. The books know that it was not.
const atConnection = async ({ db }: World, connection: string | null): Promise<void> => {
  const text = 'update payouts set connection_id = $2, provider = $3 where payout_id = $1'
  await db.query({ text, values: [id, connection, connection && 'mono'] })
}
const advanceBatches = async (world: World): Promise<void> => {
  const { ctx, db, organization } = world
  const now = ctx.clock.now()
  const claims = await claimDueBatches(db, ownerOf(world), now, leaseOf(world), MANY)
  assert.equal(claims.length, 1)
  for (const one of claims) await advanceBatch(ctx, one, organization)
}
const noticeAbout = (world: World, update: StoredNotice['update']): StoredNotice => {
  const now = world.ctx.clock.now()
  const subject = { subjectKind: 'payout', subjectId: id } as const
  const told = { update, networkCode: '', occurredAt: now, receivedAt: now, reference: null }
  return {
    organizationId: ownerOf(world),
    rail: 'BRE_B',
    noticeId: world.ctx.ids.next(),
    ...subject,
    ...told,
  }
}

const ROWS: readonly Row[] = [
  {
    step: 'a link that ends at its time',
    tells: ['events', 'links'],
    prepare: newLink,
    act: ({ ctx }) => expireDueLink(ctx, link),
  },
  {
    step: 'a link that has ended already',
    tells: [],
    act: ({ ctx }) => expireDueLink(ctx, link),
  },
  {
    step: 'a link whose attempt is still open',
    tells: [],
    prepare: async (world) => {
      await newLink(world)
      const way = { rail: 'BRE_B', keyType: 'SINGLE_USE' } as const
      await startAttempt(world.ctx, world.organization, link, { customer: PERSON, way })
    },
    act: ({ ctx }) => expireDueLink(ctx, link),
  },
  {
    step: 'a payer who has accepted the terms on our page',
    tells: ['payins'],
    prepare: async (world) => {
      id = await made(world, '/payins', psePayin(HELD))
    },
    act: async (world) => {
      const presence = { acceptedTerms: [], device: { ipAddress: '', userAgent: '' } }
      await confirmPayer(world.ctx, await payinOf(world), PERSON, presence)
    },
  },
  {
    step: 'a payin that was canceled while it was handed over',
    tells: ['payins'],
    prepare: async (world) => {
      await world.work()
      id = await made(world, '/payins', brebPayin(HELD))
      const now = world.ctx.clock.now()
      const claims = await claimDuePayins(world.db, ownerOf(world), now, leaseOf(world), MANY)
      claim = claims.find(({ payin }) => payin.payinId === id) as PayinClaim
      assert.equal((await world.client('POST', `/payins/${id}/cancel`)).status, 200)
    },
    act: ({ ctx, organization }) => advancePayin(ctx, claim, organization),
  },
  {
    step: 'a payout that is set aside, or has no funds',
    tells: ['events'],
    prepare: async (world) => {
      id = await made(world, '/payouts', newPayout(HELD))
    },
    act: (world) => claimPayouts(world.ctx, ownerOf(world), MANY),
  },
  {
    step: 'a payout that the network rejects by notice',
    tells: ['payouts'],
    prepare: async (world) => {
      id = await made(world, '/payouts', newPayout(HELD))
      await world.work()
    },
    act: (world) => {
      const update = { kind: 'payout.rejected', reason: 'RAIL_ERROR' } as const
      return applyNotice(world.ctx, noticeAbout(world, update), world.organization)
    },
  },
  {
    step: 'a payout that its provider hints at',
    tells: ['payouts'],
    prepare: (world) => atConnection(world, connectionId),
    act: async (world) => {
      const notice = noticeAbout(world, { kind: 'payout.hint', connectionId })
      await applyHint(world.ctx, notice, connectionId)
      await atConnection(world, null)
    },
  },
  {
    step: 'an approval that nobody decided about',
    tells: ['events', 'payouts'],
    prepare: async (world) => {
      id = await newApproval(world, world.client)
    },
    act: (world) => {
      const now = (): number => world.ctx.clock.now() + 8 * DAY_MS
      const later = { ...world.ctx, clock: { ...world.ctx.clock, now } }
      return lapseApproval(later, { organizationId: ownerOf(world), approvalId: id })
    },
  },
  {
    step: 'an approval that has lapsed already',
    tells: [],
    act: (world) => lapseApproval(world.ctx, { organizationId: ownerOf(world), approvalId: id }),
  },
  {
    step: 'a batch whose keys were looked up',
    tells: ['batches'],
    prepare: async (world) => {
      await newBatch(world.client)
    },
    act: advanceBatches,
  },
  {
    step: 'a batch whose rows have become payouts',
    tells: ['payouts'],
    prepare: async (world) => {
      const batchId = await newCheckedBatch(world, world.client, false)
      const sent = { acceptWarnings: true }
      assert.equal((await world.client('POST', `/payout-batches/${batchId}/submit`, sent)).status, 200)
    },
    act: advanceBatches,
  },
  {
    step: 'a batch of which nothing is left to send',
    tells: ['events'],
    prepare: async (world) => {
      await world.db.query({
        text: `update payout_batches set due_at = $1 where due_at is not null`,
        values: [new Date(world.ctx.clock.now()).toISOString()],
      })
    },
    act: advanceBatches,
  },
  {
    step: 'a refund that goes back over its rail',
    tells: ['events'],
    prepare: async (world) => {
      const payinId = await made(world, '/payins', brebPayin())
      await endPayin(world, world.client, payinId, 'confirmed')
      await made(world, `/payins/${payinId}/refunds`, { amountInCents: 1, reason: 'OTHER' })
    },
    act: async (world) => {
      const claims = await claimRefunds(world.ctx, ownerOf(world), MANY)
      assert.equal(claims.length, 1)
      for (const one of claims) await advanceRefund(world.ctx, one, world.organization)
    },
  },
  {
    step: 'the limits of an API key, as the operator changes them',
    tells: ['settings'],
    prepare: async (world) => {
      id = await made(world, '/api-keys', { name: 'Shop' })
    },
    act: (world) =>
      changeApiKeyLimits(world.ctx, { organizationId: ownerOf(world), apiKeyId: id }, { payoutsPerDay: 1 }),
  },
  {
    step: 'the limits of an OAuth client, as the operator changes them',
    tells: ['settings'],
    prepare: async (world) => {
      id = await made(world, '/oauth-clients', { name: 'Shop' })
    },
    act: (world) =>
      changeOAuthClientLimits(
        world.ctx,
        { organizationId: ownerOf(world), clientId: id },
        { payoutsPerDay: 1 },
      ),
  },
]

describe('the other loops of the service hear', () => {
  let world: World
  const heard = new Set<WorkKind>()
  before(async () => {
    world = await createWorld()
    world.ctx.signals.onWork((kind) => heard.add(kind))
  })
  after(() => world[Symbol.asyncDispose]())

  for (const { step, tells, prepare, act } of ROWS) {
    it(`of ${step}: ${tells.join(', ') || 'nothing'}`, async () => {
      await prepare?.(world)
      heard.clear()
      await act(world)
      assert.deepEqual([...heard].sort(), tells)
    })
  }
})

it('each loop that does what was approved hears of a decision', () => {
  const wakes = Object.fromEntries(APPROVAL_KINDS.map((kind) => [kind, effectOf(kind).wakes]))
  assert.deepEqual(wakes, {
    payout: ['payouts'],
    'payout-batch': ['batches'],
    refund: ['refunds'],
    'suspense-return': ['shown'],
    connection: ['settings'],
    // Whoever asked makes it themselves, once they may.
    credential: [],
    'approval-rule': ['settings'],
  })
})
