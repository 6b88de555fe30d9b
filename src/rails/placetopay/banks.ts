// The banks that the gateway offers. The list is asked for about once an hour, and over connections of its own, so that it cannot
// delay payments.

import { HOUR_MS, type Instant, MINUTE_MS } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import type { ProviderBank, RailAnswer } from '../rail.ts'
import { reader } from '../wire-format.ts'
import { otherAnswer, unsettled } from './transaction.ts'
import { type InformationRequest, RESOURCES } from './wire.ts'

export type Banks = {
  readonly list: () => Promise<RailAnswer<readonly ProviderBank[], never>>
  // Undefined: the list cannot be had for the moment.
  readonly isListed: (bankCode: string) => Promise<boolean | undefined>
}

// A payer waits while the list is asked for.
const PAYER_WAITS_MS = 2_000

export function placetopayBanks(
  gateway: Gateway,
  limits: Limits,
  request: InformationRequest,
  now: () => Instant,
): Banks {
  let known: { codes: ReadonlySet<string> | undefined; until: Instant } | undefined
  let asking: Promise<unknown> | undefined

  const ask = async (deadlineMs: number): Promise<RailAnswer<readonly ProviderBank[], never>> => {
    const answer = await askBanks(gateway, request, deadlineMs)
    known =
      answer.outcome === 'accepted'
        ? { codes: new Set(answer.value.map(({ code }) => code)), until: now() + HOUR_MS }
        : { codes: undefined, until: now() + MINUTE_MS }
    return answer
  }

  return {
    list: () => ask(limits.queryMs),
    isListed: async (bankCode) => {
      if (known === undefined || now() >= known.until) {
        // Payers who come at the same time share one question.
        asking ??= ask(Math.min(limits.queryMs, PAYER_WAITS_MS)).finally(() => {
          asking = undefined
        })
        await asking
      }
      return known?.codes?.has(bankCode)
    },
  }
}

async function askBanks(
  gateway: Gateway,
  request: InformationRequest,
  deadlineMs: number,
): Promise<RailAnswer<readonly ProviderBank[], never>> {
  const reply = await gateway.ask({
    method: 'POST',
    resource: RESOURCES.information,
    id: null,
    body: request,
    deadlineMs,
    mayAskAgain: true,
  })
  if (reply.outcome !== 'answered') return unsettled(reply)
  const banks = readBanks(reply.body)
  return banks === undefined
    ? otherAnswer(reply.body, 'the answer is not a list of banks')
    : { outcome: 'accepted', value: banks }
}

// Asks for the banks. The gateway wants a payment and a return address with it, and makes nothing of them.
export function informationRequest(notificationUrl: string): InformationRequest {
  return {
    locale: 'es_CO',
    payment: {
      reference: 'bancos',
      description: 'Bancos disponibles',
      amount: { currency: 'COP', total: 10_000 },
    },
    instrument: {
      redirection: { paymentMethod: '_PSE_', returnURL: new URL('/', notificationUrl).href },
    },
  }
}

// Undefined for anything but a list with banks in it: an empty one would refuse every payer.
export function readBanks(body: unknown): readonly ProviderBank[] | undefined {
  const banks = readBankList(body)
    ?.bankList.map(({ code, description }) => ({ code, name: description.trim() }))
    // PSE's own list begins with a line that asks the payer to choose.
    .filter(({ code }) => !/^0+$/.test(code))
  return banks === undefined || banks.length === 0 ? undefined : banks
}

const readBankList = reader(
  Type.Object({
    status: Type.Object({ status: Type.Literal('OK') }),
    bankList: Type.Array(
      Type.Object({
        code: Type.String({ pattern: '^[A-Za-z0-9_-]{1,20}$' }),
        // Shown to people unchanged, so control, direction and invisible characters are refused.
        description: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\p{C}\\u2028\\u2029]*$' }),
      }),
    ),
  }),
)
