// Sends receipts by e-mail to payers whose address is known. It happens after the payment and beside it: a mail is claimed, sent
// outside any transaction, and finished. A server that is down is tried again for a day, and no payment waits for it. If a process
// dies after sending, the mail is sent once more; both have the same Message-ID.

import { DAY_MS, type Instant, MINUTE_MS } from '../../core/instant.ts'
import type { PayinAddress } from '../../core/payins/payin.ts'
import {
  type Mail,
  type MailOutcome,
  type MailText,
  nextMailAt,
  PAYER_LANGUAGES,
  type PayerLanguage,
  type SendMail,
} from '../../core/receipts/mail.ts'
import type { Queryable } from '../../store/db.ts'
import {
  claimMail,
  finishMail,
  getPayerLanguage,
  listDueMails,
  type MailClaim,
  putOffMail,
  setPayerLanguage,
} from '../../store/payins/receipt-mails.ts'
import type { Needs } from '../context.ts'
import { openCustomer } from '../people/vault.ts'
import { type Receipt, readReceipt } from './receipt.ts'

export type Mailing = {
  readonly compose: (receipt: Receipt, language: PayerLanguage) => MailText
  readonly send: SendMail
}

export type MailReport = PayinAddress &
  MailOutcome & { readonly attempts: number; readonly nextAt: Instant | null }

type MailContext = Needs<'clock' | 'db' | 'batched' | 'settings' | 'statements' | 'vault'>

// Longer than any sending takes.
const LEASE_MS = 5 * MINUTE_MS
// Nobody waits for it any longer: SMTP_URL was unset for a while.
const MAX_AGE_MS = 2 * DAY_MS
const BATCH = 40
// More connections at once are refused by many servers.
const AT_ONCE = 4

// Returns how many were due. What was tried is reported without the payer's address.
export async function mailDueReceipts(
  ctx: MailContext,
  mailing: Mailing,
  report: (one: MailReport) => void,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const due = await listDueMails(ctx.db, ctx.clock.now(), BATCH)
  const waiting = due.values()
  const lane = async (): Promise<void> => {
    for (const address of waiting) {
      if (isStopping()) return
      const now = ctx.clock.now()
      const claim = await claimMail(ctx.db, address, now, now + LEASE_MS)
      if (claim !== undefined) await mailReceipt(ctx, claim, mailing, report)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return due.length
}

async function mailReceipt(
  ctx: MailContext,
  claim: MailClaim,
  mailing: Mailing,
  report: (one: MailReport) => void,
): Promise<void> {
  const mail = await mailOf(ctx, claim, mailing)
  // The payer was erased, the payment was charged back, or it was long ago.
  if (mail === undefined) return finishMail(ctx.db, claim)
  const result = await mailing.send(mail)
  const { organizationId, payinId, attempts } = claim
  const nextAt = result.outcome === 'failed' ? nextMailAt(attempts, ctx.clock.now()) : null
  if (nextAt === null) await finishMail(ctx.db, claim)
  else await putOffMail(ctx.db, claim, nextAt)
  report({ organizationId, payinId, ...result, attempts, nextAt })
}

async function mailOf(ctx: MailContext, claim: MailClaim, { compose }: Mailing): Promise<Mail | undefined> {
  const receipt = await readReceipt(ctx, claim)
  if (receipt === undefined || receipt.signed === null) return undefined
  if (ctx.clock.now() - receipt.paidAt > MAX_AGE_MS) return undefined
  const customer = openCustomer(await ctx.vault(claim.organizationId), claim.payinId, receipt.payin.customer)
  if (customer === null || typeof customer === 'string') return undefined
  const chosen = await getPayerLanguage(ctx.db, claim)
  const language = PAYER_LANGUAGES.find((one) => one === chosen) ?? 'es'
  return { ...compose(receipt, language), to: customer.email, id: `receipt.${receipt.receiptId}` }
}

// Spanish is what a payer reads of whom nothing is known, so only another language is written down, and only for a mail.
export async function rememberLanguage(
  ctx: Needs<'settings'>,
  tx: Queryable,
  payin: PayinAddress,
  language: PayerLanguage,
): Promise<void> {
  if (ctx.settings.mailsReceipts && language !== 'es') await setPayerLanguage(tx, payin, language)
}
