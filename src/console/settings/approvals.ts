// Who must approve what: for money the amounts from which one or two people are asked, for the rest how many.

import { replaceApprovalRulesOperation } from '../../api/approvals/rules.ts'
import {
  APPROVAL_KINDS,
  type ApprovalKind,
  type ApprovalRule,
  KINDS_WITH_AMOUNT,
} from '../../core/approvals/rule.ts'
import { type Html, html } from '../../core/html.ts'
import { centsToNumber } from '../../core/money.ts'
import { getWaitingApproval } from '../../store/approvals/approvals.ts'
import { APPROVAL_WORDS } from '../approvals/words.ts'
import type { Field } from '../fields.ts'
import { formFrame } from '../form-frame.ts'
import { type FormState, newForm } from '../form-state.ts'
import { icon } from '../icons.ts'
import { centsForField, typedCents } from '../money-text.ts'
import type { Page } from '../page.ts'
import type { Route } from '../route.ts'
import type { Visit } from '../visit.ts'
import { APPROVAL_SETTING_WORDS } from './approval-words.ts'
import { panel, proofNote, settingsPage, wayTo } from './frame.ts'
import { SETTINGS_WORDS } from './words.ts'

const PATH = '/settings/approvals'

const amountPath = (kind: ApprovalKind, approvers: 1 | 2) => `/${kind}/${approvers}`

function tiersOf(rules: readonly ApprovalRule[], kind: ApprovalKind): ApprovalRule['tiers'] {
  return rules.find((rule) => rule.kind === kind)?.tiers ?? []
}

function fieldsOf({ organization, language }: Visit): Field[] {
  const words = APPROVAL_SETTING_WORDS[language]
  const { kinds } = APPROVAL_WORDS[language]
  const rules = organization.approvalRules
  return APPROVAL_KINDS.flatMap((kind): Field[] => {
    const tiers = tiersOf(rules, kind)
    if (!KINDS_WITH_AMOUNT.includes(kind))
      return [
        {
          kind: 'select',
          path: `/${kind}`,
          label: kinds[kind],
          ...(kind === 'approval-rule' && { hint: words.ruleHint }),
          value: String(tiers[0]?.approvers ?? 0),
          options: words.people.map((label, count) => ({ value: String(count), label })),
        },
      ]
    return ([1, 2] as const).map((approvers) => {
      const tier = tiers.find((one) => one.approvers === approvers)
      return {
        kind: 'money',
        path: amountPath(kind, approvers),
        label: `${kinds[kind]}: ${approvers === 1 ? words.one : words.two}`,
        value: tier === undefined ? '' : centsForField(tier.fromInCents, language),
        isOptional: true,
      }
    })
  })
}

// What the form can show: at most a tier that asks one, and then one that asks two.
function isShown({ tiers }: ApprovalRule): boolean {
  const asked = tiers.map(({ approvers }) => approvers).join()
  return ['', '1', '2', '1,2', '0'].includes(asked)
}

type Typed = { kind: ApprovalKind; tiers: { fromAmountInCents: unknown; approvers: number }[] }

// What cannot be read as an amount is sent as it is, and the operation says what is wrong with it.
function rulesIn(typed: URLSearchParams): Typed[] {
  const rules = APPROVAL_KINDS.map((kind): Typed => {
    if (!KINDS_WITH_AMOUNT.includes(kind)) {
      const approvers = Number(typed.get(`/${kind}`) ?? 0)
      return { kind, tiers: approvers === 0 ? [] : [{ fromAmountInCents: 0, approvers }] }
    }
    const tiers = ([1, 2] as const).flatMap((approvers) => {
      const text = (typed.get(amountPath(kind, approvers)) ?? '').trim()
      return text === '' ? [] : [{ fromAmountInCents: typedCents(text) ?? text, approvers }]
    })
    return { kind, tiers }
  })
  return rules.filter(({ tiers }) => tiers.length > 0)
}

function presented(rules: readonly ApprovalRule[]): object[] {
  return rules.map(({ kind, tiers }) => ({
    kind,
    tiers: tiers.map(({ fromInCents, approvers }) => ({
      fromAmountInCents: centsToNumber(fromInCents),
      approvers,
    })),
  }))
}

async function rulesPage(visit: Visit, form: FormState = newForm(visit)): Promise<Page> {
  const { language, organization } = visit
  const words = APPROVAL_SETTING_WORDS[language]
  const drawn = formFrame(visit, form, {
    action: PATH,
    operation: replaceApprovalRulesOperation,
    fields: fieldsOf(visit),
    submit: SETTINGS_WORDS[language].save,
    lock: organization.approvalRules.every(isShown) ? undefined : words.complex,
    call: { body: { rules: presented(organization.approvalRules) } },
  })
  const { name, text } = SETTINGS_WORDS[language].parts.approvals
  return settingsPage(visit, {
    part: 'approvals',
    title: name,
    lead: text,
    actions: wayTo(visit, '/approvals', words.seeApprovals, 'approvals:read'),
    content: html`${await waitingNote(visit)}${!form.needsProof && proofNote(visit)}${panel(words.money.title, words.money.text, drawn)}`,
  })
}

async function waitingNote({ ctx, organization, home, language }: Visit): Promise<Html | false> {
  const { organizationId } = organization
  const subject = { organizationId, kind: 'approval-rule', subjectId: organizationId } as const
  const waiting = await getWaitingApproval(ctx.db, subject)
  if (waiting === undefined) return false
  const words = APPROVAL_SETTING_WORDS[language]
  return html`<p class="note-line is-wait">${icon('clock')}<span>${words.waits} <a href="${home}/approvals/${waiting.approvalId}">${words.see}</a></span></p>`
}

export const approvalRuleRoutes: readonly Route[] = [
  { method: 'GET', path: PATH, scope: 'organization:read', show: (visit) => rulesPage(visit) },
  {
    method: 'POST',
    path: PATH,
    operation: replaceApprovalRulesOperation,
    stepUp: true,
    call: (_, typed) => ({ body: { rules: rulesIn(typed) } }),
    done: () => PATH,
    again: rulesPage,
  },
]
