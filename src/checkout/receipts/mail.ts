// The receipt as an e-mail: plain text, short, in the payer's language. It holds what the receipt holds, and its address.

import type { MailText } from '../../core/receipts/mail.ts'
import type { Environment } from '../../flows/context.ts'
import type { Receipt } from '../../flows/receipts/receipt.ts'
import { amountText } from '../words/format.ts'
import type { Language } from '../words/language.ts'
import { receiptRows } from './receipt-page.ts'
import { RECEIPT_WORDS } from './words.ts'

export function receiptMail(receipt: Receipt, language: Language, environment: Environment): MailText {
  const { mail, ribbon } = RECEIPT_WORDS[language]
  const amount = plain(amountText(receipt.paidInCents, language))
  const rows = receiptRows(receipt, language).filter(([, value]) => value !== null)
  const lines = [
    ...(environment === 'staging' ? [ribbon, ''] : []),
    mail.paid(receipt.merchantName, amount),
    '',
    ...rows.map(([name, value]) => `${name}: ${plain(value as string)}`),
    '',
    mail.open,
    `${receipt.url}?lang=${language}`,
    '',
    mail.promise,
    '',
  ]
  return { subject: mail.subject(receipt.merchantName, amount), text: lines.join('\n') }
}

// Spaces that do not break are for pages.
function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ')
}
