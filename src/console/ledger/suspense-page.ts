// One sum of money in suspense: why it is here, which payins it may be meant for, and what the merchant decides. Returning and attaching
// move money, so the person shows before that it is them.

import {
  attachSuspenseOperation,
  noteSuspenseOperation,
  returnSuspenseOperation,
} from '../../api/ledger/suspense.ts'
import { SUSPENSE_NOTE_MAX_LENGTH } from '../../api/ledger/suspense-schema.ts'
import { type Html, html } from '../../core/html.ts'
import type { Candidate } from '../../core/ledger/suspense-candidate.ts'
import { findCandidates } from '../../flows/ledger/suspense-candidates.ts'
import { openText } from '../../flows/people/vault.ts'
import { getSuspenseItem, leftInCents, type SuspenseItem } from '../../store/ledger/suspense.ts'
import { copyable } from '../curl-block.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { amountText, capitalized, timeText } from '../format.ts'
import { icon } from '../icons.ts'
import { OBJECT_WORDS } from '../objects/words.ts'
import type { Page } from '../page.ts'
import { idParam, paramOf } from '../params.ts'
import type { FormRoute, Route } from '../route.ts'
import { panel, proofNote } from '../settings/frame.ts'
import { may, type Visit } from '../visit.ts'
import { STATES, statusMark } from '../words/states.ts'
import { suspensePage } from './suspense-list.ts'
import { SUSPENSE_WORDS } from './suspense-words.ts'

const PATH = '/suspense'
const OTHER = '/otherPayinId'

type Which = 'return' | 'attach' | 'note'

async function itemPage(visit: Visit, open?: { which: Which; form: FormState }): Promise<Page | undefined> {
  const { ctx, language, organization, home } = visit
  const { organizationId } = organization
  const suspenseId = idParam(visit, 'suspenseId')
  if (suspenseId === undefined) return undefined
  const item = await getSuspenseItem(ctx.db, { organizationId, suspenseId })
  if (item === undefined) return undefined
  const words = SUSPENSE_WORDS[language]
  const { suspenseStates } = OBJECT_WORDS[language]
  const isOpen = item.state === 'OPEN'
  const isReturning = item.state === 'RETURNING'
  const candidates = isOpen ? await findCandidates(ctx, item) : []
  const note = item.note === null ? null : openText(await ctx.vault(organizationId), suspenseId, item.note)
  const formOf = (which: Which): FormState => (open?.which === which ? open.form : newForm(visit))
  const params = { suspenseId }
  const attaching = formFrame(visit, formOf('attach'), {
    action: `${PATH}/${suspenseId}/attach`,
    operation: attachSuspenseOperation,
    fields: attachFields(visit, candidates),
    submit: words.attach.submit,
    call: { params, body: { payinId: candidates[0]?.payin.payinId ?? suspenseId } },
  })
  const returning = formFrame(visit, formOf('return'), {
    action: `${PATH}/${suspenseId}/return`,
    operation: returnSuspenseOperation,
    fields: [],
    submit: isReturning ? words.giveBack.again : words.giveBack.submit,
    isGrave: true,
    call: { params },
  })
  const noting = formFrame(visit, formOf('note'), {
    action: `${PATH}/${suspenseId}/note`,
    operation: noteSuspenseOperation,
    fields: noteFields(visit, note),
    submit: words.note.submit,
    call: { params, body: { note } },
  })
  const mayDecide = (isOpen || isReturning) && may(visit, 'suspense:write')
  const needsProof = open?.form.needsProof === true
  const tone = isOpen || isReturning ? 'wait' : 'quiet'
  const amount = amountText(item.amountInCents, language)
  const content = html`<p class="crumb"><a href="${home}${PATH}">${icon('left')}${words.title}</a></p>
<div class="head"><h1>${amount}</h1><div class="head-actions">${statusMark(item.state, capitalized(suspenseStates[item.state]), tone)}</div></div>
<div class="suspense-item">${factsHtml(visit, item)}
${isReturning && html`<p class="note-line is-wait">${icon('warning')}<span><b>${words.returning.title}</b> ${words.returning.text}</span></p>`}
${mayDecide && !needsProof && proofNote(visit)}
${isOpen && panel(words.candidates.title, candidates.length > 0 && words.candidates.text, candidatesHtml(visit, candidates), 'candidates')}
${isOpen && panel(words.attach.title, words.attach.text, attaching, 'attach')}
${(isOpen || isReturning) && panel(words.giveBack.title, words.giveBack.text, returning, 'return')}
${panel(words.note.title, words.note.text, noting, 'note')}</div>`
  return {
    title: `${words.title} ${amount}`,
    section: 'suspense',
    content,
    watches: ['suspense', 'movements'],
  }
}

