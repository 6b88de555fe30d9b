// No payout is written by approval rules that another process has replaced. A request knows the rules as they were when it was
// authenticated; the statement that inserts payouts compares them with those that are there now.

import type { ApprovalRule } from '../core/approvals/rule.ts'
import { inScope, type Scope } from './scoped-statement.ts'

// Parts of a statement that inserts payouts: the rules of now, and the condition that an `incoming` payout (`i`) was made by them. One
// that names no rules was approved with what it belongs to.
export const presentRules = (scope: Scope): string => `present_rules as (
    select o.organization_id, o.approval_rules::jsonb as rules
      from organizations o
     where o.organization_id in (select organization_id from incoming where rules is not null) ${inScope(scope, 'o')}
  )`

export const IS_BY_PRESENT_RULES = `(i.rules is null
        or (i.organization_id, i.rules) in (select organization_id, rules from present_rules))`

// As they are stored.
export function storedRules(rules: readonly ApprovalRule[]): object[] {
  return rules.map(({ kind, tiers }) => ({
    kind,
    tiers: tiers.map(({ fromInCents, approvers }) => ({ fromInCents: Number(fromInCents), approvers })),
  }))
}
