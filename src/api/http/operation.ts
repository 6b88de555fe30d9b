// One operation of the API, declared once: the server routes and validates by it, and openapi.json is printed from it.

import type { TSchema } from 'typebox'
import type { Scope } from '../../core/organizations/scope.ts'
import type { FieldProblem, Refusal, RefusalCode } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import type { Caller } from './auth.ts'

export type ApiRequest = {
  readonly ctx: Context
  readonly requestId: string
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  // Validated by the operation's schemas before the handler sees them; the handler names their type.
  readonly query: unknown
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // Present when the merchant sent an Idempotency-Key: what its answer is kept under.
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer } | null
}

export type ApiAnswer = {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Example = { readonly summary: string; readonly value: unknown }

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  // In OpenAPI's spelling: /payins/{payinId}
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  // Merchant operations need a credential with this scope; `shown` is the scheme the documentation shows first.
  readonly access: { readonly scope: Scope; readonly shown: 'apiKey' | 'accessToken' } | 'public'
  readonly params?: Readonly<Record<string, { description: string; example: string }>>
  readonly query?: TSchema
  readonly body?: {
    readonly schema: TSchema
    readonly examples: Readonly<Record<string, Example>>
    readonly required: boolean
  }
  // Rules that a schema cannot say. They see what was sent even where the schema found faults, so that all are told at once.
  readonly rules?: (request: ApiRequest) => FieldProblem[]
  // Runs before the schema: drops what the operation is bound to ignore.
  readonly prepareBody?: (body: Record<string, unknown>) => void
  readonly success: {
    readonly status: number
    readonly description: string
    readonly schema: TSchema
    readonly examples: Readonly<Record<string, Example>>
  }
  readonly refusals: readonly RefusalCode[]
  readonly idempotent?: boolean
  readonly handle: (request: ApiRequest) => Promise<ApiAnswer | Refusal> | ApiAnswer | Refusal
}

// Admitted and documented like any other, but it answers for as long as the client listens, and not in JSON.
export type StreamOperation = Omit<Operation, 'handle'> & {
  readonly mediaType: string
  readonly headers: Readonly<Record<string, { description: string; schema: object }>>
}

export function json(status: number, value: unknown, headers?: Record<string, string>): ApiAnswer {
  return { status, body: JSON.stringify(value), ...(headers && { headers }) }
}

// Makes the answer about a subject once: for the idempotency record before the commit, and for the wire after it.
export function answerOnce<Subject>(
  answer: (subject: Subject) => ApiAnswer,
): (subject: Subject) => ApiAnswer {
  let made: { subject: Subject; answer: ApiAnswer } | undefined
  return (subject) => {
    if (made?.subject !== subject) made = { subject, answer: answer(subject) }
    return made.answer
  }
}
