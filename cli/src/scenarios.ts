// The steps that lead to each event, and the outcome of each document number. Payments are created with the number that
// leaves them open, and then the network is told how to end them, which is fastest. The clock is moved only if nothing else
// works.

import type { Payin } from '@recaudo/sdk'
import type { Shown } from './command.ts'
import type { EventName } from './event-names.ts'
import { Failure } from './failure.ts'
import { shownLink } from './links.ts'
import { shownPage } from './pages.ts'
import { shownPayin } from './payins.ts'
import { cancelPayout, endPayout, newPayout, payoutAfter, returnPayout } from './payout-scenarios.ts'
import { shownPayout } from './payouts.ts'
import { refundScenarios } from './refund-scenarios.ts'
import type { ScenarioContext } from './scenario-context.ts'
import {
  AMOUNT_IN_CENTS,
  customer,
  type Ending,
  ending,
  newReference,
  STAYS_OPEN,
} from './scenario-ending.ts'
import type { DocumentNumber } from './scenario-names.ts'

type PayinOutcome = 'confirmed' | 'declined' | 'canceled'

const TEST_BANK = 'CO_BANCO_DE_PRUEBAS'
// After the clock moves, the event follows at once. If it has not come by then, the clock must move again.
const AFTER_MOVE_MS = 4_000
const DAY_SECONDS = 86_400

const PAYIN_OUTCOMES = ['payin.confirmed', 'payin.declined', 'payin.canceled']
const PAYOUT_OUTCOMES = ['payout.confirmed', 'payout.declined', 'payout.canceled']

// No command decides in a person's place.
const byPeople = async (): Promise<Ending> => {
  throw new Failure(
    'People bring this about, in the console: set a rule in Settings, Approvals, make a payout above its amount, and decide about it.',
  )
}

// A file has rows that only its owner knows.
const byFile = async (): Promise<Ending> => {
  throw new Failure(
    'A file of payouts brings this about: `recaudo payout-batches template pagos.csv`, then `recaudo payout-batches create pagos.csv` and `submit`.',
  )
}

export const EVENT_SCENARIOS: Readonly<Record<EventName, (context: ScenarioContext) => Promise<Ending>>> = {
  'payin.confirmed': (context) => endPayin(context, 'confirmed'),
  'payoutbatch.completed': byFile,
  'approval.waiting': byPeople,
  'approval.approved': byPeople,
  'approval.refused': byPeople,
  'approval.lapsed': byPeople,
  'approval.voided': byPeople,
  'payin.declined': (context) => endPayin(context, 'declined'),
  'payin.canceled': (context) => endPayin(context, 'canceled'),
  'payin.chargeback': async (context) => {
    const { id } = await confirmedPayin(context)
    await context.recaudo.sandbox.simulatePayin(id, { outcome: 'chargeback' })
    context.report('Had the money taken back.')
    return payinAfter(context, id, ['payin.chargeback'])
  },
  'payin.settled': async (context) => {
    const { id } = await confirmedPayin(context)
    await moveClock(context, DAY_SECONDS + 60)
    const advice =
      'SETTLEMENT_DELAY_MINUTES of the server is longer: `recaudo clock advance` moves its clock on.'
    return payinAfter(context, id, ['payin.settled'], advice)
  },
  'payin.processing': async (context) => {
    // Over Bre-B a payin is PROCESSING from the start.
    const { id } = await newPayin({ ...context, rail: 'PSE' }, STAYS_OPEN)
    return payinAfter(context, id, ['payin.processing'])
  },
  'payout.processing': async (context) => {
    const { id } = await newPayout(context, STAYS_OPEN)
    return payoutAfter(context, id, ['payout.processing'])
  },
  'payout.confirmed': (context) => endPayout(context, 'confirmed'),
  'payout.declined': (context) => endPayout(context, 'declined'),
  'payout.canceled': cancelPayout,
  'payout.returned': returnPayout,
  'paymentlink.completed': completeLink,
  'paymentlink.expired': async (context) => {
    const { paymentLinkId } = await newLink(context)
    await context.recaudo.paymentLinks.expire(paymentLinkId)
    context.report('Ended it early.')
    return linkAfter(context, paymentLinkId, 'paymentlink.expired')
  },
  'paymentpage.paid': (context) => sellOnPage(context, 'paymentpage.paid'),
  'paymentpage.soldout': (context) => sellOnPage(context, 'paymentpage.soldout'),
  'paymentpage.closed': async (context) => {
    const { paymentPageId } = await newPage(context)
    await context.recaudo.paymentPages.close(paymentPageId)
    context.report('Closed it.')
    return pageAfter(context, paymentPageId, 'paymentpage.closed')
  },
  ...refundScenarios(confirmedPayin),
  'webhook.test': testEndpoint,
}

