// The database's clock against this machine's. Ids and due times are made by the clocks of the machines that run the service, and
// what is due is looked for by each of them.

import type { Instant } from '../../core/instant.ts'
import type { Db } from '../../store/db.ts'
import { readActivity } from '../../store/doctor/server-state.ts'
import { type DoctorFinding, type DoctorLimits, ok, problem } from './finding.ts'

const QUESTIONS = 3

export async function examineClock(
  db: Db,
  now: () => Instant,
  limits: DoctorLimits,
): Promise<DoctorFinding[]> {
  const measured = []
  for (let asked = 0; asked < QUESTIONS; asked += 1) measured.push(await measure(db, now))
  // The answer that came fastest says most.
  const [{ skewMs, doubtMs }] = measured.sort((one, other) => one.doubtMs - other.doubtMs) as [Measured]
  const shown = `${Math.round(Math.abs(skewMs))} ms (± ${Math.ceil(doubtMs)})`
  if (Math.abs(skewMs) - doubtMs <= limits.clockSkewMs) return [ok('clock', `${shown} off the database’s`)]
  return [
    problem(
      'clock',
      `this machine’s clock is ${shown} ${skewMs < 0 ? 'ahead of' : 'behind'} the database’s`,
      'let NTP (chrony, systemd-timesyncd) set both, and watch it: with clocks apart, work is found late, links expire at the wrong time and tokens are refused',
    ),
  ]
}

type Measured = { readonly skewMs: number; readonly doubtMs: number }

async function measure(db: Db, now: () => Instant): Promise<Measured> {
  const startedAt = performance.now()
  const before = now()
  const { serverTimeMs } = await readActivity(db)
  const tookMs = performance.now() - startedAt
  return { skewMs: serverTimeMs - (before + tookMs / 2), doubtMs: tookMs / 2 + 1 }
}
