// A mail server on this machine need not prove who it is: SECURITY.md excepts it. Most of them offer STARTTLS with a certificate that
// they made themselves, and nobody can ask for another.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { createSmtpSender } from '../../src/mail/smtp.ts'
import { startSmtpServer } from './smtp-server.ts'

describe('a mail to a server on this machine', () => {
  it('is sent, also where the server offers encryption under a certificate of its own', async () => {
    await using server = await startSmtpServer({ disabledCommands: ['AUTH'] })
    const { smtp } = readConfig({
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      SMTP_FROM: 'pagos@palma.example',
    })
    assert.equal(smtp?.requiresTls, false)
    const send = createSmtpSender(smtp ?? assert.fail())
    const mail = { to: 'ana@example.com', id: 'r1', subject: 'Comprobante', text: 'Hola, Ana.\n' }
    assert.deepEqual(await send(mail), { outcome: 'sent' })
  })
})

describe('a mail to a server elsewhere, which need not encrypt', () => {
  it('does not go to one that encrypts under a certificate that nobody vouches for', async () => {
    await using server = await startSmtpServer({ disabledCommands: ['AUTH'] })
    // Leads here too, and is no name of this machine.
    const url = `smtp://0.0.0.0:${server.port}`
    const send = createSmtpSender({ url, from: 'pagos@palma.example', requiresTls: false })
    const mail = { to: 'ana@example.com', id: 'r1', subject: 'Comprobante', text: 'Hola, Ana.\n' }
    assert.deepEqual([(await send(mail)).outcome, server.received], ['failed', []])
  })
})
