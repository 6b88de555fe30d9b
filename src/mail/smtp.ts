// Sends one e-mail by SMTP. Says what became of it, and never throws: an e-mail is worth less than anything else that the process
// does.

import { connect, type Socket } from 'node:net'
import { isThisMachine } from '../core/network-address.ts'
import type { MailOutcome, SendMail } from '../core/receipts/mail.ts'

export type SmtpSettings = {
  // smtps://user:password@host:465, or smtp:// for STARTTLS on port 587.
  readonly url: string
  // Such as Café La Palma <pagos@example.com>.
  readonly from: string
  // Whether a server that offers no encryption is refused.
  readonly requiresTls: boolean
  readonly stepTimeoutMs?: number
}

// For each step of a sending, and for all of them together: a server that hangs, or never comes to an end, costs no more.
const STEP_TIMEOUT_MS = 15_000
const STEPS = 8

// Each mail has a connection of its own: there is nothing to keep alive, and nothing to close.
export function createSmtpSender(settings: SmtpSettings): SendMail {
  const { url, from, requiresTls, stepTimeoutMs = STEP_TIMEOUT_MS } = settings
  // Most services send no mail, and start sooner without it.
  const nodemailer = import('nodemailer')
  const server = serverOf(url)
  const options = {
    ...server,
    requireTLS: requiresTls,
    // What is said to a server on this machine is not overheard, and few of them have a certificate that anybody vouches for.
    tls: { rejectUnauthorized: requiresTls || !isThisMachine(server.host) },
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const domain = /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return async ({ to, id, subject, text }) => {
    const socket = connect({ host: server.host, port: server.port })
    const end = setTimeout(() => socket.destroy(new TimedOut()), STEPS * stepTimeoutMs)
    socket.setTimeout(stepTimeoutMs, () => socket.destroy(new TimedOut()))
    try {
      await connected(socket)
      const { createTransport } = await nodemailer
      await createTransport({ ...options, connection: socket }).sendMail({
        from,
        // As an object it is one address, whatever is in it.
        to: { address: to, name: '' },
        subject,
        text,
        // The same for every attempt, so that a reader shows a mail that was sent twice once.
        messageId: `<${id}@${domain}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      })
      return { outcome: 'sent' }
    } catch (error) {
      return outcomeOf(error as SmtpError)
    } finally {
      clearTimeout(end)
      socket.destroy()
    }
  }
}

class TimedOut extends Error {
  readonly code = 'ETIMEDOUT'
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve).on('error', reject)
  })
}

function serverOf(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
  }
}

type SmtpError = { responseCode?: number; code?: string; command?: string }

// 5xx is for ever if it is about the recipient or the text. What fails before, such as signing in or the sender, an operator can
// mend.
function outcomeOf({ responseCode, code, command }: SmtpError): MailOutcome {
  const isOfThisMail = command === 'RCPT TO' || command === 'DATA'
  const reason = [code, responseCode].filter((part) => part !== undefined).join(' ') || 'unknown'
  return {
    outcome: isOfThisMail && responseCode !== undefined && responseCode >= 500 ? 'refused' : 'failed',
    reason,
  }
}
