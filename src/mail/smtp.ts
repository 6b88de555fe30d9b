// Sends one e-mail by SMTP. Says what became of it, and never throws: a payer's receipt is worth less than anything else that the
// process does.

import { createTransport } from 'nodemailer'
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

// For each step of a sending: a server that hangs costs no more.
const STEP_TIMEOUT_MS = 15_000

// Each mail has a connection of its own: there is nothing to keep alive, and nothing to close.
export function createSmtpSender(settings: SmtpSettings): SendMail {
  const { url, from, requiresTls, stepTimeoutMs = STEP_TIMEOUT_MS } = settings
  const transport = createTransport({
    ...serverOf(url),
    requireTLS: requiresTls,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return async ({ to, id, subject, text }) => {
    try {
      await transport.sendMail({
        from,
        // As an object it is one address, whatever is in it.
        to: { address: to, name: '' },
        subject,
        text,
        // The same for every attempt, so that a reader shows a mail that was sent twice once.
        messageId: `<receipt.${id}@${domain}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      })
      return { outcome: 'sent' }
    } catch (error) {
      return outcomeOf(error as { responseCode?: number; code?: string })
    }
  }
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

// 5xx is for ever if it is about this mail. What fails before, such as signing in, an operator can mend.
function outcomeOf({ responseCode, code }: { responseCode?: number; code?: string }): MailOutcome {
  const isOfThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const reason = [code, responseCode].filter((part) => part !== undefined).join(' ') || 'unknown'
  return {
    outcome: isOfThisMail && responseCode !== undefined && responseCode >= 500 ? 'refused' : 'failed',
    reason,
  }
}
