// What a simulated provider is made of. Each is written from the provider's own documentation, never from our adapter: it answers as
// the provider would, whoever asks. The frame around it (server.ts) brings storage, clock, faults and notices.

import type { Instant } from '../../core/instant.ts'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import type { Answer, ParsedRequest } from '../http.ts'
import type { DocumentStorage } from './storage.ts'

export type ProviderRequest = ParsedRequest & {
  /** A header of the request; empty if it is missing. */
  readonly header: (name: string) => string
}

export type ProviderContext = {
  readonly storage: DocumentStorage
  readonly clock: Clock
  readonly faults: Faults
  /** How long a payment waits for its outcome. */
  readonly delayMs: number
  /** How browsers and callers reach the simulator. */
  readonly publicUrl: string
  /** Stores a notice; the frame sends it. What the fault plan says of notices is applied. */
  readonly notify: (notice: Notice) => void
  /** Has `runTask` called at that time. */
  readonly later: (due: Instant, name: string, subject: string) => void
}

export type Notice = {
  /** What it is about: notices of one subject are sent one at a time. */
  readonly reference: string
  readonly body: string
  readonly at: Instant
  /** Where it goes, if the caller named an address in its request; otherwise to the account's. */
  readonly url?: string | undefined
}

export type Provider = {
  readonly name: string
  /** The accounts and secrets that work with it, to be typed into what calls it. */
  readonly credentials: Readonly<Record<string, string>>
  /** Test data that its documentation promises, for whoever starts it: what it is, and what to send. */
  readonly testData: readonly (readonly [what: string, values: string])[]
  /** Undefined: there is no such path. */
  readonly answer: (context: ProviderContext, request: ProviderRequest) => Answer | undefined
  /** What faults are drawn by: the caller's own name for a payment, as far as the request tells it. */
  readonly subjectOf: (request: ProviderRequest) => string
  /** A path that a browser opens, which no fault strikes. */
  readonly isPage: (request: ProviderRequest) => boolean
  readonly runTask: (context: ProviderContext, name: string, subject: string, at: Instant) => void
  readonly notices: {
    /** Waits before each repetition, as the provider publishes them. */
    readonly retryAfterMs: readonly number[]
    /** Made anew for each attempt. */
    readonly headers: (body: string, now: Instant) => Readonly<Record<string, string>>
    /** The field of an order that names where its notices go; undefined where the account has one address for all. */
    readonly namedBy?: string
  }
  /** What it answers when something breaks on its side, in its own format. */
  readonly broken: (status: 500 | 503) => Answer
}
