// The steps that lead to each event of a payout.

import type { InlineCustomer, Payout } from '@recaudo/sdk'
import { openDeposits } from './deposits.ts'
import { Failure } from './failure.ts'
import { shownPayout } from './payouts.ts'
import type { ScenarioContext } from './scenario-context.ts'
import {
  AMOUNT_IN_CENTS,
  customer,
  type Ending,
  ending,
  newReference,
  STAYS_OPEN,
} from './scenario-ending.ts'

const TEST_KEY = '@ANAGOMEZ'
// The simulated directory fails to resolve this key.
const UNRESOLVED_KEY = '@CAIDA1'
// The simulator of Mono returns what is paid to this key. It belongs to nobody whose cédula we know, and a NIT is not compared.
const RETURNING_KEY = '@DEVUELTA'
const RETURNING_NIT = '900123456'

export async function endPayout(
  context: ScenarioContext,
  outcome: 'confirmed' | 'declined',
): Promise<Ending> {
  const { id } = await newPayout(context, STAYS_OPEN)
  await context.retryWhileRefused('NOT_FOUND', () => context.recaudo.sandbox.simulatePayout(id, { outcome }))
  context.report(`Told the network how it ends: ${outcome}.`)
  return payoutAfter(context, id, [`payout.${outcome}`])
}

// Pays to a key that cannot be resolved for now. Until then the payout is not sent to any network, so it can be canceled.
export async function cancelPayout(context: ScenarioContext): Promise<Ending> {
  const { id } = await newPayout(context, STAYS_OPEN, UNRESOLVED_KEY)
  // It cannot be canceled during the key look-up, but a moment later it can.
  await context.retryWhileRefused('PAYOUT_NOT_CANCELABLE', () => context.recaudo.payouts.cancel(id))
  context.report('Called it back.')
  return payoutAfter(context, id, ['payout.canceled'])
}

// The simulated networks return nothing: only a provider does, so the payout goes over a connection. The money comes back after it
// was paid, and that takes the simulator a few seconds more.
export async function returnPayout(context: ScenarioContext): Promise<Ending> {
  const { recaudo, baseUrl } = context
  const { data } = await recaudo.connections.list()
  const connection = data.find(
    ({ enabled, provider, uses }) => enabled && provider === 'mono' && uses.includes('BRE_B_OUT'),
  )
  if (connection === undefined)
    throw new Failure(
      `Only a provider returns a payout, and no enabled connection to Mono pays out. Connect its simulator: ${baseUrl}/docs/guides/connecting-mono`,
    )
  await depositFor(context, connection.id)
  const receiver = { ...customer(RETURNING_NIT), idType: 'CO_NIT' as const }
  const { id } = await newPayout(context, RETURNING_NIT, RETURNING_KEY, receiver)
  await context.waitForEvent(id, ['payout.confirmed'])
  const advice =
    'The payout must go to the simulator of Mono, and its --notify-url must be the notificationUrl of the connection.'
  return payoutAfter(context, id, ['payout.returned'], advice)
}

// Payouts over connections are paid from what lies at providers, and from nothing else.
async function depositFor({ recaudo, amountInCents = AMOUNT_IN_CENTS, report }: ScenarioContext, id: string) {
  const { depositedInCents } = await recaudo.balance.get()
  if (depositedInCents >= amountInCents) return
  const deposits = await openDeposits()
  const reference = newReference()
  await deposits.create(id, { amountInCents: amountInCents - depositedInCents, reference })
  report(`Recorded a deposit at the connection, ${reference}: the payout is paid from it.`)
}

export async function newPayout(
  context: ScenarioContext,
  number: string,
  key = TEST_KEY,
  inlineCustomer: InlineCustomer = customer(number),
): Promise<Payout> {
  const { recaudo, amountInCents = AMOUNT_IN_CENTS } = context
  const payout = await recaudo.payouts.create({
    amountInCents,
    currency: 'COP',
    rail: 'BRE_B',
    reference: newReference(),
    inlineCustomer,
    breb: { keyString: key },
  })
  context.report(`Made payout ${payout.id} to ${key}, document ${number}.`)
  return payout
}

export async function payoutAfter(
  context: ScenarioContext,
  id: string,
  names: readonly string[],
  advice?: string,
): Promise<Ending> {
  const came = await context.waitForEvent(id, names)
  return ending(shownPayout(await context.recaudo.payouts.get(id)), came, names, advice)
}
