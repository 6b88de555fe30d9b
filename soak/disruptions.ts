// What happens to the installation during a run, one after the other: processes are stopped and killed, connections are cut, the
// networks go away, and the clock leaps.

import type { Queryable } from '../src/store/db.ts'
import type { Installation } from './installation.ts'
import type { Requests } from './requests.ts'

export type Disrupted = {
  readonly installation: Installation
  readonly requests: Requests
  readonly db: Queryable
  // Gives up the receivers who never answer, and names them anew: after five days of failures an endpoint is disabled, and what waits
  // for it then is kept until somebody enables it.
  readonly replaceDeadEndpoints: () => Promise<void>
}

type Disruption = readonly [what: string, act: (on: Disrupted) => Promise<void>]

const MINUTES = 60
const HOURS = 60 * MINUTES

export const DISRUPTIONS: readonly Disruption[] = [
  ['SIGKILL workers-2', ({ installation }) => installation.restart('workers-2', 'SIGKILL')],
  ['SIGTERM api-2', ({ installation }) => installation.restart('api-2', 'SIGTERM')],
  ['clock + 2 min', (on) => advanceClock(on, 2 * MINUTES)],
  ['SIGKILL api-2', ({ installation }) => installation.restart('api-2', 'SIGKILL')],
  ['SIGTERM workers-2', ({ installation }) => installation.restart('workers-2', 'SIGTERM')],
  ['connections cut', ({ db }) => cutConnections(db)],
  ['clock + 20 min', (on) => advanceClock(on, 20 * MINUTES)],
  ['networks away', ({ installation }) => installation.restart('networks', 'SIGTERM')],
  [
    'clock + 25 h',
    async (on) => {
      await advanceClock(on, 25 * HOURS)
      await on.replaceDeadEndpoints()
    },
  ],
]

export async function advanceClock(
  { requests }: Pick<Disrupted, 'requests'>,
  seconds: number,
): Promise<void> {
  const { status, text } = await requests.send('POST', '/sandbox/clock/advance', { seconds })
  if (status !== 200) throw new Error(`the clock was not moved: ${text}`)
}

async function cutConnections(db: Queryable): Promise<void> {
  await db.query({
    text: `select pg_terminate_backend(pid)
             from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`,
  })
}
