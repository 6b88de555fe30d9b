// What operations on one connection have in common.

import { isUuid } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusal.ts'
import { refuseUnknownConnection } from '../../flows/connections/change-connection.ts'
import type { ConnectionAddress } from '../../store/connections/connections.ts'
import type { ApiAnswer, ApiRequest } from '../http/operation.ts'
import { CONNECTION_EXAMPLES as EXAMPLES } from './examples.ts'
import { ConnectionObject } from './schema.ts'

export const CONNECTION_ID = {
  connectionId: { description: 'Identifier of the connection.', example: EXAMPLES.connection.id },
}
export const READ = { scope: 'connections:read', shown: 'apiKey' } as const
export const WRITE = { scope: 'connections:write', shown: 'apiKey' } as const
export const connectionResponse = {
  status: 200,
  description: 'The connection.',
  schema: ConnectionObject,
  examples: { connection: { summary: 'A connection', value: EXAMPLES.connection } },
}

// Undefined: an id that is not a UUID matches no connection.
export function addressIn({ caller, params }: ApiRequest): ConnectionAddress | undefined {
  const connectionId = (params.connectionId ?? '').toLowerCase()
  if (!isUuid(connectionId)) return undefined
  return { organizationId: caller.organization.organizationId, connectionId }
}

export async function withAddress(
  request: ApiRequest,
  answer: (address: ConnectionAddress) => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  const address = addressIn(request)
  return address === undefined ? refuseUnknownConnection(request.params.connectionId ?? '') : answer(address)
}