export async function documentScenario(number: DocumentNumber, context: ScenarioContext): Promise<Ending> {
  if (context.isPayout) {
    const { id } = await newPayout(context, number)
    if (number === STAYS_OPEN) return openEnding(context, shownPayout(await context.recaudo.payouts.get(id)))
    if (number === '1000000015') await moveUntil(context, id, PAYOUT_OUTCOMES, [15, 15, 120])
    return payoutAfter(context, id, PAYOUT_OUTCOMES)
  }
  const { id } = await newPayin(context, number)
  if (number === STAYS_OPEN) return openEnding(context, shownPayin(await context.recaudo.payins.get(id)))
  // After the first move the network has settled, and after the second the service queries it. The moves depend on how
  // long each rail may be silent.
  if (number === '1000000015')
    await moveUntil(context, id, PAYIN_OUTCOMES, context.rail === 'PSE' ? [60, 420, 420] : [20, 20, 150])
  const ending = await payinAfter(context, id, PAYIN_OUTCOMES)
  if (number !== '1000000017' || ending.missing !== undefined) return ending
  await moveUntil(context, id, ['payin.chargeback'], [60, 300, 900])
  return payinAfter(context, id, ['payin.chargeback'])
}

async function openEnding(context: ScenarioContext, shown: Shown): Promise<Ending> {
  context.report('It stays open until it is told how to end, or expires: `recaudo clock advance 1h`.')
  return { shown }
}

async function endPayin(context: ScenarioContext, outcome: PayinOutcome): Promise<Ending> {
  const { id } = await newPayin(context, STAYS_OPEN)
  await context.retryWhileRefused('NOT_FOUND', () => context.recaudo.sandbox.simulatePayin(id, { outcome }))
  context.report(`Told the network how it ends: ${outcome}.`)
  return payinAfter(context, id, [`payin.${outcome}`])
}

async function confirmedPayin(context: ScenarioContext): Promise<Payin> {
  const { id } = await newPayin(context, STAYS_OPEN)
  await context.retryWhileRefused('NOT_FOUND', () =>
    context.recaudo.sandbox.simulatePayin(id, { outcome: 'confirmed' }),
  )
  context.report('Told the network how it ends: confirmed.')
  if ((await context.waitForEvent(id, ['payin.confirmed'])) === undefined)
    throw new Failure(`payin.confirmed of ${id} did not come in time. Do the workers run?`)
  return context.recaudo.payins.get(id)
}

async function completeLink(context: ScenarioContext): Promise<Ending> {
  const { paymentLinkId, paymentLinkUrl } = await newLink(context)
  await payLink(context, paymentLinkId, paymentLinkUrl)
  return linkAfter(context, paymentLinkId, 'paymentlink.completed')
}

// Somebody goes on from the page, and pays the link that they get.
async function sellOnPage(context: ScenarioContext, name: string): Promise<Ending> {
  const { recaudo } = context
  const { paymentPageId, paymentPageUrl } = await newPage(context)
  const own = await submit(paymentPageUrl, { pieces: '1' })
  const [link] = (await recaudo.paymentLinks.list({ paymentPageId })).data
  if (link === undefined) throw new Failure(`No payment link was made on ${paymentPageUrl}.`)
  context.report(`Went on from it: payment link ${link.paymentLinkId}.`)
  await payLink(context, link.paymentLinkId, new URL(own, paymentPageUrl).href, {
    ...customer(STAYS_OPEN),
    phone: '3001234567',
  })
  return pageAfter(context, paymentPageId, name)
}

// Sends a page's form as the payer's browser would, and returns where it leads.
async function submit(url: string, form: Record<string, string>): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  })
  if (answer.status !== 303) throw new Failure(`${url} answered ${answer.status}: the payer could not begin.`)
  return answer.headers.get('location') ?? ''
}

