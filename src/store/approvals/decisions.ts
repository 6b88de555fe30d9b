// What people decided about approvals, with what proves it. Only ever added.

import type { ApprovalDecision, Decision, ProofKind } from '../../core/approvals/approval.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import type { Queryable } from '../db.ts'
import type { ApprovalAddress } from './approvals.ts'

export async function insertDecision(tx: Queryable, one: ApprovalDecision): Promise<void> {
  await tx.query({
    name: 'insert-approval-decision',
    text: `insert into approval_decisions (organization_id, approval_id, user_id, user_name, role, decision, proof, reason, digest,
                                           credential_id, public_key, algorithm, client_data, authenticator_data, signature,
                                           decided_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    values: [
      one.organizationId,
      one.approvalId,
      one.userId,
      one.userName,
      one.role,
      one.decision,
      one.proof,
      one.reason,
      one.digest,
      one.signed?.credentialId,
      one.signed?.publicKey,
      one.signed?.algorithm,
      one.signed?.clientData,
      one.signed?.authenticatorData,
      one.signed?.signature,
      isoInstant(one.decidedAt),
    ],
  })
}

export async function listDecisions(
  db: Queryable,
  { organizationId, approvalId }: ApprovalAddress,
): Promise<ApprovalDecision[]> {
  return listDecisionsOf(db, organizationId, [approvalId])
}

// In the order in which they were made.
export async function listDecisionsOf(
  db: Queryable,
  organizationId: string,
  approvalIds: readonly string[],
): Promise<ApprovalDecision[]> {
  const result = await db.query<DecisionRow>({
    name: 'list-approval-decisions',
    text: `select organization_id, approval_id, user_id, user_name, role, decision, proof, reason, digest, credential_id, public_key,
                  algorithm, client_data, authenticator_data, signature, decided_at
             from approval_decisions
            where organization_id = $1 and approval_id = any($2::uuid[])
            order by decided_at, user_id`,
    values: [organizationId, approvalIds],
  })
  return result.rows.map(toDecision)
}

type DecisionRow = {
  organization_id: string
  approval_id: string
  user_id: string
  user_name: string
  role: string
  decision: Decision
  proof: ProofKind
  reason: string | null
  digest: Buffer
  credential_id: Buffer | null
  public_key: Buffer | null
  algorithm: number | null
  client_data: Buffer | null
  authenticator_data: Buffer | null
  signature: Buffer | null
  decided_at: Instant
}

function toDecision(row: DecisionRow): ApprovalDecision {
  return {
    organizationId: row.organization_id,
    approvalId: row.approval_id,
    userId: row.user_id,
    userName: row.user_name,
    role: row.role,
    decision: row.decision,
    proof: row.proof,
    reason: row.reason,
    digest: row.digest,
    signed: row.signature && {
      credentialId: row.credential_id ?? EMPTY,
      publicKey: row.public_key ?? EMPTY,
      algorithm: row.algorithm ?? 0,
      clientData: row.client_data ?? EMPTY,
      authenticatorData: row.authenticator_data ?? EMPTY,
      signature: row.signature,
    },
    decidedAt: row.decided_at,
  }
}

const EMPTY = Buffer.alloc(0)
