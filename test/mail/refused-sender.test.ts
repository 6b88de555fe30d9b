// Receipts wait for an operator who has set the mail server up wrongly.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSmtpSender } from '../../src/mail/smtp.ts'
import { startSmtpServer } from './smtp-server.ts'

const MAIL = { to: 'ana@example.com', id: 'r1', subject: 'Comprobante', text: 'Hola, Ana.\n' }
const settings = (port: number) => ({
  url: `smtp://127.0.0.1:${port}`,
  from: 'pagos@palma.example',
  requiresTls: false,
})

describe('a mail', () => {
  it('may come later to a server that refuses the sender: an operator can mend that', async () => {
    const refuses = (code: number) => (_address: unknown, _session: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error('refused by the test'), { responseCode: code }))
    const outcomes: string[] = []
    for (const options of [
      // SMTP_URL has no user: 530 to the first command of a mail.
      { disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
      // SMTP_FROM is not an address of this user.
      { onMailFrom: refuses(553) },
    ]) {
      await using server = await startSmtpServer(options)
      outcomes.push((await createSmtpSender(settings(server.port))(MAIL)).outcome)
    }
    assert.deepEqual(outcomes, ['failed', 'failed'])
  })
})
