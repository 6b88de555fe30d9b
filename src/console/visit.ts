// Who asks for a page. The session's cookie says which person; the address says which of their organizations. What the person may
// do there is read anew each time: a role that was taken away is gone at the next click.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../api/http/auth.ts'
import type { Actor } from '../core/audit/actor.ts'
import { UNLIMITED_CREDENTIAL } from '../core/organizations/limits.ts'
import type { Organization } from '../core/organizations/organization.ts'
import { isScopeGranted, type Scope } from '../core/organizations/scope.ts'
import { grantableScopes, ROLE_SCOPES, type Role } from '../core/team/role.ts'
import type { Context } from '../flows/context.ts'
import { type SignedIn, signedInBy } from '../flows/team/sessions.ts'
import { sessionToken } from './session-cookie.ts'
import { type ConsoleOptions, publicAddressOf, type Setting, settingOf } from './setting.ts'

// Somebody who has signed in, at a page that belongs to no organization.
export type PersonVisit = Setting & {
  readonly options: ConsoleOptions
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  // What they do is recorded with them.
  readonly ctx: Context
  readonly signedIn: SignedIn
}

export type Visit = PersonVisit & {
  readonly organization: Organization
  readonly role: Role
  // As whom operations are run.
  readonly caller: Caller
  // `/console/{organizationId}`
  readonly home: string
}

// Undefined if nobody has signed in, or the session has ended.
export async function personVisit(
  options: ConsoleOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PersonVisit | undefined> {
  const token = sessionToken(options, request)
  const signedIn =
    token === undefined ? undefined : await signedInBy(options.ctx, token, !isByItself(request))
  if (signedIn === undefined) return undefined
  const { user, session } = signedIn
  const actor: Actor = {
    kind: 'person',
    id: user.userId,
    name: user.name,
    sessionId: session.sessionId,
    address: options.clientOf(request),
    requestId: request.id,
  }
  const setting = settingOf(options, request, user.language)
  return { ...setting, options, request, reply, ctx: { ...options.ctx, actor }, signedIn }
}

// An open page listens for changes, and shows itself anew (client/live.js).
export function isByItself(request: FastifyRequest): boolean {
  return showsItself(request) || request.headers.accept === 'text/event-stream'
}

export function showsItself({ headers }: FastifyRequest): boolean {
  return headers['x-live'] !== undefined
}

// Undefined if the person does not belong to the organization, or if there is none.
export function visitOf(person: PersonVisit, organizationId: string): Visit | undefined {
  const { signedIn, base } = person
  const membership = signedIn.memberships.find(
    ({ organization }) => organization.organizationId === organizationId.toLowerCase(),
  )
  if (membership === undefined) return undefined
  const { organization, role } = membership
  const caller: Caller = {
    kind: 'person',
    name: signedIn.user.name,
    organization,
    scopes: ROLE_SCOPES[role],
    credentialId: signedIn.user.userId,
    limits: UNLIMITED_CREDENTIAL,
    grantable: grantableScopes(role, person.environment === 'staging'),
  }
  return { ...person, organization, role, caller, home: homeOf(base, organization) }
}

export function homeOf(base: string, { organizationId }: Pick<Organization, 'organizationId'>): string {
  return `${base}/${organizationId}`
}

export function may({ caller }: Pick<Visit, 'caller'>, scope: Scope): boolean {
  return isScopeGranted(caller.scopes, scope)
}

// After the sign-in the person is brought where they wanted to go. Only a page of ours: anything else leads to the start.
export function signInAddress({ base }: Pick<Setting, 'base'>, request: FastifyRequest): string {
  const wanted = request.method === 'GET' ? request.url : ''
  const to = wanted.startsWith('/console/') ? publicAddressOf({ base }, request) : ''
  return `${base}/sign-in${to === '' ? '' : `?to=${encodeURIComponent(to)}`}`
}

// As browsers write addresses: anything else would not fit into a header.
const PLAIN_ADDRESS = /^[!-[\]-~]+$/

export function returnAddress({ base }: Pick<Setting, 'base'>, to: string | null | undefined): string {
  const isOurs =
    typeof to === 'string' && to.startsWith(`${base}/`) && PLAIN_ADDRESS.test(to) && !to.includes('//')
  return isOurs ? to : base
}
