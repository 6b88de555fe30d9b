// Payments as merchants request them: accepted unchanged, each with its own reference.

import { UNLIMITED_CREDENTIAL } from '../../src/core/organizations/limits.ts'
import type { Organization } from '../../src/core/organizations/organization.ts'
import type { Payin, PayinRequest } from '../../src/core/payins/payin.ts'
import type { Payout, PayoutRequest } from '../../src/core/payouts/payout.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { createPayin } from '../../src/flows/payins/create.ts'
import { createPayout } from '../../src/flows/payouts/create.ts'
import { CUSTOMER } from '../world.ts'
import type { Simulation } from './harness.ts'

export const OVER_BREB: PayinRequest['way'] = { rail: 'BRE_B', keyType: 'SINGLE_USE' }
export const OVER_PSE: PayinRequest['way'] = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' }

// Who pays, or is paid. The document number selects the scenario.
export const payer = (idNumber: string) => ({ ...CUSTOMER, idNumber })

export async function newPayin(
  { ctx }: Simulation,
  organization: Organization,
  changes: Partial<PayinRequest> = {},
): Promise<Payin> {
  const payin = await createPayin(
    ctx,
    organization,
    {
      amountInCents: 5_000_000n,
      reference: `payin-${ctx.ids.next()}`,
      customer: CUSTOMER,
      callbackUrl: null,
      way: OVER_BREB,
      ...changes,
    },
    null,
  )
  if (isRefusal(payin)) throw new Error(payin.detail)
  return payin
}

export async function newPayout(
  { ctx }: Simulation,
  organization: Organization,
  changes: Partial<PayoutRequest> = {},
): Promise<Payout> {
  const payout = await createPayout(
    ctx,
    organization,
    { credentialId: 'rc_stg_simulated', limits: UNLIMITED_CREDENTIAL },
    {
      amountInCents: 1_000_000n,
      reference: `payout-${ctx.ids.next()}`,
      customer: CUSTOMER,
      keyString: '@ANAGOMEZ',
      keyType: 'ALPHANUMERIC',
      ...changes,
    },
    null,
  )
  if (isRefusal(payout)) throw new Error(payout.detail)
  return payout
}
