// Tells a person when a provider refuses the credentials of a connection. Its payments wait meanwhile, and nothing else says why.

import type { Connection } from '../../core/connections/connection.ts'
import { PROVIDER_DESCRIPTIONS } from '../../core/connections/provider.ts'
import type { ProviderAccess } from '../../rails/access-watch.ts'
import { insertRefusedAlarm, resolveRefusedAlarm } from '../../store/connections/refused-connections.ts'
import type { Needs } from '../context.ts'

export async function tellProviderAccess(
  ctx: { now: () => number; nextId: () => string } & Needs<'db'>,
  connection: Connection,
  { url, refusal }: ProviderAccess,
): Promise<void> {
  const now = ctx.now()
  if (refusal === null) return resolveRefusedAlarm(ctx.db, connection, url, now)
  const { title } = PROVIDER_DESCRIPTIONS[connection.provider]
  const detail = `${title} refuses the credentials of the connection ${connection.name} at ${url}: ${refusal}`
  await insertRefusedAlarm(ctx.db, connection, { alarmId: ctx.nextId(), detail }, now)
}
