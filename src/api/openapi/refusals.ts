// Refusals as OpenAPI responses.

import { REFUSALS, type RefusalCode } from '../../core/refusal.ts'
import { problemType, STATUS_OF } from '../http/errors.ts'

// One response per status. Its examples are the codes that share it.
export function refusalResponses(codes: readonly RefusalCode[], publicUrl: string): Record<string, unknown> {
  const byStatus = Map.groupBy(codes, (code) => STATUS_OF[code])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        status,
        {
          description: group.map((code) => `\`${code}\`: ${REFUSALS[code]}`).join('\n\n'),
          headers: {
            'x-request-id': REQUEST_ID_HEADER,
            ...((status === 429 || status === 503 || group.some(endsByItself)) && {
              'retry-after': RETRY_AFTER_HEADER,
            }),
          },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Problem' },
              examples: Object.fromEntries(
                group.map((code) => [code, { summary: code, value: exampleProblem(code, publicUrl) }]),
              ),
            },
          },
        },
      ]),
  )
}

// Refused by the hour or the day, as `Retry-After` says.
export function endsByItself(code: RefusalCode): boolean {
  return code === 'PAYOUT_LIMIT_REACHED' || code === 'QUIET_HOURS'
}

function exampleProblem(code: RefusalCode, publicUrl: string): Record<string, unknown> {
  return {
    type: problemType(publicUrl, code),
    title: 'See code',
    status: STATUS_OF[code],
    detail: REFUSALS[code],
    code,
    requestId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
    ...(code === 'INVALID_INPUT' && {
      errors: [{ path: '/amountInCents', code: 'OUT_OF_RANGE', message: 'must be at least 1' }],
    }),
  }
}

export const REQUEST_ID_HEADER = { description: 'Names this request in our log.', schema: { type: 'string' } }
const RETRY_AFTER_HEADER = {
  description: 'Seconds to wait before sending the same again.',
  schema: { type: 'integer' },
}
