// Who looks at the webhook portal: somebody with its address, and nothing else. There is no session and no cookie; what the address
// allows is read anew each time.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../api/http/auth.ts'
import type { Actor } from '../../core/audit/actor.ts'
import { UNLIMITED_CREDENTIAL } from '../../core/organizations/limits.ts'
import { openPortalLink, type PortalLink } from '../../core/webhooks/portal-link.ts'
import type { Context } from '../../flows/context.ts'
import { type OpenPortal, openPortal } from '../../flows/webhooks/open-portal.ts'
import { type ConsoleOptions, type Setting, settingOf } from '../setting.ts'

export type PortalVisit = Setting &
  OpenPortal & {
    readonly request: FastifyRequest
    readonly reply: FastifyReply
    readonly ctx: Context
    // As whom operations are run.
    readonly caller: Caller
    // `/console/portal/{token}`
    readonly home: string
  }

// `ended`: it was a portal once. Undefined: it never was.
export async function portalVisit(
  options: ConsoleOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PortalVisit | 'ended' | undefined> {
  const token = tokenIn(request)
  const portal = await openPortal(options.ctx, token)
  if (portal === undefined || portal === 'ended') return portal
  const { link, organization, scopes, makerName } = portal
  const { kind, id } = link.maker
  const name = `${makerName} (webhook portal)`
  // What is done here is done by the right of whoever made the link, and written down under the link.
  const actor: Actor = {
    kind,
    id,
    name,
    sessionId: link.linkId,
    address: options.clientOf(request),
    requestId: request.id,
  }
  const caller: Caller = {
    kind,
    name,
    organization,
    scopes,
    credentialId: id,
    limits: UNLIMITED_CREDENTIAL,
  }
  const setting = portalSetting(options, request)
  const home = `${setting.base}/portal/${token}`
  return { ...setting, ...portal, request, reply, ctx: { ...options.ctx, actor }, caller, home }
}

// The link's language, or the browser's. The colours are the browser's: no cookie is read.
export function portalSetting(options: ConsoleOptions, request: FastifyRequest): Setting {
  const language = linkIn(options, request)?.language ?? undefined
  return { ...settingOf(options, request, language), theme: 'auto' }
}

// Also of a portal that has ended, so that the frame can say so.
export function frameAncestorsOf(options: ConsoleOptions, request: FastifyRequest): readonly string[] {
  return linkIn(options, request)?.frameAncestors ?? []
}

function linkIn({ ctx }: ConsoleOptions, request: FastifyRequest): PortalLink | undefined {
  return openPortalLink(ctx.settings.keys.portal, tokenIn(request))
}

function tokenIn({ params }: FastifyRequest): string {
  const { token, '*': rest } = params as { token?: string; '*'?: string }
  return token ?? rest?.split('/')[0] ?? ''
}