// The form asks for nothing more than the link does not know.
async function payLink(
  context: ScenarioContext,
  paymentLinkId: string,
  paymentLinkUrl: string,
  payer: Record<string, string> = {},
): Promise<void> {
  const { recaudo, rail } = context
  await submit(paymentLinkUrl, { rail, bank: TEST_BANK, ...payer })
  const [payin] = (await recaudo.payins.list({ paymentLinkId })).data
  if (payin === undefined) throw new Failure(`No payin was made on ${paymentLinkUrl}.`)
  context.report(`Began to pay on its page: payin ${payin.id}.`)
  await context.retryWhileRefused('NOT_FOUND', () =>
    recaudo.sandbox.simulatePayin(payin.id, { outcome: 'confirmed' }),
  )
  context.report('Told the network how it ends: confirmed.')
}

// A test event needs an endpoint. If there is none, an unreachable one is created for it.
async function testEndpoint(context: ScenarioContext): Promise<Ending> {
  const { webhookEndpoints } = context.recaudo
  const own = (await webhookEndpoints.list()).data.find(({ status }) => status === 'ENABLED')
  const endpoint = own ?? (await webhookEndpoints.create({ url: 'https://recaudo.invalid/' }))
  context.report(
    own === undefined ? 'Made an endpoint that leads nowhere.' : `Took the endpoint at ${own.url}.`,
  )
  try {
    const event = await webhookEndpoints.test(endpoint.id)
    const came = await context.waitForEvent(endpoint.id, ['webhook.test'])
    const shown = { json: event, text: () => JSON.stringify(event, null, 2) }
    return came === undefined ? { shown, missing: 'webhook.test', advice: '' } : { shown }
  } finally {
    if (own === undefined) {
      await webhookEndpoints.delete(endpoint.id)
      context.report('Deleted that endpoint.')
    }
  }
}

async function newPayin(context: ScenarioContext, number: DocumentNumber): Promise<Payin> {
  const { recaudo, rail, amountInCents = AMOUNT_IN_CENTS } = context
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
  context.report(`Made payin ${payin.id} over ${rail}, document ${number}.`)
  return payin
}

async function newLink(context: ScenarioContext) {
  const { recaudo, rail, amountInCents = AMOUNT_IN_CENTS } = context
  const link = await recaudo.paymentLinks.create({
    amountType: 'FIXED',
    amountInCents,
    reference: newReference(),
    callbackUrl: 'https://shop.example/return',
    rail,
    inlineCustomer: customer(STAYS_OPEN),
    ...(rail === 'PSE' && { pse: { bank: TEST_BANK } }),
  })
  context.report(`Made payment link ${link.paymentLinkId}.`)
  return link
}

async function newPage(context: ScenarioContext) {
  const { recaudo, rail, amountInCents = AMOUNT_IN_CENTS } = context
  const page = await recaudo.paymentPages.create({
    name: 'One of a kind',
    amountType: 'FIXED',
    amountInCents,
    reference: newReference(),
    rail,
    maxPieces: 1,
  })
  context.report(`Made payment page ${page.paymentPageId}, with one piece.`)
  return page
}

async function payinAfter(
  context: ScenarioContext,
  id: string,
  names: readonly string[],
  advice?: string,
): Promise<Ending> {
  const came = await context.waitForEvent(id, names)
  return ending(shownPayin(await context.recaudo.payins.get(id)), came, names, advice)
}

async function linkAfter(context: ScenarioContext, id: string, name: string): Promise<Ending> {
  const came = await context.waitForEvent(id, [name])
  return ending(shownLink(await context.recaudo.paymentLinks.get(id)), came, [name])
}

async function pageAfter(context: ScenarioContext, id: string, name: string): Promise<Ending> {
  const came = await context.waitForEvent(id, [name])
  return ending(shownPage(await context.recaudo.paymentPages.get(id)), came, [name])
}

async function moveUntil(
  context: ScenarioContext,
  id: string,
  names: readonly string[],
  moves: readonly number[],
): Promise<void> {
  // Waits before the first move too: the network must have the payment before the clock moves.
  for (const seconds of moves) {
    if ((await context.waitForEvent(id, names, AFTER_MOVE_MS)) !== undefined) return
    await moveClock(context, seconds)
  }
}

async function moveClock({ recaudo, report }: ScenarioContext, seconds: number): Promise<void> {
  await recaudo.sandbox.advanceClock({ seconds })
  report(`Moved staging’s clock forward by ${seconds} s.`)
}
