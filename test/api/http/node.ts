// A second process of the service on the same database, simulated in this process: its own pool, caches, batches and
// server. The world must be created with SECRETS_KEY, so that both share it.

import type { AddressInfo } from 'node:net'
import pino from 'pino'
import type { Config } from '../../../src/config.ts'
import type { Instant } from '../../../src/core/instant.ts'
import type { Context } from '../../../src/flows/context.ts'
import { type Api, createApi, createContext, createMetrics } from '../../../src/service.ts'
import { openDb } from '../../../src/store/db.ts'
import { type Client, clientOf, type World } from '../../world.ts'

export type Node = {
  api: Api
  ctx: Context
  baseUrl: string
  // Authenticated as the world's organization.
  client: Client
  anonymous: Client
  [Symbol.asyncDispose](): Promise<void>
}

export async function addNode(
  world: World,
  changes: { config?: Partial<Config>; now?: () => Instant } = {},
): Promise<Node> {
  const config: Config = { ...world.config, ...changes.config }
  if (config.secretsKey === null) throw new Error('createWorld needs env SECRETS_KEY to have a second node')
  const db = openDb({ url: world.databaseUrl, poolSize: config.databasePool })
  const metrics = createMetrics()
  const ctx = createContext(config, db, [config.secretsKey], metrics, {
    baseNow: changes.now ?? world.ctx.clock.now,
  })
  const api = await createApi(config, ctx, pino({ level: 'silent' }), metrics)
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
  return {
    api,
    ctx,
    baseUrl,
    client: clientOf(baseUrl, { 'x-api-key': world.apiKey }),
    anonymous: clientOf(baseUrl, {}),
    async [Symbol.asyncDispose]() {
      await api.close()
      await ctx.networks.close()
      await db.close()
    },
  }
}
