// What merchants, payers and networks do in a simulated history. Each action is one that the outside world can take: a
// merchant's call, a payer's press on a page of ours, of the bank or of the app, or a notice that the network signs.

import { liveBackend } from '../../src/checkout/live-backend.ts'
import { parseRailReference, railReference } from '../../src/core/connections/reference.ts'
import { HOUR_MS } from '../../src/core/instant.ts'
import { centsToDecimal } from '../../src/core/money.ts'
import type { Organization } from '../../src/core/organizations/organization.ts'
import { payinPageToken } from '../../src/core/payins/page-token.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import { linkUrl, type PaymentLink } from '../../src/core/payment-links/payment-link.ts'
import type { Payout } from '../../src/core/payouts/payout.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import type { Context } from '../../src/flows/context.ts'
import { createPaymentLink } from '../../src/flows/payment-links/create.ts'
import type { Simulation } from './harness.ts'
import { newPayin, newPayout, OVER_BREB, OVER_PSE, payer } from './payments.ts'

export const DOCUMENTS = [
  '1000000001',
  '1000000003',
  '1000000005',
  '1000000007',
  '1000000011',
  '1000000013',
  '1000000015',
  '1000000017',
  '52123456',
] as const

const KEYS = [
  { keyString: '@ANAGOMEZ', keyType: 'ALPHANUMERIC' },
  { keyString: '3001234567', keyType: 'PHONE' },
  { keyString: 'ana@example.com', keyType: 'EMAIL' },
  { keyString: '@NOEXISTE1', keyType: 'ALPHANUMERIC' },
  { keyString: '@SUSPENDIDA1', keyType: 'ALPHANUMERIC' },
] as const

export function pick<Value>({ chance }: Simulation, from: readonly Value[]): Value {
  return from[Math.floor(chance() * from.length)] as Value
}

export function anyAmount({ chance }: Simulation): bigint {
  return 100n + BigInt(Math.floor(chance() * 50_000_000))
}

// Now and then a PSE payin without its customer: the payer types that on our page.
export function anyPayin(simulation: Simulation, organization: Organization): Promise<Payin> {
  const isBreb = simulation.chance() < 0.5
  return newPayin(simulation, organization, {
    amountInCents: anyAmount(simulation),
    customer: simulation.chance() < 0.15 ? null : payer(pick(simulation, DOCUMENTS)),
    way: isBreb ? OVER_BREB : OVER_PSE,
  })
}

// Some pay a payin of ours: what leaves by one comes in by the other.
export function anyPayout(
  simulation: Simulation,
  organization: Organization,
  payins: readonly Payin[],
): Promise<Payout> {
  const { source, amountInCents } = pick(simulation, payins)
  const order =
    source.rail === 'BRE_B' && source.keyString !== null && simulation.chance() < 0.4
      ? { keyString: source.keyString, keyType: 'ALPHANUMERIC' as const, amountInCents }
      : { ...pick(simulation, KEYS), amountInCents: anyAmount(simulation) }
  return newPayout(simulation, organization, { ...order, customer: payer(pick(simulation, DOCUMENTS)) })
}

export async function anyLink(simulation: Simulation, organization: Organization): Promise<PaymentLink> {
  const ctx = pick(simulation, simulation.apis)
  const link = await createPaymentLink(
    ctx,
    organization,
    {
      amountInCents: anyAmount(simulation),
      reference: `link-${ctx.ids.next()}`,
      callbackUrl: 'https://shop.example/back',
      rail: pick(simulation, [null, null, 'PSE', 'BRE_B'] as const),
      customer: simulation.chance() < 0.5 ? null : payer(pick(simulation, DOCUMENTS)),
      bank: null,
    },
    null,
  )
  if (isRefusal(link)) throw new Error(link.detail)
  return link
}

const tokenOf = ({ settings }: Context, link: PaymentLink): string =>
  linkUrl(settings.checkoutUrl, link).split('/').at(-1) as string

// A payer on a link's page: chooses a method, perhaps in two tabs on two nodes at once.
export async function payerBegins(simulation: Simulation, link: PaymentLink): Promise<void> {
  const rail = link.rail ?? pick(simulation, ['PSE', 'BRE_B'] as const)
  const choice = {
    rail,
    bank: rail === 'PSE' ? 'CO_BANCOLOMBIA' : null,
    personType: rail === 'PSE' ? ('INDIVIDUAL' as const) : null,
    customer: payer(pick(simulation, DOCUMENTS)),
  }
  const tabs = simulation.chance() < 0.4 ? simulation.apis : [pick(simulation, simulation.apis)]
  await Promise.all(tabs.map((ctx) => liveBackend(ctx).begin(tokenOf(ctx, link), choice)))
}

// A merchant did not know the payer: the payer types that on the payin's own page.
export async function payerTypesData(simulation: Simulation, payin: Payin): Promise<void> {
  if (payin.customer !== null || payin.source.rail !== 'PSE') return
  const ctx = pick(simulation, simulation.apis)
  await liveBackend(ctx).begin(payinPageToken(ctx.settings.keys.page, payin), {
    rail: 'PSE',
    bank: payin.source.bank,
    personType: payin.source.personType,
    customer: payer(pick(simulation, DOCUMENTS)),
  })
}

// "Pay another way", and then the other way.
export async function payerChangesMethod(simulation: Simulation, link: PaymentLink): Promise<void> {
  const ctx = pick(simulation, simulation.apis)
  await liveBackend(ctx).abandonAttempt(tokenOf(ctx, link))
  await payerBegins(simulation, link)
}

