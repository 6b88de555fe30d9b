// Whose a Bre-B key is, as the directory said: carried from step to step, and shown on each.

import { type Html, html } from '../../core/html.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { Field } from '../fields.ts'
import type { Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { PAYOUT_FORM_WORDS } from './payout-words.ts'

// As `GET /breb/keys/{keyString}` answers.
export type FoundKey = {
  readonly keyString: string
  readonly keyType: string
  readonly holder: {
    readonly name: string
    readonly personType: string
    readonly idType: string
    readonly idNumber: string
  }
  readonly participant: { readonly name: string }
  readonly account: { readonly type: string; readonly lastFour: string }
}

const FOUND = '_found'

export function foundField(found: FoundKey): Field {
  return { kind: 'hidden', path: FOUND, value: JSON.stringify(found) }
}

// Undefined if the form was not one of ours. It is shown and nothing else: the payout names its key by itself.
export function foundIn(typed: URLSearchParams): FoundKey | undefined {
  try {
    const found = JSON.parse(typed.get(FOUND) ?? '') as Partial<FoundKey> | null
    const isWhole = [found?.keyString, found?.holder, found?.participant, found?.account].every(Boolean)
    return isWhole ? (found as FoundKey) : undefined
  } catch {
    return undefined
  }
}

// Of a business all is public. Of a person we know the kind of document only.
export function knownOf({ holder }: FoundKey): Partial<Customer> {
  const { personType, name, idType, idNumber } = holder
  return personType === 'BUSINESS' && !`${name}${idNumber}`.includes('*')
    ? { name, idType, idNumber }
    : { idType }
}

export function receiverCard(visit: Visit, found: FoundKey): Html {
  const { language, home } = visit
  const words = PAYOUT_FORM_WORDS[language]
  const { holder, participant, account, keyString, keyType } = found
  const idTypes: Readonly<Record<string, string>> = STATES[language].idTypes
  const keyTypes: Readonly<Record<string, string>> = words.keyTypes
  const type = words.accountTypes[account.type] ?? account.type
  return html`<section class="receiver"><p class="receiver-goes">${words.goesTo}</p><p class="receiver-name">${holder.name}</p><p class="receiver-bank">${participant.name} · ${type} ${words.ending(account.lastFour)}</p><p class="receiver-key"><code>${keyString}</code> <span class="soft">${keyTypes[keyType] ?? ''}</span> · ${idTypes[holder.idType] ?? holder.idType} ${holder.idNumber}</p><a class="button small" href="${home}/payouts/new">${words.otherKey}</a></section>`
}
