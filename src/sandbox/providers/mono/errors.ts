// How Mono refuses: a status, the id of a line in its log, and one entry for each problem. The codes for a wrong field, and how its
// path is written, are not published.

import type { Answer } from '../../http.ts'
import type { ProviderContext } from '../provider.ts'
import { newId } from './ids.ts'

export type Problem = { readonly error_code: string; readonly message: string; readonly path: string | null }

const STATUS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const
export type ErrorStatus = keyof typeof STATUS

export function refused(
  context: ProviderContext,
  status: ErrorStatus,
  code: string,
  message: string,
  path: string | null = null,
): Answer {
  return errorAnswer(status, newId(context, 'log', 'error'), [{ error_code: code, message, path }])
}

export const invalid = (context: ProviderContext, problems: readonly Problem[]): Answer =>
  errorAnswer(400, newId(context, 'log', 'error'), problems)

export const notJson = (context: ProviderContext): Answer =>
  refused(context, 400, 'invalid_json', 'The body is not a JSON object')

/** Documented for a product or scope that is off; here also for an account of somebody else. */
export const notAuthorized = (context: ProviderContext): Answer =>
  refused(context, 403, 'not_authorized', 'The product or the scope is not enabled for this account')

/** Nothing can be asked of storage then: the id is always the same. */
export const brokenAnswer = (status: 500 | 503): Answer =>
  errorAnswer(status, `log_${'0'.repeat(22)}`, [
    {
      error_code: status === 500 ? 'internal_error' : 'service_unavailable',
      message: STATUS[status],
      path: null,
    },
  ])

function errorAnswer(status: ErrorStatus, id: string, problems: readonly Problem[]): Answer {
  return {
    status,
    json: {
      code: `${status} ${STATUS[status]}`,
      message: problems[0]?.message ?? STATUS[status],
      id,
      errors: problems.map((problem) => ({ ...problem, url: 'https://docs.mono.la/docs' })),
    },
  }
}
