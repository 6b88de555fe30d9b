// The steps that lead to each event of a refund.

import type { CreateRefund } from '@recaudo/sdk/refunds'
import { Failure } from './failure.ts'
import { openRefunds, shownRefund } from './refunds.ts'
import type { ScenarioContext } from './scenario-context.ts'
import { type Ending, ending } from './scenario-ending.ts'

type Confirmed = (context: ScenarioContext) => Promise<{ readonly id: string }>

// Somebody else's key: a person must approve it.
const OTHERS_KEY = '@ANAGOMEZ'

export function refundScenarios(confirmedPayin: Confirmed) {
  const refunded = async (context: ScenarioContext, body: CreateRefund) => {
    const { id } = await confirmedPayin(context)
    const refunds = await openRefunds()
    const refund = await refunds.create(id, body)
    context.report(`Asked for refund ${refund.id}.`)
    return { refunds, refund }
  }
  const after = async (context: ScenarioContext, id: string, name: string): Promise<Ending> => {
    const event = await context.waitForEvent(id, [name])
    return ending(shownRefund(await (await openRefunds()).get(id)), event, [name])
  }
  const never = async (context: ScenarioContext): Promise<Ending> => {
    throw new Failure(
      `The simulated networks do not bring it about: ${context.baseUrl}/docs/guides/giving-money-back says when it comes.`,
    )
  }
  return {
    'refund.created': async (context: ScenarioContext) => {
      const { refund } = await refunded(context, { reason: 'OTHER' })
      return after(context, refund.id, 'refund.created')
    },
    'refund.confirmed': async (context: ScenarioContext) => {
      const { refund } = await refunded(context, { reason: 'NOT_RECEIVED' })
      return after(context, refund.id, 'refund.confirmed')
    },
    'refund.waiting': async (context: ScenarioContext) => {
      const { refund } = await refunded(context, { reason: 'WITHDRAWAL', way: 'CLAIM' })
      const body = new URLSearchParams({ key: OTHERS_KEY, sure: '1' })
      await fetch(refund.claimUrl ?? '', { method: 'POST', body, redirect: 'manual' })
      context.report('Named a key on its page that is not the payer’s.')
      return after(context, refund.id, 'refund.waiting')
    },
    'refund.canceled': async (context: ScenarioContext) => {
      const { refunds, refund } = await refunded(context, { reason: 'OTHER', way: 'CLAIM' })
      await refunds.cancel(refund.id)
      context.report('Called it back.')
      return after(context, refund.id, 'refund.canceled')
    },
    'refund.declined': never,
    'refund.returned': never,
  } as const
}
