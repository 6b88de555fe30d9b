// The facts of a statement as rows for people. The page gets the text of these functions (verify-script.ts), so they use nothing
// from outside themselves.

import type { StatementFacts } from '../../core/receipts/check.ts'
import type { ReceiptWords } from './words.ts'

export type FactFormatters = {
  readonly amount: (cents: number) => string
  readonly date: (iso: string) => string
}

export function factRows(
  facts: StatementFacts,
  labels: ReceiptWords['labels'],
  names: Record<string, string>,
  format: FactFormatters,
): [string, string][] {
  const rows: [string, string | null][] = [
    [facts.kind === 'payin' ? labels.merchant : labels.payer, facts.merchant],
    [labels.taxId, facts.taxId],
    [labels.amount, format.amount(facts.amountInCents)],
    [labels.status, facts.status === null ? null : (names[facts.status] ?? facts.status)],
    [labels.date, format.date(facts.at)],
    [labels.key, facts.key],
    [labels.reference, facts.reference],
    [labels.rail, names[facts.rail] ?? facts.rail],
    [labels.trace, facts.trace],
  ]
  return rows.filter((row): row is [string, string] => row[1] !== null)
}

/** Genuine evidence of a transfer that is not paid must not look like a proof of payment. */
export function genuineVerdict(
  kind: StatementFacts['kind'],
  payoutStatus: string | null,
): { tone: 'genuine' | 'reversed'; title: 'genuine' | 'genuinePayout' | 'unpaidPayout' } {
  if (kind === 'payin') return { tone: 'genuine', title: 'genuine' }
  return payoutStatus === 'CONFIRMED'
    ? { tone: 'genuine', title: 'genuinePayout' }
    : { tone: 'reversed', title: 'unpaidPayout' }
}
