// What waits for other people: list, read, approve, refuse. A person decides, never a key.

import type { Decision } from '../../core/approvals/approval.ts'
import { presentApproval } from '../../core/approvals/object.ts'
import { isUuid } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../core/refusal.ts'
import { decideApproval } from '../../flows/approvals/decide.ts'
import {
  type ApprovalAddress,
  type ApprovalFilters,
  approvalList,
  getApproval,
} from '../../store/approvals/approvals.ts'
import { listDecisions, listDecisionsOf } from '../../store/approvals/decisions.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, readPage, TIME_QUERY } from '../http/pagination.ts'
import { Text } from '../http/schema.ts'
import { APPROVAL_EXAMPLES } from './examples.ts'
import { ApprovalList, ApprovalObject, DecideApproval, Kind, Status } from './schema.ts'

const APPROVAL_ID = {
  approvalId: { description: 'Identifier of the approval.', example: APPROVAL_EXAMPLES.approval.id },
}
const SUBJECT_MAX_LENGTH = 60

const ListApprovalsQuery = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(Status('Only approvals with this status.')),
  kind: Type.Optional(Kind('Only this kind.')),
  subjectId: Type.Optional(Text(SUBJECT_MAX_LENGTH, { description: 'Only those about this object.' })),
  ...TIME_QUERY,
})

export const listApprovalsOperation: Operation = {
  method: 'GET',
  path: '/approvals',
  operationId: 'listApprovals',
  tag: 'Approvals',
  summary: 'List approvals',
  description: 'What waits until people approve it, and what was decided. Newest first.',
  access: { scope: 'approvals:read', shown: 'apiKey' },
  query: ListApprovalsQuery,
  success: {
    status: 200,
    description: 'A page of approvals.',
    schema: ApprovalList,
    examples: { page: { summary: 'A page', value: APPROVAL_EXAMPLES.page } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, status, kind, subjectId, ...range } = query as Static<typeof ListApprovalsQuery>
    const { organizationId } = caller.organization
    const filters: ApprovalFilters = {
      ...(status !== undefined && { status }),
      ...(kind !== undefined && { kind }),
      ...(subjectId !== undefined && { subjectId }),
      ...idBounds(range),
    }
    const page = await readPage(
      { ...approvalList(ctx.db, organizationId, filters), idOf: ({ approvalId }) => approvalId },
      { key: ctx.settings.keys.cursor, context: `approvals ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    const ids = page.rows.map(({ approvalId }) => approvalId)
    const decisions = await listDecisionsOf(ctx.db, organizationId, ids)
    const data = page.rows.map((one) =>
      presentApproval(
        one,
        decisions.filter(({ approvalId }) => approvalId === one.approvalId),
      ),
    )
    return json(200, { data, pageInfo: page.pageInfo })
  },
}

export const getApprovalOperation: Operation = {
  method: 'GET',
  path: '/approvals/{approvalId}',
  operationId: 'getApproval',
  tag: 'Approvals',
  summary: 'Get an approval',
  description: 'The approval as it stands now, with who decided what.',
  access: { scope: 'approvals:read', shown: 'apiKey' },
  params: APPROVAL_ID,
  success: {
    status: 200,
    description: 'The approval.',
    schema: ApprovalObject,
    examples: { approval: { summary: 'A payout that waits', value: APPROVAL_EXAMPLES.approval } },
  },
  refusals: ['NOT_FOUND'],
  handle: async (request) => {
    const address = addressOf(request)
    const approval = address && (await getApproval(request.ctx.db, address))
    if (approval === undefined) return noSuchApproval(request)
    return json(200, presentApproval(approval, await listDecisions(request.ctx.db, approval)))
  },
}

const DECISION_REFUSALS: readonly RefusalCode[] = [
  'INVALID_INPUT',
  'NOT_FOUND',
  'PERSON_REQUIRED',
  'APPROVAL_OWN',
  'APPROVAL_PROOF_WRONG',
  'APPROVAL_DECIDED_BEFORE',
  'APPROVAL_ENDED',
  'APPROVAL_LAPSED',
  'APPROVAL_STALE',
]

export const approveApprovalOperation: Operation = {
  method: 'POST',
  path: '/approvals/{approvalId}/approve',
  operationId: 'approveApproval',
  tag: 'Approvals',
  summary: 'Approve',
  description:
    'A person approves exactly what `digest` stands for, with a passkey that signs it or with a code of their authenticator app. Keys and clients are refused: people do this in the console. When the last of those who are asked has approved, what waited goes on at once.',
  access: { scope: 'approvals:write', shown: 'apiKey' },
  act: 'approval.approve',
  params: APPROVAL_ID,
  body: {
    schema: DecideApproval,
    required: true,
    examples: { code: { summary: 'With a code', value: APPROVAL_EXAMPLES.approve } },
  },
  success: {
    status: 200,
    description: 'The approval after the decision.',
    schema: ApprovalObject,
    examples: { approved: { summary: 'Approved', value: APPROVAL_EXAMPLES.approved } },
  },
  refusals: DECISION_REFUSALS,
  handle: (request) => decide(request, 'APPROVED'),
}

export const refuseApprovalOperation: Operation = {
  method: 'POST',
  path: '/approvals/{approvalId}/refuse',
  operationId: 'refuseApproval',
  tag: 'Approvals',
  summary: 'Refuse',
  description:
    'A person refuses. One refusal is enough: what waited ends, and money that was reserved for it is available again.',
  access: { scope: 'approvals:write', shown: 'apiKey' },
  act: 'approval.refuse',
  params: APPROVAL_ID,
  body: {
    schema: DecideApproval,
    required: true,
    examples: { refuse: { summary: 'With a reason', value: APPROVAL_EXAMPLES.refuse } },
  },
  success: {
    status: 200,
    description: 'The approval after the decision.',
    schema: ApprovalObject,
    examples: { refused: { summary: 'Refused', value: APPROVAL_EXAMPLES.refused } },
  },
  refusals: DECISION_REFUSALS,
  handle: (request) => decide(request, 'REFUSED'),
}

async function decide(request: ApiRequest, decision: Decision): Promise<ApiAnswer | Refusal> {
  const { ctx, caller } = request
  const address = addressOf(request)
  if (address === undefined || (await getApproval(ctx.db, address)) === undefined)
    return noSuchApproval(request)
  if (caller.kind !== 'person')
    return refuse('PERSON_REQUIRED', 'A person must decide, signed in to the console.')
  const { digest, reason = null, code, passkey } = request.body as Static<typeof DecideApproval>
  const decided = await decideApproval(ctx, {
    ...address,
    userId: caller.credentialId,
    decision,
    digest: Buffer.from(digest, 'hex'),
    reason,
    given: { ...(code !== undefined && { code }), ...(passkey !== undefined && { passkey }) },
  })
  if (isRefusal(decided)) return decided
  return json(200, presentApproval(decided.approval, decided.decisions))
}

function addressOf({ caller, params }: ApiRequest): ApprovalAddress | undefined {
  const approvalId = (params.approvalId ?? '').toLowerCase()
  return isUuid(approvalId) ? { organizationId: caller.organization.organizationId, approvalId } : undefined
}

function noSuchApproval({ params }: ApiRequest): Refusal {
  return refuse('NOT_FOUND', `No approval has the id ${params.approvalId ?? ''}.`)
}
