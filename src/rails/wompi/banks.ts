// Wompi's list of PSE banks, and the number under which a bank of ours stands in it.

import type { ProviderEnvironment } from '../../core/connections/provider.ts'
import { findPseBank } from '../../core/directory/pse-bank.ts'
import { HOUR_MS } from '../../core/instant.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import type { Accepted, ProviderBank, Unknown } from '../rail.ts'
import { undecided, unreadable } from '../wire-format.ts'
import { bearer, type PaymentsAccount } from './account.ts'
import { readInstitutions } from './wire.ts'

export type AskBanks = (reference?: string) => Promise<Accepted<readonly ProviderBank[]> | Unknown>

// Banks come and go by the day.
const LIST_LASTS_MS = HOUR_MS
// PSE's list begins with a line that asks the payer to choose.
const PLACEHOLDER_CODE = '0'

export function wompiBanks(
  gateway: Gateway,
  limits: Limits,
  { publicKey }: PaymentsAccount,
  monotonicMs: () => number,
): AskBanks {
  let kept: { banks: readonly ProviderBank[]; untilMs: number } | undefined
  return async (reference = '') => {
    if (kept !== undefined && monotonicMs() < kept.untilMs) return { outcome: 'accepted', value: kept.banks }
    const reply = await gateway.ask({
      method: 'GET',
      resource: '/pse/financial_institutions',
      id: null,
      headers: bearer(publicKey),
      reference,
      deadlineMs: limits.queryMs,
      mayAskAgain: true,
    })
    if (reply.outcome === 'unknown') return reply
    if (reply.outcome === 'refused') return undecided(reply)
    const list = readInstitutions(reply.body)
    if (list === undefined) return unreadable('the answer is not a list of banks')
    const banks = list.data
      .map((one) => ({ code: one.financial_institution_code, name: one.financial_institution_name }))
      .filter(({ code }) => code !== PLACEHOLDER_CODE)
    kept = { banks, untilMs: monotonicMs() + LIST_LASTS_MS }
    return { outcome: 'accepted', value: banks }
  }
}

const TEST_BANK = 'CO_BANCO_DE_PRUEBAS'
// Wompi's test environment decides by the bank; ours, as everywhere in our tests, by the payer's document.
const APPROVES = '1'
const TEST_BANKS: ReadonlyMap<string, string> = new Map([
  // Declined.
  ['1000000003', '2'],
  // Undecided.
  ['1000000015', '3'],
])

// Wompi's number of one of our banks; undefined if it has no such bank. Without the list, the bank's number in the network has to do:
// Wompi refuses one that it does not have.
export async function institutionOf(
  bankCode: string,
  payerIdNumber: string,
  environment: ProviderEnvironment,
  askBanks: () => ReturnType<AskBanks>,
): Promise<string | undefined> {
  const bank = findPseBank(bankCode, environment === 'test')
  if (bank?.code === TEST_BANK) return TEST_BANKS.get(payerIdNumber) ?? APPROVES
  const achCode = bank?.achCode ?? null
  if (achCode === null) return undefined
  const list = await askBanks()
  const isListed = list.outcome === 'unknown' || list.value.some(({ code }) => code === achCode)
  return isListed ? achCode : undefined
}
