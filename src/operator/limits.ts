// The limits of credentials and organizations on the command line: how they are read and shown. A limit that is wrong is refused
// before anything is changed.

import { parseAddressRange } from '../core/network-address.ts'
import {
  type CredentialLimits,
  type OrganizationLimits,
  type PayoutLimits,
  parseQuietHours,
} from '../core/organizations/limits.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import type { Flags, Row } from './flags.ts'

// Takes a limit away.
const NONE = 'none'
const MOST = { perSecond: 100_000, addresses: 100, payouts: 1_000_000_000, cents: Number.MAX_SAFE_INTEGER }

export function credentialLimitRow(limits: CredentialLimits): Row {
  return {
    maxPerSecond: limits.maxPerSecond,
    allowedAddresses: limits.allowedAddresses?.join(',') ?? null,
    ...payoutLimitRow(limits),
  }
}

export function payoutLimitRow({ payoutsPerDay, payoutSumPerDay }: PayoutLimits): Row {
  return { payoutsPerDay, payoutSumPerDay: payoutSumPerDay === null ? null : Number(payoutSumPerDay) }
}

// Only what the flags name. For a new credential, too.
export function credentialChanges(flags: Flags): Partial<CredentialLimits> {
  const maxPerSecond = wholeNumber(flags, 'max-per-second', MOST.perSecond)
  const allowedAddresses = addressesOf(flags)
  return {
    ...(maxPerSecond !== undefined && { maxPerSecond }),
    ...(allowedAddresses !== undefined && { allowedAddresses }),
    ...payoutChanges(flags),
  }
}

export function organizationChanges(flags: Flags): Partial<OrganizationLimits> {
  const quiet = flags['quiet-hours']
  const quietHours = typeof quiet === 'string' && quiet !== NONE ? parseQuietHours(quiet) : null
  if (quiet !== undefined && quiet !== NONE && quietHours === null)
    throw new OperatorFailure(
      `--quiet-hours must be two different hours in Bogotá, such as 22-06, or ${NONE}.`,
      USAGE_EXIT_CODE,
    )
  return { ...payoutChanges(flags), ...(quiet !== undefined && { quietHours }) }
}

function payoutChanges(flags: Flags): Partial<PayoutLimits> {
  const payoutsPerDay = wholeNumber(flags, 'payouts-per-day', MOST.payouts)
  const sum = wholeNumber(flags, 'payout-sum-per-day', MOST.cents)
  return {
    ...(payoutsPerDay !== undefined && { payoutsPerDay }),
    ...(sum !== undefined && { payoutSumPerDay: sum === null ? null : BigInt(sum) }),
  }
}

// Undefined if it is not named, null to take it away. An empty text is a mistake, not a wish for no limit.
function wholeNumber(flags: Flags, name: string, maximum: number): number | null | undefined {
  const value = flags[name]
  if (value === undefined) return undefined
  if (value === NONE) return null
  const number = Number(value)
  if (typeof value === 'string' && /^\d+$/.test(value) && number >= 1 && number <= maximum) return number
  throw new OperatorFailure(
    `--${name} must be a whole number from 1 to ${maximum}, or ${NONE}.`,
    USAGE_EXIT_CODE,
  )
}

function addressesOf(flags: Flags): string[] | null | undefined {
  const value = flags['allow-from']
  if (value === undefined) return undefined
  if (value === NONE) return null
  const texts = String(value).split(',')
  const wrong = texts.find((text) => parseAddressRange(text.trim()) === null)
  if (wrong !== undefined || texts.length > MOST.addresses)
    throw new OperatorFailure(
      wrong === undefined
        ? `--allow-from takes at most ${MOST.addresses} addresses and ranges.`
        : `--allow-from: "${wrong}" is no address or range, such as 203.0.113.7 or 203.0.113.0/24; write ${NONE} to allow all.`,
      USAGE_EXIT_CODE,
    )
  return texts.map((text) => parseAddressRange(text.trim()) as string)
}
