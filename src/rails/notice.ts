// Reads the notifications that a network sends us: first the signature over the raw bytes, then the body. Each rail adds
// only what its codes mean.

import type { NetworkUpdate } from '../core/connections/notice.ts'
import type { Rail } from '../core/connections/rail.ts'
import { DAY_MS, type Instant } from '../core/instant.ts'
import type { PayinErrorCode } from '../core/payins/payin.ts'
import type { ReadNotice } from './rail.ts'
import { verifyNotice } from './signature.ts'
import { instantOf } from './wire-format.ts'

// A payment may come without our reference, or with whatever its payer typed. It is money all the same.
export type NoticeContent = { readonly id: string; readonly reference?: unknown; readonly occurredAt: string }
export type NoticeMeaning =
  | { readonly update: NetworkUpdate; readonly networkCode: string }
  // Unreadable: it may be about money, and does not say what a person must know to find it.
  | { fault: string; isUnreadable?: true }

export function noticeReader<Notification extends NoticeContent>(
  rail: Rail,
  keys: readonly string[],
  read: (body: unknown) => Notification | undefined,
  meaningOf: (notification: Notification) => NoticeMeaning,
): ReadNotice {
  return (headers, body, now) => {
    const noticeId = verifyNotice(keys, headers, body, now)
    if (noticeId === undefined) return undefined
    const notification = read(parseJson(body))
    if (notification === undefined)
      return { fault: 'the body is not a notification', unreadable: contentOf(noticeId, body) }
    const time = timeOf(notification.occurredAt, now)
    const meaning = meaningOf(notification)
    if ('fault' in meaning)
      return meaning.isUnreadable === true ? { ...meaning, unreadable: contentOf(noticeId, body) } : meaning
    const reference = referenceOf(notification)
    const otherId = notification.id === noticeId ? undefined : { idInBody: notification.id }
    return { notice: { rail, noticeId, reference, ...time, ...otherId, ...meaning } }
  }
}

const MAX_REFERENCE_LENGTH = 64
const MAX_CONTENT_LENGTH = 1_000

// Empty if there is none.
function referenceOf({ reference = '' }: NoticeContent): string {
  const text = typeof reference === 'string' ? reference : reference === null ? '' : JSON.stringify(reference)
  return storable(text, MAX_REFERENCE_LENGTH)
}

function contentOf(noticeId: string, body: Buffer) {
  return { noticeId, content: storable(body.toString('utf8'), MAX_CONTENT_LENGTH) }
}

// The database holds no zero characters and no halves of characters, and an operator's terminal should get no control characters.
function storable(text: string, maxLength: number): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, maxLength)
    .toWellFormed()
}

// Before the networks existed, or further ahead than any two clocks differ.
const EARLIEST = Date.UTC(2000, 0)
const MAX_AHEAD_MS = DAY_MS

// A wrong time is no reason to refuse a notice about money.
function timeOf(text: string, now: Instant): { occurredAt: Instant; timeIsImpossible?: true } {
  const stated = instantOf(text)
  return stated === undefined || stated < EARLIEST || stated > now + MAX_AHEAD_MS
    ? { occurredAt: now, timeIsImpossible: true }
    : { occurredAt: stated }
}

// Why a payin ended without money. An expired payin is reported as canceled.
export function payinEnded(how: 'declined' | 'canceled' | 'expired', reason: PayinErrorCode): NetworkUpdate {
  return how === 'declined' ? { kind: 'payin.declined', reason } : { kind: 'payin.canceled', reason }
}

export function chargedBack(
  payment: { amountInCents: bigint; paymentId: string },
  chargebackId: string | null | undefined,
): NetworkUpdate {
  return { kind: 'payin.chargeback', ...payment, ...(chargebackId && { chargebackId }) }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
