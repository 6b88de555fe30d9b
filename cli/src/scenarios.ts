// What leads to each event, and what each document number does. Payments are made with the number that leaves them open,
// and then told how to end: that takes no longer than it must. The clock is moved only where nothing else helps.

import type { InlineCustomer, Payin, Payout } from '@recaudo/sdk'
import type { Shown } from './command.ts'
import type { EventName } from './event-names.ts'
import { Failure } from './failure.ts'
import { shownLink } from './links.ts'
import { shownPayin } from './payins.ts'
import { shownPayout } from './payouts.ts'
import type { DocumentNumber } from './scenario-names.ts'
import type { Stage } from './trigger.ts'

// What there is to show at the end, and what was waited for in vain.
export type Ending = { readonly shown: Shown; readonly missing?: string; readonly advice?: string }

type PayinOutcome = 'confirmed' | 'declined' | 'canceled'

const STAYS_OPEN: DocumentNumber = '1000000007'
const AMOUNT_IN_CENTS = 5_000_000
const TEST_BANK = 'CO_BANCO_DE_PRUEBAS'
const TEST_KEY = '@ANAGOMEZ'
// The simulated directory fails for it.
const UNRESOLVED_KEY = '@CAIDA1'
// What follows a move of the clock follows at once; what has not come by then wants another move.
const AFTER_MOVE_MS = 4_000
const DAY_SECONDS = 86_400

const PAYIN_OUTCOMES = ['payin.confirmed', 'payin.declined', 'payin.canceled']
const PAYOUT_OUTCOMES = ['payout.confirmed', 'payout.declined', 'payout.canceled']

export const EVENT_SCENARIOS: Readonly<Record<EventName, (stage: Stage) => Promise<Ending>>> = {
  'payin.confirmed': (stage) => endPayin(stage, 'confirmed'),
  'payin.declined': (stage) => endPayin(stage, 'declined'),
  'payin.canceled': (stage) => endPayin(stage, 'canceled'),
  'payin.chargeback': async (stage) => {
    const { id } = await confirmedPayin(stage)
    await stage.recaudo.sandbox.simulatePayin(id, { outcome: 'chargeback' })
    stage.tell('Had the money taken back.')
    return payinAfter(stage, id, ['payin.chargeback'])
  },
  'payin.settled': async (stage) => {
    const { id } = await confirmedPayin(stage)
    await moveClock(stage, DAY_SECONDS + 60)
    const advice =
      'SETTLEMENT_DELAY_MINUTES of the server is longer: `recaudo clock advance` moves its clock on.'
    return payinAfter(stage, id, ['payin.settled'], advice)
  },
  'payout.confirmed': (stage) => endPayout(stage, 'confirmed'),
  'payout.declined': (stage) => endPayout(stage, 'declined'),
  'payout.canceled': cancelPayout,
  'paymentlink.completed': completeLink,
  'paymentlink.expired': async (stage) => {
    const { paymentLinkId } = await newLink(stage)
    await stage.recaudo.paymentLinks.expire(paymentLinkId)
    stage.tell('Ended it early.')
    return linkAfter(stage, paymentLinkId, 'paymentlink.expired')
  },
  'webhook.test': testEndpoint,
}

export async function documentScenario(number: DocumentNumber, stage: Stage): Promise<Ending> {
  if (stage.isPayout) {
    const { id } = await newPayout(stage, number)
    if (number === STAYS_OPEN) return openEnding(stage, shownPayout(await stage.recaudo.payouts.get(id)))
    if (number === '1000000015') await moveUntil(stage, id, PAYOUT_OUTCOMES, [15, 15, 120])
    return payoutAfter(stage, id, PAYOUT_OUTCOMES)
  }
  const { id } = await newPayin(stage, number)
  if (number === STAYS_OPEN) return openEnding(stage, shownPayin(await stage.recaudo.payins.get(id)))
  // The network has settled by the first move, and is asked by the second: see how long each rail may be silent.
  if (number === '1000000015')
    await moveUntil(stage, id, PAYIN_OUTCOMES, stage.rail === 'PSE' ? [60, 420, 420] : [20, 20, 150])
  const ending = await payinAfter(stage, id, PAYIN_OUTCOMES)
  if (number !== '1000000017' || ending.missing !== undefined) return ending
  await moveUntil(stage, id, ['payin.chargeback'], [60, 300, 900])
  return payinAfter(stage, id, ['payin.chargeback'])
}

