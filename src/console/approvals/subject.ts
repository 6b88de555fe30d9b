// What an approval is about, in words: what will happen, and the facts that one must know to decide.

import { type Approval, documentOf } from '../../core/approvals/approval.ts'
import type { ApprovalKind, ApprovalTier } from '../../core/approvals/rule.ts'
import { html } from '../../core/html.ts'
import { amountText } from '../format.ts'
import type { Fact } from '../objects/object-page.ts'
import { personFacts } from '../objects/person-facts.ts'
import { eyesOf, receiverSeen } from '../people.ts'
import type { Visit } from '../visit.ts'
import { changeSubject } from './change-subject.ts'
import { APPROVAL_WORDS, type ApprovalWords } from './words.ts'

export type SubjectView = { readonly what: string; readonly facts: readonly Fact[] }

// Where the page of what is approved is. Of the others, all there is to know is here.
const SUBJECT_PATHS: Readonly<Partial<Record<ApprovalKind, (subjectId: string) => string>>> = {
  payout: (id) => `/payouts/${id}`,
  'suspense-return': (id) => `/suspense/${id}`,
}

const CHANGES: readonly ApprovalKind[] = ['connection', 'credential', 'suspense-return']

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
  if (kind === 'payout') return payoutSubject(visit, approval, facts)
  if (CHANGES.includes(kind)) return changeSubject(visit, approval, facts)
  if (kind === 'approval-rule') return rulesSubject(words, visit, approval, facts)
  const bound = Object.entries(documentOf(approval)).map(([name, value]): Fact => [name, textOf(value)])
  return { what: words.what.other, facts: [...facts, ...bound] }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function payoutSubject(visit: Visit, approval: Approval, facts: readonly Fact[]): Promise<SubjectView> {
  const { ctx, language, organization } = visit
  const words = APPROVAL_WORDS[language]
  const { organizationId } = organization
  const payout = await ctx.batched.getPayout({ organizationId, payoutId: approval.subjectId })
  if (payout === undefined) return { what: words.what.other, facts }
  const receiver = receiverSeen(await eyesOf(visit), payout.payoutId, payout.receiver)
  const [who, key] =
    typeof receiver === 'string' ? [receiver, receiver] : [receiver.customer.name, receiver.keyString]
  return {
    what: words.what.payout(amountText(payout.amountInCents, language), who, key),
    facts: [
      ...facts,
      ...personFacts(typeof receiver === 'string' ? receiver : receiver.customer, language),
      [words.facts.key, key],
      [words.facts.reference, payout.reference],
    ],
  }
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
