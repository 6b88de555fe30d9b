// What a QR payin takes on disk over its whole life, tables and indexes: created under an Idempotency-Key, opened, paid, booked,
// its events numbered, settled. Nobody has a webhook endpoint. The database is vacuumed as it goes, as autovacuum does, so that
// the room of dead versions is used again, and what counts is how much the files grow.

import { createHash } from 'node:crypto'
import pino from 'pino'
import { railReference } from '../src/core/connections/reference.ts'
import { DAY_MS } from '../src/core/instant.ts'
import type { Organization } from '../src/core/organizations/organization.ts'
import { presentPayin } from '../src/core/payins/object.ts'
import type { Payin } from '../src/core/payins/payin.ts'
import { isRefusal } from '../src/core/refusal.ts'
import { receiveNotice } from '../src/flows/connections/receive-notice.ts'
import type { Context } from '../src/flows/context.ts'
import { createPayin } from '../src/flows/payins/create.ts'
import type { PaymentHandle } from '../src/rails/rail.ts'
import type { Db } from '../src/store/db.ts'
import { runAllDue } from '../src/workers/start.ts'
import { openInProcess } from './in-process.ts'
import { atMost, type Row, UNTIMED } from './report.ts'
import type { Testbed } from './testbed.ts'

const AMOUNT = 5_000_000n
const AT_ONCE = 1_000
// After these, dead versions of rows find room that was used before.
const ROUNDS_BEFORE = 3
const ROUNDS = 6
const LIVES = AT_ONCE * (ROUNDS_BEFORE + ROUNDS)
const LOG = pino({ level: 'silent' })

export async function storage(testbed: Testbed): Promise<Row[]> {
  await using service = await openInProcess(testbed, 20)
  const ctx = { ...service.ctx, networks: withPayments(service.ctx.networks) }
  const round = async (): Promise<void> => {
    await live(ctx, service.organizations)
    await testbed.db.query({ text: 'vacuum' })
  }
  for (let number = 0; number < ROUNDS_BEFORE; number += 1) await round()
  const before = await bytesOnDisk(testbed.db)
  for (let number = 0; number < ROUNDS; number += 1) await round()
  const after = await bytesOnDisk(testbed.db)
  await assertSettled(testbed.db)
  const grown = [...after]
    .map(([relation, bytes]) => ({
      relation,
      perLife: (bytes - (before.get(relation) ?? 0)) / (ROUNDS * AT_ONCE),
    }))
    .sort((a, b) => b.perLife - a.perLife)
  for (const { relation, perLife } of grown)
    if (perLife >= 1) testbed.reportProgress(`  ${relation} ${Math.round(perLife)} B`)
  const kilobytes = grown.reduce((sum, { perLife }) => sum + perLife, 0) / 1_024
  return [
    {
      label: 'a QR payin on disk, over its whole life',
      measured: UNTIMED,
      bars: [atMost(kilobytes, 6, 'KB')],
    },
  ]
}

// Before money is settled the network is asked which payments it has.
function withPayments(networks: Context['networks']): Context['networks'] {
  const query = async ({ reference }: PaymentHandle) =>
    ({
      outcome: 'accepted',
      value: {
        state: 'paid',
        payments: [{ paymentId: reference, amountInCents: AMOUNT }],
        networkCode: '',
      },
    }) as const
  return { ...networks, payins: { ...networks.payins, BRE_B: { ...networks.payins.BRE_B, query } } }
}

async function live(ctx: Context, organizations: readonly Organization[]): Promise<void> {
  const payins = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) =>
      create(ctx, organizations[index % organizations.length] as Organization),
    ),
  )
  await runAllDue(ctx, LOG)
  await Promise.all(payins.map((payin) => pay(ctx, payin)))
  await runAllDue(ctx, LOG)
  const now = () => ctx.clock.now() + 2 * DAY_MS
  await runAllDue({ ...ctx, clock: { ...ctx.clock, now } }, LOG)
}

async function create(ctx: Context, organization: Organization): Promise<Payin> {
  const reference = `stored-${ctx.ids.next()}`
  const payin = await createPayin(
    ctx,
    organization,
    {
      amountInCents: AMOUNT,
      reference,
      customer: null,
      callbackUrl: null,
      way: { rail: 'BRE_B', keyType: 'QR_CODE' },
    },
    {
      key: reference,
      fingerprint: createHash('sha256').update(reference).digest(),
      answer: (created) => ({ status: 201, body: JSON.stringify(presentPayin(ctx.settings, created)) }),
    },
  )
  if (isRefusal(payin)) throw new Error(payin.refused)
  return payin
}

async function pay(ctx: Context, { organizationId, payinId }: Payin): Promise<void> {
  const reference = railReference('payin', organizationId, payinId)
  await receiveNotice(ctx, {
    rail: 'BRE_B',
    noticeId: `n-${payinId}`,
    reference,
    update: { kind: 'payin.paid', amountInCents: AMOUNT, paymentId: reference },
    networkCode: '',
    occurredAt: ctx.clock.now(),
  })
}

async function assertSettled(db: Db): Promise<void> {
  const { rows } = await db.query<{ settled: bigint }>({
    text: `select count(*) as settled from payins where settlement_status = 'SETTLED'`,
  })
  if (rows[0]?.settled !== BigInt(LIVES))
    throw new Error(`${rows[0]?.settled} of ${LIVES} payins are settled`)
}

// By table, without its indexes, and by index: heap, TOAST and maps.
async function bytesOnDisk(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<{ relation: string; bytes: bigint }>({
    text: `select relname as relation,
                  case relkind when 'r' then pg_table_size(oid) else pg_relation_size(oid) end as bytes
             from pg_class
            where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace`,
  })
  return new Map(rows.map(({ relation, bytes }) => [relation, Number(bytes)]))
}
