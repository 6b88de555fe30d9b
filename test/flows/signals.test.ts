// Whoever commits work says so: a loop whose polling is slow hears of it at once. Each flow that sends a signal has its row
// here; the signals that a file may send are read from its source.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../src/core/connections/reference.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import type { PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import { receiveNotice } from '../../src/flows/connections/receive-notice.ts'
import type { WorkKind } from '../../src/flows/context.ts'
import { requestStatusCheck, setPayer } from '../../src/flows/payins/payer-actions.ts'
import { abandonAttempt } from '../../src/flows/payment-links/abandon-attempt.ts'
import { startAttempt } from '../../src/flows/payment-links/start-attempt.ts'
import { getPayins } from '../../src/store/payins/payins.ts'
import { getLink } from '../../src/store/payment-links/payment-links.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { newPayout } from '../api/http/calls.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../world.ts'

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
  return json.id ?? json.paymentLinkId
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

// What a step needs beforehand, made without counting its signals.
let id = ''
let link: PaymentLink
let attempt: Payin

const ROWS: Readonly<Record<string, Row[]>> = {
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
  'connections/simulate.ts': [
    {
      signals: ['notices', 'payins', 'payouts'],
      act: (world) => world.client('POST', '/sandbox/clock/advance', { seconds: 1 }),
    },
  ],
  'events/sequence.ts': [
    {
      signals: ['deliveries', 'streams'],
      prepare: (world) => insertEvents(world, world.organization.organizationId, ['payin.settled']),
      act: (world) => sequenceAllEvents(world.ctx, world.organization.organizationId),
    },
  ],
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
}

// Sent by workers in the middle of their own work, where the loop that hears them is about to poll.
const BY_WORKERS: readonly string[] = [
  'connections/apply-notice.ts',
  'payins/advance.ts',
  'payouts/dispatch.ts',
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
