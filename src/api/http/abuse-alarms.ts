// Watches what is answered for what looks like abuse, and has an alarm raised. Nobody waits for it, and nothing is written but the
// alarm itself.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type AbuseKind, createAbuseWatch } from '../../core/organizations/abuse.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import type { Context } from '../../flows/context.ts'
import { raiseAbuseAlarm } from '../../flows/organizations/raise-alarm.ts'
import type { AddressLimits } from './address-limits.ts'

export type AbuseAlarmOptions = {
  ctx: Context
  addressLimits: Pick<AddressLimits, 'addressOf'>
  log: Pick<Logger, 'error'>
}

export type AbuseAlarms = {
  // A credential was used from an address that is not on its list.
  addressRefused: (organizationId: string, credentialId: string, address: string | null) => void
}

const LOOKUP_ROUTE = '/breb/keys/:keyString'
const TOKEN_ROUTE = '/oauth/token'

export function watchAbuse(app: FastifyInstance, options: AbuseAlarmOptions): AbuseAlarms {
  const { ctx, addressLimits } = options
  const watch = createAbuseWatch()
  const count = (
    kind: AbuseKind,
    who: string,
    organizationId: string,
    address: string | null = null,
  ): void => {
    if (!watch.count(kind, who, ctx.clock.now())) return
    raiseAbuseAlarm(ctx, { organizationId, kind, who, address }).catch((error: Error) =>
      options.log.error({ alarm: kind, error: error.message }, 'an alarm could not be raised'),
    )
  }

  const observe = (request: FastifyRequest, reply: FastifyReply): void => {
    const status = reply.statusCode
    if (status < 400 || status > 499) return
    const { caller } = request
    if (caller !== null) {
      const { organizationId } = caller.organization
      count('many-refusals', caller.credentialId, organizationId)
      if (status === 404 && request.routeOptions.url === LOOKUP_ROUTE)
        count('many-missed-lookups', organizationId, organizationId)
    } else if (status === 401 && triedToSignIn(request)) {
      const address = addressLimits.addressOf(request.raw) ?? 'an address that no proxy named'
      count('failed-sign-ins', address, UNATTRIBUTED_ORGANIZATION)
    }
  }
  // Not `onResponse`, which a client that goes away in time does not reach.
  app.addHook('onSend', (request, reply, payload, done) => {
    observe(request, reply)
    done(null, payload)
  })
  return {
    addressRefused: (organizationId, credentialId, address) =>
      count('address-refused', credentialId, organizationId, address),
  }
}

function triedToSignIn({ headers, routeOptions }: FastifyRequest): boolean {
  return (
    headers['x-api-key'] !== undefined ||
    headers.authorization !== undefined ||
    routeOptions.url === TOKEN_ROUTE
  )
}
