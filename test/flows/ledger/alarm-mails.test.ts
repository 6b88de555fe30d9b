// Alarms by e-mail, through a real SMTP server: each address once, each organization its own, a storm in one mail, and nothing about
// what is already over.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import pino from 'pino'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import type { AlarmKind } from '../../../src/core/ledger/alarm.ts'
import {
  ALARM_DIGEST_AFTER_MS,
  ALARM_MAIL_WITHIN_MS,
  ALARM_STORM_SIZE,
} from '../../../src/core/ledger/alarm-telling.ts'
import { MAIL_RETRY_AFTER_MS } from '../../../src/core/receipts/mail.ts'
import { forgetOldAlarmMails } from '../../../src/flows/ledger/alarm-mails.ts'
import { watchMinimums } from '../../../src/flows/ledger/watch-minimums.ts'
import { createMailing } from '../../../src/service.ts'
import { insertAlarm, resolveAlarm } from '../../../src/store/ledger/alarms.ts'
import { alarmMailTurn } from '../../../src/workers/alarm-mails.ts'
import { startSmtpServer, type TestSmtpServer } from '../../mail/smtp-server.ts'
import { createWorld, type World } from '../../world.ts'

const noChat = () => assert.fail('nobody has a webhook')

describe('an alarm by e-mail', () => {
  let world: World
  let server: TestSmtpServer
  let turn: () => Promise<number>
  let logged: Record<string, unknown>[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => logged.push(JSON.parse(line)) })

  before(async () => {
    server = await startSmtpServer()
    world = await createWorld({
      env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, SMTP_FROM: 'Recaudo <avisos@palma.example>' },
    })
    const { send } = createMailing(world.config) ?? assert.fail('SMTP_URL is set')
    turn = alarmMailTurn(world.ctx, log, { send, post: noChat })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    server.received.length = 0
    logged = []
  })

  let count = 0
  const merchant = async (emails: number, settings: Record<string, unknown> = {}) => {
    count += 1
    const { organization, client } = await world.newMerchant()
    const name = `Café ${count}`
    const alarmEmails = Array.from({ length: emails }, (_, at) => `caja-${at}@cafe-${count}.example`)
    const changed = await client('PATCH', '/organization', { name, alarmEmails, ...settings })
    assert.equal(changed.status, 200, changed.text)
    return { organizationId: organization.organizationId, name, emails: alarmEmails, client }
  }
  const raise = async (organizationId: string, kind: AlarmKind = 'payout-unresolved') => {
    const { ctx, db } = world
    const alarm = { alarmId: ctx.ids.next(), kind, detail: 'Told to 203.0.113.7 by Ana Gómez.' }
    await insertAlarm(db, organizationId, ctx.ids.next(), alarm, ctx.clock.now())
    return alarm.alarmId
  }
  const raiseMany = async (organizationId: string, most: number) => {
    for (let raised = 0; raised < most; raised += 1) await raise(organizationId)
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
  const NOTHING = { alarms: 0, mails: 0 }
  const recipients = () => server.received.flatMap(({ to }) => to).sort()
  const subjects = () => server.received.map(({ headers }) => headers.get('subject'))

  it('reaches each address once, with what happened, since when, and where to see it', async () => {
    const { organizationId, name, emails } = await merchant(2)
    const alarmId = await raise(organizationId)
    await drain()
    assert.deepEqual(recipients(), emails)
    const [mail, other] = server.received
    assert.equal(mail?.from, 'avisos@palma.example')
    const title = 'Un pago lleva un día sin respuesta de la red'
    assert.deepEqual(subjects(), Array(2).fill(`Alarma en ${name}: ${title}`))
    const home = `http://localhost:${new URL(world.config.publicUrl).port}/console/${organizationId}`
    const parts = [title, 'La plata sigue reservada', 'Desde el', `${home}/alarms?alarm=${alarmId}\n`]
    for (const part of [...parts, 'hora de Bogotá', `${home}/settings/notifications`])
      assert.ok(mail?.text.includes(part), `${part} in ${mail?.text}`)
    const [id, otherId] = [mail, other].map((one) => one?.headers.get('message-id'))
    assert.match(id ?? '', /^<alarm\.[\da-f-]{36}@palma\.example>$/)
    assert.notEqual(id, otherId)
    assert.deepEqual(await waiting(organizationId), NOTHING)
    assert.deepEqual(
      logged.map(({ msg, organizationId: whose, alarms }) => [msg, whose, alarms]),
      Array(2).fill(['alarm sent', organizationId, 1]),
    )
  })

  it('names nobody: not in the mail, nor in the log', async () => {
    const { organizationId, emails } = await merchant(1)
    await raise(organizationId, 'address-refused')
    await drain()
    assert.equal(server.received.length, 1)
    for (const secret of ['203.0.113.7', 'Ana Gómez'])
      assert.ok(!server.received[0]?.text.includes(secret), secret)
    assert.ok(!JSON.stringify(logged).includes(emails[0] as string))
  })

  it('of a balance below its minimum says in the list how much there is, and how much is wanted', async () => {
    const { client } = await merchant(0, { minimumBalanceInCents: 100_000_000_001 })
    assert.equal((await client('GET', '/balance')).json.availableInCents, 100_000_000_000)
    while ((await watchMinimums(world.ctx)) > 0) {}
    const [alarm] = (await client('GET', '/alarms?kind=balance-below-minimum')).json.data
    const detail = '1000000000.00 COP can be paid out, and the minimum is 1000000000.01 COP'
    assert.equal(alarm.detail, detail)
  })

  it('is in the organization’s language', async () => {
    const { organizationId, name } = await merchant(1, { alarmLanguage: 'en' })
    await raise(organizationId, 'reconciliation')
    await drain()
    assert.deepEqual(subjects(), [`Alarm at ${name}: The reconciliation found a difference`])
    for (const part of ['An alarm was raised', 'Bogotá time', 'See the alarm in the console'])
      assert.ok(server.received[0]?.text.includes(part), part)
  })

  it('goes to the organization’s own addresses, and nobody else’s', async () => {
    const [one, other, silent] = [await merchant(1), await merchant(1), await merchant(0)]
    for (const { organizationId } of [one, silent]) await raise(organizationId)
    await drain()
    assert.deepEqual(recipients(), one.emails)
    assert.deepEqual(await waiting(silent.organizationId), NOTHING)
    server.received.length = 0
    await raise(other.organizationId)
    await drain()
    assert.deepEqual(recipients(), other.emails)
  })

  it('is sent once, however many workers there are', async () => {
    const { organizationId, emails } = await merchant(2)
    await raise(organizationId)
    await raise(organizationId)
    await Promise.all([drain(), drain(), drain()])
    assert.deepEqual(recipients(), [...emails, ...emails].sort())
  })

  it('is not sent once it is resolved, before it was handed on or after', async () => {
    const { organizationId } = await merchant(1)
    await resolveAlarm(world.db, await raise(organizationId), world.ctx.clock.now())
    const later = await raise(organizationId)
    server.refuseWith(451)
    await drain()
    server.refuseWith(null)
    assert.deepEqual(await waiting(organizationId), { alarms: 0, mails: 1 })
    await resolveAlarm(world.db, later, world.ctx.clock.now())
    world.advance((MAIL_RETRY_AFTER_MS[0] as number) + MINUTE_MS)
    await drain()
    assert.deepEqual(server.received, [])
    assert.deepEqual(await waiting(organizationId), NOTHING)
  })

  it('is not sent to an address that was taken off the list meanwhile', async () => {
    const { organizationId, emails, client } = await merchant(2)
    await raise(organizationId)
    server.refuseWith(451)
    await drain()
    server.refuseWith(null)
    await client('PATCH', '/organization', { alarmEmails: [emails[1]] })
    world.advance((MAIL_RETRY_AFTER_MS[0] as number) + MINUTE_MS)
    await drain()
    assert.deepEqual(recipients(), [emails[1]])
    assert.deepEqual(await waiting(organizationId), NOTHING)
  })

  it('is tried again while the server fails, under the same Message-ID, and given up after a day', async () => {
    const { organizationId } = await merchant(1)
    await raise(organizationId)
    server.refuseWith(451)
    await drain()
    assert.equal(logged.at(-1)?.msg, 'alarm not sent; it is tried again')
    const { mailId } = logged.at(-1) as { mailId: string }
    assert.equal(await turn(), 0, 'not at once')
    server.refuseWith(null)
    world.advance((MAIL_RETRY_AFTER_MS[0] as number) + MINUTE_MS)
    await drain()
    assert.equal(server.received[0]?.headers.get('message-id'), `<alarm.${mailId}@palma.example>`)

    await raise(organizationId)
    server.refuseWith(451)
    for (const wait of [0, ...MAIL_RETRY_AFTER_MS]) {
      world.advance(wait)
      await drain()
    }
    server.refuseWith(null)
    assert.deepEqual([logged.at(-1)?.msg, logged.at(-1)?.attempts], ['alarm not sent, and given up', 8])
    assert.deepEqual(await waiting(organizationId), NOTHING)
  })

  it('that the server refuses for good is given up at once, and the other addresses get theirs', async () => {
    const { organizationId } = await merchant(1)
    await raise(organizationId)
    server.refuseWith(550)
    await drain()
    server.refuseWith(null)
    assert.equal(logged.at(-1)?.msg, 'alarm not sent, and given up')
    assert.deepEqual(await waiting(organizationId), NOTHING)
  })

  it('comes with the others in one mail when there is a storm', async () => {
    const { organizationId, name, emails } = await merchant(2)
    await raise(organizationId, 'reconciliation')
    await raiseMany(organizationId, ALARM_STORM_SIZE)
    await drain()
    assert.deepEqual(recipients(), emails)
    assert.deepEqual(subjects(), Array(2).fill(`${ALARM_STORM_SIZE + 1} alarmas en ${name}`))
    const { text = '' } = server.received[0] ?? {}
    for (const part of [
      `- Un pago lleva un día sin respuesta de la red: ${ALARM_STORM_SIZE}, desde el `,
      '- La conciliación encontró una diferencia: 1, desde el ',
      `/console/${organizationId}/alarms\n`,
    ])
      assert.ok(text.includes(part), `${part} in ${text}`)
    assert.ok(text.indexOf('Un pago lleva') < text.indexOf('La conciliación'))
  })

  it('waits for the others while the storm lasts, and then they come together', async () => {
    const { organizationId, name } = await merchant(1)
    await raiseMany(organizationId, ALARM_STORM_SIZE + 1)
    await drain()
    server.received.length = 0
    await raise(organizationId)
    await drain()
    world.advance(ALARM_DIGEST_AFTER_MS / 2)
    const resolved = await raise(organizationId)
    await raise(organizationId)
    await drain()
    assert.deepEqual([server.received.length, await waiting(organizationId)], [0, { alarms: 3, mails: 0 }])
    await resolveAlarm(world.db, resolved, world.ctx.clock.now())
    world.advance(ALARM_DIGEST_AFTER_MS / 2)
    await drain()
    assert.deepEqual(subjects(), [`2 alarmas en ${name}`])
    assert.deepEqual(await waiting(organizationId), NOTHING)
  })

  it('as many as are no storm have a mail each', async () => {
    const { organizationId } = await merchant(1)
    await raiseMany(organizationId, ALARM_STORM_SIZE)
    await drain()
    assert.equal(server.received.length, ALARM_STORM_SIZE)
  })

  it('is not told when it is old: a mail server was set only now', async () => {
    const { organizationId } = await merchant(1)
    await raise(organizationId)
    world.advance(ALARM_MAIL_WITHIN_MS + MINUTE_MS)
    const fresh = await raise(organizationId)
    await drain()
    assert.equal(server.received.length, 1)
    assert.ok(server.received[0]?.text.includes(fresh))
    assert.deepEqual(await waiting(organizationId), NOTHING)
  })

  it('does not wait for ever where no mail server is set', async () => {
    const { organizationId } = await merchant(1)
    await raise(organizationId)
    server.refuseWith(451)
    await drain()
    server.refuseWith(null)
    world.advance(ALARM_MAIL_WITHIN_MS - MINUTE_MS)
    await raise(organizationId)
    await forgetOldAlarmMails(world.ctx)
    assert.deepEqual(await waiting(organizationId), { alarms: 1, mails: 1 }, 'not yet')
    world.advance(2 * MINUTE_MS)
    assert.equal(await forgetOldAlarmMails(world.ctx), 1)
    assert.deepEqual(await waiting(organizationId), { alarms: 1, mails: 0 })
    world.advance(ALARM_MAIL_WITHIN_MS)
    assert.equal(await forgetOldAlarmMails(world.ctx), 1)
    assert.deepEqual(await waiting(organizationId), NOTHING)
    assert.equal(await forgetOldAlarmMails(world.ctx), 0)
  })
})
