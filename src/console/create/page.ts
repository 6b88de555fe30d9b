// The form that makes a payment page, with the page that payers will see beside it.

import { REFERENCE_MAX_LENGTH, URL_MAX_LENGTH } from '../../api/payins/schema.ts'
import { createPaymentPageOperation } from '../../api/payment-pages/operations.ts'
import { endOfDay, parseDay } from '../../core/bogota-day.ts'
import { NAME_MAX_LENGTH } from '../../core/contact.ts'
import { isoInstant } from '../../core/instant.ts'
import { LOGO_MAX_LENGTH } from '../../core/organizations/organization.ts'
import { DESCRIPTION_MAX_LENGTH } from '../../core/people/note.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import type { Page } from '../page.ts'
import { PAYMENT_PAGE_WORDS } from '../payment-pages/words.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { amountField, amountWrong, railField } from './fields.ts'
import { createPage } from './frame.ts'
import { LINK_FORM_WORDS } from './link-words.ts'
import { PAGE_FORM_WORDS } from './page-words.ts'
import { previewButton, previewOf } from './preview.ts'
import { CREATE_WORDS } from './words.ts'

const PATH = '/pages/new'
const PRICES = ['FIXED', 'OPEN'] as const
const MOST = 1_000_000

function fieldsOf(visit: Visit): Field[] {
  return [...mainFields(visit), ...moreFields(visit)]
}

function mainFields(visit: Visit): Field[] {
  const { language, organization } = visit
  const words = PAGE_FORM_WORDS[language]
  const shared = CREATE_WORDS[language]
  return [
    {
      kind: 'text',
      path: '/name',
      label: words.name,
      hint: words.nameHint,
      maxLength: NAME_MAX_LENGTH,
      autocomplete: 'off',
      watched: 'about',
    },
    {
      kind: 'radio',
      path: '/amountType',
      label: words.price,
      value: 'FIXED',
      options: PRICES.map((value) => ({
        value,
        label: words.prices[value],
        hint: words.priceHints[value],
      })),
    },
    amountField(visit, organization.rails, {
      label: words.fixedAmount,
      isConditional: true,
      wrong: (problem) => (problem.code === 'NOT_ALLOWED' ? words.onlyFixed : amountWrong(visit, problem)),
    }),
    {
      kind: 'text',
      path: '/reference',
      label: shared.reference,
      hint: words.reference,
      maxLength: REFERENCE_MAX_LENGTH,
      autocomplete: 'off',
    },
    {
      kind: 'area',
      path: '/description',
      label: shared.description,
      hint: words.descriptionHint,
      maxLength: DESCRIPTION_MAX_LENGTH,
      isOptional: true,
    },
    railField(visit),
  ]
}

function moreFields(visit: Visit): Field[] {
  const { language } = visit
  const words = PAGE_FORM_WORDS[language]
  const more = { isMore: true, isOptional: true } as const
  const limit = (path: string, label: string): Field => ({
    kind: 'money',
    path,
    label,
    maxLength: 24,
    wrong: (problem) =>
      problem.code === 'NOT_ALLOWED'
        ? words.onlyOpen
        : problem.message.includes('minAmount')
          ? words.maxBelowMin
          : amountWrong(visit, problem),
    ...more,
  })
  return [
    limit('/minAmountInCents', words.min),
    limit('/maxAmountInCents', words.max),
    {
      kind: 'number',
      path: '/maxPieces',
      label: words.maxPieces,
      hint: words.maxPiecesHint,
      min: 1,
      max: MOST,
      wrong: ({ code }) => (code === 'NOT_ALLOWED' ? words.onlyFixed : undefined),
      ...more,
    },
    { kind: 'number', path: '/maxPayments', label: words.maxPayments, min: 1, max: MOST, ...more },
    {
      kind: 'date',
      path: '/validUntil',
      label: words.validUntil,
      wrong: () => words.validUntilWrong,
      ...more,
    },
    {
      kind: 'file',
      path: '/image',
      label: words.image,
      hint: words.imageHint,
      accept: 'image/png,image/jpeg,image/gif,image/webp,image/svg+xml',
      maxLength: LOGO_MAX_LENGTH,
      wrong: () => words.imageWrong,
      watched: 'picture',
      ...more,
    },
    {
      kind: 'url',
      path: '/callbackUrl',
      label: words.callback,
      hint: words.callbackHint,
      maxLength: URL_MAX_LENGTH,
      placeholder: 'https://',
      wrong: () => LINK_FORM_WORDS[language].callbackWrong,
      ...more,
    },
  ]
}

// A day lasts until its midnight in Bogotá.
function bodyFrom(visit: Visit, typed: URLSearchParams): Record<string, unknown> {
  const { validUntil, ...body } = bodyOf(fieldsOf(visit), typed)
  if (validUntil === undefined) return body
  const day = parseDay(String(validUntil))
  return { ...body, validUntil: day === undefined ? validUntil : isoInstant(endOfDay(day)) }
}

async function newPagePage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language } = visit
  const words = PAGE_FORM_WORDS[language]
  const link = LINK_FORM_WORDS[language]
  const [example] = Object.values(createPaymentPageOperation.body?.examples ?? {})
  return createPage(visit, {
    section: 'links',
    title: words.title,
    lead: words.lead,
    back: { path: '/pages', label: PAYMENT_PAGE_WORDS[language].list },
    form: formFrame(visit, form, {
      action: PATH,
      operation: createPaymentPageOperation,
      fields: fieldsOf(visit),
      submit: words.submit,
      also: previewButton(visit),
      more: words.more,
      cancel: '/pages',
      call: { body: example?.value },
    }),
    beside: previewOf(visit, form, {
      about: form.typed.get('/name') || words.sample,
      title: link.look,
      hint: link.lookHint,
    }),
  })
}

export const pageFormRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'links:read', show: (visit) => newPagePage(visit) },
  {
    method: 'POST',
    path: PATH,
    operation: createPaymentPageOperation,
    takesFiles: true,
    call: (visit, typed) => ({ body: bodyFrom(visit, typed) }),
    done: (_visit, answer) => `/pages/${(answer as { paymentPageId: string }).paymentPageId}`,
    again: newPagePage,
  },
]
