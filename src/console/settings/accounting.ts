// How the accountant wants the reports: the account of each column, and whether the tax on movements is estimated. What payins cost is
// the operator's to set, and is shown beside it.

import { REPORT_WORDS } from '../../api/ledger/report-words.ts'
import { changeOrganizationOperation } from '../../api/organizations/operations.ts'
import { RAILS, type Rail } from '../../core/connections/rail.ts'
import { type Html, html } from '../../core/html.ts'
import { PUC_ENTRIES, type PucEntry } from '../../core/ledger/accounting.ts'
import type { BasisPoints, Fee } from '../../core/ledger/charges.ts'
import { bodyOf, type Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type Change, type FormState, newForm } from '../form-state.ts'
import { amountText } from '../format.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { panel, settingsPage, wayTo } from './frame.ts'
import { MONEY_SETTING_WORDS, PUC_EXAMPLES } from './money-words.ts'
import { changesSince, seenField, type Values } from './seen.ts'
import { SETTINGS_WORDS } from './words.ts'

const PATH = '/settings/accounting'
const ESTIMATE = 'accounting/estimatesMovementTax'
const PUC_MAX_LENGTH = 12

const accountOf = (entry: PucEntry) => `accounting/pucAccounts/${entry}`

function fieldsOf({ organization, language }: Visit): Field[] {
  const { puc, estimate, estimateHint } = MONEY_SETTING_WORDS[language]
  const { pucAccounts, estimatesMovementTax } = organization.accounting
  const label = (entry: PucEntry): string =>
    entry === 'balance' || entry === 'movementTax' ? puc[entry] : REPORT_WORDS[language].columns[entry]
  const accounts = PUC_ENTRIES.map((entry): Field => {
    const example = PUC_EXAMPLES[entry]
    return {
      kind: 'text',
      path: `/${accountOf(entry)}`,
      label: label(entry),
      value: pucAccounts[entry] ?? '',
      // Empty is as good as any. The text above says so once for all of them.
      isConditional: true,
      maxLength: PUC_MAX_LENGTH,
      autocomplete: 'off',
      ...(example !== undefined && { hint: puc.example(example) }),
      wrong: () => puc.wrong,
    }
  })
  return [
    ...accounts,
    {
      kind: 'flag',
      path: `/${ESTIMATE}`,
      label: estimate,
      hint: estimateHint,
      value: estimatesMovementTax ? 'true' : null,
    },
  ]
}

// One by one, so that whoever is overtaken learns which account somebody else has changed.
function valuesOf({ organization }: Visit): Values {
  const { pucAccounts, estimatesMovementTax } = organization.accounting
  const accounts = PUC_ENTRIES.map((entry) => [accountOf(entry), pucAccounts[entry] ?? null])
  return { ...Object.fromEntries(accounts), [ESTIMATE]: estimatesMovementTax }
}

// It is replaced as a whole.
function bodyIn(visit: Visit, typed: URLSearchParams): Record<string, unknown> {
  const { accounting } = bodyOf(fieldsOf(visit), typed) as { accounting: Record<string, unknown> }
  return { accounting: { pucAccounts: {}, ...accounting } }
}

async function accountingPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language, organization } = visit
  const words = MONEY_SETTING_WORDS[language]
  const drawn = formFrame(visit, form, {
    action: PATH,
    operation: changeOrganizationOperation,
    fields: [...fieldsOf(visit), seenField(valuesOf(visit))],
    submit: SETTINGS_WORDS[language].save,
    call: { body: { accounting: organization.accounting } },
  })
  const { name, text } = SETTINGS_WORDS[language].parts.accounting
  return settingsPage(visit, {
    part: 'accounting',
    title: name,
    lead: text,
    actions: wayTo(visit, '/reports', words.seeReports, 'ledger:read'),
    content: html`${panel(words.puc.title, words.puc.text, drawn, 'puc')}
${panel(words.charges.title, words.charges.text, chargesHtml(visit), 'charges')}`,
  })
}

function chargesHtml(visit: Visit): Html {
  const { organization, language } = visit
  const { charges: words } = MONEY_SETTING_WORDS[language]
  const { fees, payoutFees, withholdings } = organization.charges
  const rails = RAILS.filter(
    (rail) => (fees[rail] ?? payoutFees[rail]) !== undefined || withholdings.some((one) => one.rail === rail),
  )
  if (rails.length === 0) return html`<p class="soft">${words.none}</p>`
  return html`${rails.map((rail) => railCharges(visit, rail))}`
}

function railCharges({ organization, language }: Visit, rail: Rail): Html {
  const { charges: words } = MONEY_SETTING_WORDS[language]
  const { fees, payoutFees, withholdings } = organization.charges
  const percent = (basisPoints: BasisPoints) =>
    `${new Intl.NumberFormat(language === 'es' ? 'es-CO' : 'en').format(basisPoints / 100)} %`
  const feeHtml = (name: string, fee: Fee | undefined) => {
    const parts = fee && [
      ...(fee.fixedInCents > 0n ? [amountText(fee.fixedInCents, language)] : []),
      ...(fee.basisPoints > 0 ? [percent(fee.basisPoints)] : []),
    ]
    return html`<dt>${name}</dt><dd>${parts === undefined || parts.length === 0 ? words.nothing : parts.join(' + ')}</dd>${fee !== undefined && fee.taxBasisPoints > 0 && html`<dt>${words.tax}</dt><dd>${percent(fee.taxBasisPoints)}</dd>`}`
  }
  // Newest first, as each holds until the next.
  const withheld = withholdings
    .filter((one) => one.rail === rail)
    .toSorted((one, other) => (one.from < other.from ? 1 : -1))
    .map(({ basisPoints, from }) => html`<li>${percent(basisPoints)} ${words.from(from)}</li>`)
  return html`<h3 class="charges-rail">${STATES[language].rails[rail]}</h3><dl class="facts">${feeHtml(words.fee, fees[rail])}${feeHtml(words.payoutFee, payoutFees[rail])}<dt>${words.withholding}</dt><dd>${withheld.length === 0 ? words.nothing : html`<ul>${withheld}</ul>`}</dd></dl>`
}

function valueText({ language }: Visit, value: unknown): string {
  const words = MONEY_SETTING_WORDS[language]
  if (typeof value === 'boolean') return value ? words.yes : words.no
  return value === null ? SETTINGS_WORDS[language].nothing : String(value)
}

export const accountingRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'organization:read', show: (visit) => accountingPage(visit) },
  {
    method: 'POST',
    path: PATH,
    operation: changeOrganizationOperation,
    call: (visit, typed) => ({ body: bodyIn(visit, typed) }),
    done: () => PATH,
    again: accountingPage,
    changedMeanwhile: async (visit, typed): Promise<Change[]> =>
      changesSince(typed, valuesOf(visit), fieldsOf(visit), (_, value) => valueText(visit, value)),
  },
]
