// Authentication, address, rate limits and scope of every merchant request, checked before its body is read.

import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Logger } from 'pino'
import type { Act } from '../../core/audit/act.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { recordRefused } from '../audit/refused-acts.ts'
import type { AddressLimits } from './address-limits.ts'
import { sendRefusal } from './answer.ts'
import { type Auth, actorOf, type Caller } from './auth.ts'
import type { AddressCheck } from './credential-limits.ts'
import type { Metrics } from './metrics.ts'
import type { Operation } from './operation.ts'
import {
  createRateLimit,
  policyOf,
  type RateLimit,
  type RateLimitDecision,
  type RateLimitPolicy,
} from './rate-limit.ts'
import { TOO_MANY_FAILURES } from './request-limits.ts'
import { scopeRefusal } from './run-operation.ts'

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

// Whose limit it is, for the headers.
type Limit = { name: 'key' | 'organization'; id: string; policy: RateLimitPolicy }

export type Admission = (operation: Pick<Operation, 'access' | 'act'>) => onRequestHookHandler

export function createAdmission(options: AdmissionOptions, checkAddress: AddressCheck): Admission {
  const policy = policyOf(options.rateLimitPerSecond)
  const rateLimit = options.rateLimit ?? createRateLimit(policy, () => performance.now())

  // The credential's first: what it refuses takes nothing from the organization.
  const limitsOf = ({ organization, credentialId, limits }: Caller): Limit[] => [
    ...(limits.maxPerSecond === null
      ? []
      : [{ name: 'key' as const, id: credentialId, policy: policyOf(limits.maxPerSecond) }]),
    ...(policy.perSecond > 0
      ? [{ name: 'organization' as const, id: organization.organizationId, policy }]
      : []),
  ]

  const answerLimit = (
    reply: FastifyReply,
    { name, policy }: Limit,
    decision: RateLimitDecision,
  ): Refusal | undefined => {
    const { burst, perSecond } = policy
    const left = `"${name}";r=${decision.remaining};t=${decision.allowed ? 1 : decision.retryAfterSeconds}`
    addToHeader(reply, 'ratelimit-policy', `"${name}";q=${burst};w=${burst / perSecond}`)
    addToHeader(reply, 'ratelimit', left)
    if (decision.allowed) return undefined
    options.metrics.countRefused('rate_limit')
    const whose = name === 'key' ? ' with this key or client' : ''
    return refuse('RATE_LIMITED', `More than ${perSecond} requests a second${whose}.`, {
      retryAfterSeconds: decision.retryAfterSeconds,
    })
  }

  const limited = (reply: FastifyReply, [limit, ...others]: Limit[]): MaybePromise<Refusal | undefined> => {
    if (limit === undefined) return undefined
    const settle = (decision: RateLimitDecision) =>
      answerLimit(reply, limit, decision) ?? limited(reply, others)
    const decision = rateLimit(limit.id, limit.name === 'key' ? limit.policy : undefined)
    return decision instanceof Promise ? decision.then(settle) : settle(decision)
  }

  const audit = async (act: Act, request: FastifyRequest, refusal: Refusal): Promise<void> => {
    const { caller } = request
    if (caller === null) return
    const actor = actorOf(caller, options.addressLimits.clientOf(request.raw), request.id)
    const { organizationId } = caller.organization
    const params = request.params as Record<string, string>
    await recordRefused(options.ctx, { act, actor, organizationId, params }, refusal)
  }

  return ({ access, act }) => {
    if (access === 'public') return (_request, _reply, done) => done()
    // The limits before the scope: what is refused for its scope counts as any other request.
    const admit = (
      request: FastifyRequest,
      reply: FastifyReply,
      caller: Caller,
    ): MaybePromise<Refusal | undefined> => {
      request.caller = caller
      const refusal = checkAddress(request.raw, caller)
      if (refusal !== undefined) return refusal
      const checkScope = (beyond: Refusal | undefined): Refusal | undefined =>
        beyond ?? scopeRefusal({ access }, caller)
      const beyond = limited(reply, limitsOf(caller))
      return beyond instanceof Promise ? beyond.then(checkScope) : checkScope(beyond)
    }
    return (request, reply, done) => {
      const finish = (refusal: Refusal | undefined): void => {
        if (refusal === undefined) done()
        else if (act === undefined) send(refusal)
        else audit(act, request, refusal).then(() => send(refusal), done)
      }
      const send = (refusal: Refusal): void => void sendRefusal(options.ctx.settings, request, reply, refusal)
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

function addToHeader(reply: FastifyReply, name: string, item: string): void {
  const before = reply.getHeader(name)
  reply.header(name, before === undefined ? item : `${before}, ${item}`)
}

// Nearly always a value: a promise would cost every request a turn of the event loop.
type MaybePromise<Value> = Value | Promise<Value>
