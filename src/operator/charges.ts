// recaudo org charges: shows and sets what an organization's payins and payouts cost.

import { RAILS, type Rail } from '../core/connections/rail.ts'
import {
  type BasisPoints,
  type Charges,
  type Fee,
  parsePercent,
  parseWithholding,
} from '../core/ledger/charges.ts'
import type { Context } from '../flows/context.ts'
import { changeCharges } from '../flows/organizations/change-charges.ts'
import { getOrganization } from '../store/organizations/organizations.ts'
import { organizationOf } from './credentials.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import type { Flags, Row } from './flags.ts'

export const CHARGE_FLAGS = {
  rail: { type: 'string', help: 'whose payments: BRE_B or PSE' },
  payouts: { type: 'boolean', help: 'the fee of payouts, instead of payins' },
  'fee-fixed': { type: 'string', help: 'cents of each payment' },
  'fee-percent': { type: 'string', help: 'percent of the amount, such as 2.65' },
  'fee-iva': { type: 'string', help: 'percent of IVA on the fee, such as 19' },
  'no-fee': { type: 'boolean', help: 'take the rail’s fee away' },
  withhold: { type: 'string', help: 'a tax, from a day on: 2027-01-01:1.5 is 1.5 percent, and :0 ends it' },
} as const

// Without a change it shows what is set.
export async function organizationCharges(ctx: Context, flags: Flags): Promise<Row[]> {
  const organizationId = await organizationOf(ctx, flags)
  const change = changeOf(flags)
  if (change !== undefined) await changeCharges(ctx, organizationId, change)
  const organization = await getOrganization(ctx.db, organizationId)
  if (organization === undefined) throw new Error('an organization that was just read is not there')
  const { charges } = organization
  return RAILS.map((rail) => ({
    organizationId,
    rail,
    ...feeRow(charges.fees[rail]),
    ...payoutFeeRow(charges.payoutFees[rail]),
    withholdings: withheld(charges, rail),
  }))
}

function feeRow(fee: Fee | undefined): Row {
  return {
    feeFixedInCents: Number(fee?.fixedInCents ?? 0n),
    feePercent: percentText(fee?.basisPoints ?? 0),
    feeIvaPercent: percentText(fee?.taxBasisPoints ?? 0),
  }
}

function payoutFeeRow(fee: Fee | undefined): Row {
  const { feeFixedInCents, feePercent, feeIvaPercent } = feeRow(fee)
  return {
    payoutFeeFixedInCents: feeFixedInCents as number,
    payoutFeePercent: feePercent as string,
    payoutFeeIvaPercent: feeIvaPercent as string,
  }
}

function withheld({ withholdings }: Charges, rail: Rail): string | null {
  const own = withholdings.filter((one) => one.rail === rail)
  return own.map(({ from, basisPoints }) => `${from}:${percentText(basisPoints)}`).join(' ') || null
}

function percentText(basisPoints: BasisPoints): string {
  return String(basisPoints / 100)
}

const CHANGES = ['fee-fixed', 'fee-percent', 'fee-iva', 'no-fee', 'withhold'] as const

function changeOf(flags: Flags): ((before: Charges) => Charges) | undefined {
  if (CHANGES.every((name) => flags[name] === undefined)) return undefined
  const rail = RAILS.find((one) => one === flags.rail)
  if (rail === undefined) throw usage(`--rail must be ${RAILS.join(' or ')}.`)
  const percent = (name: 'fee-percent' | 'fee-iva'): BasisPoints | undefined => {
    const text = flags[name]
    if (typeof text !== 'string') return undefined
    const points = parsePercent(text)
    if (points === undefined) throw usage(`--${name} must be a percentage such as 2.65, at most 100.`)
    return points
  }
  const fixed = flags['fee-fixed']
  if (fixed !== undefined && !/^\d{1,12}$/.test(String(fixed)))
    throw usage('--fee-fixed must be whole cents.')
  const basisPoints = percent('fee-percent')
  const taxBasisPoints = percent('fee-iva')
  const withholding = typeof flags.withhold === 'string' ? parseWithholding(rail, flags.withhold) : undefined
  const isOfPayouts = flags.payouts === true
  if (isOfPayouts && rail !== 'BRE_B') throw usage('Payouts leave over BRE_B: say --rail BRE_B.')
  if (isOfPayouts && flags.withhold !== undefined)
    throw usage('Taxes are withheld of payins, not of payouts.')
  if (flags.withhold !== undefined && withholding === undefined)
    throw usage('--withhold must be a day and a percentage, such as 2027-01-01:1.5.')
  return (before) => {
    const { withholdings } = before
    const set = isOfPayouts ? 'payoutFees' : 'fees'
    const { [rail]: known, ...others } = before[set]
    const fee = {
      fixedInCents: fixed === undefined ? (known?.fixedInCents ?? 0n) : BigInt(String(fixed)),
      basisPoints: basisPoints ?? known?.basisPoints ?? 0,
      taxBasisPoints: taxBasisPoints ?? known?.taxBasisPoints ?? 0,
    }
    const hasFee = flags['no-fee'] !== true && (fee.fixedInCents > 0n || fee.basisPoints > 0)
    const kept = withholdings.filter((one) => one.rail !== rail || one.from !== withholding?.from)
    return {
      ...before,
      [set]: hasFee ? { ...others, [rail]: fee } : others,
      withholdings: withholding === undefined ? withholdings : [...kept, withholding],
    }
  }
}

function usage(message: string): OperatorFailure {
  return new OperatorFailure(message, USAGE_EXIT_CODE)
}
