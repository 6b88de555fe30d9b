// One API operation, declared once. The server routes and validates by it, and openapi.json is printed from it.

import type { Act } from '../../core/audit/act.ts'
import type { TSchema } from '../../core/json-schema.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import type { FieldProblem, Refusal, RefusalCode } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import type { SentFile } from '../export/send-file.ts'
import type { Caller } from './auth.ts'

export type ApiRequest = {
  readonly ctx: Context
  readonly requestId: string
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  // Validated by the operation's schemas before the handler runs. The handler casts them to its types.
  readonly query: unknown
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // Set when the merchant sent an Idempotency-Key. The response is recorded under it.
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer } | null
}

export type ApiAnswer = {
  readonly status: number
  // JSON, or nothing where the answer is an image or a file.
  readonly body: string
  readonly image?: { readonly mediaType: string; readonly bytes: Buffer }
  // Sent while it is read.
  readonly file?: SentFile
  readonly headers?: Readonly<Record<string, string>>
}

export type Example = { readonly summary: string; readonly value: unknown }

export type PathParameter = {
  readonly description: string
  readonly example: string
  readonly maxLength?: number
  readonly enum?: readonly string[]
}

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  // In OpenAPI notation: /payins/{payinId}
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  // Merchant operations need a credential with this scope. `shown` is the scheme the documentation shows first.
  readonly access: { readonly scope: Scope; readonly shown: 'apiKey' | 'accessToken' } | 'public'
  // What is written down of it. Its flow does so in its transaction, and whoever runs it does when it is refused.
  readonly act?: Act
  // Parts of the path. One without a length of its own is the id of something.
  readonly params?: Readonly<Record<string, PathParameter>>
  readonly query?: TSchema
  readonly body?: {
    readonly schema: TSchema
    readonly examples: Readonly<Record<string, Example>>
    readonly required: boolean
  }
  // Where it takes more than other operations do.
  readonly maxBodyBytes?: number
  // Rules that a schema cannot express. They run even if the schema finds errors, so that all are reported at once.
  readonly rules?: (request: ApiRequest) => FieldProblem[] | Promise<FieldProblem[]>
  // Runs before schema validation. Drops fields that the operation must ignore.
  readonly prepareBody?: (body: Record<string, unknown>) => void
  readonly success: {
    readonly status: number
    readonly description: string
    readonly schema: TSchema
    readonly examples: Readonly<Record<string, Example>>
    // Where it is not JSON. Each is described by the same schema.
    readonly mediaTypes?: readonly string[]
  }
  readonly refusals: readonly RefusalCode[]
  readonly idempotent?: boolean
  // Its answer holds one, and is given again to nobody but whoever got it.
  readonly hasSecret?: true
  readonly handle: (request: ApiRequest) => Promise<ApiAnswer | Refusal> | ApiAnswer | Refusal
}

// Admitted and documented like any operation, but it responds for as long as the client listens, and not in JSON.
export type StreamOperation = Omit<Operation, 'handle'> & {
  readonly mediaType: string
  readonly headers: Readonly<Record<string, { description: string; schema: object }>>
}

export function json(status: number, value: unknown, headers?: Record<string, string>): ApiAnswer {
  return { status, body: JSON.stringify(value), ...(headers && { headers }) }
}

// Builds the response for a subject once. It is used in the idempotency record before the commit and on the wire after
// it.
export function renderOnce<Subject>(
  answer: (subject: Subject) => ApiAnswer,
): (subject: Subject) => ApiAnswer {
  let last: { subject: Subject; answer: ApiAnswer } | undefined
  return (subject) => {
    if (last?.subject !== subject) last = { subject, answer: answer(subject) }
    return last.answer
  }
}
