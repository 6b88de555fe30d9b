// The rules of approvals are replaced as a whole. While they ask approvers for a change of themselves, the change waits like
// anything else. There is one change at a time: a new one voids the one that waits.

import { type Approval, documentOf } from '../../core/approvals/approval.ts'
import { type ApprovalRule, type ApprovalTier, peopleNeeded } from '../../core/approvals/rule.ts'
import type { Organization } from '../../core/organizations/organization.ts'
import { isScopeGranted } from '../../core/organizations/scope.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { ROLE_SCOPES } from '../../core/team/role.ts'
import { getWaitingApproval } from '../../store/approvals/approvals.ts'
import type { Queryable } from '../../store/db.ts'
import { lockOrganization, updateApprovalRules } from '../../store/organizations/organizations.ts'
import { listMembers } from '../../store/team/members.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import type { ApprovalEffect, EffectContext } from './effect.ts'
import { submitForApproval, voidApproval } from './submit.ts'

export type RulesChange = { readonly rules: readonly ApprovalRule[]; readonly waiting: Approval | null }

export async function changeApprovalRules(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'signals'>,
  organizationId: string,
  rules: readonly ApprovalRule[],
): Promise<RulesChange | Refusal> {
  const subject = { organizationId, kind: 'approval-rule', subjectId: organizationId } as const
  const outcome = await ctx.db.inTransaction(async (tx): Promise<RulesChange | Refusal | undefined> => {
    const lacking = await refuseTooFew(tx, organizationId, rules)
    if (lacking !== undefined) return lacking
    await voidApproval(ctx, tx, subject)
    const organization = await lockOrganization(tx, organizationId)
    if (organization === undefined) return refuse('NOT_FOUND', 'The organization no longer exists.')
    // Another change was submitted between the two locks. Nothing is written yet.
    if ((await getWaitingApproval(tx, subject)) !== undefined) return undefined
    const waiting = await submitForApproval(ctx, tx, {
      organization,
      kind: 'approval-rule',
      subjectId: organizationId,
      amountInCents: null,
      document: documentOfChange(organization, rules),
    })
    if (waiting !== null) return { rules: organization.approvalRules, waiting }
    await replaceRules(ctx, tx, organization, rules)
    return { rules, waiting: null }
  })
  if (outcome === undefined) return changeApprovalRules(ctx, organizationId, rules)
  ctx.signals.workAdded('settings', organizationId)
  ctx.signals.workAdded('events', organizationId)
  return outcome
}

// A rule that nobody can meet would stop everything of its kind, and could not be taken back.
async function refuseTooFew(
  tx: Queryable,
  organizationId: string,
  rules: readonly ApprovalRule[],
): Promise<Refusal | undefined> {
  const needed = peopleNeeded(rules)
  if (needed === 0) return undefined
  const members = await listMembers(tx, organizationId)
  const able = members.filter(({ role }) => isScopeGranted(ROLE_SCOPES[role], 'approvals:write')).length
  if (able >= needed) return undefined
  return refuse(
    'TOO_FEW_APPROVERS',
    `These rules need ${needed} people who may approve; the team has ${able}.`,
  )
}

function documentOfChange(
  { approvalRules }: Organization,
  rules: readonly ApprovalRule[],
): Readonly<Record<string, unknown>> {
  return { before: approvalRules, after: rules }
}

async function replaceRules(
  ctx: EffectContext | Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  { organizationId, approvalRules }: Organization,
  rules: readonly ApprovalRule[],
): Promise<void> {
  await updateApprovalRules(tx, organizationId, rules, ctx.clock.now())
  const before = { rules: approvalRules }
  const act = { act: 'approvalrule.change', before, after: { rules } } as const
  await recordAct(ctx, tx, { ...act, organizationId, objectId: organizationId })
}

// As the document says: what was approved, and nothing else, becomes the rules.
function rulesIn(approval: Approval): ApprovalRule[] {
  const { after } = documentOf(approval) as {
    after: (Omit<ApprovalRule, 'tiers'> & { tiers: StoredTier[] })[]
  }
  return after.map(({ kind, tiers }) => ({
    kind,
    tiers: tiers.map(({ fromInCents, approvers }) => ({ fromInCents: BigInt(fromInCents), approvers })),
  }))
}

type StoredTier = Omit<ApprovalTier, 'fromInCents'> & { readonly fromInCents: string }

const nothing = async (): Promise<void> => {}

export const rulesApproval: ApprovalEffect = {
  current: async (tx, approval) => {
    const organization = await lockOrganization(tx, approval.organizationId)
    return organization && documentOfChange(organization, rulesIn(approval))
  },
  approved: async (ctx, tx, approval) => {
    const organization = await lockOrganization(tx, approval.organizationId)
    if (organization !== undefined) await replaceRules(ctx, tx, organization, rulesIn(approval))
  },
  refused: nothing,
  lapsed: nothing,
  stale: nothing,
  wakes: ['settings'],
}
