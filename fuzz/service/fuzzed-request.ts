// One thing that is sent, and what is known about the answers it may get.

import type { DocumentedOperation } from './document.ts'

export type Kind =
  | 'valid'
  | 'near-valid'
  | 'hostile'
  | 'unknown address'
  | 'page'
  | 'notification'
  | 'raw bytes'

export type FuzzedRequest = {
  readonly kind: Kind
  // Whose credential it carries: 0 or 1, or null for nobody's.
  readonly merchant: 0 | 1 | null
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  // Documented answers only. Undefined where openapi.json says nothing: pages, notifications, addresses that do not exist.
  readonly operation?: DocumentedOperation
  // Only the head of the answer is read, because it has no end.
  readonly isStream?: boolean
  // Instead of all of the above: what goes over a socket, in these pieces.
  readonly rawPieces?: readonly Buffer[]
}

export type FuzzedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}
