// An adapter as the bench opens it: the calls that are measured, and what the provider answers to each. The answers are as long as the
// provider's own.

import { randomBytes } from 'node:crypto'
import type { Provider } from '../../src/core/connections/provider.ts'
import type { ProviderDependencies } from '../../src/rails/provider.ts'

// By method and path, without the query.
export type Answers = Readonly<Record<string, { readonly status: number; readonly json?: unknown }>>

export type AdapterCall = {
  readonly name: string
  // It must be answered as it should: a refusal is cheaper.
  readonly run: () => Promise<unknown>
  // A page of a list costs by its lines. Nobody waits for one.
  readonly lines?: number
}

export type OpenedAdapter = { readonly calls: readonly AdapterCall[]; readonly close: () => Promise<void> }

export type Adapter = {
  readonly provider: Provider
  readonly answers: Answers
  readonly open: (url: string) => OpenedAdapter
}

// As the service passes them. Storing the record is the store's work, for our own networks as for providers; here its texts are only
// written out.
export const DEPENDENCIES: ProviderDependencies = {
  now: Date.now,
  wallClock: Date.now,
  randomBytes,
  record: ({ request, response }) => void Buffer.byteLength(request + response),
}

export function accepted(ask: () => Promise<{ outcome: string }>): () => Promise<void> {
  return async () => {
    const answer = await ask()
    if (answer.outcome !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(answer)}`)
  }
}

export function asking(read: () => object | undefined): () => Promise<void> {
  return async () => {
    const hint = read()
    if (hint === undefined || !('ask' in hint)) throw new Error(`no hint: ${JSON.stringify(hint)}`)
  }
}
