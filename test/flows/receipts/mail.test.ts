// Receipts by e-mail, through a real SMTP server: sent once, in the payer's language, and never in the way of a payment.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import pino from 'pino'
import { DAY_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { MAIL_RETRY_AFTER_MS } from '../../../src/core/receipts/mail.ts'
import { confirmPayer } from '../../../src/flows/payins/payer-actions.ts'
import { rememberLanguage } from '../../../src/flows/receipts/mail.ts'
import { eraseCustomer } from '../../../src/operator/customers.ts'
import { createMailing } from '../../../src/service.ts'
import { listDueMails } from '../../../src/store/payins/receipt-mails.ts'
import { mailTurn } from '../../../src/workers/receipt-mails.ts'
import { startSmtpServer, type TestSmtpServer } from '../../mail/smtp-server.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, psePayin, type World } from '../../world.ts'
import { accepted, connect } from '../connections/scripted-provider.ts'

// Longer than a test takes: time goes on by itself too.
const SOON_MS = 30_000
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('a receipt by e-mail', () => {
  let world: World
  let server: TestSmtpServer
  let mailing: NonNullable<ReturnType<typeof createMailing>>
  let turn: () => Promise<number>
  let logged: Record<string, unknown>[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => logged.push(JSON.parse(line)) })

  before(async () => {
    server = await startSmtpServer()
    world = await createWorld({
      env: {
        SMTP_URL: `smtp://127.0.0.1:${server.port}`,
        SMTP_FROM: 'Café La Palma <pagos@palma.example>',
      },
    })
    mailing = createMailing(world.config) ?? assert.fail('SMTP_URL is set')
    turn = mailTurn(world.ctx, log, mailing)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    server.received.length = 0
    logged = []
  })

  const paid = async (body: Record<string, unknown> = brebPayin()) => {
    const { status, json, text } = await world.client('POST', '/payins', body)
    assert.equal(status, 201, text)
    await endPayin(world, world.client, json.id, 'confirmed')
    return json
  }

  it('needs a language written down only where it is sent, and is not the one that payers read anyway', async () => {
    const remembered = async (language: 'es' | 'en', mailsReceipts: boolean) => {
      // Nobody pays it, so nothing is sent for it.
      const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }
      const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer }))
      const address = { organizationId: world.organization.organizationId, payinId: json.id }
      const payin = (await world.ctx.batched.getPayin(address)) ?? assert.fail()
      const settings = { ...world.ctx.settings, mailsReceipts }
      await world.db.inTransaction((tx) => rememberLanguage({ settings }, tx, payin, language))
      const text = 'select payer_language as language from payins where payin_id = $1'
      return (await world.db.query({ text, values: [json.id] })).rows[0]?.language
    }
    assert.equal(await remembered('en', true), 'en')
    assert.equal(await remembered('es', true), null)
    assert.equal(await remembered('en', false), null)
  })

  it('is sent once, to the payer, as plain text, with the address of the receipt', async () => {
    const { id, reference } = await paid()
    assert.equal(await turn(), 1)
    assert.equal(await turn(), 0)
    const [mail, ...others] = server.received
    assert.deepEqual(others, [])
    assert.deepEqual([mail?.from, mail?.to], ['pagos@palma.example', [CUSTOMER.email]])
    assert.match(mail?.headers.get('content-type') ?? '', /^text\/plain/)
    assert.equal(mail?.headers.get('from'), 'Café La Palma <pagos@palma.example>')
    assert.equal(mail?.headers.get('auto-submitted'), 'auto-generated')
    const { json: receipt } = await world.client('GET', `/payins/${id}/receipt`)
    assert.equal(mail?.headers.get('message-id'), `<receipt.${receipt.id}@palma.example>`)
    assert.match(mail?.headers.get('subject') ?? '', /^Comprobante de tu pago de \$ [\d.]+ a /)
    for (const part of [reference, `${receipt.url}?lang=es`, receipt.trace])
      assert.ok(mail?.text.includes(part), part)
    assert.ok(!mail?.text.includes(CUSTOMER.idNumber))
    assert.deepEqual(
      logged.map(({ msg, payinId }) => [msg, payinId]),
      [['receipt sent', id]],
    )
    assert.ok(!JSON.stringify(logged).includes(CUSTOMER.email))
  })
  it('is in the language of the page on which the payer began', async () => {
    const link = (
      await world.client('POST', '/payment-links', {
        amountType: 'FIXED',
        amountInCents: 12_890_050,
        reference: 'order',
        rail: 'BRE_B',
        callbackUrl: 'https://shop.example/',
        inlineCustomer: CUSTOMER,
      })
    ).json
    const path = new URL(link.paymentLinkUrl).pathname
    await world.anonymous('GET', path, undefined, { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0' })
    const [attempt] = (await world.client('GET', `/payins?paymentLinkId=${link.paymentLinkId}`)).json.data
    await endPayin(world, world.client, attempt.id, 'confirmed')
    assert.equal(await turn(), 1)

    const unnamed = (await world.client('POST', '/payins', psePayin({ inlineCustomer: undefined }))).json
    const { name, idType, idNumber, phone, email } = CUSTOMER
    const typed = `${new URLSearchParams({ name, idType, idNumber, phone, email, personType: 'INDIVIDUAL' })}`
    const page = new URL(unnamed.sourceData.pseUrl).pathname
    const begun = await world.anonymous('POST', `${page}?lang=en`, typed, FORM)
    assert.equal(begun.status, 303, begun.text)
    await endPayin(world, world.client, unnamed.id, 'confirmed')
    assert.equal(await turn(), 1)

    const [ofLink, ofPayin] = server.received
    assert.match(ofLink?.headers.get('subject') ?? '', /^Receipt for your payment of COP 128,900\.50 to /)
    for (const mail of [ofLink, ofPayin])
      assert.match(mail?.text ?? '', /\nThis is your receipt\..*\n.*\?lang=en\n/)
  })

  it('is not sent where nobody is named, nothing was paid, or an amount was refused', async () => {
    await paid(brebPayin({ inlineCustomer: undefined }))
    for (const outcome of ['declined', 'canceled']) {
      const { json } = await world.client('POST', '/payins', brebPayin())
      await endPayin(world, world.client, json.id, outcome)
    }
    assert.equal(await turn(), 0)
  })

  it('waits while the server is down, and no payment waits for it', async () => {
    const { port } = server
    await server[Symbol.asyncDispose]()
    const { id } = await paid()
    assert.equal((await world.client('GET', `/payins/${id}`)).json.status, 'CONFIRMED')
    assert.equal(await turn(), 1)
    assert.equal(await turn(), 0, 'not at once')
    assert.deepEqual(
      logged.map(({ msg, reason }) => [msg, reason]),
      [['receipt not sent; it is tried again', 'ECONNREFUSED']],
    )
    server = await startSmtpServer({}, port)
    await world.passTime((MAIL_RETRY_AFTER_MS[0] as number) - SOON_MS)
    assert.equal(await turn(), 0)
    await world.passTime(SOON_MS)
    assert.equal(await turn(), 1)
    assert.equal(server.received.length, 1)
    assert.equal(await turn(), 0)
  })

  it('is given up after a day of failures', async () => {
    await paid()
    server.refuseWith(451)
    for (const waitMs of [0, ...MAIL_RETRY_AFTER_MS]) {
      await world.passTime(waitMs)
      assert.equal(await turn(), 1)
    }
    server.refuseWith(null)
    assert.equal(logged.at(-1)?.msg, 'receipt not sent, and given up')
    await world.passTime(DAY_MS)
    assert.equal(await turn(), 0)
  })

  it('is given up at once if the address is refused for ever', async () => {
    await paid()
    server.refuseWith(550)
    assert.equal(await turn(), 1)
    server.refuseWith(null)
    assert.deepEqual(
      logged.map(({ msg, reason }) => [msg, reason]),
      [['receipt not sent, and given up', 'EENVELOPE 550']],
    )
    await world.passTime(DAY_MS)
    assert.equal(await turn(), 0)
  })

  it('is sent by one of several workers', async () => {
    for (let count = 0; count < 5; count += 1) await paid()
    await Promise.all([turn(), turn(), turn()])
    assert.equal(server.received.length, 5)
  })

  it('is sent by another when a worker died with it, five minutes later', async () => {
    await paid()
    const dies = mailTurn(world.ctx, log, { ...mailing, send: () => Promise.reject(new Error('killed')) })
    await assert.rejects(dies(), /killed/)
    await world.passTime(5 * MINUTE_MS - SOON_MS)
    assert.equal(await turn(), 0)
    await world.passTime(SOON_MS)
    assert.equal(await turn(), 1)
    assert.equal(server.received.length, 1)
  })

  it('is left to the worker who has it now, by one whose sending failed too late', async () => {
    await paid()
    const dies = mailTurn(world.ctx, log, { ...mailing, send: () => Promise.reject(new Error('killed')) })
    const fails = mailTurn(world.ctx, log, {
      ...mailing,
      send: async () => {
        await world.passTime(5 * MINUTE_MS)
        await assert.rejects(dies(), /killed/)
        return { outcome: 'failed', reason: 'too late' }
      },
    })
    assert.equal(await fails(), 1)
    await world.passTime(5 * MINUTE_MS - SOON_MS)
    assert.equal(await turn(), 0)
    await world.passTime(SOON_MS)
    assert.equal(await turn(), 1)
    assert.equal(server.received.length, 1)
  })

  it('that has waited longest is sent first', async () => {
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      ids.push((await paid()).id)
      await world.passTime(1_000)
    }
    const due = await listDueMails(world.db, world.ctx.clock.now(), 2)
    assert.deepEqual(
      due.map(({ payinId }) => payinId),
      ids.slice(0, 2),
    )
    await turn()
  })

  it('is not sent for a payment that was charged back, for a payer who was erased, or days later', async () => {
    const { id } = await paid()
    await endPayin(world, world.client, id, 'chargeback')
    assert.equal(await turn(), 1)

    await paid()
    const { organizationId } = world.organization
    const document = `${CUSTOMER.idType}:${CUSTOMER.idNumber}`
    await eraseCustomer(world.ctx, { org: organizationId, document, yes: true, by: 'test' })
    assert.equal(await turn(), 1)

    await paid()
    await world.passTime(2 * DAY_MS + 1)
    assert.equal(await turn(), 1)
    assert.equal(await turn(), 0)
    assert.deepEqual([server.received, logged], [[], []])
  })

  it('is in the language of the page on which the provider wanted the payer, too', async () => {
    const provider = await connect(world, { uses: ['PSE_IN'], provider: 'wompi' })
    const { json } = await world.client('POST', '/payins', psePayin())
    const { organizationId } = world.organization
    const payin = (await world.ctx.batched.getPayin({ organizationId, payinId: json.id })) as Payin
    const presence = { acceptedTerms: [], device: { ipAddress: '203.0.113.7', userAgent: 'Firefox' } }
    await confirmPayer(world.ctx, payin, null, presence, 'en')
    await world.work()
    const { amountInCents } = payin
    const payments = [{ paymentId: 'wompi:7', amountInCents }] as const
    provider.payin = () => accepted({ state: 'paid', payments, networkCode: 'APPROVED' })
    await world.passTime(8 * MINUTE_MS)
    assert.equal((await world.client('GET', `/payins/${json.id}`)).json.status, 'CONFIRMED')
    assert.equal(await turn(), 1)
    assert.match(server.received[0]?.text ?? '', /\nThis is your receipt\./)
  })
})

describe('a receipt where no SMTP_URL is set', () => {
  it('is not sent later either', async () => {
    await using world = await createWorld()
    assert.equal(createMailing(world.config), undefined)
    const { json } = await world.client('POST', '/payins', brebPayin())
    await endPayin(world, world.client, json.id, 'confirmed')
    assert.equal((await world.db.query({ text: 'select from receipt_mails' })).rowCount, 0)
  })
})