async function openEnding(stage: Stage, shown: Shown): Promise<Ending> {
  stage.tell('It stays open until it is told how to end, or expires: `recaudo clock advance 1h`.')
  return { shown }
}

async function endPayin(stage: Stage, outcome: PayinOutcome): Promise<Ending> {
  const { id } = await newPayin(stage, STAYS_OPEN)
  await stage.onceAllowed('NOT_FOUND', () => stage.recaudo.sandbox.simulatePayin(id, { outcome }))
  stage.tell(`Told the network how it ends: ${outcome}.`)
  return payinAfter(stage, id, [`payin.${outcome}`])
}

async function confirmedPayin(stage: Stage): Promise<Payin> {
  const { id } = await newPayin(stage, STAYS_OPEN)
  await stage.onceAllowed('NOT_FOUND', () =>
    stage.recaudo.sandbox.simulatePayin(id, { outcome: 'confirmed' }),
  )
  stage.tell('Told the network how it ends: confirmed.')
  if ((await stage.await(id, ['payin.confirmed'])) === undefined)
    throw new Failure(`payin.confirmed of ${id} did not come in time. Do the workers run?`)
  return stage.recaudo.payins.get(id)
}

async function endPayout(stage: Stage, outcome: 'confirmed' | 'declined'): Promise<Ending> {
  const { id } = await newPayout(stage, STAYS_OPEN)
  await stage.onceAllowed('NOT_FOUND', () => stage.recaudo.sandbox.simulatePayout(id, { outcome }))
  stage.tell(`Told the network how it ends: ${outcome}.`)
  return payoutAfter(stage, id, [`payout.${outcome}`])
}

// To a key that nobody can resolve for now: until somebody can, the payout is with nobody.
async function cancelPayout(stage: Stage): Promise<Ending> {
  const { id } = await newPayout(stage, STAYS_OPEN, UNRESOLVED_KEY)
  // While it is being looked up it cannot be called back; a moment later it can.
  await stage.onceAllowed('PAYOUT_NOT_CANCELABLE', () => stage.recaudo.payouts.cancel(id))
  stage.tell('Called it back.')
  return payoutAfter(stage, id, ['payout.canceled'])
}

async function completeLink(stage: Stage): Promise<Ending> {
  const { recaudo, rail } = stage
  const { paymentLinkId, paymentLinkUrl } = await newLink(stage)
  // As the payer's browser would: the page asks for nothing more, since everything is filled in.
  const begun = await fetch(paymentLinkUrl, {
    method: 'POST',
    body: new URLSearchParams({ rail, bank: TEST_BANK }),
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  })
  if (begun.status !== 303)
    throw new Failure(`${paymentLinkUrl} answered ${begun.status}: the payer could not begin.`)
  const [payin] = (await recaudo.payins.list({ paymentLinkId })).data
  if (payin === undefined) throw new Failure(`No payin was made on ${paymentLinkUrl}.`)
  stage.tell(`Began to pay on its page: payin ${payin.id}.`)
  await stage.onceAllowed('NOT_FOUND', () =>
    recaudo.sandbox.simulatePayin(payin.id, { outcome: 'confirmed' }),
  )
  stage.tell('Told the network how it ends: confirmed.')
  return linkAfter(stage, paymentLinkId, 'paymentlink.completed')
}

