// The payer's pages on a backend in memory, which answers as the test sets and records its calls.

import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { CheckoutBackend, CheckoutChoice, CheckoutSubject } from '../../src/checkout/backend.ts'
import { answerNotFound, type CheckoutOptions, routeCheckout } from '../../src/checkout/routes.ts'
import { WHOLE_OFFER } from '../../src/flows/connections/pse-offer.ts'
import type { PayerDevice } from '../../src/flows/payins/payer-actions.ts'
import { NOW, OFFERS } from './subjects.ts'

export const TOKEN = 'AZpcPgAAcACAAAAAAAAAAQGaXD57H3wqnU4_GypsjZBqJ0d5cZ3m1Yk2Qb8Vt4wR'

export type Asked = { call: 'begin' | 'recheck' | 'leave'; token: string; choice?: CheckoutChoice }

export type Harness = {
  app: FastifyInstance
  backend: CheckoutBackend
  subjects: Map<string, CheckoutSubject>
  asked: Asked[]
  errors: unknown[]
  /** The browser that each `begin` came from. */
  devices: (PayerDevice | undefined)[]
  /** How many pages are being watched. */
  watching: () => number
  /** Replaces the subject of the token, and notifies its watchers. */
  become: (subject: CheckoutSubject, token?: string) => void
  /** What the next `begin` or `leave` answers, or does before it answers. */
  answers: { begin: () => Awaited<ReturnType<CheckoutBackend['begin']>>; leave: () => 'left' | 'too-late' }
  setNow: (now: number) => void
}

export function startHarness(subject?: CheckoutSubject, changes: Partial<CheckoutOptions> = {}): Harness {
  const subjects = new Map<string, CheckoutSubject>()
  if (subject !== undefined) subjects.set(TOKEN, subject)
  const asked: Asked[] = []
  const errors: unknown[] = []
  const devices: (PayerDevice | undefined)[] = []
  const watchers = new Set<{ token: string; onChange: () => void }>()
  let now = NOW
  const answers: Harness['answers'] = { begin: () => 'begun', leave: () => 'left' }
  const backend: CheckoutBackend = {
    load: async (token) => subjects.get(token),
    pseOffer: async ({ pse }) => OFFERS[pse?.connectionId ?? ''] ?? WHOLE_OFFER,
    begin: async (token, choice, _language, device) => {
      asked.push({ call: 'begin', token, choice })
      devices.push(device)
      return answers.begin()
    },
    recheck: async (token) => {
      asked.push({ call: 'recheck', token })
    },
    abandonAttempt: async (token) => {
      asked.push({ call: 'leave', token })
      return answers.leave()
    },
    watch: (token, onChange) => {
      const watcher = { token, onChange }
      watchers.add(watcher)
      return { stop: () => watchers.delete(watcher) }
    },
  }
  const options: CheckoutOptions = {
    backend,
    environment: 'staging',
    publicUrl: 'http://127.0.0.1:4000',
    now: () => now,
    onError: (error) => errors.push(error),
    ...changes,
  }
  const app = Fastify({
    frameworkErrors: (_error, request, reply) => void answerNotFound(options, request, reply as FastifyReply),
  })
  routeCheckout(app, options)
  return {
    app,
    backend,
    subjects,
    asked,
    errors,
    devices,
    watching: () => watchers.size,
    become(next, token = TOKEN) {
      subjects.set(token, next)
      for (const watcher of watchers) if (watcher.token === token) watcher.onChange()
    },
    answers,
    setNow: (instant) => {
      now = instant
    },
  }
}
