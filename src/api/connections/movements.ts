// What a merchant records of its money at a provider: deposits and withdrawals, each created and listed.

import {
  type ConnectionMovement,
  MAX_MOVEMENT_CENTS,
  type MovementKind,
} from '../../core/connections/movement.ts'
import { isoInstant } from '../../core/instant.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { centsToNumber, centsToPesos } from '../../core/money.ts'
import { isRefusal } from '../../core/refusal.ts'
import { refuseUnknownConnection } from '../../flows/connections/change-connection.ts'
import { recordMovement } from '../../flows/connections/record-movement.ts'
import { type ConnectionAddress, getConnection } from '../../store/connections/connections.ts'
import { movementList } from '../../store/connections/movements.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, PageInfoObject, readPage, TIME_QUERY } from '../http/pagination.ts'
import { DateTime, OneOf, Text, Uuid } from '../http/schema.ts'
import { REFERENCE_MAX_LENGTH } from '../payins/schema.ts'
import { CONNECTION_EXAMPLES } from './examples.ts'
import { CONNECTION_ID, READ, WRITE, withAddress } from './one-connection.ts'

export const CreateConnectionMovement = Type.Object({
  amountInCents: Type.Integer({
    minimum: 1,
    maximum: MAX_MOVEMENT_CENTS,
    description: 'Amount in cents of a peso: 5000000 is COP 50,000.',
    examples: [100_000_000],
  }),
  reference: Text(REFERENCE_MAX_LENGTH, {
    description: 'Your own name for it, such as the bank’s number of the transfer. It need not be unique.',
    examples: ['transfer 77120'],
  }),
})

export const ConnectionMovementObject = Type.Object({
  id: Uuid('Identifier of the deposit or withdrawal, and subject of its transfers in the ledger.'),
  connectionId: Uuid('The connection whose account it went into or out of.'),
  amount: Type.Number({ description: 'Amount in pesos: `amountInCents / 100`.' }),
  amountInCents: Type.Integer(),
  currency: OneOf(['COP'] as const),
  reference: Type.String(),
  recordedBy: Type.String({ description: 'The API key or OAuth client that recorded it.' }),
  createdAt: DateTime('When it was recorded.'),
})

export const ConnectionMovementList = Type.Object({
  data: Type.Array(ConnectionMovementObject),
  pageInfo: PageInfoObject,
})

const create = { amountInCents: 100_000_000, reference: 'transfer 77120' }
const example = {
  id: '019a5c50-6c1a-7d0b-8f3e-0a1b2c3d4e5f',
  connectionId: CONNECTION_EXAMPLES.connection.id,
  amount: 1_000_000,
  ...create,
  currency: 'COP',
  recordedBy: '019a5c3e-0000-7000-8000-0000000000aa',
  createdAt: '2025-11-07T13:05:00.000Z',
}

function presentMovement(movement: ConnectionMovement): Record<string, unknown> {
  return {
    id: movement.movementId,
    connectionId: movement.connectionId,
    amount: centsToPesos(movement.amountInCents),
    amountInCents: centsToNumber(movement.amountInCents),
    currency: 'COP',
    reference: movement.reference,
    recordedBy: movement.recordedBy,
    createdAt: isoInstant(movement.createdAt),
  }
}

const ListQuery = Type.Object({ ...PAGE_QUERY, ...TIME_QUERY })

type Words = Pick<Operation, 'operationId' | 'summary' | 'description'>

function createOperation(kind: MovementKind, path: string, words: Words): Operation {
  const body = {
    schema: CreateConnectionMovement,
    required: true,
    examples: { transfer: { summary: 'A bank transfer', value: create } },
  }
  return {
    method: 'POST',
    path,
    tag: 'Connections',
    ...words,
    access: WRITE,
    act: kind === 'DEPOSIT' ? 'movement.deposit' : 'movement.withdraw',
    params: CONNECTION_ID,
    body,
    success: {
      status: 201,
      description: 'It was recorded.',
      schema: ConnectionMovementObject,
      examples: { recorded: { summary: 'Recorded', value: example } },
    },
    refusals:
      kind === 'DEPOSIT' ? ['INVALID_INPUT', 'NOT_FOUND'] : ['INVALID_INPUT', 'NOT_FOUND', 'BALANCE_TOO_LOW'],
    idempotent: true,
    handle: (request) =>
      withAddress(request, async (address) => {
        const { ctx, caller, idempotency } = request
        const { amountInCents, reference } = request.body as Static<typeof CreateConnectionMovement>
        const answer = renderOnce((movement: ConnectionMovement) => json(201, presentMovement(movement)))
        const wanted = {
          kind,
          amountInCents: BigInt(amountInCents),
          reference,
          recordedBy: caller.credentialId,
        }
        const recorded = await recordMovement(ctx, address, wanted, idempotency && { ...idempotency, answer })
        return isRefusal(recorded) ? recorded : answer(recorded)
      }),
  }
}