function factsHtml(visit: Visit, item: SuspenseItem): Html {
  const { language, home, ctx } = visit
  const { fields } = SUSPENSE_WORDS[language]
  const payin = (payinId: string) => html`<a href="${home}/payins/${payinId}">${payinId}</a>`
  // A payment that is counted elsewhere may be another organization's.
  const attachedTo = item.state === 'COUNTED' ? null : item.attachedTo
  const left = leftInCents(item)
  const rows: [string, string | Html | null][] = [
    [fields.left, left === item.amountInCents ? null : amountText(left, language)],
    [fields.reason, capitalized(OBJECT_WORDS[language].suspenseReasons[item.reason])],
    [fields.rail, STATES[language].rails[item.rail]],
    [fields.payment, copyable(visit, item.paymentId)],
    [fields.payin, item.payinId === null ? null : payin(item.payinId)],
    [fields.attachedTo, attachedTo === null ? null : payin(attachedTo)],
    [fields.arrived, timeText(item.createdAt, ctx.clock.now(), language)],
  ]
  return html`<dl class="facts card panel">${rows.map(([label, value]) => value !== null && html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`
}

function candidatesHtml(visit: Visit, candidates: readonly Candidate[]): Html {
  const { language, home, ctx } = visit
  const words = SUSPENSE_WORDS[language]
  if (candidates.length === 0) return html`<p class="soft">${words.candidates.none}</p>`
  const rows = candidates.map(({ payin, fits }) => {
    const time = timeText(payin.createdAt, ctx.clock.now(), language)
    return html`<li><p><a href="${home}/payins/${payin.payinId}">${payin.reference}</a> <b>${amountText(payin.amountInCents, language)}</b> ${statusMark(payin.status, STATES[language].payin[payin.status])}</p><p class="hint">${time} · ${fits.map((fit) => words.fits[fit]).join(', ')}</p></li>`
  })
  return html`<ol class="candidates">${rows}</ol>`
}

function attachFields({ language }: Visit, candidates: readonly Candidate[]): Field[] {
  const { payin, other, otherHint } = SUSPENSE_WORDS[language].attach
  if (candidates.length === 0) return [{ kind: 'text', path: '/payinId', label: payin, maxLength: 36 }]
  const options = candidates.map(({ payin: { payinId, reference, amountInCents } }) => ({
    value: payinId,
    label: `${reference} · ${amountText(amountInCents, language)}`,
  }))
  return [
    { kind: 'select', path: '/payinId', label: payin, options },
    { kind: 'text', path: OTHER, label: other, hint: otherHint, isOptional: true, maxLength: 36 },
  ]
}

function noteFields({ language }: Visit, note: string | null): Field[] {
  const { label } = SUSPENSE_WORDS[language].note
  return [
    {
      kind: 'text',
      path: '/note',
      label,
      value: note,
      isOptional: true,
      whenEmpty: 'null',
      maxLength: SUSPENSE_NOTE_MAX_LENGTH,
    },
  ]
}

const paramsOf = (visit: Visit) => ({ suspenseId: paramOf(visit, 'suspenseId') })

const formRoute = (
  which: Which,
  { operation, ...route }: Pick<FormRoute, 'operation'> & Partial<FormRoute>,
): FormRoute => ({
  method: 'POST',
  path: `${PATH}/:suspenseId/${which}`,
  operation,
  call: (visit) => ({ params: paramsOf(visit) }),
  done: (visit) => `${PATH}/${paramOf(visit, 'suspenseId')}`,
  again: (visit, form) => itemPage(visit, { which, form }),
  ...route,
})

export const suspenseRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'ledger:read', show: suspensePage },
  {
    method: 'GET',
    path: `${PATH}/:suspenseId`,
    scope: 'ledger:read',
    show: (visit) => itemPage(visit),
  },
  formRoute('return', { operation: returnSuspenseOperation, stepUp: true }),
  formRoute('attach', {
    operation: attachSuspenseOperation,
    stepUp: true,
    call: (visit, typed) => {
      const payinId = (typed.get(OTHER) ?? '').trim() || (typed.get('/payinId') ?? '').trim()
      return { params: paramsOf(visit), body: payinId === '' ? {} : { payinId } }
    },
  }),
  formRoute('note', {
    operation: noteSuspenseOperation,
    call: (visit, typed) => ({ params: paramsOf(visit), body: bodyOf(noteFields(visit, null), typed) }),
  }),
]
