// Where a request comes from: the network address and the browser, for the list of sessions, and the site that passkeys belong to.

import type { FastifyRequest } from 'fastify'
import { consoleUrl, type Site, siteOf } from '../core/team/site.ts'
import type { Origin } from '../flows/team/sessions.ts'
import type { ConsoleOptions } from './setting.ts'

export function originOf(options: ConsoleOptions, request: FastifyRequest): Origin {
  return { address: options.clientOf(request), browser: request.headers['user-agent'] ?? null }
}

// Undefined where the page was opened under an address that passkeys cannot belong to. Browsers name the origin with every POST;
// before that, all that is known is the host.
export function siteOfRequest(
  { publicUrl }: Pick<ConsoleOptions, 'publicUrl'>,
  { headers }: FastifyRequest,
): Site | undefined {
  const origin = headers.origin ?? `${new URL(publicUrl).protocol}//${headers.host}`
  return siteOf(publicUrl, origin)
}

// Where passkeys work, for whoever opened the console by the number of this machine. Undefined if they work here.
export function siteWithPasskeys(
  options: Pick<ConsoleOptions, 'publicUrl'>,
  request: FastifyRequest,
): string | undefined {
  if (siteOfRequest(options, request) !== undefined) return undefined
  const { origin } = new URL(consoleUrl(options.publicUrl))
  return siteOf(options.publicUrl, origin) && origin
}
