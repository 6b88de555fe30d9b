// Runs one operation for a caller: validation, idempotency, the flow, and people opened in the answer. The server calls it for a
// request, and the console for a form, so that a person can do nothing that a key with the same scopes could not.

import type { Actor } from '../../core/audit/actor.ts'
import { isScopeGranted } from '../../core/organizations/scope.ts'
import { type FieldProblem, isRefusal, type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { recordRefused } from '../audit/refused-acts.ts'
import { openedAnswer } from './answer.ts'
import type { Caller } from './auth.ts'
import { fingerprintOf, type Idempotent } from './idempotency.ts'
import type { ApiAnswer, ApiRequest, Operation } from './operation.ts'
import { bodyValidator, queryValidator } from './validation.ts'

// The path without its query, as it was called.
export type OperationCall = Pick<ApiRequest, 'caller' | 'params' | 'query' | 'body' | 'headers'> & {
  readonly actor: Actor
  readonly requestId: string
  readonly path: string
  readonly idempotencyKey: string | undefined
}

export type OperationRunner = (call: OperationCall) => Promise<ApiAnswer | Refusal>

export function operationRunner(ctx: Context, operation: Operation, idempotent: Idempotent): OperationRunner {
  const problemsOf = validatorOf(operation)
  // Another key of the organization may hold less than the secret does.
  const whose = ({ kind, credentialId }: Caller) => (operation.hasSecret ? `${kind} ${credentialId}` : '')
  return async (call) => {
    const { actor, requestId, caller, params, query, body, headers } = call
    const key = call.idempotencyKey
    const request: ApiRequest = {
      ctx: { ...ctx, actor },
      requestId,
      caller,
      params,
      query,
      body,
      headers,
      idempotency:
        key === undefined
          ? null
          : { key, fingerprint: fingerprintOf(operation.method, call.path, body, whose(caller)) },
    }
    // Validated inside the idempotent call: rules change with time and settings, but a repeated request gets its
    // recorded response.
    const run = async () => {
      const problems = await problemsOf(request)
      return problems.length === 0 ? operation.handle(request) : refuseFields(problems)
    }
    const { organizationId } = caller.organization
    const answer =
      request.idempotency === null ? await run() : await idempotent(organizationId, request.idempotency, run)
    if (!isRefusal(answer)) return openedAnswer(ctx, organizationId, answer)
    await recordRefused(ctx, { act: operation.act, actor, organizationId, params }, answer)
    return answer
  }
}

// Undefined if the caller may run the operation.
export function scopeRefusal(
  operation: Pick<Operation, 'access'>,
  caller: Pick<Caller, 'scopes'>,
): Refusal | undefined {
  if (operation.access === 'public') return undefined
  const { scope } = operation.access
  if (isScopeGranted(caller.scopes, scope)) return undefined
  return refuse('INSUFFICIENT_SCOPE', `This operation needs the scope ${scope}.`)
}

// Checks schema and rules in one pass, so that every error is reported at once. The console asks the same before a person reads a
// form over once more.
export function validatorOf(operation: Operation): (request: ApiRequest) => Promise<FieldProblem[]> {
  const validateBody = operation.body && bodyValidator(operation.body.schema)
  const validateQuery = operation.query && queryValidator(operation.query)
  return async (request) => {
    const problems = [...(validateQuery?.(request.query) ?? [])]
    if (validateBody === undefined) return problems
    // A missing optional body counts as an empty object.
    const body = request.body === undefined && operation.body?.required === false ? {} : request.body
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    if (isObject) operation.prepareBody?.(body as Record<string, unknown>)
    problems.push(...validateBody(body))
    if (isObject) {
      const known = new Set(problems.map((problem) => problem.path))
      const broken = (await operation.rules?.(request)) ?? []
      problems.push(...broken.filter((problem) => !known.has(problem.path)))
    }
    return problems
  }
}
