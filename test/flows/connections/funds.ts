// Staging gives every organization something to pay out over the installation's network. Tests of connections want it elsewhere.

import { transfer } from '../../../src/core/ledger/bookings.ts'
import { PAYOUT_SLOT, postTransfers, readBalances } from '../../../src/store/ledger/transfers.ts'
import type { World } from '../../world.ts'

// All that is available is at the merchant's providers, or so much of it.
export async function moveToProviders(world: World, amountInCents?: bigint): Promise<void> {
  const { organizationId } = world.organization
  const { AVAILABLE } = await readBalances(world.db, organizationId)
  const entry = { organizationId, transferId: world.ctx.ids.next(), subjectId: world.ctx.ids.next() }
  const moved = { ...entry, amountInCents: amountInCents ?? AVAILABLE }
  await postTransfers(world.db, [transfer('collected money moved to deposits', 'BRE_B', moved)], PAYOUT_SLOT)
}

// Nothing is available, and nothing is at providers.
export async function spendAll(world: World, connectionId: string): Promise<void> {
  await moveToProviders(world)
  const { depositedInCents: amountInCents } = (await world.client('GET', '/balance')).json
  const at = `/connections/${connectionId}/withdrawals`
  const { status, text } = await world.client('POST', at, { amountInCents, reference: 'all of it' })
  if (status !== 201) throw new Error(text)
}
