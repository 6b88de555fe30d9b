// What is sent to an SMTP server, and what becomes of a mail where the server asks for something, refuses or hangs.

import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { createSmtpSender, type SmtpSettings } from '../../src/mail/smtp.ts'
import { startSmtpServer } from './smtp-server.ts'

const MAIL = { to: 'ana@example.com', id: 'r1', subject: 'Comprobante', text: 'Hola, Ana.\n' }

const settings = (port: number, changes: Partial<SmtpSettings> = {}): SmtpSettings => ({
  url: `smtp://127.0.0.1:${port}`,
  from: 'pagos@palma.example',
  requiresTls: false,
  ...changes,
})

describe('a mail', () => {
  it('goes to a server that asks who sends it', async () => {
    let asked: unknown[] = []
    await using server = await startSmtpServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        asked = [username, password]
        done(null, { user: username })
      },
    })
    const url = `smtp://pagos%40palma.example:a%2Fb%3Ac@127.0.0.1:${server.port}`
    const send = createSmtpSender(settings(server.port, { url }))
    assert.deepEqual(await send(MAIL), { outcome: 'sent' })
    assert.deepEqual(asked, ['pagos@palma.example', 'a/b:c'])
    assert.equal(server.received[0]?.text.trim(), 'Hola, Ana.')
  })

  it('may come later to a server that does not know who sends it: an operator can mend that', async () => {
    await using server = await startSmtpServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('unknown')),
    })
    const url = `smtp://pagos:wrong@127.0.0.1:${server.port}`
    const { outcome } = await createSmtpSender(settings(server.port, { url }))(MAIL)
    assert.equal(outcome, 'failed')
  })

  it('does not go to a server without encryption where that is required', async () => {
    await using server = await startSmtpServer()
    const outcome = await createSmtpSender(settings(server.port, { requiresTls: true }))(MAIL)
    assert.deepEqual([outcome.outcome, server.received], ['failed', []])
  })

  it('does not go to a server whose certificate nobody vouches for', async () => {
    await using server = await startSmtpServer({ disabledCommands: ['AUTH'] })
    const outcome = await createSmtpSender(settings(server.port, { requiresTls: true }))(MAIL)
    assert.deepEqual([outcome.outcome, server.received], ['failed', []])
  })

  it('has one recipient and no other headers, whatever is in its texts', async () => {
    await using server = await startSmtpServer()
    const send = createSmtpSender(settings(server.port))
    await send({ ...MAIL, to: 'ana@example.com, eva@example.com' })
    await send({ ...MAIL, to: 'ana@example.com\r\nBcc: eva@example.com' })
    await send({ ...MAIL, subject: 'Hola\r\nBcc: eva@example.com\r\nX-Other: 1' })
    for (const { to, headers } of server.received) {
      assert.ok(
        to.length === 1 && !headers.has('bcc') && !headers.has('x-other'),
        JSON.stringify([to, [...headers]]),
      )
    }
    assert.ok(server.received.length > 0)
  })

  it('whose text is refused for ever is given up, and one that is refused for now may come later', async () => {
    const outcomes: string[] = []
    for (const responseCode of [554, 451]) {
      await using server = await startSmtpServer({
        onData: (stream, _session, done) => {
          stream.resume()
          stream.on('end', () => done(Object.assign(new Error('refused by the test'), { responseCode })))
        },
      })
      outcomes.push((await createSmtpSender(settings(server.port))(MAIL)).outcome)
    }
    assert.deepEqual(outcomes, ['refused', 'failed'])
  })

  it('goes to the port of its protocol where SMTP_URL names none', async () => {
    const ports: number[] = []
    // No further than to the look for a server: there may be one.
    const watch = (message: unknown) => {
      const { socket } = message as { socket: Socket }
      socket.on('connectionAttempt', (_ip: string, port: number) => {
        ports.push(port)
        process.nextTick(() => socket.destroy(new Error('stopped by the test')))
      })
    }
    subscribe('net.client.socket', watch)
    try {
      for (const url of ['smtp://127.0.0.1', 'smtps://127.0.0.1', 'smtp://127.0.0.1:2525'])
        await createSmtpSender(settings(0, { url }))(MAIL)
    } finally {
      unsubscribe('net.client.socket', watch)
    }
    assert.deepEqual(ports, [587, 465, 2525])
  })

  it('is given back after a while by a server that says nothing', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const send = createSmtpSender(settings(port, { stepTimeoutMs: 50 }))
    assert.deepEqual(await send(MAIL), { outcome: 'failed', reason: 'ETIMEDOUT' })
    await new Promise((resolve) => silent.close(resolve))
  })
})
