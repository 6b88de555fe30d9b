// How many processes `recaudo start --processes` runs. Each has its own pool, so their number is also limited by the
// connections that PostgreSQL allows.

import { availableParallelism } from 'node:os'
import type { Config } from '../../config.ts'
import { readConnectionLimit } from '../../store/doctor/connection-limit.ts'
import type { OpenDatabase } from '../database.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from '../failure.ts'

export type WantedProcesses = number | 'auto'

// What the parent may hold itself, for migrations and when it starts.
export const PARENT_POOL = 3
// Each process listens for signals on a connection beside its pool.
export const CONNECTIONS_BESIDE_POOL = 1

export function readProcesses(value: string | undefined): WantedProcesses {
  if (value === undefined) return 1
  if (value === 'auto') return availableParallelism() === 1 ? 1 : 'auto'
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value)
  throw new OperatorFailure(
    `--processes takes a whole number from 1 to 999, or auto for one for each core, not ${JSON.stringify(value)}.`,
    USAGE_EXIT_CODE,
  )
}

// `auto` takes fewer where the connections do not suffice for every core. A number is meant, and refused.
export async function processesThatFit(
  wanted: WantedProcesses,
  { databasePool }: Pick<Config, 'databasePool'>,
  { db, description }: Pick<OpenDatabase, 'db' | 'description'>,
): Promise<{ count: number; description: string }> {
  const { max, reserved } = await readConnectionLimit(db)
  const forProcesses = max - reserved - PARENT_POOL
  const fit = Math.max(0, Math.floor(forProcesses / (databasePool + CONNECTIONS_BESIDE_POOL)))
  const count = wanted === 'auto' ? Math.min(availableParallelism(), Math.max(1, fit)) : wanted
  if (count <= fit) {
    const isFewer = wanted === 'auto' && count < availableParallelism()
    const description = `${count}, with ${databasePool} connections each`
    return {
      count,
      description: isFewer
        ? `${description}: the server allows no more for ${availableParallelism()} cores`
        : description,
    }
  }
  const needed = count * (databasePool + CONNECTIONS_BESIDE_POOL) + PARENT_POOL
  const fittingPool = Math.floor(forProcesses / count) - CONNECTIONS_BESIDE_POOL
  const remedies = [
    ...(fit > 0 ? [`--processes to ${fit}`] : []),
    ...(fittingPool >= 3 ? [`DATABASE_POOL to ${fittingPool}`] : []),
  ]
  throw new OperatorFailure(
    `${count} processes need ${needed} connections (each ${databasePool} by DATABASE_POOL and one for signals, and ${PARENT_POOL} for the parent); the ${description} allows ${max - reserved} (max_connections is ${max}, of which ${reserved} are reserved). ${remedies.length === 0 ? 'Raise' : `Lower ${remedies.join(' or ')}, or raise`} max_connections to ${needed + reserved}.`,
  )
}
