// The suspense desk: money that fits no open payin, the payins that it may be meant for, and what the merchant decides about it.

import { RAILS } from '../../core/connections/rail.ts'
import { isUuid } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import {
  attachOwnSuspense,
  noteSuspense,
  refuseUnknownSuspense,
  returnOwnSuspense,
} from '../../flows/ledger/decide-suspense.ts'
import { findCandidates } from '../../flows/ledger/suspense-candidates.ts'
import {
  getSuspenseItem,
  type SuspenseAddress,
  type SuspenseFilters,
  type SuspenseItem,
  suspenseList,
} from '../../store/ledger/suspense.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, readPage, TIME_QUERY } from '../http/pagination.ts'
import { OneOf, Uuid } from '../http/schema.ts'
import {
  AttachSuspenseItem,
  SUSPENSE_EXAMPLES as EXAMPLES,
  presentCandidate,
  presentSuspense,
  Reason,
  State,
  SuspenseItemChanges,
  SuspenseItemList,
  SuspenseItemObject,
  SuspenseItemWithCandidates,
} from './suspense-schema.ts'

const READ = { scope: 'ledger:read', shown: 'apiKey' } as const
const WRITE = { scope: 'suspense:write', shown: 'apiKey' } as const
const SUSPENSE_ID = {
  suspenseId: { description: 'Identifier of the money in suspense.', example: EXAMPLES.item.id },
}

const ListSuspenseQuery = Type.Object({
  ...PAGE_QUERY,
  state: Type.Optional(State('Only this state.')),
  reason: Type.Optional(Reason('Only this reason.')),
  rail: Type.Optional(OneOf(RAILS, { description: 'Only this rail.' })),
  payinId: Type.Optional(Uuid('Only money for which the network named this payin.')),
  amountInCents: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Only money of exactly this amount.' }),
  ),
  ...TIME_QUERY,
})

