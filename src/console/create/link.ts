// The form that makes a payment link, with the page that the payer will see beside it.

import { REFERENCE_MAX_LENGTH, URL_MAX_LENGTH } from '../../api/payins/schema.ts'
import { createPaymentLinkOperation } from '../../api/payment-links/operations.ts'
import { DESCRIPTION_MAX_LENGTH } from '../../core/people/note.ts'
import { linkList } from '../../store/payment-links/payment-links.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import type { Page } from '../page.ts'
import { withPhone } from '../phone-text.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { amountField, bankOptions, PHONE, personFields, railField } from './fields.ts'
import { createPage } from './frame.ts'
import { LINK_FORM_WORDS } from './link-words.ts'
import { previewButton, previewOf } from './preview.ts'
import { CREATE_WORDS } from './words.ts'

const PATH = '/links/new'

function fieldsOf(visit: Visit, callbackUrl: string | null): Field[] {
  const { language, organization } = visit
  const words = LINK_FORM_WORDS[language]
  const shared = CREATE_WORDS[language]
  return [
    amountField(visit, organization.rails),
    {
      kind: 'text',
      path: '/reference',
      label: shared.reference,
      hint: words.referenceHint,
      maxLength: REFERENCE_MAX_LENGTH,
      autocomplete: 'off',
    },
    {
      kind: 'text',
      path: '/description',
      label: shared.description,
      hint: words.descriptionHint,
      maxLength: DESCRIPTION_MAX_LENGTH,
      autocomplete: 'off',
      isOptional: true,
      watched: 'about',
    },
    railField(visit),
    {
      kind: 'url',
      path: '/callbackUrl',
      label: words.callback,
      hint: words.callbackHint,
      value: callbackUrl,
      maxLength: URL_MAX_LENGTH,
      placeholder: 'https://',
      wrong: ({ code }) => (code === 'REQUIRED' ? undefined : words.callbackWrong),
    },
    {
      kind: 'select',
      path: '/pse/bank',
      label: words.bank,
      hint: words.bankHint,
      wrong: ({ code }) => (code === 'NOT_ALLOWED' ? words.bankHint : undefined),
      isOptional: true,
      isMore: true,
      options: [{ value: '', label: words.bankAny }, ...bankOptions(visit)],
    },
    ...personFields(visit, 'more'),
  ]
}

// Where payers of the last link returned to; or the merchant's own chat, for whoever has no page.
async function usualReturn({ ctx, organization }: Visit): Promise<string | null> {
  const links = await linkList(ctx.db, organization.organizationId, {}).seek(
    { direction: 'older', from: null },
    5,
  )
  const last = links.find(({ paymentPageId }) => paymentPageId === null)
  if (last !== undefined) return last.callbackUrl
  const digits = organization.contactPhone?.replaceAll(/\D/g, '') ?? ''
  return digits === '' ? null : `https://wa.me/${digits}`
}

function bodyFrom(visit: Visit, typed: URLSearchParams): Record<string, unknown> {
  return { amountType: 'FIXED', ...bodyOf(fieldsOf(visit, null), withPhone(typed, PHONE)) }
}

async function newLinkPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language } = visit
  const words = LINK_FORM_WORDS[language]
  const [example] = Object.values(createPaymentLinkOperation.body?.examples ?? {})
  const { problems } = form
  const about = form.typed.get('/description') || form.typed.get('/reference') || words.sample
  return createPage(visit, {
    section: 'links',
    title: words.title,
    lead: words.lead,
    back: { path: '/links', label: visit.words.sections.links },
    form: formFrame(
      visit,
      // A bank without PSE is told at the bank.
      {
        ...form,
        problems: problems.map((one) => (one.path === '/pse' ? { ...one, path: '/pse/bank' } : one)),
      },
      {
        action: PATH,
        operation: createPaymentLinkOperation,
        fields: fieldsOf(visit, await usualReturn(visit)),
        submit: words.submit,
        also: previewButton(visit),
        more: words.payer,
        cancel: '/links',
        call: { body: example?.value },
      },
    ),
    beside: previewOf(visit, form, { about, title: words.look, hint: words.lookHint }),
  })
}

export const linkFormRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'links:read', show: (visit) => newLinkPage(visit) },
  {
    method: 'POST',
    path: PATH,
    operation: createPaymentLinkOperation,
    call: (visit, typed) => ({ body: bodyFrom(visit, typed) }),
    done: (_visit, answer) => `/links/${(answer as { paymentLinkId: string }).paymentLinkId}`,
    again: newLinkPage,
  },
]
