// Authentication, scope and rate limit of every merchant request, checked before its body is read.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Logger } from 'pino'
import { isScopeGranted } from '../../core/organizations/scope.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import type { AddressLimits } from './address-limits.ts'
import { sendRefusal } from './answer.ts'
import type { Auth, Caller } from './auth.ts'
import type { Metrics } from './metrics.ts'
import type { Operation } from './operation.ts'
import { createRateLimit, policyOf, type RateLimit, type RateLimitDecision } from './rate-limit.ts'

export type AdmissionOptions = {
  ctx: Context
  auth: Auth
  metrics: Metrics
  log: Logger
  // 0 = off
  rateLimitPerSecond: number
  // The limit that many processes share. Without it, this process counts for itself.
  rateLimit?: RateLimit
  addressLimits: AddressLimits
}

const TOO_MANY_FAILURES = refuse(
  'RATE_LIMITED',
  'Too many requests from your address carried no credential that holds.',
  { retryAfterSeconds: 1 },
)

export type Admission = (operation: Pick<Operation, 'access'>) => onRequestHookHandler

export function createAdmission(options: AdmissionOptions): Admission {
  const policy = policyOf(options.rateLimitPerSecond)
  const policyHeader = `"organization";q=${policy.burst};w=${policy.burst / policy.perSecond}`
  const rateLimit =
    options.rateLimitPerSecond > 0
      ? (options.rateLimit ?? createRateLimit(policy, () => performance.now()))
      : null

  const answerLimit = (reply: FastifyReply, limit: RateLimitDecision): Refusal | undefined => {
    reply.header('ratelimit-policy', policyHeader)
    reply.header(
      'ratelimit',
      `"organization";r=${limit.remaining};t=${limit.allowed ? 1 : limit.retryAfterSeconds}`,
    )
    if (limit.allowed) return undefined
    options.metrics.countRefused('rate_limit')
    return refuse('RATE_LIMITED', `More than ${policy.perSecond} requests a second.`, {
      retryAfterSeconds: limit.retryAfterSeconds,
    })
  }

  const limited = (reply: FastifyReply, organizationId: string): MaybePromise<Refusal | undefined> => {
    if (rateLimit === null) return undefined
    const limit = rateLimit(organizationId)
    return limit instanceof Promise
      ? limit.then((decided) => answerLimit(reply, decided))
      : answerLimit(reply, limit)
  }

  return ({ access }) => {
    if (access === 'public') return (_request, _reply, done) => done()
    const admit = (
      request: FastifyRequest,
      reply: FastifyReply,
      caller: Caller,
    ): MaybePromise<Refusal | undefined> => {
      request.caller = caller
      return isScopeGranted(caller.scopes, access.scope)
        ? limited(reply, caller.organization.organizationId)
        : refuse('INSUFFICIENT_SCOPE', `This operation needs the scope ${access.scope}.`)
    }
    return (request, reply, done) => {
      const finish = (refusal: Refusal | undefined): void => {
        if (refusal === undefined) done()
        else void sendRefusal(options.ctx.settings, request, reply, refusal)
      }
      const settle = (known: Caller | Refusal): void => {
        const refusal = isRefusal(known) ? known : admit(request, reply, known)
        if (refusal instanceof Promise) refusal.then(finish, done)
        else finish(refusal)
      }
      // Guesses are not looked up any more. A credential that was found before is served on, whoever else uses the address.
      if (options.addressLimits.isExhausted(request.raw) && !options.auth.isKnown(request.headers)) {
        options.metrics.countRefused('address')
        return finish(TOO_MANY_FAILURES)
      }
      const caller = options.auth.authenticate(request.headers)
      if (caller instanceof Promise) caller.then(settle, done)
      else settle(caller)
    }
  }
}

// Nearly always a value: a promise would cost every request a turn of the event loop.
type MaybePromise<Value> = Value | Promise<Value>