export const listSuspenseOperation: Operation = {
  method: 'GET',
  path: '/suspense',
  operationId: 'listSuspense',
  tag: 'Ledger',
  summary: 'List money in suspense',
  description:
    'Money that arrived too late, twice, in another amount or for a payin that does not exist, newest first. It is in your balance as `suspenseInCents` until somebody returns or attaches it.',
  access: READ,
  query: ListSuspenseQuery,
  success: {
    status: 200,
    description: 'A page of it.',
    schema: SuspenseItemList,
    examples: {
      page: {
        summary: 'A page',
        value: {
          data: [EXAMPLES.item],
          pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
        },
      },
    },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, createdFrom, createdTo, ...asked } = query as Static<typeof ListSuspenseQuery>
    const { organizationId } = caller.organization
    const range = {
      ...(createdFrom !== undefined && { createdFrom }),
      ...(createdTo !== undefined && { createdTo }),
    }
    const context = { ...asked, ...idBounds(range) }
    const { state, reason, rail, payinId, amountInCents } = asked
    const filters: SuspenseFilters = {
      ...(state !== undefined && { state }),
      ...(reason !== undefined && { reason }),
      ...(rail !== undefined && { rail }),
      ...(payinId !== undefined && { payinId }),
      ...(amountInCents !== undefined && { amountInCents: BigInt(amountInCents) }),
      ...idBounds(range),
    }
    const page = await readPage(
      {
        ...suspenseList(ctx.db, organizationId, filters),
        idOf: ({ suspenseId }: SuspenseItem) => suspenseId,
      },
      { key: ctx.settings.keys.cursor, context: `suspense ${organizationId} ${JSON.stringify(context)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    const present = await presenter({ ctx, caller })
    return json(200, { data: page.rows.map(present), pageInfo: page.pageInfo })
  },
}

export const getSuspenseOperation: Operation = {
  method: 'GET',
  path: '/suspense/{suspenseId}',
  operationId: 'getSuspense',
  tag: 'Ledger',
  summary: 'Get money in suspense',
  description:
    'One of them, with the payins that it may be meant for: the one that the network named, and those of the same amount, key or payer from a week before it to a day after. Payins are found by amount, key and payer a minute after they were created.',
  access: READ,
  params: SUSPENSE_ID,
  success: {
    status: 200,
    description: 'The money in suspense.',
    schema: SuspenseItemWithCandidates,
    examples: { late: { summary: 'Money that came too late', value: EXAMPLES.withCandidates } },
  },
  refusals: ['NOT_FOUND'],
  handle: (request) =>
    withAddress(request, async (address) => {
      const { ctx } = request
      const item = await getSuspenseItem(ctx.db, address)
      if (item === undefined) return refuseUnknownSuspense(address.suspenseId)
      const present = await presenter(request)
      const candidates = await findCandidates(ctx, item)
      return json(200, { ...present(item), candidates: candidates.map(presentCandidate) })
    }),
}

export const returnSuspenseOperation: Operation = {
  method: 'POST',
  path: '/suspense/{suspenseId}/return',
  operationId: 'returnSuspense',
  tag: 'Ledger',
  summary: 'Return money in suspense',
  description:
    'Sends what is left of it back to whoever sent it. The intention is written before the network is asked, always under the same reference. Where the network does not answer, the state is `RETURNING`: send the same request again, also with the same `Idempotency-Key`, until it is `RETURNED`. It never leaves twice. While a rule for `suspense-return` asks approvers it waits as an approval: send the same request again once they have approved.',
  access: WRITE,
  act: 'suspense.return',
  params: SUSPENSE_ID,
  success: {
    status: 200,
    description: 'The money in suspense. `RETURNED`: it was sent back. `RETURNING`: the outcome is unknown.',
    schema: SuspenseItemObject,
    examples: {
      returned: { summary: 'Sent back', value: EXAMPLES.returned },
      returning: { summary: 'The network did not answer', value: EXAMPLES.returning },
    },
  },
  refusals: ['NOT_FOUND', 'SUSPENSE_DECIDED', 'RETURN_REFUSED', 'APPROVAL_REQUIRED'],
  idempotent: true,
  handle: (request) =>
    decided(request, (address, idempotency) => returnOwnSuspense(request.ctx, address, idempotency)),
}

export const attachSuspenseOperation: Operation = {
  method: 'POST',
  path: '/suspense/{suspenseId}/attach',
  operationId: 'attachSuspense',
  tag: 'Ledger',
  summary: 'Attach money in suspense',
  description:
    'Says which of your payins the money was meant for. What is left of it moves to your available balance, or to what is at your providers if it came over a connection. The payin itself stays as it is: a final state never changes.',
  access: WRITE,
  act: 'suspense.attach',
  params: SUSPENSE_ID,
  body: {
    schema: AttachSuspenseItem,
    required: true,
    examples: { payin: { summary: 'To a payin', value: { payinId: EXAMPLES.item.payinId } } },
  },
  success: {
    status: 200,
    description: 'The money, attached.',
    schema: SuspenseItemObject,
    examples: { attached: { summary: 'Attached', value: EXAMPLES.attached } },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'SUSPENSE_DECIDED'],
  idempotent: true,
  handle: (request) => {
    const { payinId } = request.body as Static<typeof AttachSuspenseItem>
    return decided(request, (address, idempotency) =>
      attachOwnSuspense(request.ctx, address, payinId.toLowerCase(), idempotency),
    )
  },
}

export const noteSuspenseOperation: Operation = {
  method: 'PATCH',
  path: '/suspense/{suspenseId}',
  operationId: 'noteSuspense',
  tag: 'Ledger',
  summary: 'Note on money in suspense',
  description: 'Writes a note for your staff. It moves no money, and may be written in any state.',
  access: WRITE,
  act: 'suspense.note',
  params: SUSPENSE_ID,
  body: {
    schema: SuspenseItemChanges,
    required: true,
    examples: { note: { summary: 'A note', value: { note: EXAMPLES.noted.note } } },
  },
  success: {
    status: 200,
    description: 'The money in suspense.',
    schema: SuspenseItemObject,
    examples: { noted: { summary: 'With its note', value: EXAMPLES.noted } },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND'],
  handle: (request) =>
    withAddress(request, async (address) => {
      const { note } = request.body as { note: string | null }
      const noted = await noteSuspense(request.ctx, address, note)
      return isRefusal(noted) ? noted : json(200, (await presenter(request))(noted))
    }),
}

type Decision = (
  address: SuspenseAddress,
  idempotency: Parameters<typeof returnOwnSuspense>[2],
) => Promise<SuspenseItem | Refusal>

function decided(request: ApiRequest, decide: Decision): Promise<ApiAnswer | Refusal> {
  return withAddress(request, async (address) => {
    const present = await presenter(request)
    const answer = renderOnce((item: SuspenseItem) => json(200, present(item)))
    // A recorded answer holds the note, which is kept sealed.
    const idempotency = request.idempotency && { ...request.idempotency, answer, secret: true }
    const item = await decide(address, idempotency)
    return isRefusal(item) ? item : answer(item)
  })
}

async function presenter({
  ctx,
  caller,
}: Pick<ApiRequest, 'ctx' | 'caller'>): Promise<(item: SuspenseItem) => Record<string, unknown>> {
  const vault = await ctx.vault(caller.organization.organizationId)
  return (item) => presentSuspense(item, vault, ctx.clock.now())
}

// An id that is not a UUID matches nothing.
async function withAddress(
  { caller, params }: ApiRequest,
  answer: (address: SuspenseAddress) => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  const suspenseId = (params.suspenseId ?? '').toLowerCase()
  if (!isUuid(suspenseId)) return refuseUnknownSuspense(params.suspenseId ?? '')
  return answer({ organizationId: caller.organization.organizationId, suspenseId })
}
