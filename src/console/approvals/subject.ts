// What an approval is about, in words: what will happen, and the facts that one must know to decide.

import { type Approval, documentOf } from '../../core/approvals/approval.ts'
import type { ApprovalKind, ApprovalTier } from '../../core/approvals/rule.ts'
import { html } from '../../core/html.ts'
import { amountText } from '../format.ts'
import type { Fact } from '../objects/object-page.ts'
import type { Visit } from '../visit.ts'
import { changeSubject } from './change-subject.ts'
import { MONEY_SUBJECTS, type MoneyKind, type SubjectView } from './money-subject.ts'
import { APPROVAL_WORDS, type ApprovalWords } from './words.ts'

// Where the page of what is approved is. Of the others, all there is to know is here.
const SUBJECT_PATHS: Readonly<Partial<Record<ApprovalKind, (subjectId: string) => string>>> = {
  payout: (id) => `/payouts/${id}`,
  refund: (id) => `/refunds/${id}`,
  'suspense-return': (id) => `/suspense/${id}`,
}

export async function subjectOf(visit: Visit, approval: Approval): Promise<SubjectView> {
  const { language, home } = visit
  const words = APPROVAL_WORDS[language]
  const { kind, amountInCents, subjectId } = approval
  const path = SUBJECT_PATHS[kind]?.(subjectId)
  const facts: Fact[] = [
    [words.facts.kind, words.kinds[kind]],
    [words.facts.amount, amountInCents === null ? null : amountText(amountInCents, language)],
    ...(path === undefined
      ? []
      : [[words.facts.subject, html`<a href="${home}${path}">${words.kinds[kind]}</a>`] as const]),
  ]
  if (isMoney(kind)) return MONEY_SUBJECTS[kind](visit, approval, facts)
  if (kind === 'approval-rule') return rulesSubject(words, visit, approval, facts)
  return changeSubject(visit, approval, facts)
}

function isMoney(kind: ApprovalKind): kind is MoneyKind {
  return kind in MONEY_SUBJECTS
}

type ShownRule = {
  readonly kind: ApprovalKind
  readonly tiers: readonly (Omit<ApprovalTier, 'fromInCents'> & { readonly fromInCents: string })[]
}

function rulesSubject(
  words: ApprovalWords,
  { language }: Visit,
  approval: Approval,
  facts: readonly Fact[],
): SubjectView {
  const { before, after } = documentOf(approval) as { before: ShownRule[]; after: ShownRule[] }
  const linesOf = (rules: readonly ShownRule[]) =>
    rules.length === 0
      ? words.ruleText([])
      : html`${rules.map(({ kind, tiers }) => {
          const texts = tiers.map(({ fromInCents, approvers }) =>
            words.tier(approvers, fromInCents === '0' ? null : amountText(BigInt(fromInCents), language)),
          )
          return html`<span class="block">${words.kinds[kind]}: ${words.ruleText(texts)}</span><br>`
        })}`
  return {
    what: words.what.rules,
    facts: [...facts, [words.facts.now, linesOf(before)], [words.facts.then, linesOf(after)]],
  }
}
