// What operations on one webhook endpoint have in common.

import { isUuid } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusal.ts'
import { refuseUnknownEndpoint } from '../../flows/webhooks/change-endpoint.ts'
import type { ApiAnswer, ApiRequest } from '../http/operation.ts'
import { WEBHOOK_ENDPOINT_EXAMPLES as EXAMPLES, WebhookEndpointObject } from './schema.ts'

export const ENDPOINT_ID = {
  endpointId: { description: 'Identifier of the webhook endpoint.', example: EXAMPLES.endpoint.id },
}
export const READ = { scope: 'webhooks:read', shown: 'apiKey' } as const
export const WRITE = { scope: 'webhooks:write', shown: 'apiKey' } as const
export const endpointResponse = {
  status: 200,
  description: 'The endpoint.',
  schema: WebhookEndpointObject,
  examples: {
    endpoint: { summary: 'An endpoint', value: EXAMPLES.endpoint },
    disabled: { summary: 'Switched off because it answered 410', value: EXAMPLES.disabled },
  },
}

// An id that is not a UUID matches no endpoint.
export async function withEndpointId(
  { caller, params }: ApiRequest,
  answer: (organizationId: string, endpointId: string) => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  const endpointId = (params.endpointId ?? '').toLowerCase()
  if (!isUuid(endpointId)) return refuseUnknownEndpoint(params.endpointId ?? '')
  return answer(caller.organization.organizationId, endpointId)
}
