// Below which balance an alarm is raised.

import { changeOrganizationOperation } from '../../api/organizations/operations.ts'
import { type Html, html } from '../../core/html.ts'
import { centsToNumber } from '../../core/money.ts'
import { readSpendable } from '../../flows/payouts/spendable.ts'
import { amountWrong } from '../create/fields.ts'
import type { Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type Change, type FormState, newForm } from '../form-state.ts'
import { amountText } from '../format.ts'
import { icon } from '../icons.ts'
import { centsForField } from '../money-text.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import { may, type Visit } from '../visit.ts'
import { panel, settingsPage, wayTo } from './frame.ts'
import { MONEY_SETTING_WORDS } from './money-words.ts'
import { changedBody, changesSince, seenField, type Values } from './seen.ts'
import { SETTINGS_WORDS } from './words.ts'

const PATH = '/settings/balance'

function fieldsOf(visit: Visit): Field[] {
  const { organization, language } = visit
  const { minimum: words } = MONEY_SETTING_WORDS[language]
  const { minimumBalanceInCents: minimum } = organization
  return [
    {
      kind: 'money',
      path: '/minimumBalanceInCents',
      label: words.label,
      hint: words.hint,
      value: minimum === null ? '' : centsForField(minimum, language),
      isOptional: true,
      whenEmpty: 'null',
      maxLength: 24,
      autocomplete: 'off',
      wrong: (problem) =>
        problem.code === 'OUT_OF_RANGE' && !/at most/.test(problem.message)
          ? words.tooLow
          : amountWrong(visit, problem),
    },
  ]
}

function valuesOf({ organization: { minimumBalanceInCents: minimum } }: Visit): Values {
  return { minimumBalanceInCents: minimum === null ? null : centsToNumber(minimum) }
}

async function balancePage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language } = visit
  const words = MONEY_SETTING_WORDS[language]
  const drawn = formFrame(visit, form, {
    action: PATH,
    operation: changeOrganizationOperation,
    fields: [...fieldsOf(visit), seenField(valuesOf(visit))],
    submit: SETTINGS_WORDS[language].save,
    call: { body: valuesOf(visit) },
  })
  const { name, text } = SETTINGS_WORDS[language].parts.balance
  return settingsPage(visit, {
    part: 'balance',
    title: name,
    lead: text,
    actions: wayTo(visit, '/settings/notifications', words.minimum.whom, 'organization:read'),
    content: html`${await availableNote(visit)}${panel(words.minimum.title, words.minimum.text, drawn)}`,
  })
}

async function availableNote(visit: Visit): Promise<Html | false> {
  if (!may(visit, 'ledger:read')) return false
  const { ctx, organization, language, home } = visit
  const { minimum: words } = MONEY_SETTING_WORDS[language]
  const spendableInCents = await readSpendable(ctx.db, organization)
  const { minimumBalanceInCents: minimum } = organization
  const isBelow = minimum !== null && spendableInCents < minimum
  return html`<p class="note-line${isBelow && ' is-wait'}">${icon(isBelow ? 'warning' : 'bank')}<span>${words.available}: <a href="${home}/movements">${amountText(spendableInCents, language)}</a>${isBelow && html`. ${words.below}`}</span></p>`
}

export const balanceRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'organization:read', show: (visit) => balancePage(visit) },
  {
    method: 'POST',
    path: PATH,
    operation: changeOrganizationOperation,
    call: (visit, typed) => ({ body: changedBody(fieldsOf(visit), typed) }),
    done: () => PATH,
    again: balancePage,
    changedMeanwhile: async (visit, typed): Promise<Change[]> =>
      changesSince(typed, valuesOf(visit), fieldsOf(visit), (_, value) =>
        typeof value === 'number'
          ? amountText(BigInt(value), visit.language)
          : SETTINGS_WORDS[visit.language].nothing,
      ),
  },
]
