// What a mail says where no money is real.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { createMailing } from '../../../src/service.ts'
import { mailTurn } from '../../../src/workers/receipt-mails.ts'
import { startSmtpServer, type TestSmtpServer } from '../../mail/smtp-server.ts'
import { brebPayin, createWorld, endPayin, type World } from '../../world.ts'

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

  it('of staging say that no money is real, as the page and the picture do', async () => {
    const id = await paid()
    await mailTurn(world.ctx, log, mailing)()
    const { json: receipt } = await world.client('GET', `/payins/${id}/receipt`)
    const page = await world.anonymous('GET', new URL(receipt.url).pathname, undefined, {
      accept: 'text/html',
      'accept-language': 'es',
    })
    const picture = await world.anonymous('GET', new URL(receipt.imageUrl).pathname)
    for (const text of [page.text, picture.text, server.received[0]?.text ?? ''])
      assert.match(text, /no se mueve dinero real/)
  })
})
