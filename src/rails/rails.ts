// Opens both rails from the settings; the only file that knows every adapter. A network with another wire format gets its own
// folder beside breb/ and pse/, and a line here.

import type { Rail } from '../core/connections/rail.ts'
import type { Instant } from '../core/instant.ts'
import type { Tracer } from '../core/tracing/trace.ts'
import { accessTokens } from './access-token.ts'
import { type Authorization, byAccessToken } from './authorization.ts'
import { brebDirectory } from './breb/directory.ts'
import { brebNotices } from './breb/notices.ts'
import { brebPayins } from './breb/payins.ts'
import { brebPayouts } from './breb/payouts.ts'
import { brebStatement } from './breb/statement.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { gatewayOver } from './gateway.ts'
import { LIMITS, type Limits } from './limits.ts'
import { pseNotices } from './pse/notices.ts'
import { psePayins } from './pse/payins.ts'
import { pseStatement } from './pse/statement.ts'
import type { NetworkExchange, Rails } from './rail.ts'
import { readRefusalCode } from './wire-format.ts'

export type RailSettings = {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  // Shared with the network, which signs its notifications with it.
  readonly notificationKey: string
  // The one before it, while the network changes over.
  readonly previousNotificationKey?: string | null
}

export type RailDependencies = {
  readonly now: () => Instant
  readonly record: (exchange: NetworkExchange) => void
  readonly limits?: Partial<Limits>
  // How far staging's clock was moved. A network that was away gets its next chance when the clock says so.
  readonly clockOffsetMs?: () => number
  readonly tracer?: Tracer | null
}

export function openRails(
  settings: { readonly breb: RailSettings; readonly pse: RailSettings },
  { now, record, limits: overrides, clockOffsetMs = () => 0, tracer = null }: RailDependencies,
): Rails {
  const limits: Limits = { ...LIMITS, ...overrides }
  const options: ConnectionOptions = { now, record, limits, tracer, monotonicMs: () => performance.now() }
  const movable = { ...options, monotonicMs: () => performance.now() + clockOffsetMs() }
  const open = (rail: Rail, { baseUrl, clientId, clientSecret }: RailSettings) => {
    const connection = openConnection(rail, baseUrl, options)
    const authorization = byAccessToken(accessTokens(connection, { clientId, clientSecret }, options))
    const gateway = gatewayOver(connection, authorization, readRefusalCode, movable)
    return { connection, authorization, gateway }
  }

  const breb = open('BRE_B', settings.breb)
  const pse = open('PSE', settings.pse)
  // The directory has its own connections and circuit breaker, so that it and the payments cannot delay each other.
  const lookups = openConnection('BRE_B', settings.breb.baseUrl, {
    ...options,
    limits: { ...limits, connections: limits.lookUpConnections },
  })
  const directory = gatewayOver(lookups, breb.authorization, readRefusalCode, movable)
  // Pages of a statement are long, and a network that computes them slowly still takes payments.
  const statementLimits = { ...limits, connections: 1, answerBytes: limits.statementBytes }
  const openStatements = (rail: Rail, { baseUrl }: RailSettings, authorization: Authorization) => {
    const connection = openConnection(rail, baseUrl, { ...options, limits: statementLimits })
    return { connection, gateway: gatewayOver(connection, authorization, readRefusalCode, movable) }
  }
  const brebStatements = openStatements('BRE_B', settings.breb, breb.authorization)
  const pseStatements = openStatements('PSE', settings.pse, pse.authorization)

  return {
    payins: {
      BRE_B: brebPayins(breb.gateway, limits),
      PSE: psePayins(pse.gateway, limits, settings.pse.baseUrl),
    },
    payouts: brebPayouts(breb.gateway, limits),
    directory: brebDirectory(directory, limits),
    statement: {
      BRE_B: brebStatement(brebStatements.gateway, limits),
      PSE: pseStatement(pseStatements.gateway, limits),
    },
    banks: null,
    terms: null,
    isAway: (use) => (use === 'PSE_IN' ? pse : breb).gateway.isAway(),
    check: async () => [],
    readNotice: {
      BRE_B: brebNotices(notificationKeysOf(settings.breb)),
      PSE: pseNotices(notificationKeysOf(settings.pse)),
    },
    close: async () => {
      const connections = [breb, pse, brebStatements, pseStatements].map(({ connection }) => connection)
      await Promise.all([...connections, lookups].map((connection) => connection.close()))
    },
  }
}

function notificationKeysOf({ notificationKey, previousNotificationKey }: RailSettings): string[] {
  return [notificationKey, ...(previousNotificationKey ? [previousNotificationKey] : [])]
}
