// Who must approve what: read the rules, and replace them.

import { type ApprovalRule, type Approvers, ruleProblems } from '../../core/approvals/rule.ts'
import type { Static } from '../../core/json-schema.ts'
import { centsToNumber } from '../../core/money.ts'
import { type FieldProblem, isRefusal } from '../../core/refusal.ts'
import { changeApprovalRules } from '../../flows/approvals/change-rules.ts'
import { getWaitingApproval } from '../../store/approvals/approvals.ts'
import { getOrganization } from '../../store/organizations/organizations.ts'
import { json, type Operation } from '../http/operation.ts'
import { APPROVAL_EXAMPLES } from './examples.ts'
import { ApprovalRules, ReplaceApprovalRules } from './schema.ts'

export const getApprovalRulesOperation: Operation = {
  method: 'GET',
  path: '/approval-rules',
  operationId: 'getApprovalRules',
  tag: 'Approvals',
  summary: 'Get the approval rules',
  description: 'How many people must approve what, by kind and amount. Without rules nobody is asked.',
  access: { scope: 'organization:read', shown: 'apiKey' },
  success: {
    status: 200,
    description: 'The rules in force.',
    schema: ApprovalRules,
    examples: { rules: { summary: 'Payouts by amount', value: APPROVAL_EXAMPLES.rules } },
  },
  refusals: [],
  handle: async ({ ctx, caller }) => {
    const { organizationId } = caller.organization
    const subject = { organizationId, kind: 'approval-rule', subjectId: organizationId } as const
    const [waiting, organization] = [
      await getWaitingApproval(ctx.db, subject),
      await getOrganization(ctx.db, organizationId),
    ]
    const rules = organization?.approvalRules ?? []
    return json(200, presentRules(organizationId, rules, waiting?.approvalId ?? null))
  },
}

type Replacement = Static<typeof ReplaceApprovalRules>

export const replaceApprovalRulesOperation: Operation = {
  method: 'PUT',
  path: '/approval-rules',
  operationId: 'replaceApprovalRules',
  tag: 'Approvals',
  summary: 'Replace the approval rules',
  description:
    'Replaces all rules. While a rule for `approval-rule` asks approvers, the change waits as an approval, the old rules stay in force, and another change takes the place of the one that waits. What waits already keeps the number of approvers that it was submitted with.',
  access: { scope: 'organization:write', shown: 'apiKey' },
  act: 'approvalrule.change',
  body: {
    schema: ReplaceApprovalRules,
    required: true,
    examples: { rules: { summary: 'Payouts by amount', value: APPROVAL_EXAMPLES.replaceRules } },
  },
  rules: ({ body }) => problemsOf(body as Partial<Replacement>),
  success: {
    status: 200,
    description: 'The rules in force, and the approval that waits if there is one.',
    schema: ApprovalRules,
    examples: { rules: { summary: 'Replaced', value: APPROVAL_EXAMPLES.rules } },
  },
  refusals: ['INVALID_INPUT', 'TOO_FEW_APPROVERS'],
  handle: async ({ ctx, caller, body }) => {
    const { organizationId } = caller.organization
    const outcome = await changeApprovalRules(ctx, organizationId, rulesOf(body as Replacement))
    if (isRefusal(outcome)) return outcome
    return json(200, presentRules(organizationId, outcome.rules, outcome.waiting?.approvalId ?? null))
  },
}

function presentRules(
  organizationId: string,
  rules: readonly ApprovalRule[],
  waitingApprovalId: string | null,
): object {
  return {
    rules: rules.map(({ kind, tiers }) => ({
      kind,
      tiers: tiers.map(({ fromInCents, approvers }) => ({
        fromAmountInCents: centsToNumber(fromInCents),
        approvers,
      })),
    })),
    waitingApprovalId,
    organizationId,
  }
}

function rulesOf({ rules }: Replacement): ApprovalRule[] {
  return rules.map(({ kind, tiers }) => ({
    kind,
    tiers: tiers.map(({ fromAmountInCents, approvers }) => ({
      fromInCents: BigInt(fromAmountInCents),
      approvers: approvers as Approvers,
    })),
  }))
}

// Runs beside the schema, which may have found that these are no rules at all.
function problemsOf(body: Partial<Replacement>): FieldProblem[] {
  const isWhole =
    Array.isArray(body.rules) &&
    body.rules.every(
      (rule) =>
        Array.isArray(rule?.tiers) &&
        rule.tiers.every((tier) => Number.isSafeInteger(tier?.fromAmountInCents)),
    )
  if (!isWhole) return []
  const rules = rulesOf(body as Replacement)
  return ruleProblems(rules).map(({ rule, tier, message }) => ({
    path: tier === undefined ? `/rules/${rule}/kind` : `/rules/${rule}/tiers/${tier}/fromAmountInCents`,
    code: 'NOT_ALLOWED',
    message,
  }))
}
