// recaudo receipts: what a payer or a merchant shows as a receipt, and whether it is one.

import { readFileSync } from 'node:fs'
import type { VerifiedStatement } from '@recaudo/sdk/receipts'
import { fields } from './columns.ts'
import type { Call, Flags, Shown } from './command.ts'
import { checkBaseUrl, DEFAULT_BASE_URL, readSignIn, readStoredCredentials, setting } from './credentials.ts'
import { EXIT, usageFailure } from './failure.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

// Needs no credential: whoever is shown a receipt may verify it.
export async function verifyReceiptCommand({ argument, flags }: Call): Promise<Shown> {
  const { verifyReceipt } = await import('@recaudo/sdk/receipts')
  const text = readText(argument)
  const keys = typeof flags.keys === 'string' ? readKeys(flags.keys) : undefined
  const baseUrl = baseUrlOf(flags['base-url'])
  const verified = await verifyReceipt(text, { baseUrl, ...(keys && { keys }) })
  // Evidence of a payout that was not paid is genuine too, and good for nobody who wants to be paid.
  const isGood =
    verified.verdict === 'genuine' &&
    verified.since?.chargebackAt == null &&
    ['CONFIRMED', null].includes(verified.since?.statusNow ?? verified.facts.status)
  return {
    json: verified,
    text: () => shownVerdict(verified, baseUrl),
    ...(!isGood && { exitCode: EXIT.failed }),
  }
}

export async function getReceipt({ argument }: Call): Promise<Shown> {
  const receipt = await (await openReceipts()).ofPayin(argument)
  return {
    json: receipt,
    text: () =>
      fields([
        ['receipt', receipt.url],
        ['image', receipt.imageUrl],
        ['merchant', receipt.merchant.name],
        ['amount', pesos(receipt.amountInCents)],
        ['paid', shownTime(receipt.paidAt)],
        ['reference', receipt.reference],
        ['trace', receipt.trace],
        ['charged back', shownTime(receipt.chargebackAt)],
        ['statement', receipt.statement],
      ]),
  }
}

export async function getEvidence({ argument }: Call): Promise<Shown> {
  const signed = await (await openReceipts()).ofPayout(argument)
  const { requested, outcome } = signed.evidence
  return {
    json: signed,
    text: () =>
      fields([
        ['evidence', signed.url],
        ['status', outcome.status],
        ['amount', pesos(requested.amountInCents)],
        ['key', requested.key],
        ['reference', requested.reference],
        ['requested', shownTime(requested.at)],
        ['requested by', requested.by && `${requested.by.name} (${requested.by.shownAs})`],
        ['ended', shownTime(outcome.at)],
        ['trace', outcome.trace],
        ['statement', signed.statement],
      ]),
  }
}

async function openReceipts() {
  const { Receipts } = await import('@recaudo/sdk/receipts')
  const { credentials, baseUrl } = readSignIn()
  return new Receipts(credentials, { baseUrl })
}

function shownVerdict(verified: VerifiedStatement, baseUrl: string): string {
  if (verified.verdict !== 'genuine') return shownDoubt(verified, baseUrl)
  const { facts, since } = verified
  const reversed =
    since?.chargebackAt == null
      ? null
      : `${pesos(since.chargebackAmountInCents ?? 0)} on ${shownTime(since.chargebackAt)}`
  return fields([
    ['verdict', since == null ? 'genuine (checked offline)' : 'genuine'],
    ['charged back', reversed],
    [facts.kind === 'payin' ? 'paid to' : 'paid by', facts.merchant],
    ['amount', pesos(facts.amountInCents)],
    ['status', since?.statusNow ?? facts.status],
    ['key', facts.key],
    ['at', shownTime(facts.at)],
    ['reference', facts.reference],
    ['rail', facts.rail],
    ['trace', facts.trace],
  ])
}

// The verdict, what it means and what to do.
function shownDoubt({ verdict, since }: VerifiedStatement, baseUrl: string): string {
  if (verdict === 'altered')
    return 'altered: the text of this receipt was changed or cut. Copy all of it and verify it again. Unless it is genuine, do not treat it as paid.'
  return since === null
    ? 'unknown (checked offline): none of these keys vouches for this text. Save /.well-known/receipt-keys.json of the server that signed it again, or verify it online. Unless it is genuine, do not treat it as paid.'
    : `unknown: ${baseUrl} did not sign this text, or its books know no such payment. Give all the text of the receipt’s QR code, or its statement, and with --base-url the server that signed it. Unless it is genuine, do not treat it as paid.`
}

function readText(argument: string): string {
  if (argument === '-') return readFileSync(0, 'utf8')
  return argument.startsWith('@') ? readFileSync(argument.slice(1), 'utf8') : argument
}

// As /.well-known/receipt-keys.json answered it.
function readKeys(file: string) {
  try {
    const { keys } = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(keys)) return keys
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
  }
  throw usageFailure(`${file} does not hold the keys of /.well-known/receipt-keys.json.`)
}

function baseUrlOf(given: Flags[string]): string {
  const baseUrl =
    typeof given === 'string'
      ? given
      : (setting('RECAUDO_BASE_URL') ?? readStoredCredentials().baseUrl ?? DEFAULT_BASE_URL)
  checkBaseUrl(baseUrl, typeof given === 'string' ? '--base-url' : 'the settings')
  return baseUrl
}
