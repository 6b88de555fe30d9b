// recaudo migrate --grant ROLE: the role that the service runs as, with the rights its statements need and no more. recaudo
// partitions: what the service then leaves to the tables' owner.

import pino from 'pino'
import { firstIdAt, instantOfId } from '../core/ids.ts'
import { isoInstant } from '../core/instant.ts'
import type { Context } from '../flows/context.ts'
import { type Db, sqlState } from '../store/db.ts'
import { listPartitions, PARTITION_GROUPS } from '../store/partitions.ts'
import { createRole, grantServiceRights, type MissingRight, readRoleFacts } from '../store/service-role.ts'
import { readClockOffset } from '../store/staging-clock.ts'
import { keepPartitions } from '../workers/retention.ts'
import { INSUFFICIENT_PRIVILEGE, requireOwner } from './database.ts'
import { OperatorFailure } from './failure.ts'
import type { Flags, Row } from './flags.ts'

// Says whether the role was made now. It has no password then: that is the operator's to give.
export async function grantRole(db: Db, role: string): Promise<{ role: string; made: boolean }> {
  await requireOwner(db, 'migrate --grant')
  const made = !(await readRoleFacts(db, role)).exists
  await db.inTransaction(async (tx) => {
    if (made) await createRole(tx, role).catch(explainCreation(role))
    await grantServiceRights(tx, role)
    const { isSuperuser, actsAsOwner, canCreateTables } = await readRoleFacts(tx, role)
    if (isSuperuser || actsAsOwner)
      throw new OperatorFailure(
        `The role ${role} ${isSuperuser ? 'is a superuser' : 'owns the tables, or may act as their owner'}: no grant takes a right from it. Name another.`,
      )
    if (canCreateTables)
      throw new OperatorFailure(
        `The role ${role} may create tables in this schema. Take that from it first: \`revoke create on schema public from public\`, or from whichever role it has it by.`,
      )
  })
  return { role, made }
}

// The first few: after an upgrade that is a table or two, and of a role that was never granted anything it is all of them.
export function sayRights(missing: readonly MissingRight[]): string {
  const named = missing.slice(0, MAX_NAMED).map(({ table, right }) => `${right} ${table}`)
  return `${named.join(', ')}${missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : ''}`
}

const MAX_NAMED = 3

const explainCreation =
  (role: string) =>
  (error: unknown): never => {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error
    throw new OperatorFailure(
      `There is no role ${role}, and this user may not make one. Have it made: \`create role ${role} login\`.`,
    )
  }

export async function keepAllPartitions(ctx: Context, _flags: Flags): Promise<Row[]> {
  await requireOwner(ctx.db, 'partitions')
  if (ctx.settings.environment === 'staging') ctx.clock.setOffset(await readClockOffset(ctx.db))
  const log = pino({ level: 'warn' }, pino.destination(2))
  const rows: Row[] = []
  for (const group of PARTITION_GROUPS) {
    while ((await keepPartitions(ctx, group, log)) > 0) {}
    const partitions = await listPartitions(ctx.db, group)
    rows.push({
      tables: group.tables.join(', '),
      partitions: partitions.length,
      until: isoInstant(instantOfId(partitions.at(-1)?.to ?? firstIdAt(0))),
    })
  }
  return rows
}
