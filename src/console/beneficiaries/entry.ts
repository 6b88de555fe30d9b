// One entry of the beneficiary book: what we know of the key and how, and how it is changed or taken out. A key says where money goes,
// so whoever writes one shows before that it is them.

import { deleteBeneficiaryOperation, writeBeneficiaryOperation } from '../../api/beneficiaries/operations.ts'
import type { Beneficiary } from '../../core/beneficiaries/beneficiary.ts'
import { type Html, html } from '../../core/html.ts'
import type { Receiver } from '../../core/people/customer.ts'
import { openReceiver } from '../../flows/people/vault.ts'
import { getBeneficiary } from '../../store/beneficiaries/beneficiaries.ts'
import { createPage } from '../create/frame.ts'
import { copyable } from '../curl-block.ts'
import { bodyOf } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { timeText } from '../format.ts'
import { icon } from '../icons.ts'
import { shownControl, shownPersonRoute, shownUntil } from '../objects/shown-person.ts'
import type { Page } from '../page.ts'
import { idParam, paramOf } from '../params.ts'
import { BOOK_PATH } from '../payout-batches/places.ts'
import { eyesOf, receiverSeen } from '../people.ts'
import type { Route } from '../route.ts'
import { panel, proofNote } from '../settings/frame.ts'
import type { Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { atTheirFields, entryFields } from './fields.ts'
import { verifiedMark } from './list.ts'
import { BENEFICIARY_WORDS } from './words.ts'

const NEW_PATH = `${BOOK_PATH}/new`

async function newPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const words = BENEFICIARY_WORDS[visit.language]
  const [example] = Object.values(writeBeneficiaryOperation.body?.examples ?? {})
  return createPage(visit, {
    section: 'payouts',
    title: words.newTitle,
    lead: words.newLead,
    back: { path: BOOK_PATH, label: words.title },
    notes: !form.needsProof && proofNote(visit),
    form: formFrame(visit, atTheirFields(form, true), {
      action: NEW_PATH,
      operation: writeBeneficiaryOperation,
      fields: entryFields(visit),
      submit: words.save,
      cancel: BOOK_PATH,
      call: { body: example?.value },
    }),
  })
}

async function beneficiaryIn(visit: Visit): Promise<Beneficiary | undefined> {
  const id = idParam(visit, 'beneficiaryId')
  return id === undefined ? undefined : getBeneficiary(visit.ctx.db, visit.organization.organizationId, id)
}

async function entryPage(
  visit: Visit,
  open?: { which: 'write' | 'remove'; form: FormState },
): Promise<Page | undefined> {
  const beneficiary = await beneficiaryIn(visit)
  if (beneficiary === undefined) return undefined
  const { language, home } = visit
  const { beneficiaryId } = beneficiary
  const words = BENEFICIARY_WORDS[language]
  const path = `${BOOK_PATH}/${beneficiaryId}`
  const eyes = await eyesOf(visit, shownUntil(visit, beneficiaryId) !== null)
  const seen = receiverSeen(eyes, beneficiaryId, beneficiary.person)
  const formOf = (which: 'write' | 'remove'): FormState =>
    open?.which === which ? open.form : newForm(visit)
  const name = typeof seen === 'string' ? seen : seen.customer.name
  const writing = formOf('write')
  // Nobody types over what they cannot see. What they typed already stays.
  const canEdit = typeof seen !== 'string' && (!eyes.isMasked || writing.isTyped)
  const editing =
    canEdit &&
    formFrame(visit, atTheirFields({ ...writing, call: eyes.isMasked ? null : writing.call }, false), {
      action: path,
      operation: writeBeneficiaryOperation,
      fields: entryFields(visit, seen),
      submit: words.save,
      call: { body: bodyOfReceiver(seen) },
    })
  const removing = formFrame(visit, formOf('remove'), {
    action: `${path}/remove`,
    operation: deleteBeneficiaryOperation,
    fields: [],
    submit: words.remove.submit,
    isGrave: true,
    call: { params: { beneficiaryId } },
  })
  const content = html`<p class="crumb"><a href="${home}${BOOK_PATH}">${icon('left')}${words.title}</a></p>
<div class="head"><h1>${name}</h1>${verifiedMark(beneficiary, words)}</div>
<div class="suspense-item">${factsHtml(visit, beneficiary, seen)}
${canEdit && !writing.needsProof && proofNote(visit)}
${typeof seen !== 'string' && panel(words.edit.title, words.edit.text, editing || html`<p class="hint">${words.hiddenEdit}</p>`, 'edit')}
${panel(words.remove.title, words.remove.text, removing, 'remove')}</div>`
  return { title: `${words.title} · ${name}`, section: 'payouts', content }
}

