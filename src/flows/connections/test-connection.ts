// Asks a provider something harmless with a connection's credentials, and tells in words what is wrong. Whatever happens is an
// answer: whoever tests a connection wants to know what does not work.

import type { Connection } from '../../core/connections/connection.ts'
import { PROVIDER_DESCRIPTIONS } from '../../core/connections/provider.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { ConnectionCheck } from '../../rails/rail.ts'
import { type ConnectionAddress, getConnection } from '../../store/connections/connections.ts'
import { changeOnce } from '../change-once.ts'
import { AnsweredBefore, type Idempotency, type Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { refuseUnknownConnection } from './change-connection.ts'
import { openCredentials } from './credentials.ts'

export type TestedConnection = { readonly checks: readonly ConnectionCheck[] }

export async function testConnection(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'batched' | 'settings' | 'networks'>,
  address: ConnectionAddress,
  idempotency: Idempotency<TestedConnection> | null,
): Promise<TestedConnection | Refusal> {
  const connection = await getConnection(ctx.db, address)
  if (connection === undefined) return refuseUnknownConnection(address.connectionId)
  const { organizationId } = address
  // The provider is asked once, so we check first whether the key was used.
  if (idempotency !== null && (await ctx.batched.getRecord({ organizationId, key: idempotency.key })))
    throw new AnsweredBefore()
  const checks = await checksOf(ctx, connection)
  return changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const act = { act: 'connection.test', before: null, after: { checks } } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: address.connectionId })
    return { checks }
  })
}

async function checksOf(
  ctx: Needs<'settings' | 'networks'>,
  connection: Connection,
): Promise<readonly ConnectionCheck[]> {
  const problem = unopenedProblem(ctx, connection)
  if (problem !== undefined) return [{ what: 'credentials', problem }]
  try {
    const rails = await ctx.networks.connected(connection)
    if (rails === undefined) return [noAdapter(connection)]
    return await rails.check()
  } catch {
    // What an adapter throws may hold what it sent.
    return [{ what: 'test', problem: 'the test broke off on our side, and says nothing about the provider' }]
  }
}

// Why a provider cannot be asked at all.
export function unopenedProblem(
  { settings }: Needs<'settings'>,
  { connectionId, credentials }: Connection,
): string | undefined {
  if (openCredentials(settings.keys, connectionId, credentials) !== undefined) return undefined
  return 'the credentials cannot be opened: they were sealed under another SECRETS_KEY. Send all of them again with PATCH'
}

function noAdapter({ provider }: Connection): ConnectionCheck {
  const { title } = PROVIDER_DESCRIPTIONS[provider]
  return { what: 'adapter', problem: `this version of the service cannot talk to ${title}` }
}
