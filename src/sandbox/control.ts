// The control API. The service's sandbox operations, and tests, use it to decide what happens to a payment, move the clock,
// read which money really moved, and choose the faults.
//
//   POST /control/payments/{reference}/simulate {outcome, errorCode?, amountInCents?} → {done: true}
//
//   outcome      open       paid             rejected, canceled, expired or closed
//   confirmed    paid       409              paid anyway: late money (a transfer: 409)
//   declined     rejected   409              409
//   canceled     canceled   409              409
//   chargeback   409        charged back, once: then 409    409             (a transfer: 400)
//
// An errorCode that a payment of this kind cannot have with this outcome: 400, whatever the payment's state.

import { maximumInCents } from '../core/connections/rail.ts'
import { isoInstant } from '../core/instant.ts'
import { readFaultPlan } from './faults.ts'
import { type Answer, matchesSecret, type ParsedRequest, readObject } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import { chargeBack, isChargeable, pay, refuse } from './outcomes.ts'
import type { LogEntry, Payment, PaymentKind } from './records.ts'
import { CANCELED_CODE, DECLINED_CODE, knownErrorCodes, networkCode } from './scenarios.ts'
import type { ScheduledTasks } from './scheduled-tasks.ts'

// A leap of more than ten years is a mistake.
const MAX_ADVANCE_SECONDS = 10 * 366 * 86_400

export async function control(
  context: NetworkContext,
  tasks: ScheduledTasks,
  secret: string,
  request: ParsedRequest,
): Promise<Answer> {
  if (!matchesSecret(request.authorization, `Bearer ${secret}`))
    return refusal(401, 'UNAUTHORIZED', 'the control wants its bearer')
  const [, subject, reference, verb] = request.segments
  const route = `${request.method} ${subject}${verb === undefined ? '' : `/${verb}`}`
  if (route === 'POST payments/simulate')
    return simulate(context, reference ?? '', readObject(request.body) ?? {})
  if (route === 'POST clock' && reference === 'advance') return await advance(context, tasks, request.body)
  if (route === 'GET clock') return clockOf(context)
  if (route === 'GET log') return { status: 200, json: { entries: context.storage.log().map(entryOf) } }
  if (route === 'PUT faults') return changeFaults(context, readObject(request.body) ?? {})
  if (route === 'GET faults') {
    const { seed, plan, hits } = context.faults
    return { status: 200, json: { seed, plan, hits: hits() } }
  }
  return refusal(404, 'NOT_FOUND', 'no such control')
}

function simulate(
  context: NetworkContext,
  reference: string,
  order: Readonly<Record<string, unknown>>,
): Answer {
  const payment = context.storage.paymentUnder(reference)
  if (payment === undefined) return refusal(404, 'NOT_FOUND', 'no payment under this reference')
  const { kind, state } = payment
  const outcomes = kind === 'transfer' ? TRANSFER_OUTCOMES : PAYIN_OUTCOMES
  if (!outcomes.includes(order.outcome as string))
    return refusal(400, 'OUTCOME_INVALID', `outcome is one of ${outcomes.join(', ')}`)
  const now = context.clock.now()
  const code = codeOf(kind, order)
  if (typeof code !== 'string') return code
  if (order.outcome === 'chargeback') {
    if (!isChargeable(context, payment))
      return refusal(409, 'NOT_CHARGEABLE', 'only a paid payment, and only once')
    chargeBack(context, payment, now)
    return done
  }
  if (order.outcome === 'confirmed') return confirm(context, payment, order.amountInCents)
  if (state !== 'open') return ended(payment)
  refuse(context, payment, order.outcome === 'canceled' ? 'canceled' : 'rejected', code, now)
  return done
}

function confirm(context: NetworkContext, payment: Payment, amountInCents: unknown): Answer {
  const { kind, state } = payment
  if (state === 'paid' || (kind === 'transfer' && state !== 'open')) return ended(payment)
  const amount = amountInCents === undefined ? payment.amountInCents : readCents(amountInCents)
  if (amount === undefined) return refusal(400, 'AMOUNT_INVALID', 'amountInCents is a whole number from 1')
  if (kind === 'collection' && amount > maximumInCents('BRE_B', context.clock.now(), 0n))
    return refusal(400, 'AMOUNT_INVALID', 'Bre-B carries no such amount')
  if (kind !== 'collection' && amount !== payment.amountInCents)
    return refusal(409, 'AMOUNT_FIXED', 'only whoever pays a Bre-B key can choose the amount')
  pay(context, payment, amount, context.clock.now())
  return done
}

const PAYIN_OUTCOMES = ['confirmed', 'declined', 'canceled', 'chargeback']
const TRANSFER_OUTCOMES = ['confirmed', 'declined', 'canceled']
const done: Answer = { status: 200, json: { done: true } }

// The network's code for the end that is asked for, or why there is none. An outcome with money has no code.
function codeOf(
  kind: PaymentKind,
  { outcome, errorCode }: Readonly<Record<string, unknown>>,
): string | Answer {
  if (outcome !== 'declined' && outcome !== 'canceled')
    return errorCode === undefined
      ? ''
      : refusal(400, 'ERROR_CODE_INVALID', `${outcome} is no failure and has no errorCode`)
  if (errorCode === undefined) return outcome === 'canceled' ? CANCELED_CODE[kind] : DECLINED_CODE[kind]
  const code = typeof errorCode === 'string' ? networkCode(kind, outcome, errorCode) : undefined
  const known = knownErrorCodes(kind, outcome).join(', ')
  return code ?? refusal(400, 'ERROR_CODE_INVALID', `with ${outcome} errorCode is one of ${known}`)
}

function readCents(value: unknown): bigint | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0 ? BigInt(value as number) : undefined
}

async function advance(context: NetworkContext, tasks: ScheduledTasks, body: string): Promise<Answer> {
  const { seconds } = readObject(body) ?? {}
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= MAX_ADVANCE_SECONDS))
    return refusal(400, 'SECONDS_INVALID', `seconds is a number from 0 to ${MAX_ADVANCE_SECONDS}`)
  await tasks.advance(Math.round(seconds * 1_000))
  return clockOf(context)
}

function clockOf({ clock }: NetworkContext): Answer {
  const now = clock.now()
  return { status: 200, json: { now: isoInstant(now), movedByMs: now - clock.realNow() } }
}

function changeFaults(context: NetworkContext, order: Readonly<Record<string, unknown>>): Answer {
  const plan = readFaultPlan(order.plan)
  const seed = order.seed ?? context.faults.seed
  if (plan === undefined || !Number.isSafeInteger(seed))
    return refusal(
      400,
      'PLAN_INVALID',
      'plan is "none", "stormy" or probabilities from 0 to 1; seed an integer',
    )
  context.faults.change(seed as number, plan)
  return { status: 200, json: { seed, plan } }
}

function entryOf(entry: LogEntry): object {
  return { ...entry, at: isoInstant(entry.at), amountInCents: Number(entry.amountInCents) }
}

const ended = ({ state }: Payment): Answer => refusal(409, 'PAYMENT_ENDED', `the payment is ${state} already`)

function refusal(status: number, code: string, message: string): Answer {
  return { status, json: { code, message } }
}
