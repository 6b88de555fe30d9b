// Staging only: decide how a simulated payment ends, and move the clock. Production does not have these routes.

import { isUuid } from '../../core/ids.ts'
import { isoInstant } from '../../core/instant.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { PAYIN_ERROR_CODES } from '../../core/payins/payin.ts'
import { PAYOUT_ERROR_CODES } from '../../core/payouts/payout.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import {
  advanceClock,
  type MovedClock,
  type Simulated,
  simulatePayment,
} from '../../flows/connections/simulate.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { DateTime, OneOf } from '../http/schema.ts'
import { PAYIN_EXAMPLES } from '../payins/examples.ts'
import { AmountInCents } from '../payins/schema.ts'
import { PAYOUT_EXAMPLES } from '../payouts/schema.ts'

const MAX_ADVANCE_SECONDS = 366 * 24 * 60 * 60

export const SimulatePayin = Type.Object({
  outcome: OneOf(['confirmed', 'declined', 'canceled', 'chargeback'] as const, {
    description:
      '`confirmed` on a payin that has ended makes money arrive too late; `chargeback` takes confirmed money back.',
  }),
  errorCode: Type.Optional(
    OneOf(PAYIN_ERROR_CODES, {
      description: 'Why, with `declined` or `canceled`. A code that does not fit the outcome is refused.',
    }),
  ),
  amountInCents: Type.Optional({
    ...AmountInCents,
    description: 'With `confirmed`: the amount that arrives, if it is different.',
  }),
})

export const SimulatePayout = Type.Object({
  outcome: OneOf(['confirmed', 'declined', 'canceled'] as const, {
    description: '`canceled`: the network cancels the transfer, and the money is available again.',
  }),
  errorCode: Type.Optional(
    OneOf(PAYOUT_ERROR_CODES, {
      description: 'Why, with `declined` or `canceled`. A code that does not fit the outcome is refused.',
    }),
  ),
})

export const SimulationDone = Type.Object({ done: Type.Boolean() })
export const AdvanceClock = Type.Object({
  seconds: Type.Integer({
    minimum: 1,
    maximum: MAX_ADVANCE_SECONDS,
    description: 'How far to move the clock forward.',
    examples: [900],
  }),
})
export const ClockObject = Type.Object({ now: DateTime('The current time in staging.') })

const simulationDone = {
  status: 200,
  description: 'The simulated network was told; the outcome follows as a notification.',
  schema: SimulationDone,
  examples: { done: { summary: 'Done', value: { done: true } } },
}

export const simulatePayinOperation: Operation = {
  method: 'POST',
  path: '/sandbox/payins/{payinId}/simulate',
  operationId: 'simulatePayin',
  tag: 'Sandbox',
  summary: 'Decide how a payin ends',
  description:
    'Staging only. The simulated network produces the outcome at once, whatever the customer’s document number says. If the payin is still on its way to the network, this waits up to five seconds.',
  access: { scope: 'sandbox:write', shown: 'apiKey' },
  act: 'payin.simulate',
  params: { payinId: { description: 'Identifier of the payin.', example: PAYIN_EXAMPLES.breb.id } },
  body: {
    schema: SimulatePayin,
    required: true,
    examples: {
      confirmed: { summary: 'The payer pays', value: { outcome: 'confirmed' } },
      declined: {
        summary: 'The bank declines',
        value: { outcome: 'declined', errorCode: 'INSUFFICIENT_FUNDS' },
      },
    },
  },
  success: simulationDone,
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'SIMULATION_REFUSED'],
  idempotent: true,
  handle: (request) => simulate(request, 'payin', request.params.payinId ?? ''),
}

export const simulatePayoutOperation: Operation = {
  method: 'POST',
  path: '/sandbox/payouts/{payoutId}/simulate',
  operationId: 'simulatePayout',
  tag: 'Sandbox',
  summary: 'Decide how a payout ends',
  description:
    'Staging only. If the payout is still on its way to the simulated network, this waits up to five seconds.',
  access: { scope: 'sandbox:write', shown: 'apiKey' },
  act: 'payout.simulate',
  params: { payoutId: { description: 'Identifier of the payout.', example: PAYOUT_EXAMPLES.payout.id } },
  body: {
    schema: SimulatePayout,
    required: true,
    examples: {
      declined: {
        summary: 'The receiver’s bank declines',
        value: { outcome: 'declined', errorCode: 'RECEIVER_ACCOUNT_INVALID' },
      },
    },
  },
  success: simulationDone,
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'SIMULATION_REFUSED'],
  idempotent: true,
  handle: (request) => simulate(request, 'payout', request.params.payoutId ?? ''),
}

async function simulate(
  request: ApiRequest,
  kind: 'payin' | 'payout',
  id: string,
): Promise<ApiAnswer | Refusal> {
  const { ctx, caller, body, idempotency } = request
  const { organizationId } = caller.organization
  const subjectId = id.toLowerCase()
  const known =
    isUuid(subjectId) &&
    (kind === 'payin'
      ? await ctx.batched.getPayin({ organizationId, payinId: subjectId })
      : await ctx.batched.getPayout({ organizationId, payoutId: subjectId }))
  if (!known) return refuse('NOT_FOUND', `No ${kind} has the id ${id}.`)
  const answer = renderOnce((done: Simulated) => json(200, done))
  const done = await simulatePayment(
    ctx,
    kind,
    { organizationId, id: subjectId },
    body as Static<typeof SimulatePayin>,
    idempotency && { ...idempotency, answer },
  )
  return isRefusal(done) ? done : answer(done)
}

export const advanceClockOperation: Operation = {
  method: 'POST',
  path: '/sandbox/clock/advance',
  operationId: 'advanceClock',
  tag: 'Sandbox',
  summary: 'Move the clock forward',
  description:
    'Staging only. The clock is shared by all organizations, so this takes a key of the demo organization, or of the only organization there is, unless the operator has set `SANDBOX_SHARED_CLOCK=true`. ' +
    'Expiry, retries and settlement follow at once. The clock only goes forward, ten years in total.',
  access: { scope: 'sandbox:write', shown: 'apiKey' },
  act: 'clock.advance',
  body: {
    schema: AdvanceClock,
    required: true,
    examples: { expiry: { summary: 'Past a payin’s expiry', value: { seconds: 900 } } },
  },
  success: {
    status: 200,
    description: 'The time after the move.',
    schema: ClockObject,
    examples: { clock: { summary: 'The new time', value: { now: '2026-11-15T13:15:00.000Z' } } },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'SIMULATION_REFUSED'],
  idempotent: true,
  handle: async ({ ctx, caller, body, idempotency }) => {
    const { organizationId } = caller.organization
    const { seconds } = body as Static<typeof AdvanceClock>
    const answer = renderOnce(({ now }: MovedClock) => json(200, { now: isoInstant(now) }))
    const moved = await advanceClock(ctx, organizationId, seconds, idempotency && { ...idempotency, answer })
    return isRefusal(moved) ? moved : answer(moved)
  },
}
