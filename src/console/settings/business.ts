// The merchant's details and its rules about money: two forms of one operation, because only the rules are about money.

import { changeOrganizationOperation } from '../../api/organizations/operations.ts'
import { RAILS } from '../../core/connections/rail.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { type Html, html } from '../../core/html.ts'
import { MAX_ID_NUMBER_LENGTH } from '../../core/identity-document.ts'
import { type Organization, PAYIN_EXPIRY_MINUTES } from '../../core/organizations/organization.ts'
import { copyable } from '../curl-block.ts'
import type { Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type Change, type FormState, newForm } from '../form-state.ts'
import { amountText, countText } from '../format.ts'
import type { Page } from '../page.ts'
import { withPhone } from '../phone-text.ts'
import type { FormRoute, Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { BUSINESS_WORDS } from './business-words.ts'
import { panel, proofNote, settingsPage } from './frame.ts'
import { changedBody, changesSince, seenField, type Values } from './seen.ts'
import { SETTINGS_WORDS } from './words.ts'

const PATHS = { identity: '/settings/business', rules: '/settings/business/rules' } as const
type Which = keyof typeof PATHS

const NAMES = {
  identity: ['name', 'taxId', 'contactEmail', 'contactPhone'],
  rules: ['rails', 'payinExpiryMinutes', 'onAmountMismatch', 'requireKeyLookup'],
} as const satisfies Record<Which, readonly (keyof Organization)[]>

const FIELDS: Readonly<Record<Which, (visit: Visit) => Field[]>> = {
  identity: ({ organization, language }) => {
    const words = BUSINESS_WORDS[language].identity
    const optional = { isOptional: true, whenEmpty: 'null' } as const
    return [
      {
        kind: 'text',
        path: '/name',
        label: words.name,
        hint: words.nameHint,
        value: organization.name,
        maxLength: NAME_MAX_LENGTH,
        autocomplete: 'organization',
      },
      {
        kind: 'text',
        path: '/taxId',
        label: words.taxId,
        hint: words.taxIdHint,
        value: organization.taxId,
        maxLength: MAX_ID_NUMBER_LENGTH,
        ...optional,
      },
      {
        kind: 'email',
        path: '/contactEmail',
        label: words.contactEmail,
        value: organization.contactEmail,
        maxLength: EMAIL_MAX_LENGTH,
        ...optional,
      },
      {
        kind: 'tel',
        path: '/contactPhone',
        label: words.contactPhone,
        hint: words.contactPhoneHint,
        value: organization.contactPhone,
        maxLength: 30,
        ...optional,
      },
    ]
  },
  rules: ({ organization, language }) => {
    const words = BUSINESS_WORDS[language].rules
    return [
      {
        kind: 'checks',
        path: '/rails',
        label: words.rails,
        value: organization.rails,
        options: RAILS.map((rail) => ({
          value: rail,
          label: STATES[language].rails[rail],
          hint: words.railHints[rail],
        })),
      },
      {
        kind: 'number',
        path: '/payinExpiryMinutes',
        label: words.expiry,
        hint: words.expiryHint,
        value: String(organization.payinExpiryMinutes),
        min: PAYIN_EXPIRY_MINUTES.minimum,
        max: PAYIN_EXPIRY_MINUTES.maximum,
      },
      {
        kind: 'radio',
        path: '/onAmountMismatch',
        label: words.mismatch,
        value: organization.onAmountMismatch,
        options: (['decline', 'accept'] as const).map((value) => ({ value, ...words.mismatches[value] })),
      },
      {
        kind: 'flag',
        path: '/requireKeyLookup',
        label: words.lookup,
        hint: words.lookupHint,
        value: organization.requireKeyLookup ? 'true' : null,
      },
    ]
  },
}

function valuesOf({ organization }: Visit, which: Which): Values {
  return Object.fromEntries(NAMES[which].map((name) => [name, organization[name]]))
}

function bodyFrom(visit: Visit, which: Which, typed: URLSearchParams): Record<string, unknown> {
  return changedBody(FIELDS[which](visit), withPhone(typed, '/contactPhone'))
}

function valueText(visit: Visit, value: unknown): string {
  const { language } = visit
  const words = BUSINESS_WORDS[language]
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (Array.isArray(value))
    return value.map((rail) => STATES[language].rails[rail as 'BRE_B' | 'PSE'] ?? rail).join(', ')
  if (value === 'decline' || value === 'accept') return words.rules.mismatches[value].label
  return value === null ? SETTINGS_WORDS[language].nothing : String(value)
}

async function businessPage(visit: Visit, open?: { which: Which; form: FormState }): Promise<Page> {
  const words = BUSINESS_WORDS[visit.language]
  const formOf = (which: Which): Html => {
    const form = open?.which === which ? open.form : newForm(visit)
    return formFrame(visit, form, {
      action: PATHS[which],
      operation: changeOrganizationOperation,
      fields: [...FIELDS[which](visit), seenField(valuesOf(visit, which))],
      submit: SETTINGS_WORDS[visit.language].save,
      call: { body: which === 'identity' ? { name: visit.organization.name } : valuesOf(visit, which) },
    })
  }
  const content = html`${panel(words.identity.title, words.identity.text, formOf('identity'))}
${panel(words.rules.title, words.rules.text, html`${proofNote(visit)}${formOf('rules')}`, 'rules')}
${limits(visit)}
<p class="fact-line"><span>${words.id}</span>${copyable(visit, visit.organization.organizationId)}</p>`
  const { name, text } = SETTINGS_WORDS[visit.language].parts.business
  return settingsPage(visit, { part: 'business', title: name, lead: text, content })
}

// The operator's, to be seen only.
function limits({ organization, language }: Visit): Html | false {
  const { payoutsPerDay, payoutSumPerDay, quietHours } = organization.limits
  if (payoutsPerDay === null && payoutSumPerDay === null && quietHours === null) return false
  const words = BUSINESS_WORDS[language].limits
  const [from = '', until = ''] = quietHours?.split('-') ?? []
  const rows: [string, string | null][] = [
    [words.payoutsPerDay, payoutsPerDay === null ? null : countText(payoutsPerDay, language)],
    [words.payoutSumPerDay, payoutSumPerDay === null ? null : amountText(payoutSumPerDay, language)],
    [words.quietHours, quietHours === null ? null : words.quiet(from, until)],
  ]
  const shown = rows
    .filter(([, value]) => value !== null)
    .map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)
  return panel(words.title, words.text, html`<dl class="facts">${shown}</dl>`)
}

const formRoute = (which: Which): FormRoute => ({
  method: 'POST',
  path: PATHS[which],
  operation: changeOrganizationOperation,
  call: (visit, typed) => ({ body: bodyFrom(visit, which, typed) }),
  done: () => PATHS.identity,
  again: (visit, form) => businessPage(visit, { which, form }),
  changedMeanwhile: async (visit, typed): Promise<Change[]> =>
    changesSince(typed, valuesOf(visit, which), FIELDS[which](visit), (_, value) => valueText(visit, value)),
})

export const businessRoutes: readonly Route[] = [
  { method: 'GET', path: PATHS.identity, scope: 'organization:read', show: (visit) => businessPage(visit) },
  formRoute('identity'),
  { ...formRoute('rules'), stepUp: true },
]
