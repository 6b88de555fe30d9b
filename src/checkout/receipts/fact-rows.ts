// The facts of a statement as rows for people. The page gets the text of this function (verify-script.ts), so it uses nothing
// from outside itself.

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
