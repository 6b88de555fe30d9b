// What lasts until a moment is over in that moment, and not before: the clock stands a thousandth of a second before it, and then at it.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { daysAfter, endOfDay } from '../../src/core/bogota-day.ts'
import { type Instant, MINUTE_MS } from '../../src/core/instant.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { keptAnswers } from '../../src/flows/connections/kept-answers.ts'
import { hasEnded } from '../../src/flows/credentials/known.ts'
import { requestClose } from '../../src/flows/ledger/request-close.ts'
import { startAttempt } from '../../src/flows/payment-links/start-attempt.ts'
import { signedInBy } from '../../src/flows/team/sessions.ts'
import { endpointSecrets } from '../../src/flows/webhooks/endpoint-secrets.ts'
import { openPortal } from '../../src/flows/webhooks/open-portal.ts'
import type { ServiceContext } from '../../src/service.ts'
import { getLink } from '../../src/store/payment-links/payment-links.ts'
import { getEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { CUSTOMER, createWorld, type World } from '../world.ts'
import { peopleIn } from './team/people.ts'

// When it is over, and whether it lasts for somebody whose clock stands.
type Lasting = { until: Instant; lasts: (ctx: ServiceContext) => boolean | Promise<boolean> }

const made = async ({ client }: World, path: string, body: unknown) => {
  const { status, json, text } = await client('POST', path, body)
  assert.ok(status === 200 || status === 201, text)
  return json
}
const newEndpoint = async (world: World): Promise<string> =>
  (await made(world, '/webhook-endpoints', { url: 'https://shop.example/events' })).id

const ROWS: Readonly<Record<string, (world: World) => Lasting | Promise<Lasting>>> = {
  'a credential': () => {
    const until = Date.parse('2026-12-01T00:00:00.000Z')
    return { until, lasts: ({ clock }) => !hasEnded({ revokedAt: null, expiresAt: until }, clock.now()) }
  },
  'a link that takes payments': async (world) => {
    const { organizationId } = world.organization
    const { paymentLinkId } = await made(world, '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 100_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    const link = (await getLink(world.db, organizationId, paymentLinkId)) ?? assert.fail()
    const way = { rail: 'BRE_B', keyType: 'SINGLE_USE' } as const
    const request = { customer: { ...CUSTOMER, idType: 'CO_CC' } as const, way }
    return {
      until: link.expiresAt,
      lasts: async (ctx) => (await startAttempt(ctx, world.organization, link, request)) !== undefined,
    }
  },
  'a webhook secret beside its successor': async (world) => {
    const { organizationId } = world.organization
    const endpointId = await newEndpoint(world)
    await made(world, `/webhook-endpoints/${endpointId}/rotate-secret`, {})
    const endpoint = (await getEndpoint(world.db, organizationId, endpointId)) ?? assert.fail()
    return {
      until: endpoint.previousUntil ?? assert.fail(),
      lasts: (ctx) => endpointSecrets(ctx, endpoint).secrets.length === 2,
    }
  },
  'the address of a portal': async (world) => {
    const endpointIds = [await newEndpoint(world)]
    const { url, expiresAt } = await made(world, '/webhook-portal-links', { endpointIds })
    const token = new URL(url).pathname.split('/').at(-1) ?? ''
    return { until: Date.parse(expiresAt), lasts: async (ctx) => (await openPortal(ctx, token)) !== 'ended' }
  },
  'a session that was seen lately': async (world) => {
    const people = peopleIn(world)
    const { token, session } = await people.signedIn(await people.newUser())
    const seenAt = async () => (await signedInBy(world.ctx, token, false))?.session.seenAt
    const first = await seenAt()
    return {
      until: (first ?? session.seenAt) + MINUTE_MS,
      lasts: async (ctx) => {
        await signedInBy(ctx, token)
        return (await seenAt()) === first
      },
    }
  },
  'a day that cannot be closed yet': async (world) => {
    const { organizationId } = world.organization
    const day = daysAfter('2026-11-19', 30)
    return {
      until: endOfDay(day),
      lasts: async (ctx) => isRefusal(await requestClose(ctx, organizationId, day, null)),
    }
  },
  'an answer that is kept': async (world) => {
    let asked = 0
    let now = world.ctx.clock.now()
    const kept = keptAnswers<string>({ clock: { ...world.ctx.clock, now: () => now } }, MINUTE_MS)
    const ask = async () => {
      asked += 1
      return { outcome: 'accepted', value: 'yes' } as const
    }
    await kept('one', ask)
    return {
      until: now + MINUTE_MS,
      lasts: async ({ clock }) => {
        now = clock.now()
        await kept('one', ask)
        return asked === 1
      },
    }
  },
}

describe('until its moment, and no longer, there is', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  for (const [what, make] of Object.entries(ROWS))
    it(what, async () => {
      const { until, lasts } = await make(world)
      const at = (now: Instant): ServiceContext => {
        const clock = { ...world.ctx.clock, now: () => now, wallClock: () => now }
        return { ...world.ctx, clock }
      }
      assert.equal(await lasts(at(until - 1)), true)
      assert.equal(await lasts(at(until)), false)
    })
})