function factsHtml(visit: Visit, beneficiary: Beneficiary, seen: Receiver | string): Html {
  const { language, ctx } = visit
  const words = BENEFICIARY_WORDS[language]
  const { facts } = words
  const { verifiedAt, verifiedBy, updatedAt, beneficiaryId } = beneficiary
  const time = (instant: number) => timeText(instant, ctx.clock.now(), language)
  const idTypes: Readonly<Record<string, string>> = STATES[language].idTypes
  const person: [string, string | Html | null][] =
    typeof seen === 'string'
      ? [[facts.name, seen]]
      : [
          [facts.name, seen.customer.name],
          [
            facts.document,
            `${idTypes[seen.customer.idType] ?? seen.customer.idType} ${seen.customer.idNumber}`,
          ],
          [facts.key, copyable(visit, seen.keyString)],
          [facts.email, seen.customer.email === '' ? null : seen.customer.email],
        ]
  const rows: [string, string | Html | null][] = [
    ...person,
    [facts.verified, verifiedAt === null ? words.unverifiedText : time(verifiedAt)],
    [facts.how, verifiedBy === null ? null : words.verifiedBy[verifiedBy]],
    [facts.changed, time(updatedAt)],
  ]
  const control =
    typeof seen !== 'string' && shownControl(visit, `${BOOK_PATH}/${beneficiaryId}`, beneficiaryId)
  return html`<section class="card panel"><dl class="facts">${rows.map(([label, value]) => value !== null && html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>${control}</section>`
}

function bodyOfReceiver({ customer, keyString }: Receiver): Record<string, string> {
  const { idType, idNumber, name, email } = customer
  return { idType, idNumber, name, key: keyString, ...(email !== '' && { email }) }
}

// The document is the entry's own, whatever the form says.
async function changedBody(visit: Visit, typed: URLSearchParams): Promise<Record<string, unknown>> {
  const beneficiary = await beneficiaryIn(visit)
  if (beneficiary === undefined) return {}
  const vault = await visit.ctx.vault(beneficiary.organizationId)
  const opened = openReceiver(vault, beneficiary.beneficiaryId, beneficiary.person)
  if (typeof opened === 'string') return {}
  const { idType, idNumber } = opened.customer
  return { idType, idNumber, ...bodyOf(entryFields(visit, opened), typed) }
}

const ENTRY = `${BOOK_PATH}/:beneficiaryId`
const toEntry = (_visit: Visit, answer: unknown): string => `${BOOK_PATH}/${(answer as { id: string }).id}`

export const bookEntryRoutes: readonly Route[] = [
  { method: 'GET', path: NEW_PATH, scope: 'payouts:read', show: (visit) => newPage(visit) },
  {
    method: 'POST',
    path: NEW_PATH,
    operation: writeBeneficiaryOperation,
    stepUp: true,
    call: (visit, typed) => ({ body: bodyOf(entryFields(visit), typed) }),
    done: toEntry,
    again: newPage,
  },
  { method: 'GET', path: ENTRY, scope: 'payouts:read', show: (visit) => entryPage(visit) },
  {
    method: 'POST',
    path: ENTRY,
    operation: writeBeneficiaryOperation,
    stepUp: true,
    call: async (visit, typed) => ({ body: await changedBody(visit, typed) }),
    done: toEntry,
    again: (visit, form) => entryPage(visit, { which: 'write', form }),
  },
  {
    method: 'POST',
    path: `${ENTRY}/remove`,
    operation: deleteBeneficiaryOperation,
    stepUp: true,
    call: (visit) => ({ params: { beneficiaryId: paramOf(visit, 'beneficiaryId') } }),
    done: () => BOOK_PATH,
    again: (visit, form) => entryPage(visit, { which: 'remove', form }),
  },
  shownPersonRoute(ENTRY, 'payouts:read', async (visit) => (await beneficiaryIn(visit))?.beneficiaryId),
]
