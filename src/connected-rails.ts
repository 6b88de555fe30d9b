// Opens the adapters of connections, when a payment first needs one. A connection that was changed is opened anew; the one before is
// closed when its calls have ended.

import { type Connection, notificationUrl } from './core/connections/connection.ts'
import { type Provider, servableUses, type Use } from './core/connections/provider.ts'
import type { Instant } from './core/instant.ts'
import type { SealingKeys } from './core/seal.ts'
import { openCredentials, withDefaults } from './flows/connections/credentials.ts'
import { type ProviderAccess, watchProviderAccess } from './rails/access-watch.ts'
import type { ProviderDependencies } from './rails/provider.ts'
import { OPEN_PROVIDER } from './rails/providers.ts'
import type { NetworkExchange, ProviderRails } from './rails/rail.ts'
import { type ConnectionAddress, getConnection } from './store/connections/connections.ts'
import type { Db } from './store/db.ts'

export type ConnectedRails = {
  // The organization has changed a connection: what is open is compared with it before it is used again.
  readonly recheck: (organizationId: string | undefined) => void
  readonly connected: (address: ConnectionAddress) => Promise<ProviderRails | undefined>
  readonly isConnectionAway: (address: ConnectionAddress, use: Use) => boolean
  readonly close: () => Promise<void>
}

type Dependencies = Omit<ProviderDependencies, 'record'> & {
  readonly record: (exchange: NetworkExchange, provider: Provider) => void
}

type Opened = {
  version: number
  rails: ProviderRails
  checkedAtMs: number
  usedAtMs: number
  withPrevious: boolean
}

// For this long nobody asks whether the connection was changed, unless we are told that it was.
const CHECK_EVERY_MS = 1_000
// A connection that nobody has used for this long is closed.
const CLOSE_AFTER_MS = 10 * 60_000

export function connectedRails(
  db: Db,
  keys: SealingKeys,
  publicUrl: string,
  dependencies: Dependencies,
  // A provider has begun to refuse the credentials of a connection, or takes them again.
  tellProviderAccess: (connection: Connection, access: ProviderAccess) => void,
): ConnectedRails {
  // By organization and connection: what was opened for one organization is not another's.
  const opened = new Map<string, Opened>()
  const opening = new Map<string, Promise<ProviderRails | undefined>>()
  let rechecks = 0
  const nowMs = () => performance.now()

  const close = (key: string): void => {
    const entry = opened.get(key)
    opened.delete(key)
    entry?.rails.close().catch(() => {})
  }

  const closeUnused = (): void => {
    for (const [key, { usedAtMs }] of opened) if (nowMs() - usedAtMs > CLOSE_AFTER_MS) close(key)
  }

  const read = async (address: ConnectionAddress): Promise<ProviderRails | undefined> => {
    const key = keyOf(address)
    const rechecksBefore = rechecks
    const connection = await getConnection(db, address)
    if (connection === undefined) {
      close(key)
      return undefined
    }
    // What was read before a change may be from before it.
    const checkedAtMs = rechecks === rechecksBefore ? nowMs() : NEVER
    const entry = opened.get(key)
    const withPrevious = isChangingOver(connection, dependencies.now())
    if (entry?.version === connection.version && entry.withPrevious === withPrevious) {
      entry.checkedAtMs = checkedAtMs
      return entry.rails
    }
    const watch = watchProviderAccess((access) => tellProviderAccess(connection, access))
    const rails = openRailsOf(keys, publicUrl, connection, withPrevious, watch, dependencies)
    if (rails === undefined) return undefined
    close(key)
    closeUnused()
    const { version } = connection
    opened.set(key, { version, rails, withPrevious, checkedAtMs, usedAtMs: nowMs() })
    return rails
  }

  return {
    recheck: (organizationId) => {
      rechecks += 1
      opening.clear()
      for (const [key, entry] of opened)
        if (organizationId === undefined || key.startsWith(organizationId)) entry.checkedAtMs = NEVER
    },
    connected: (address) => {
      const key = keyOf(address)
      const entry = opened.get(key)
      if (entry !== undefined) {
        entry.usedAtMs = nowMs()
        if (nowMs() - entry.checkedAtMs < CHECK_EVERY_MS) return Promise.resolve(entry.rails)
      }
      const under = opening.get(key)
      if (under !== undefined) return under
      const reading = read(address).finally(() => opening.delete(key))
      opening.set(key, reading)
      return reading
    },
    isConnectionAway: (address, use) => opened.get(keyOf(address))?.rails.isAway(use) ?? false,
    close: async () => {
      await Promise.all([...opened.values()].map(({ rails }) => rails.close()))
      opened.clear()
    },
  }
}

const NEVER = Number.NEGATIVE_INFINITY

function keyOf({ organizationId, connectionId }: ConnectionAddress): string {
  return `${organizationId} ${connectionId}`
}

function isChangingOver({ previousCredentials, previousUntil }: Connection, now: Instant): boolean {
  return previousCredentials !== null && (previousUntil ?? 0) > now
}

// Undefined: the credentials do not open, or no adapter knows the provider.
function openRailsOf(
  keys: SealingKeys,
  publicUrl: string,
  connection: Connection,
  withPrevious: boolean,
  watch: (access: ProviderAccess) => void,
  dependencies: Dependencies,
): ProviderRails | undefined {
  const { organizationId, connectionId, provider, environment } = connection
  const open = OPEN_PROVIDER[provider]
  const given = openCredentials(keys, connectionId, connection.credentials)
  if (open === undefined || given === undefined) return undefined
  const credentials = withDefaults(connection, given)
  const previous = withPrevious
    ? openCredentials(keys, connectionId, connection.previousCredentials as Buffer)
    : undefined
  let checks = 0
  // Whoever tests a connection is told the result, and needs no alarm.
  const onAccess = (access: ProviderAccess): void => {
    if (checks === 0) watch(access)
  }
  const rails = open(
    {
      organizationId,
      environment,
      // Payments of a use that was taken away go on where they are, so the connection serves all that it can.
      uses: servableUses(provider, credentials),
      credentials,
      previousCredentials: previous ? withDefaults(connection, previous) : null,
      notificationUrl: notificationUrl(publicUrl, connection),
    },
    { ...dependencies, onAccess, record: (exchange) => dependencies.record(exchange, provider) },
  )
  // Signatures are dated by real time, which staging's clock may be far ahead of.
  return {
    ...rails,
    check: async () => {
      checks += 1
      try {
        return await rails.check()
      } finally {
        checks -= 1
      }
    },
    readHint: (headers, body) => rails.readHint(headers, body, dependencies.wallClock()),
  }
}
