// The last look at a payout: to whom, how much, and what speaks against it.

import { createPayoutOperation } from '../../api/payouts/operations.ts'
import { type Html, html } from '../../core/html.ts'
import { firstIdAt } from '../../core/ids.ts'
import { DAY_MS } from '../../core/instant.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import { readSpendable } from '../../flows/payouts/spendable.ts'
import { openReceiver } from '../../flows/people/vault.ts'
import { filteredPayouts } from '../../store/payouts/filtered.ts'
import type { Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { FORM_KEY, type FormState, REVIEWED, SHOW_CALL } from '../form-state.ts'
import { amountText, whenText } from '../format.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { proofNote } from '../settings/frame.ts'
import type { Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { type CreatePage, createPage } from './frame.ts'
import { type FoundKey, receiverCard } from './payout-receiver.ts'
import { PAYOUT_FORM_WORDS } from './payout-words.ts'
import { CREATE_WORDS } from './words.ts'

// Of one amount within a day.
const MOST_COMPARED = 100

type Body = {
  readonly amountInCents: number
  readonly reference: string
  readonly description?: string
  readonly inlineCustomer: Readonly<Record<'name' | 'idType' | 'idNumber' | 'phone' | 'email', string>>
}

export async function reviewPage(
  visit: Visit,
  form: FormState,
  found: FoundKey,
  frame: Pick<CreatePage, 'section' | 'back' | 'steps'>,
): Promise<Page> {
  const { language, ctx, organization } = visit
  const words = PAYOUT_FORM_WORDS[language]
  const body = form.call?.body as Body
  const amount = BigInt(body.amountInCents)
  const [spendableInCents, same] = await Promise.all([
    readSpendable(ctx.db, organization),
    sameOfTheDay(visit, amount, found.keyString),
  ])
  const isShort = spendableInCents < amount
  const text = amountText(amount, language)
  const fields: Field[] = [...form.typed]
    .filter(([name]) => ![FORM_KEY, SHOW_CALL, REVIEWED].includes(name))
    .map(([path, value]) => ({ kind: 'hidden', path, value }))
  const drawn = formFrame(visit, form, {
    action: '/payouts/new',
    operation: createPayoutOperation,
    fields: [...fields, { kind: 'hidden', path: REVIEWED, value: 'yes' }],
    submit: same === undefined ? words.send(text) : words.sendAnyway(text),
    also: html` <button class="button" name="${SHOW_CALL}" value="edit" formnovalidate>${words.edit}</button>`,
    lock: isShort ? words.shortLock : undefined,
    call: form.call ?? {},
  })
  const notes = html`${isShort && note('bad', html`${words.short(amountText(spendableInCents, language), amountText(amount - spendableInCents, language))}`)}${same && note('wait', sameNote(visit, same))}`
  return createPage(visit, {
    ...frame,
    title: words.reviewTitle,
    lead: words.reviewLead,
    form: html`<p class="review-amount">${text}</p>${receiverCard(visit, found)}${summary(visit, body, spendableInCents - amount)}${notes}${!form.needsProof && proofNote(visit)}${drawn}`,
  })
}

function note(tone: 'bad' | 'wait', text: Html): Html {
  return html`<p class="note-line is-${tone}">${icon('warning')}<span>${text}</span></p>`
}

function summary({ language }: Visit, body: Body, left: bigint): Html {
  const shared = CREATE_WORDS[language]
  const idTypes: Readonly<Record<string, string>> = STATES[language].idTypes
  const { name, idType, idNumber, phone, email } = body.inlineCustomer
  const rows: [string, string | undefined][] = [
    [shared.reference, body.reference],
    [shared.description, body.description],
    [shared.person.name, name],
    [PAYOUT_FORM_WORDS[language].document, `${idTypes[idType] ?? idType} ${idNumber}`],
    [shared.person.phone, phone],
    [shared.person.email, email],
    [PAYOUT_FORM_WORDS[language].after, left < 0n ? undefined : amountText(left, language)],
  ]
  return html`<dl class="facts">${rows.map(([label, value]) => value !== undefined && html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`
}

function sameNote({ language, ctx, home }: Visit, same: Payout): Html {
  const words = PAYOUT_FORM_WORDS[language]
  const when = whenText(same.createdAt, ctx.clock.now(), language)
  return html`${words.same(when, same.reference)} <a href="${home}/payouts/${same.payoutId}" target="_blank" rel="noopener">${words.seeSame}</a>`
}

// One that has not failed, of the same amount and to the same key.
async function sameOfTheDay(visit: Visit, amount: bigint, keyString: string): Promise<Payout | undefined> {
  const { ctx, organization } = visit
  const { organizationId } = organization
  const view = {
    fromId: firstIdAt(ctx.clock.now() - DAY_MS),
    minInCents: amount,
    maxInCents: amount,
  }
  const { rows } = await filteredPayouts(ctx.db, organizationId, view).page(
    { direction: 'older', from: null },
    MOST_COMPARED,
  )
  const vault = await ctx.vault(organizationId)
  return rows.find(({ status, payoutId, receiver }) => {
    if (status === 'DECLINED' || status === 'CANCELED') return false
    const opened = openReceiver(vault, payoutId, receiver)
    return typeof opened !== 'string' && opened.keyString === keyString
  })
}