function listOperation(kind: MovementKind, path: string, words: Words): Operation {
  return {
    method: 'GET',
    path,
    tag: 'Connections',
    ...words,
    access: READ,
    params: CONNECTION_ID,
    query: ListQuery,
    success: {
      status: 200,
      description: 'A page of them.',
      schema: ConnectionMovementList,
      examples: {
        page: {
          summary: 'A page',
          value: {
            data: [example],
            pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
          },
        },
      },
    },
    refusals: ['INVALID_INPUT', 'NOT_FOUND', 'CURSOR_INVALID'],
    handle: (request) =>
      withAddress(request, async (address) => {
        const { ctx, query } = request
        const { cursor, pageSize, ...range } = query as Static<typeof ListQuery>
        const { organizationId, connectionId } = address
        const filters = { connectionId, kind, ...idBounds(range) }
        const page = await readPage(
          {
            ...movementList(ctx.db, organizationId, filters),
            idOf: (movement: ConnectionMovement) => movement.movementId,
          },
          {
            key: ctx.settings.keys.cursor,
            context: `movements ${organizationId} ${JSON.stringify(filters)}`,
          },
          cursor,
          pageSize ?? PAGE_SIZE.default,
        )
        if (isRefusal(page)) return page
        const isEmpty = cursor === undefined && page.rows.length === 0
        if (isEmpty && !(await isKnown(ctx, address, kind))) return refuseUnknownConnection(connectionId)
        return json(200, { data: page.rows.map(presentMovement), pageInfo: page.pageInfo })
      }),
  }
}

// What was recorded stays when the connection is deleted, also if none of it is in the times that are asked for.
async function isKnown(
  { db }: ApiRequest['ctx'],
  address: ConnectionAddress,
  kind: MovementKind,
): Promise<boolean> {
  if ((await getConnection(db, address)) !== undefined) return true
  const { organizationId, connectionId } = address
  const recorded = movementList(db, organizationId, { connectionId, kind })
  return (await recorded.seek({ direction: 'older', from: null }, 1)).length > 0
}

const DEPOSITS = '/connections/{connectionId}/deposits'
const WITHDRAWALS = '/connections/{connectionId}/withdrawals'

export const createConnectionDepositOperation = createOperation('DEPOSIT', DEPOSITS, {
  operationId: 'createConnectionDeposit',
  summary: 'Record a deposit at the provider',
  description:
    'Says that you put money of yours into the account at the provider. Recaudo cannot see that, and moves nothing. Payouts over connections are paid from it, whichever of your connections it was recorded at; payouts over the installation’s own networks never are. A deposit cannot be changed: record a withdrawal to correct it.',
})

export const listConnectionDepositsOperation = listOperation('DEPOSIT', DEPOSITS, {
  operationId: 'listConnectionDeposits',
  summary: 'List deposits',
  description: 'What was recorded as put into this account, newest first.',
})

export const createConnectionWithdrawalOperation = createOperation('WITHDRAWAL', WITHDRAWALS, {
  operationId: 'createConnectionWithdrawal',
  summary: 'Record a withdrawal from the provider',
  description:
    'Says that money left the account at the provider and is yours elsewhere, such as what the provider paid to your bank. Recaudo moves nothing. It may not be more than `depositedInCents` of the balance, whichever of your connections that came over. A withdrawal cannot be changed: record a deposit to correct it.',
})

export const listConnectionWithdrawalsOperation = listOperation('WITHDRAWAL', WITHDRAWALS, {
  operationId: 'listConnectionWithdrawals',
  summary: 'List withdrawals',
  description: 'What was recorded as taken out of this account, newest first.',
})
