// Approvals for tests: people who may decide, rules, and payouts that wait.

import assert from 'node:assert/strict'
import type { Decision } from '../../../src/core/approvals/approval.ts'
import type { Actor } from '../../../src/core/audit/actor.ts'
import type { User } from '../../../src/core/team/user.ts'
import { type DecisionRequest, decideApproval } from '../../../src/flows/approvals/decide.ts'
import type { Context } from '../../../src/flows/context.ts'
import { CUSTOMER, type World } from '../../world.ts'

let count = 0

export function payoutBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1
  return {
    amountInCents: 1_000_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: `approved-${count}`,
    inlineCustomer: CUSTOMER,
    breb: { keyString: '@ANAGOMEZ' },
    ...changes,
  }
}

export function personActor({ userId, name }: User): Actor {
  return { kind: 'person', id: userId, name, sessionId: null, address: null, requestId: null }
}

export async function setRules(world: World, rules: unknown): Promise<void> {
  const { status, text } = await world.client('PUT', '/approval-rules', { rules })
  assert.equal(status, 200, text)
}

export async function approvalOf(world: World, subjectId: string) {
  const { json, text } = await world.client('GET', `/approvals?subjectId=${subjectId}`)
  assert.equal(json.data?.length, 1, text)
  return json.data[0]
}

export type Deciding = Partial<Omit<DecisionRequest, 'decision' | 'userId'>>

// As the console does it for somebody who has signed in.
export function decideAs(
  ctx: Context,
  user: User,
  approval: { id: string; digest: string; organizationId: string },
  decision: Decision,
  changes: Deciding = {},
) {
  return decideApproval(
    { ...ctx, actor: personActor(user) },
    {
      organizationId: approval.organizationId,
      approvalId: approval.id,
      userId: user.userId,
      decision,
      digest: Buffer.from(approval.digest, 'hex'),
      reason: null,
      given: {},
      ...changes,
    },
  )
}
