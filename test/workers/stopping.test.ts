// Workers that are to stop finish what they have begun, and begin nothing else, however slow the other side is. Receipts:
// test/flows/receipts/mail-stop.test.ts.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { RETRY_AFTER_MS } from '../../src/core/webhooks/delivery.ts'
import { createInvitation } from '../../src/flows/team/invitations.ts'
import { insertAlarm } from '../../src/store/ledger/alarms.ts'
import type { Attempt } from '../../src/webhooks/send.ts'
import { startAlarmMails } from '../../src/workers/alarm-mails.ts'
import { deliveryPump } from '../../src/workers/deliveries.ts'
import { startInvitationMails } from '../../src/workers/invitation-mails.ts'
import type { Loop } from '../../src/workers/loop.ts'
import { startPump } from '../../src/workers/pump.ts'
import { insertEvents } from '../api/events/insert-events.ts'
import { sequenceAllEvents } from '../sequence-events.ts'
import { createWorld, eventually, type World } from '../world.ts'

const log = pino({ level: 'silent' })
// Invitations go one after the other.
const ALARMS_AT_ONCE = 4

describe('a worker that is to stop', () => {
  let world: World
  before(async () => {
    world = await createWorld({
      env: { SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'Recaudo <avisos@palma.example>' },
    })
  })
  after(() => world[Symbol.asyncDispose]())

  // How many were begun by a worker that was stopped while its first ones were under way.
  const begunWhenStopped = async (
    atOnce: number,
    start: (send: () => Promise<{ outcome: 'sent' }>) => Loop,
  ): Promise<number> => {
    const begun: (() => void)[] = []
    const loop = start(() => new Promise((sent) => begun.push(() => sent({ outcome: 'sent' }))))
    await eventually(
      async () => begun.length,
      (count) => count === atOnce,
    )
    const stopped = loop.stop()
    let answered = 0
    const answering = setInterval(() => {
      for (; answered < begun.length; answered += 1) begun[answered]?.()
    }, 5)
    await stopped
    clearInterval(answering)
    return begun.length
  }

  it('begins no more e-mails about alarms', async () => {
    const { organizationId } = world.organization
    const alarmEmails = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@palma.example`)
    const changed = await world.client('PATCH', '/organization', { alarmEmails })
    assert.equal(changed.status, 200, changed.text)
    const { ctx } = world
    for (let raised = 0; raised < 2; raised += 1) {
      const alarm = { alarmId: ctx.ids.next(), kind: 'payout-unresolved', detail: 'it is not known' } as const
      await insertAlarm(world.db, organizationId, ctx.ids.next(), alarm, ctx.clock.now())
    }
    const post = () => assert.fail('nobody has a webhook')
    const begun = await begunWhenStopped(ALARMS_AT_ONCE, (send) => startAlarmMails(ctx, log, { send, post }))
    assert.equal(begun, ALARMS_AT_ONCE)
  })

  it('begins no more invitations', async () => {
    const { ctx, organization } = world
    const by = { kind: 'operator', id: null, name: 'root' } as const
    for (let count = 0; count < 10; count += 1) {
      const request = { email: `leo-${count}@palma.example`, role: 'accountant', name: null } as const
      assert.ok('url' in (await createInvitation(ctx, organization.organizationId, request, by, null)))
    }
    assert.equal(await begunWhenStopped(1, (send) => startInvitationMails(ctx, log, send)), 1)
  })

  it('sends no more events, and leaves the others to be sent at once by the next', async () => {
    const { organizationId } = world.organization
    const created = await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/' })
    assert.equal(created.status, 201, created.text)
    await insertEvents(world, organizationId, Array<string>(4).fill('payin.confirmed'))
    await sequenceAllEvents(world.ctx, organizationId)
    const sent: string[] = []
    const answered = Promise.withResolvers<Attempt>()
    const accepted: Attempt = {
      status: 200,
      latencyMs: 1,
      response: '',
      failure: null,
      retryAfterSeconds: null,
      delivered: true,
      gone: false,
    }
    const newWorker = (answer: Promise<Attempt>) => {
      const send = async ({ id }: { id: string }) => {
        sent.push(id)
        return answer
      }
      const settings = { schedule: RETRY_AFTER_MS, perEndpoint: 1 }
      const delivering = { sender: { send, close: async () => {} }, settings }
      return startPump(deliveryPump(world.ctx, delivering, log))
    }
    const worker = newWorker(answered.promise)
    await eventually(async () => sent.length, Boolean)
    const stopped = worker.stop()
    answered.resolve(accepted)
    await stopped
    assert.equal(sent.length, 1)
    const next = newWorker(Promise.resolve(accepted))
    await eventually(
      async () => sent.length,
      (count) => count === 4,
    )
    await next.stop()
    assert.equal(new Set(sent).size, 4, 'each of them once')
  })
})
