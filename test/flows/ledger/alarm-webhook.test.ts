// Alarms by an incoming webhook, as chats have: `{text}` over https, under the address guard, with the leases, retries and digests of
// alarm e-mails, and also where no mail server is set.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import pino from 'pino'
import { ALARM_MAIL_WITHIN_MS, ALARM_STORM_SIZE } from '../../../src/core/ledger/alarm-telling.ts'
import { MAIL_RETRY_AFTER_MS } from '../../../src/core/receipts/mail.ts'
import { insertAlarm, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { createChatPost } from '../../../src/webhooks/chat.ts'
import type { Attempt, SendRequest } from '../../../src/webhooks/send.ts'
import { createSender } from '../../../src/webhooks/send.ts'
import { alarmMailTurn } from '../../../src/workers/alarm-mails.ts'
import { assertProblem } from '../../api/http/problem.ts'
import { createWorld, type World } from '../../world.ts'

const URL_OF_CHAT = 'https://hooks.chat.example/services/T0/B0/secret'

describe('an alarm by webhook', () => {
  let world: World
  let turn: () => Promise<number>
  let sent: SendRequest[] = []
  let status = 200
  let logged: string[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => logged.push(line) })
  // The chat's side of the wire.
  const send = async (request: SendRequest): Promise<Attempt> => {
    sent.push(request)
    const failure = status === 200 ? null : 'STATUS'
    const answer = { status, failure, latencyMs: 1, response: '', retryAfterSeconds: null } as const
    return { ...answer, delivered: failure === null, gone: status === 410 }
  }
  before(async () => {
    world = await createWorld()
    turn = alarmMailTurn(world.ctx, log, { send: undefined, post: createChatPost({ send }) })
  })
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => {
    sent = []
    logged = []
    status = 200
  })

  const merchant = async (settings: Record<string, unknown> = {}) => {
    const { organization, client } = await world.newMerchant()
    const body = { name: 'Café', alarmWebhookUrl: URL_OF_CHAT, ...settings }
    const changed = await client('PATCH', '/organization', body)
    assert.equal(changed.status, 200, changed.text)
    return { organizationId: organization.organizationId, client }
  }
  const raise = async (organizationId: string) => {
    const { ctx, db } = world
    const alarm = { alarmId: ctx.ids.next(), kind: 'payout-unresolved', detail: 'Ana Gómez' } as const
    await insertAlarm(db, organizationId, ctx.ids.next(), alarm, ctx.clock.now())
    return alarm.alarmId
  }
  const drain = async () => {
    while ((await turn()) > 0) {}
  }
  const waiting = async (organizationId: string) => {
    const { rows } = await world.db.query<{ alarms: number; mails: number }>({
      text: `select (select count(*)::integer from alarms where organization_id = $1 and mail_due_at is not null) as alarms,
                    (select count(*)::integer from alarm_mails where organization_id = $1) as mails`,
      values: [organizationId],
    })
    return rows[0]
  }

  it('is one message with what happened and where to see it, without a signature and without names', async () => {
    const { organizationId } = await merchant()
    const alarmId = await raise(organizationId)
    await drain()
    assert.equal(sent.length, 1)
    const [{ url, body, secrets }] = sent as [SendRequest]
    assert.deepEqual([url, secrets], [URL_OF_CHAT, null])
    const { text, ...others } = JSON.parse(body)
    assert.deepEqual(others, {})
    const title = 'Un pago lleva un día sin respuesta de la red'
    for (const part of [`*Alarma en Café: ${title}*`, `/console/${organizationId}/alarms?alarm=${alarmId}`])
      assert.ok(text.includes(part), `${part} in ${text}`)
    assert.ok(!text.includes('Ana') && !text.includes('Te escribimos'))
    assert.deepEqual(await waiting(organizationId), { alarms: 0, mails: 0 })
    assert.ok(!logged.join('').includes('secret'), 'the log does not have the address')
  })

  it('is sent once, however many workers there are, and each organization’s to its own', async () => {
    const one = await merchant()
    const other = await merchant({ alarmWebhookUrl: 'https://hooks.chat.example/other', alarmLanguage: 'en' })
    const silent = await merchant({ alarmWebhookUrl: null })
    for (const { organizationId } of [one, silent]) await raise(organizationId)
    await Promise.all([drain(), drain(), drain()])
    assert.deepEqual(
      sent.map(({ url }) => url),
      [URL_OF_CHAT],
    )
    await raise(other.organizationId)
    await drain()
    assert.equal(sent[1]?.url, 'https://hooks.chat.example/other')
    assert.match(JSON.parse(sent[1]?.body ?? '').text, /^\*Alarm at Café/, 'in its own language')
  })

  it('is tried again while the chat is down, not once it is resolved, and never where it is gone', async () => {
    const { organizationId } = await merchant()
    status = 503
    const alarmId = await raise(organizationId)
    await drain()
    assert.equal(sent.length, 1)
    await drain()
    assert.equal(sent.length, 1, 'not before its time')
    status = 200
    world.advance(MAIL_RETRY_AFTER_MS[0] as number)
    await drain()
    assert.equal(sent.length, 2)
    await resolveAlarm(world.db, alarmId, world.ctx.clock.now())
    status = 410
    await raise(organizationId)
    await drain()
    assert.deepEqual([sent.length, await waiting(organizationId)], [3, { alarms: 0, mails: 0 }])
  })

  it('goes to the address that is set when it is sent, and nowhere once that is taken away', async () => {
    const { organizationId, client } = await merchant()
    status = 503
    await raise(organizationId)
    await drain()
    await client('PATCH', '/organization', { alarmWebhookUrl: null })
    world.advance(MAIL_RETRY_AFTER_MS[0] as number)
    await drain()
    assert.deepEqual([sent.length, await waiting(organizationId)], [1, { alarms: 0, mails: 0 }])
  })

  it('comes together with others in a storm', async () => {
    const { organizationId } = await merchant()
    for (let raised = 0; raised <= ALARM_STORM_SIZE; raised += 1) await raise(organizationId)
    await drain()
    assert.equal(sent.length, 1)
    assert.ok(JSON.parse(sent[0]?.body ?? '').text.startsWith(`*${ALARM_STORM_SIZE + 1} alarmas en Café*`))
  })

  it('does not take the e-mails with it where no mail server is set: these wait, and are given up', async () => {
    const { organizationId } = await merchant({ alarmEmails: ['caja@cafe.example'] })
    await raise(organizationId)
    await drain()
    assert.deepEqual([sent.length, await waiting(organizationId)], [1, { alarms: 0, mails: 1 }])
    world.advance(ALARM_MAIL_WITHIN_MS + 3_600_001)
    await drain()
    assert.deepEqual(await waiting(organizationId), { alarms: 0, mails: 0 })
  })

  it('has an https address that an event could be sent to, and the guard looks at what it resolves to', async () => {
    for (const alarmWebhookUrl of [
      'http://hooks.chat.example/x',
      'hooks.chat.example',
      'https://a@b.example/',
      '',
    ])
      assertProblem(await world.client('PATCH', '/organization', { alarmWebhookUrl }), 'INVALID_INPUT')
    await using guarded = guardedSender()
    const post = createChatPost(guarded)
    assert.deepEqual(await post({ url: URL_OF_CHAT, text: 'x', id: 'alarm.1' }), {
      outcome: 'failed',
      reason: 'BLOCKED_ADDRESS',
    })
  })

  it('is shown by its host and last characters, and stays as it is when it is sent back like that', async () => {
    const { client, organizationId } = await merchant({ alarmWebhookUrl: `${URL_OF_CHAT}-9f3k` })
    const stored = async () =>
      (await getOrganization(world.db, organizationId))?.alarmWebhookUrl ?? assert.fail('it is stored')
    const masked = `${new URL(URL_OF_CHAT).origin}/…9f3k`
    const shown = await client('GET', '/organization')
    assert.equal(shown.json.alarmWebhookUrl, masked)
    const back = await client('PATCH', '/organization', { name: 'Bar', alarmWebhookUrl: masked })
    assert.deepEqual([back.status, back.json.name, back.json.alarmWebhookUrl], [200, 'Bar', masked])
    for (const answer of [shown, back]) assert.ok(!answer.text.includes('secret'))
    assert.match(await stored(), /secret-9f3k$/)
    const other = `${new URL(URL_OF_CHAT).origin}/…9f3x`
    assertProblem(await client('PATCH', '/organization', { alarmWebhookUrl: other }), 'INVALID_INPUT')
    assert.match(await stored(), /secret-9f3k$/)
    await client('PATCH', '/organization', { alarmWebhookUrl: `${new URL(URL_OF_CHAT).origin}/short` })
    const { json } = await client('GET', '/organization')
    assert.equal(json.alarmWebhookUrl, `${new URL(URL_OF_CHAT).origin}/…`, 'four of few would be most of it')
  })

  // A name of a stranger's that leads into our own network.
  const guardedSender = () => {
    const sender = createSender({ allowPrivate: false, lookup: async () => ['127.0.0.1'] })
    return { send: sender.send, [Symbol.asyncDispose]: sender.close }
  }
})
