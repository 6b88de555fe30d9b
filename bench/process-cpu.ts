// How much CPU the processes of the database use, as Linux counts it for each.

import { readFileSync } from 'node:fs'
import type { Queryable } from '../src/store/db.ts'

// Begins to count. The function returned says how much was used since, by processes that are still there. NaN where the
// system does not tell.
export async function countDatabaseCpu(db: Queryable): Promise<() => Promise<number>> {
  const before = await cpuMsByProcess(db)
  return async () => {
    const after = await cpuMsByProcess(db)
    return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
  }
}

async function cpuMsByProcess(db: Queryable): Promise<Map<number, number>> {
  const { rows } = await db.query<{ pid: number }>({ text: 'select pid from pg_stat_activity' })
  return new Map(rows.map(({ pid }) => [pid, cpuMsOf(pid)]))
}

function cpuMsOf(pid: number): number {
  try {
    // Nanoseconds on a core, nanoseconds waiting for one, time slices.
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return Number.NaN
  }
}
