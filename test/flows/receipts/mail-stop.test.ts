// What a worker that is to stop still does with a mail server that hangs.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { createMailing } from '../../../src/service.ts'
import { startReceiptMails } from '../../../src/workers/receipt-mails.ts'
import { startSmtpServer, type TestSmtpServer } from '../../mail/smtp-server.ts'
import { brebPayin, createWorld, endPayin, eventually, type World } from '../../world.ts'

const log = pino({ level: 'silent' })

describe('receipts by e-mail', () => {
  let world: World
  let server: TestSmtpServer
  let mailing: NonNullable<ReturnType<typeof createMailing>>
  before(async () => {
    server = await startSmtpServer()
    world = await createWorld({
      env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, SMTP_FROM: 'pagos@palma.example' },
    })
    mailing = createMailing(world.config) ?? assert.fail('SMTP_URL is set')
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  const paid = async () => {
    const { json } = await world.client('POST', '/payins', brebPayin())
    await endPayin(world, world.client, json.id, 'confirmed')
    return json.id as string
  }

  it('are begun by no worker that is to stop, however slow the server is', async () => {
    for (let count = 0; count < 8; count += 1) await paid()
    const begun: (() => void)[] = []
    const send = () =>
      new Promise<{ outcome: 'sent' }>((resolve) => begun.push(() => resolve({ outcome: 'sent' })))
    const loop = startReceiptMails(world.ctx, log, { ...mailing, send })
    await eventually(
      async () => begun.length,
      (count) => count === 4,
    )
    const stopped = loop.stop()
    // The server answers each in the end. The worker finishes what it has, and takes no more.
    let answered = 0
    const answering = setInterval(() => {
      for (; answered < begun.length; answered += 1) begun[answered]?.()
    }, 5)
    await stopped
    clearInterval(answering)
    assert.equal(begun.length, 4)
  })
})
