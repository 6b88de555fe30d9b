// The rules of what is sent by e-mail: who may be named as its sender, and when a sending that failed is tried again.

import { type Instant, MINUTE_MS } from '../instant.ts'

export type MailText = { readonly subject: string; readonly text: string }
// `id` is the same for every attempt to send it.
export type Mail = MailText & { readonly to: string; readonly id: string }

// refused: this mail will never be accepted. failed: the server may accept it later.
export type MailOutcome =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'refused' | 'failed'; readonly reason: string }
export type SendMail = (mail: Mail) => Promise<MailOutcome>

export const PAYER_LANGUAGES = ['es', 'en'] as const
export type PayerLanguage = (typeof PAYER_LANGUAGES)[number]

// An address, alone or behind a name. No line breaks: what follows one would be another header.
export function isMailSender(text: string): boolean {
  return /^(?:[^<>@"\p{Cc}]+ <[^\s<>@"]+@[^\s<>@"]+>|[^\s<>@"]+@[^\s<>@"]+)$/u.test(text)
}

// A server that is down for longer than a day gets it no more: by then whoever waited has looked elsewhere.
export const MAIL_RETRY_AFTER_MS = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * MINUTE_MS)

// Null: it is given up.
export function nextMailAt(attempts: number, now: Instant): Instant | null {
  const wait = MAIL_RETRY_AFTER_MS[attempts - 1]
  return wait === undefined ? null : now + wait
}
