// The two texts that a payer accepts before paying. Each comes with a token that stands for the acceptance. One payment uses it up, so
// it is fetched for each.

import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import type { Accepted, Terms, Unknown } from '../rail.ts'
import { isSafePageUrl, undecided, unreadable } from '../wire-format.ts'
import { bearer, type PaymentsAccount } from './account.ts'
import { readMerchant } from './wire.ts'

export type Acceptable = Terms & { readonly token: string }
export type CurrentTerms = { readonly conditions: Acceptable; readonly personalData: Acceptable }
// The reference is of the payment that they are for, if it is for one.
export type AskTerms = (reference: string) => Promise<Accepted<CurrentTerms> | Unknown>

export function wompiTerms(gateway: Gateway, limits: Limits, { publicKey, url }: PaymentsAccount): AskTerms {
  return async (reference) => {
    const reply = await gateway.ask({
      method: 'GET',
      resource: '/merchants',
      id: publicKey,
      headers: bearer(publicKey),
      reference,
      deadlineMs: limits.queryMs,
      mayAskAgain: true,
    })
    if (reply.outcome === 'unknown') return reply
    if (reply.outcome === 'refused') return undecided(reply)
    const merchant = readMerchant(reply.body)
    if (merchant === undefined) return unreadable('the answer does not name the terms')
    const { presigned_acceptance: conditions, presigned_personal_data_auth: personalData } = merchant.data
    if (![conditions, personalData].every(({ permalink }) => isSafePageUrl(permalink, url)))
      return unreadable('the terms have no address a payer may be sent to')
    const acceptable = (
      kind: Terms['kind'],
      { permalink, acceptance_token: token }: typeof conditions,
    ): Acceptable => ({ kind, url: permalink, token })
    return {
      outcome: 'accepted',
      value: {
        conditions: acceptable('conditions', conditions),
        personalData: acceptable('personal-data', personalData),
      },
    }
  }
}

// What a page shows.
export async function shownTerms(askTerms: AskTerms): Promise<Accepted<readonly Terms[]> | Unknown> {
  const answer = await askTerms('')
  if (answer.outcome === 'unknown') return answer
  const shown = ({ kind, url }: Acceptable): Terms => ({ kind, url })
  return { outcome: 'accepted', value: [shown(answer.value.conditions), shown(answer.value.personalData)] }
}

export type TermsProblem = 'TERMS_CHANGED' | 'TERMS_NOT_ACCEPTED'

// Why a payment may not be asked for yet; undefined if the payer has accepted what is in force.
export function termsProblem(
  { conditions, personalData }: CurrentTerms,
  acceptedTerms: readonly string[],
): TermsProblem | undefined {
  const current = [conditions.url, personalData.url]
  if (current.every((url) => acceptedTerms.includes(url))) return undefined
  return acceptedTerms.length < current.length ? 'TERMS_NOT_ACCEPTED' : 'TERMS_CHANGED'
}
