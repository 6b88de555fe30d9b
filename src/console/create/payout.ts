// A payout in three steps: the key and whose it is, the amount, and a last look before it is sent. The balance that does not reach
// and the same payout of the last day are said before anything is sent.

import { lookUpKeyOperation } from '../../api/directory/breb-keys.ts'
import { REFERENCE_MAX_LENGTH } from '../../api/payins/schema.ts'
import { createPayoutOperation } from '../../api/payouts/operations.ts'
import { KEY_MAX_LENGTH, parseBrebKey } from '../../core/directory/breb-key.ts'
import { type Html, html } from '../../core/html.ts'
import { DESCRIPTION_MAX_LENGTH } from '../../core/people/note.ts'
import { readSpendable } from '../../flows/payouts/spendable.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText } from '../format.ts'
import type { Page } from '../page.ts'
import { PAYOUT_WORDS } from '../payouts/words.ts'
import { withPhone } from '../phone-text.ts'
import type { Route } from '../route.ts'
import { proofNote } from '../settings/frame.ts'
import { may, type Visit } from '../visit.ts'
import { amountField, PHONE, personFields } from './fields.ts'
import { createPage } from './frame.ts'
import { type FoundKey, foundField, foundIn, knownOf, receiverCard } from './payout-receiver.ts'
import { reviewPage } from './payout-review.ts'
import { PAYOUT_FORM_WORDS } from './payout-words.ts'
import { CREATE_WORDS } from './words.ts'

export const PAYOUT_PATH = '/payouts/new'
const RECEIVER_PATH = '/payouts/new/receiver'
const KEY = '/breb/keyString'

export async function balanceCard(visit: Visit): Promise<Html | false> {
  if (!may(visit, 'ledger:read')) return false
  const { ctx, organization, language, home } = visit
  const spendableInCents = await readSpendable(ctx.db, organization)
  return html`<section class="card figure"><p>${PAYOUT_FORM_WORDS[language].balance}</p><p><a href="${home}/movements"><b>${amountText(spendableInCents, language)}</b></a></p></section>`
}

function frameOf(visit: Visit, at: number) {
  const words = PAYOUT_FORM_WORDS[visit.language]
  return {
    section: 'payouts',
    back: { path: '/payouts', label: PAYOUT_WORDS[visit.language].list },
    steps: { ...words.steps, at },
  } as const
}

async function keyPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const words = PAYOUT_FORM_WORDS[visit.language]
  const { refusal } = form
  const about = refusal !== null && words.keyProblems[refusal.refused]
  const problems =
    about && form.problems.length === 0
      ? [{ path: KEY, code: refusal.refused, message: refusal.detail }]
      : form.problems
  const key: Field = {
    kind: 'text',
    path: KEY,
    label: words.key,
    hint: words.keyHint,
    maxLength: KEY_MAX_LENGTH,
    autocomplete: 'off',
    wrong: ({ code }) => words.keyProblems[code],
  }
  return createPage(visit, {
    ...frameOf(visit, 0),
    title: words.title,
    lead: words.lead,
    notes: may(visit, 'payouts:write') && proofNote(visit),
    form: formFrame(
      visit,
      { ...form, problems },
      {
        action: RECEIVER_PATH,
        operation: lookUpKeyOperation,
        fields: [key],
        submit: words.find,
        cancel: '/payouts',
        call: { params: { keyString: '@ANAGOMEZ' } },
      },
    ),
    beside: await balanceCard(visit),
  })
}

function fieldsOf(visit: Visit, found: FoundKey | undefined): Field[] {
  const { language } = visit
  const words = PAYOUT_FORM_WORDS[language]
  const shared = CREATE_WORDS[language]
  return [
    { kind: 'hidden', path: KEY, value: found?.keyString ?? '' },
    amountField(visit, ['BRE_B']),
    {
      kind: 'text',
      path: '/reference',
      label: shared.reference,
      hint: words.referenceHint,
      maxLength: REFERENCE_MAX_LENGTH,
      autocomplete: 'off',
    },
    ...personFields(visit, 'required', found && knownOf(found)),
    {
      kind: 'text',
      path: '/description',
      label: shared.description,
      hint: words.descriptionHint,
      maxLength: DESCRIPTION_MAX_LENGTH,
      isOptional: true,
      isMore: true,
    },
  ]
}

async function detailsPage(visit: Visit, form: FormState, answered?: FoundKey): Promise<Page> {
  const { language } = visit
  const words = PAYOUT_FORM_WORDS[language]
  const found = answered ?? foundIn(form.typed)
  if (found === undefined) return keyPage(visit)
  const [example] = Object.values(createPayoutOperation.body?.examples ?? {})
  return createPage(visit, {
    ...frameOf(visit, 1),
    title: words.title,
    form: html`${receiverCard(visit, found)}${formFrame(visit, form, {
      action: PAYOUT_PATH,
      operation: createPayoutOperation,
      fields: [...fieldsOf(visit, found), foundField(found)],
      submit: words.goOn,
      more: CREATE_WORDS[language].more,
      cancel: '/payouts',
      call: { body: { ...(example?.value as object), breb: { keyString: found.keyString } } },
    })}`,
    beside: await balanceCard(visit),
  })
}

function bodyFrom(visit: Visit, typed: URLSearchParams): Record<string, unknown> {
  const fields = fieldsOf(visit, undefined)
  return { currency: 'COP', rail: 'BRE_B', ...bodyOf(fields, withPhone(typed, PHONE)) }
}

async function review(visit: Visit, form: FormState): Promise<Page> {
  const found = foundIn(form.typed)
  // The payout goes where its key says. A form that shows somebody else begins anew.
  const isTheirs = parseBrebKey(form.typed.get(KEY) ?? '')?.keyString === found?.keyString
  return found === undefined || !isTheirs ? keyPage(visit) : reviewPage(visit, form, found, frameOf(visit, 2))
}

export const payoutFormRoutes: readonly Route[] = [
  { method: 'GET', path: PAYOUT_PATH, scope: 'payouts:read', show: (visit) => keyPage(visit) },
  // A reload of the second step, by hand or after the colours were changed.
  {
    method: 'GET',
    path: RECEIVER_PATH,
    scope: 'payouts:read',
    show: async ({ home }) => ({ seeOther: home + PAYOUT_PATH }),
  },
  {
    method: 'POST',
    path: RECEIVER_PATH,
    operation: lookUpKeyOperation,
    call: (_visit, typed) => ({ params: { keyString: (typed.get(KEY) ?? '').trim() } }),
    done: (visit, answer) => detailsPage(visit, newForm(visit), answer as FoundKey),
    again: keyPage,
  },
  {
    method: 'POST',
    path: PAYOUT_PATH,
    operation: createPayoutOperation,
    stepUp: true,
    call: (visit, typed) => ({ body: bodyFrom(visit, typed) }),
    review,
    done: (_visit, answer) => `/payouts/${(answer as { id: string }).id}`,
    again: (visit, form) => (form.needsProof ? review(visit, form) : detailsPage(visit, form)),
  },
]
