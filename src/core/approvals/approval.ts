// Something that waits until people other than its maker have approved it. An approval is bound to the digest of a canonical text:
// what is done, by whom it was made, and how many must approve. Whoever approves with a passkey signs that digest.

import { hash } from 'node:crypto'
import type { Actor } from '../audit/actor.ts'
import { DAY_MS, type Instant } from '../instant.ts'
import { type Lifecycle, nextState } from '../lifecycle.ts'
import type { ApprovalKind } from './rule.ts'

export const APPROVAL_STATUSES = ['WAITING', 'APPROVED', 'REFUSED', 'LAPSED', 'VOIDED'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

// Voided: what it was about was changed or withdrawn.
export const APPROVAL = {
  WAITING: { approve: 'APPROVED', refuse: 'REFUSED', lapse: 'LAPSED', void: 'VOIDED' },
  APPROVED: {},
  REFUSED: {},
  LAPSED: {},
  VOIDED: {},
} as const satisfies Lifecycle<ApprovalStatus>

export const APPROVAL_LIFETIME_MS = 7 * DAY_MS

// Who asked for it.
export type Maker = Pick<Actor, 'kind' | 'id' | 'name'>

export type Approval = {
  readonly organizationId: string
  readonly approvalId: string
  readonly version: number
  readonly kind: ApprovalKind
  // What it is about: a payout, a batch, a connection, …
  readonly subjectId: string
  readonly status: ApprovalStatus
  readonly amountInCents: bigint | null
  readonly approvers: number
  readonly maker: Maker
  readonly canonicalText: string
  readonly digest: Buffer
  // What the act needs besides, sealed. Never shown, and gone once it is decided.
  readonly payload: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly lapsesAt: Instant
  readonly decidedAt: Instant | null
  // When the maker did what was approved, where that is theirs to do.
  readonly usedAt: Instant | null
}

export const DECISIONS = ['APPROVED', 'REFUSED'] as const
export type Decision = (typeof DECISIONS)[number]

// What shows that it was them: a passkey that signed the digest, a code of their app, or (to refuse) a session that was proved lately.
export const PROOFS = ['PASSKEY', 'TOTP', 'SESSION'] as const
export type ProofKind = (typeof PROOFS)[number]

export type SignedProof = {
  readonly credentialId: Buffer
  // As SubjectPublicKeyInfo, as it was then: the passkey may be gone when somebody asks.
  readonly publicKey: Buffer
  readonly algorithm: number
  readonly clientData: Buffer
  readonly authenticatorData: Buffer
  readonly signature: Buffer
}

export type ApprovalDecision = {
  readonly organizationId: string
  readonly approvalId: string
  readonly userId: string
  readonly userName: string
  readonly role: string
  readonly decision: Decision
  readonly proof: ProofKind
  readonly reason: string | null
  readonly digest: Buffer
  readonly signed: SignedProof | null
  readonly decidedAt: Instant
}

export type Submission = Pick<
  Approval,
  'organizationId' | 'kind' | 'subjectId' | 'amountInCents' | 'maker'
> & {
  // Everything that must not change between the approval and the act. Only JSON's own values, and bigints.
  readonly document: Readonly<Record<string, unknown>>
  readonly payload?: string | null
}

export function newApproval(
  approvalId: string,
  approvers: number,
  { document, payload = null, ...submission }: Submission,
  now: Instant,
): Approval {
  const canonicalText = canonicalApproval(approvalId, approvers, { ...submission, document })
  return {
    ...submission,
    approvalId,
    version: 1,
    status: 'WAITING',
    approvers,
    canonicalText,
    digest: digestOf(canonicalText),
    payload,
    createdAt: now,
    updatedAt: now,
    lapsesAt: now + APPROVAL_LIFETIME_MS,
    decidedAt: null,
    usedAt: null,
  }
}

// The id is in it, so that no two approvals have one digest, and a signature is good for one of them.
export function canonicalApproval(
  approvalId: string,
  approvers: number,
  { organizationId, kind, subjectId, amountInCents, maker, document }: Submission,
): string {
  return canonicalJson({
    version: 1,
    organizationId,
    approvalId,
    kind,
    subjectId,
    amountInCents,
    approvers,
    maker: { kind: maker.kind, id: maker.id },
    document,
  })
}

export function digestOf(canonicalText: string): Buffer {
  return hash('sha256', canonicalText, 'buffer')
}

// Names in the order of their code points, no spaces, cents as decimal text: the same value is the same text everywhere.
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return JSON.stringify(value.toString())
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  fields.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`).join(',')}}`
}

// What was bound, read back from the text.
export function documentOf({ canonicalText }: Pick<Approval, 'canonicalText'>): Record<string, unknown> {
  return (JSON.parse(canonicalText) as { document: Record<string, unknown> }).document
}

// Whether the subject is still what the approval is bound to.
export function isBoundTo(approval: Approval, document: Readonly<Record<string, unknown>>): boolean {
  const text = canonicalApproval(approval.approvalId, approval.approvers, { ...approval, document })
  return digestOf(text).equals(approval.digest)
}

export type Ending = 'approve' | 'refuse' | 'lapse' | 'void'

// Undefined if it has ended already.
export function endApproval(approval: Approval, ending: Ending, now: Instant): Approval | undefined {
  const status = nextState<ApprovalStatus>(APPROVAL, approval.status, ending)
  if (status === undefined) return undefined
  return {
    ...approval,
    status,
    payload: null,
    version: approval.version + 1,
    updatedAt: now,
    decidedAt: now,
  }
}

export function isLapsed({ status, lapsesAt }: Pick<Approval, 'status' | 'lapsesAt'>, now: Instant): boolean {
  return status === 'WAITING' && now >= lapsesAt
}
