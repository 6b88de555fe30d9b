// Schemas of approvals and their rules.

import { APPROVAL_STATUSES, DECISIONS, PROOFS } from '../../core/approvals/approval.ts'
import { APPROVAL_KINDS, MAX_APPROVERS, MAX_TIERS } from '../../core/approvals/rule.ts'
import { ACTOR_KINDS } from '../../core/audit/actor.ts'
import { Type } from '../../core/json-schema.ts'
import { PageInfoObject } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'

export const REASON_MAX_LENGTH = 300
// As much as any single amount can be.
const MAX_FROM_IN_CENTS = 100_000_000_000_000

export const Kind = (description: string) => OneOf(APPROVAL_KINDS, { description })
export const Status = (description: string) => OneOf(APPROVAL_STATUSES, { description })

export const ApprovalMaker = Type.Object({
  kind: OneOf(ACTOR_KINDS, { description: 'A person, an API key, an OAuth client, or the service itself.' }),
  id: Nullable(Type.String({ description: 'Of the person, key or client.' })),
  name: Nullable(Type.String({ description: 'As they are called.' })),
})

export const ApprovalDecisionObject = Type.Object({
  userId: Uuid('Who decided.'),
  userName: Type.String({ description: 'Their name then.' }),
  role: Type.String({ description: 'Their role then.' }),
  decision: OneOf(DECISIONS, { description: 'What they decided.' }),
  proof: OneOf(PROOFS, {
    description:
      'What showed that it was them. `PASSKEY`: their device signed the digest. `TOTP`: a code of their authenticator app. `SESSION`: they had proved lately who they are, which is enough to refuse.',
  }),
  reason: Nullable(Type.String({ description: 'What they wrote about it, or null.' })),
  decidedAt: DateTime('When.'),
})

export const ApprovalObject = Type.Object({
  id: Uuid('Identifier of the approval.'),
  kind: Kind('What is to be approved.'),
  subjectId: Type.String({
    description:
      'The payout or other object that waits. Of the rules: the organization. Of a key or client: the digest of what was asked for, and by whom.',
  }),
  status: Status('`WAITING` until everybody who is asked has decided. The others are final.'),
  amountInCents: Nullable(
    Type.Integer({ description: 'How much money it is about; null if it is about none.' }),
  ),
  approvers: Type.Integer({ description: 'How many people must approve it.', examples: [1] }),
  maker: ApprovalMaker,
  document: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'Exactly what is approved. Receivers and secrets stand in it as digests.',
  }),
  digest: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description:
      'SHA-256 of the canonical text of all this, in hexadecimal. Whoever approves with a passkey signs it.',
  }),
  decisions: Type.Array(ApprovalDecisionObject),
  createdAt: DateTime('When it was submitted.'),
  updatedAt: DateTime('When it last changed.'),
  lapsesAt: DateTime('When it lapses, if nobody has decided.'),
  decidedAt: Nullable(DateTime('When it ended; null while it waits.')),
  usedAt: Nullable(
    DateTime(
      'Of a key or client: when its maker sent the request again and had it; of a return from suspense: when it was asked for again and begun. Null before, and for everything else, which happens with the approval.',
    ),
  ),
  organizationId: Uuid('The organization.'),
})

export const ApprovalList = Type.Object({ data: Type.Array(ApprovalObject), pageInfo: PageInfoObject })

const Reason = Type.Optional(
  Text(REASON_MAX_LENGTH, {
    description: 'Why, in words. The team reads it.',
    examples: ['Nobody ordered this.'],
  }),
)
const Digest = Type.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  description: 'The `digest` of the approval as it was read.',
})
const Code = Type.Optional(
  Type.String({ maxLength: 20, description: 'A code of the person’s authenticator app.' }),
)
const PasskeyAnswer = Type.Optional(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The JSON of a passkey’s assertion whose challenge is the digest.',
  }),
)

export const DecideApproval = Type.Object({
  digest: Digest,
  reason: Reason,
  code: Code,
  passkey: PasskeyAnswer,
})

export const ApprovalTierObject = Type.Object({
  fromAmountInCents: Type.Integer({
    minimum: 0,
    maximum: MAX_FROM_IN_CENTS,
    description: 'The smallest amount that the tier is for. It reaches up to the next tier.',
    examples: [500_000_000],
  }),
  approvers: Type.Integer({
    minimum: 0,
    maximum: MAX_APPROVERS,
    description: 'How many people must approve. The one who asks is not among them.',
    examples: [1],
  }),
})

export const ApprovalRuleObject = Type.Object({
  kind: Kind('What the rule is about.'),
  tiers: Type.Array(ApprovalTierObject, {
    maxItems: MAX_TIERS,
    description: 'By amount, smallest first. What has no amount has one tier, from 0.',
  }),
})

export const ApprovalRules = Type.Object({
  rules: Type.Array(ApprovalRuleObject, { description: 'Kinds that are not named ask nobody.' }),
  waitingApprovalId: Nullable(
    Uuid(
      'The approval of a change of these rules that waits, or null. The rules stay as they are until then.',
    ),
  ),
  organizationId: Uuid('The organization.'),
})

export const ReplaceApprovalRules = Type.Object({
  rules: Type.Array(ApprovalRuleObject, {
    maxItems: APPROVAL_KINDS.length,
    description: 'All rules. Kinds that are not named ask nobody.',
  }),
})