// The payer goes to the bank: from here on the bank's page decides, not the timer.
export function payerGoesToBank({ sandbox }: Simulation, payin: Payin): boolean {
  return sandbox.openedByPayer(referenceOf(payin))
}

export async function bankDecides(simulation: Simulation, payin: Payin): Promise<void> {
  const outcome = simulation.chance() < 0.75 ? 'confirmed' : 'declined'
  await simulation.ctx.networks.simulator?.simulate(referenceOf(payin), { outcome })
}

// Pays a Bre-B key once more, whatever became of it. The app shows how often it was paid; a form that is stale pays nothing.
export async function payerPaysKeyAgain({ sandbox }: Simulation, payin: Payin): Promise<void> {
  if (payin.source.rail !== 'BRE_B' || payin.source.keyString === null) return
  const seen = sandbox
    .log()
    .filter(({ movement, reference }) => movement === 'credit' && reference === referenceOf(payin)).length
  const form = new URLSearchParams({
    llave: payin.source.keyString,
    act: seen === 0 ? 'pay-twice' : 'pay-anyway',
    seen: String(seen),
  })
  await fetch(sandbox.appUrl, { method: 'POST', body: form })
}

// Money under a reference that names no payin of ours, or no organization of ours.
export async function strangerPays(simulation: Simulation, organizationId: string): Promise<void> {
  const { ctx } = simulation
  const payinId = ctx.ids.next()
  const reference = railReference('payin', organizationId, payinId)
  const order = {
    key: `@STRANGER${payinId.slice(-8).toUpperCase()}`,
    amount: '12345.00',
    currency: 'COP',
    merchantName: 'Nobody',
    expiresAt: new Date(simulation.sandbox.now() + 3_600_000).toISOString(),
    payer: null,
  }
  await simulation.callNetwork('breb', 'PUT', `/collections/${reference}`, order)
  await ctx.networks.simulator?.simulate(reference, { outcome: 'confirmed' })
}

// The network repeats a payment with another amount, or a payout under another trace. Answers what it was about.
export async function networkContradictsItself(simulation: Simulation): Promise<string[]> {
  const { rows } = await simulation.db.query<{
    organization_id: string
    id: string
    payment_id: string | null
  }>({
    text: `(select organization_id, payin_id as id, payment_id
              from payins where status = 'CONFIRMED' and rail = 'BRE_B' order by payin_id limit 1)
            union all
           (select organization_id, payout_id, null from payouts where status = 'CONFIRMED' order by payout_id limit 1)`,
  })
  for (const { organization_id, id, payment_id } of rows) {
    await simulation.sendNotice('breb', {
      id: `lie-${id}`,
      type: payment_id === null ? 'transfer.completed' : 'collection.paid',
      reference: railReference(payment_id === null ? 'payout' : 'payin', organization_id, id),
      occurredAt: new Date(simulation.sandbox.now()).toISOString(),
      paymentId: payment_id,
      amount: payment_id === null ? null : '1.23',
      endToEndId: payment_id === null ? 'E2EANOTHERTRACE' : null,
      reasonCode: null,
    })
  }
  return rows.map(({ id }) => id)
}

// Whose the network says a payment is.
export const WRONG_NAMES = ['nobody', 'another payin', 'another merchant'] as const
export type WrongName = (typeof WRONG_NAMES)[number]

// The network tells of a payment that we have not heard of, under a wrong name. Under a name of nobody its date is long past, so
// nobody waits for its payin, and it is in suspense at once.
export async function networkMisnamesPayment(
  simulation: Simulation,
  name: WrongName,
  payin?: Payin,
): Promise<void> {
  const credit = await unheardCredit(simulation)
  if (credit === undefined) return
  const nobody = `NOBODY-${credit.traceId.slice(-8)}`
  const named = payin && referenceOf(payin)
  const reference =
    name === 'nobody' ? nobody : (named ?? (await otherReference(simulation, credit.reference, name)))
  if (reference === undefined) return
  await simulation.sendNotice('breb', {
    id: `misnamed-${credit.traceId}`,
    type: 'collection.paid',
    reference,
    occurredAt: new Date(simulation.sandbox.now() - 2 * HOUR_MS).toISOString(),
    paymentId: credit.traceId,
    amount: centsToDecimal(credit.amountInCents),
    endToEndId: null,
    reasonCode: null,
  })
}

async function unheardCredit({ db, sandbox }: Simulation) {
  const { rows } = await db.query<{ payment_id: string }>({
    text: `select payment_id from payins where payment_id is not null union select payment_id from suspense_items`,
  })
  const known = new Set(rows.map((row) => row.payment_id))
  return sandbox
    .log()
    .findLast(
      ({ movement, network, traceId }) => movement === 'credit' && network === 'breb' && !known.has(traceId),
    )
}

// Any payin, whether it is open or has ended.
async function otherReference(
  simulation: Simulation,
  own: string,
  name: Exclude<WrongName, 'nobody'>,
): Promise<string | undefined> {
  const named = parseRailReference(own)
  if (named === undefined) return undefined
  const { rows } = await simulation.db.query<{ organization_id: string; payin_id: string }>({
    text: `select organization_id, payin_id from payins
            where (organization_id = $1) = $2 and payin_id <> $3 order by payin_id`,
    values: [named.organizationId, name === 'another payin', named.id],
  })
  const payin = rows[Math.floor(simulation.chance() * rows.length)]
  return payin && railReference('payin', payin.organization_id, payin.payin_id)
}

export function referenceOf({ organizationId, payinId }: Payin): string {
  return railReference('payin', organizationId, payinId)
}
