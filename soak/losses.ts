// Whether anything was lost: at the end of a run nothing is begun any more, time passes until every payment has ended, and then the
// books are compared with the networks' own log, the events with what the receiver was told, and the answers with the tables.

import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable } from '../src/store/db.ts'
import { checkMoney, type Movement, unfinished } from '../test/simulation/checker.ts'
import { advanceClock } from './disruptions.ts'
import type { Installation } from './installation.ts'
import type { Answered } from './lives.ts'
import type { Receiver } from './receiver.ts'
import type { Requests } from './requests.ts'

export type EndedLife = {
  readonly installation: Installation
  readonly requests: Requests
  readonly db: Queryable
  readonly receiver: Receiver
  readonly answered: Answered
  readonly lookMs?: number
}

// Past every lease, then past the expiry of a payin, and so on.
const STEPS_SECONDS = [61, 16 * 60, 61, 60 * 60]
const PATIENCE_MS = 5 * 60_000
const LOOK_MS = 1_000
const LOOKS_BETWEEN_STEPS = 4
const MOST_FINDINGS = 30

export async function findLosses(ended: EndedLife): Promise<string[]> {
  const { installation, db, answered } = ended
  const left = await untilEverythingEnded(ended)
  const findings = [
    ...left.map((what) => `it has not ended: ${what}`),
    ...(await checkMoney(db, await networksLog(installation))),
    ...(await missingRows(db, answered)),
    ...(
      await Promise.all(
        [
          ['audit', 'verify'],
          ['closes', 'verify'],
        ].map((one) => refutedBy(installation, one)),
      )
    ).flat(),
  ]
  const more = findings.length - MOST_FINDINGS
  return more <= 0 ? findings : [...findings.slice(0, MOST_FINDINGS), `and ${more} more`]
}

async function untilEverythingEnded(ended: EndedLife): Promise<string[]> {
  const { db, receiver, requests, lookMs = LOOK_MS } = ended
  const endsAtMs = performance.now() + PATIENCE_MS
  for (let look = 0; ; look += 1) {
    const open = [...(await unfinished(db)), ...(await otherWork(db))]
    const left = open.length > 0 ? open : await untold(db, receiver)
    if (left.length === 0 || performance.now() > endsAtMs) return left
    // Time does not bring back an event, and deliveries wait for no clock.
    if (open.length > 0 && look % LOOKS_BETWEEN_STEPS === LOOKS_BETWEEN_STEPS - 1)
      await advanceClock(
        { requests },
        STEPS_SECONDS[Math.floor(look / LOOKS_BETWEEN_STEPS) % STEPS_SECONDS.length] as number,
      )
    await delay(lookMs)
  }
}

async function otherWork(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ what: string }>({
    text: `select concat('refund ', refund_id, ' is ', stage) as what
             from refunds where stage in ('READY', 'SENDING', 'PAYING')
            union all
           select concat('batch ', batch_id, ' is ', status)
             from payout_batches where status in ('CHECKING', 'WAITING', 'PROCESSING')
            union all
           select concat('event ', event_id, ' has no number') from events where sequence is null
            union all
           select concat('audit entry ', entry_id, ' is not chained') from audit_unchained`,
  })
  return rows.map(({ what }) => what)
}

// The good receiver is subscribed to everything.
async function untold(db: Queryable, { received }: Receiver): Promise<string[]> {
  const { rows } = await db.query<{ sequence: bigint | number; type: string }>({
    text: `select sequence, type from events where sequence is not null and type <> 'webhook.test'`,
  })
  return rows
    .filter(({ sequence }) => !received.has(Number(sequence)))
    .map(({ sequence, type }) => `the receiver was never told event ${sequence}, ${type}`)
}

async function networksLog({ networksUrl, networksSecret }: Installation): Promise<Movement[]> {
  const answer = await fetch(`${networksUrl}/control/log`, {
    headers: { authorization: `Bearer ${networksSecret}` },
  })
  if (answer.status !== 200) throw new Error(`the networks' log was answered ${answer.status}`)
  return ((await answer.json()) as { entries: Movement[] }).entries
}

async function missingRows(db: Queryable, answered: Answered): Promise<string[]> {
  const places = {
    payins: ['payins', 'payin_id'],
    payouts: ['payouts', 'payout_id'],
    links: ['payment_links', 'payment_link_id'],
    refunds: ['refunds', 'refund_id'],
    batches: ['payout_batches', 'batch_id'],
  } as const
  const missing: string[] = []
  for (const [kind, [table, column]] of Object.entries(places)) {
    const { rows } = await db.query<{ id: string }>({
      text: `select id::text as id from unnest($1::uuid[]) as w (id) where not exists (select 1 from ${table} where ${column} = id)`,
      values: [answered[kind as keyof Answered]],
    })
    missing.push(...rows.map(({ id }) => `${table} has no ${id}, which was answered 201`))
  }
  return missing
}

async function refutedBy(installation: Installation, command: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await installation.command(command)
  return code === 0
    ? []
    : [`recaudo ${command.join(' ')} ended with ${code}: ${stdout}${stderr}`.slice(0, 1_000)]
}
