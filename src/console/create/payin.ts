// Collecting at the counter: a payin over Bre-B, whose key and code its page then shows. Whoever is elsewhere, or pays over PSE, gets
// a link.

import { createPayinOperation } from '../../api/payins/operations.ts'
import { REFERENCE_MAX_LENGTH } from '../../api/payins/schema.ts'
import { BOGOTA_OFFSET_MS } from '../../core/bogota-day.ts'
import { html } from '../../core/html.ts'
import { DESCRIPTION_MAX_LENGTH } from '../../core/people/note.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { icon } from '../icons.ts'
import type { Page } from '../page.ts'
import { PAYIN_WORDS } from '../payins/words.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { amountField } from './fields.ts'
import { createPage } from './frame.ts'
import { PAYIN_FORM_WORDS } from './payin-words.ts'
import { CREATE_WORDS } from './words.ts'

const PATH = '/payins/new'

// By the clock on the wall of the shop, so that it can be found again: mostrador-20261117-103215.
function usualReference({ ctx, language }: Visit): string {
  const time = new Date(ctx.clock.now() - BOGOTA_OFFSET_MS).toISOString()
  const digits = time.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return `${PAYIN_FORM_WORDS[language].counter}-${digits}`
}

function fieldsOf(visit: Visit): Field[] {
  const { language } = visit
  const words = PAYIN_FORM_WORDS[language]
  const shared = CREATE_WORDS[language]
  return [
    amountField(visit, ['BRE_B']),
    {
      kind: 'text',
      path: '/reference',
      label: shared.reference,
      hint: words.referenceHint,
      value: usualReference(visit),
      maxLength: REFERENCE_MAX_LENGTH,
      autocomplete: 'off',
      wrong: ({ code }) => (code === 'DUPLICATE_REFERENCE' ? shared.referenceTaken : undefined),
    },
    {
      kind: 'text',
      path: '/description',
      label: shared.description,
      hint: words.descriptionHint,
      maxLength: DESCRIPTION_MAX_LENGTH,
      autocomplete: 'off',
      isOptional: true,
    },
  ]
}

function bodyFrom(visit: Visit, typed: URLSearchParams): Record<string, unknown> {
  const body = bodyOf(fieldsOf(visit), typed)
  return { ...body, currency: 'COP', rail: 'BRE_B', breb: { keyType: 'QR_CODE' } }
}

async function newPayinPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language, organization, home } = visit
  const words = PAYIN_FORM_WORDS[language]
  const example = createPayinOperation.body?.examples?.qr?.value
  return createPage(visit, {
    section: 'payins',
    title: words.title,
    lead: words.lead,
    back: { path: '/payins', label: PAYIN_WORDS[language].list },
    form: formFrame(visit, form, {
      action: PATH,
      operation: createPayinOperation,
      fields: fieldsOf(visit),
      submit: words.submit,
      cancel: '/payins',
      lock: organization.rails.includes('BRE_B') ? undefined : words.off,
      call: { body: example },
    }),
    beside: html`<section class="card aside-note"><p>${words.minutes(organization.payinExpiryMinutes)}</p><p>${words.remote}</p><p><a class="button" href="${home}/links/new">${icon('links')}${words.toLink}</a></p></section>`,
  })
}

export const payinFormRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'payins:read', show: (visit) => newPayinPage(visit) },
  {
    method: 'POST',
    path: PATH,
    operation: createPayinOperation,
    call: (visit, typed) => ({ body: bodyFrom(visit, typed) }),
    done: (_visit, answer) => `/payins/${(answer as { id: string }).id}`,
    again: newPayinPage,
  },
]
