// Examples of approvals and their rules, for the documentation.

const decision = {
  userId: '019a5c3e-4d5e-7f60-8a71-b2c3d4e5f607',
  userName: 'Carlos Ruiz',
  role: 'approver',
  decision: 'APPROVED',
  proof: 'PASSKEY',
  reason: null,
  decidedAt: '2025-11-07T13:04:10.500Z',
}

const approval = {
  id: '019a5c40-3c4d-7e5f-8a61-7b8c9d0e1f2a',
  kind: 'payout',
  subjectId: '019a5c40-2b3c-7d4e-8f50-6a7b8c9d0e1f',
  status: 'WAITING',
  amountInCents: 600_000_000,
  approvers: 1,
  maker: { kind: 'key', id: '019a5c3e-1111-7000-8000-000000000001', name: 'Payroll' },
  document: {
    amountInCents: '600000000',
    connectionId: null,
    currency: 'COP',
    keyType: 'ALPHANUMERIC',
    noteSha256: null,
    rail: 'BRE_B',
    receiverSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    reference: 'supplier-2026-11',
  },
  digest: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  decisions: [],
  createdAt: '2025-11-07T13:01:30.300Z',
  updatedAt: '2025-11-07T13:01:30.300Z',
  lapsesAt: '2025-11-14T13:01:30.300Z',
  decidedAt: null,
  usedAt: null,
  organizationId: '019a5c3e-0000-7000-8000-000000000001',
}

const decided = { updatedAt: decision.decidedAt, decidedAt: decision.decidedAt }
const approved = { ...approval, ...decided, status: 'APPROVED', decisions: [decision] }
const reason = 'Nobody ordered this.'
const refused = {
  ...approval,
  ...decided,
  status: 'REFUSED',
  decisions: [{ ...decision, decision: 'REFUSED', proof: 'SESSION', reason }],
}

const page = {
  data: [approval],
  pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
}

const replaceRules = {
  rules: [
    {
      kind: 'payout',
      tiers: [
        { fromAmountInCents: 500_000_000, approvers: 1 },
        { fromAmountInCents: 1_000_000_000, approvers: 2 },
      ],
    },
    { kind: 'approval-rule', tiers: [{ fromAmountInCents: 0, approvers: 1 }] },
  ],
}

const rules = { ...replaceRules, waitingApprovalId: null, organizationId: approval.organizationId }

export const APPROVAL_EXAMPLES = {
  decision,
  approval,
  approved,
  refused,
  page,
  rules,
  replaceRules,
  approve: { digest: approval.digest, code: '492039' },
  refuse: { digest: approval.digest, reason },
}