// An endpoint is needed to send it to; where there is none, one that leads nowhere does.
async function testEndpoint(stage: Stage): Promise<Ending> {
  const { webhookEndpoints } = stage.recaudo
  const own = (await webhookEndpoints.list()).data.find(({ status }) => status === 'ENABLED')
  const endpoint = own ?? (await webhookEndpoints.create({ url: 'https://recaudo.invalid/' }))
  stage.tell(own === undefined ? 'Made an endpoint that leads nowhere.' : `Took the endpoint at ${own.url}.`)
  try {
    const event = await webhookEndpoints.test(endpoint.id)
    const came = await stage.await(endpoint.id, ['webhook.test'])
    const shown = { json: event, text: () => JSON.stringify(event, null, 2) }
    return came === undefined ? { shown, missing: 'webhook.test', advice: '' } : { shown }
  } finally {
    if (own === undefined) {
      await webhookEndpoints.delete(endpoint.id)
      stage.tell('Deleted that endpoint.')
    }
  }
}

async function newPayin(stage: Stage, number: DocumentNumber): Promise<Payin> {
  const { recaudo, rail, amountInCents = AMOUNT_IN_CENTS } = stage
  const common = {
    amountInCents,
    currency: 'COP' as const,
    reference: newReference(),
    inlineCustomer: customer(number),
  }
  const payin = await recaudo.payins.create(
    rail === 'PSE'
      ? { ...common, rail, pse: { bank: TEST_BANK, personType: 'INDIVIDUAL' } }
      : { ...common, rail, breb: { keyType: 'SINGLE_USE' } },
  )
  stage.tell(`Made payin ${payin.id} over ${rail}, document ${number}.`)
  return payin
}

async function newPayout(stage: Stage, number: DocumentNumber, key = TEST_KEY): Promise<Payout> {
  const { recaudo, amountInCents = AMOUNT_IN_CENTS } = stage
  const payout = await recaudo.payouts.create({
    amountInCents,
    currency: 'COP',
    rail: 'BRE_B',
    reference: newReference(),
    inlineCustomer: customer(number),
    breb: { keyString: key },
  })
  stage.tell(`Made payout ${payout.id} to ${key}, document ${number}.`)
  return payout
}

async function newLink(stage: Stage) {
  const { recaudo, rail, amountInCents = AMOUNT_IN_CENTS } = stage
  const link = await recaudo.paymentLinks.create({
    amountType: 'FIXED',
    amountInCents,
    reference: newReference(),
    callbackUrl: 'https://shop.example/return',
    rail,
    inlineCustomer: customer(STAYS_OPEN),
    ...(rail === 'PSE' && { pse: { bank: TEST_BANK } }),
  })
  stage.tell(`Made payment link ${link.paymentLinkId}.`)
  return link
}

async function payinAfter(
  stage: Stage,
  id: string,
  names: readonly string[],
  advice?: string,
): Promise<Ending> {
  const came = await stage.await(id, names)
  return ending(shownPayin(await stage.recaudo.payins.get(id)), came, names, advice)
}

async function payoutAfter(stage: Stage, id: string, names: readonly string[]): Promise<Ending> {
  const came = await stage.await(id, names)
  return ending(shownPayout(await stage.recaudo.payouts.get(id)), came, names)
}

async function linkAfter(stage: Stage, id: string, name: string): Promise<Ending> {
  const came = await stage.await(id, [name])
  return ending(shownLink(await stage.recaudo.paymentLinks.get(id)), came, [name])
}

function ending(
  shown: Shown,
  came: unknown,
  names: readonly string[],
  advice = 'Do the workers run?',
): Ending {
  return came === undefined ? { shown, missing: names.join(' or '), advice } : { shown }
}

async function moveUntil(
  stage: Stage,
  id: string,
  names: readonly string[],
  moves: readonly number[],
): Promise<void> {
  // Taken by the network first: the clock must not pass before the payment is there.
  for (const seconds of moves) {
    if ((await stage.await(id, names, AFTER_MOVE_MS)) !== undefined) return
    await moveClock(stage, seconds)
  }
}

async function moveClock({ recaudo, tell }: Stage, seconds: number): Promise<void> {
  await recaudo.sandbox.advanceClock({ seconds })
  tell(`Moved staging’s clock forward by ${seconds} s.`)
}

function newReference(): string {
  return `trigger-${crypto.randomUUID()}`
}

function customer(idNumber: DocumentNumber): InlineCustomer {
  return { name: 'Ana Gómez', idType: 'CO_CC', idNumber, phone: '+573001234567', email: 'ana@example.com' }
}
