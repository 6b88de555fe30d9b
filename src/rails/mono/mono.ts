// Mono as a participant of Bre-B: payins by key, payouts to a key, the directory of keys, and its list of what was paid.

import { accessTokens } from '../access-token.ts'
import { byAccessToken } from '../authorization.ts'
import type { Connection, ConnectionOptions } from '../connection.ts'
import {
  NO_RAILS,
  type OpenProvider,
  openGateway,
  type ProviderDependencies,
  type ProviderSettings,
} from '../provider.ts'
import { checkMono } from './check.ts'
import { monoDirectory } from './directory.ts'
import { monoHints } from './hints.ts'
import { monoPayins } from './payins.ts'
import { monoPayouts } from './payouts.ts'
import { monoStatement } from './statement.ts'
import { monoTokenRequest, scopeFor } from './token.ts'
import { readRefusalCode } from './wire.ts'

export const openMono: OpenProvider = (settings, dependencies) => {
  const { credentials, previousCredentials, organizationId } = settings
  // A secret that is empty signs nothing.
  const secrets = [credentials, previousCredentials ?? {}].flatMap(({ webhookSecret }) => webhookSecret || [])
  const readHint = monoHints(secrets, organizationId)
  return settings.uses.length === 0
    ? { ...NO_RAILS, readHint }
    : { ...openUses(settings, dependencies), readHint }
}

function openUses({ credentials, uses }: ProviderSettings, dependencies: ProviderDependencies) {
  const needed = (name: string): string => {
    const value = credentials[name]
    if (value === undefined) throw new Error(`the connection to Mono has no ${name}`)
    return value
  }
  const url = needed('url')
  const accountId = needed('accountId')
  const client = { clientId: needed('clientId'), clientSecret: needed('clientSecret') }
  const authorize = (connection: Connection, options: ConnectionOptions) =>
    byAccessToken(accessTokens(connection, client, options, monoTokenRequest(scopeFor(uses))))
  const open = () => openGateway('BRE_B', url, authorize, readRefusalCode, dependencies)
  const payments = open()
  // Look-ups have their own connections and circuit breaker, so that they and the payments cannot delay each other.
  const lookUps = open()
  const { connection, gateway, limits } = payments

  return {
    payins: uses.includes('BRE_B_IN') ? { BRE_B: monoPayins(gateway, limits, accountId) } : {},
    payouts: uses.includes('BRE_B_OUT') ? monoPayouts(gateway, limits, accountId) : null,
    directory: uses.includes('BRE_B_OUT') ? monoDirectory(lookUps.gateway, limits, accountId) : null,
    banks: null,
    terms: null,
    statement: uses.includes('BRE_B_IN') ? { BRE_B: monoStatement(gateway, limits) } : {},
    isAway: () => gateway.isAway(),
    check: () => checkMono({ connection, client, uses, accountId, deadlineMs: limits.queryMs }),
    close: async () => {
      await Promise.all([connection.close(), lookUps.connection.close()])
    },
  }
}
