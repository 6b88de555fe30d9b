// A mail server that is slow costs a while, and not more.

import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createSmtpSender } from '../../src/mail/smtp.ts'

const MAIL = { to: 'ana@example.com', id: 'r1', subject: 'Comprobante', text: 'Hola, Ana.\n' }
const settings = (port: number) => ({
  url: `smtp://127.0.0.1:${port}`,
  from: 'pagos@palma.example',
  requiresTls: false,
})

describe('a mail', () => {
  it('is given back by a server that goes on saying something and never comes to an end', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.write('220 palma.example\r\n')
      socket.once('data', () => {
        const drip = setInterval(() => socket.write('250-palma.example\r\n'), 20)
        socket.once('close', () => clearInterval(drip))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const sending = createSmtpSender({ ...settings(port), stepTimeoutMs: 100 })(MAIL)
    // Thirty steps: a sending has eight, and the lease of a mail is twenty of them.
    const { outcome } = await Promise.race([sending, delay(3_000, { outcome: 'still sending' })])
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    assert.equal(outcome, 'failed')
  })
})
