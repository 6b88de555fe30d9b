// A payment went to suspense of nobody and of its merchant at once; the merchant kept it. Then it turns out to be a payin's.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import pino from 'pino'
import { railReference } from '../../../src/core/connections/reference.ts'
import { DAY_MS, HOUR_MS } from '../../../src/core/instant.ts'
import { leaveEachInOnePlace } from '../../../src/flows/ledger/leave-one-place.ts'
import type { Queryable } from '../../../src/store/db.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { runAllDue } from '../../../src/workers/start.ts'
import { checkMoney } from '../../simulation/checker.ts'
import { brebPayin } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { read, SILENT } from './holding.ts'
import { openDay, passTimeSilently, silentNetworks } from './reconciling.ts'

it('a payin that is confirmed by it is settled', async () => {
  await using world = await openDay()
  await world.client('PATCH', '/organization', { payinExpiryMinutes: 1_440 })
  const payinId = (await world.client('POST', '/payins', brebPayin(SILENT))).json.id
  await passTimeSilently(world, 5_000)
  const paymentId = world.sandbox.log()[0]?.traceId as string
  const amount = '50000.00'
  const { organizationId } = world.organization
  await notify(world, { reference: 'GARBLED-1', paymentId, amount })
  await notify(world, { reference: railReference('payin', organizationId, randomUUID()), paymentId, amount })
  // Two processes, neither of which sees what the other does.
  const silent = silentNetworks(world)
  const blind =
    (db: Queryable): Queryable['query'] =>
    async (config) => {
      const result = await db.query(config)
      return config.text.includes("'payin' as kind") ? { ...result, rows: [] } : (result as never)
    }
  const { db } = silent
  const inTransaction: typeof db.inTransaction = (work, limits) =>
    db.inTransaction((tx) => work({ ...tx, query: blind(tx) } as Queryable), limits)
  world.advance(HOUR_MS + 1_000)
  await runAllDue({ ...silent, db: { ...db, query: blind(db), inTransaction } }, pino({ level: 'silent' }))
  assert.equal((await listSuspense(world.db, false)).length, 2)
  await leaveEachInOnePlace(world.ctx)
  assert.equal((await listSuspense(world.db, false)).length, 1)
  await world.passTime(13 * 60_000)
  assert.equal((await read(world, payinId)).status, 'CONFIRMED')
  await world.passTime(2 * DAY_MS)
  assert.equal((await read(world, payinId)).settlementStatus, 'SETTLED')
  const kinds = (await listOpenAlarms(world.db)).map(({ kind }) => kind)
  assert.deepEqual([...new Set(kinds)], ['orphan-notice'])
  assert.deepEqual(await checkMoney(world.db, world.sandbox.log()), [])
})
