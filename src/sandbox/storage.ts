// The networks' storage: an SQLite file of their own. Nothing pending is kept anywhere else, so a restart loses
// nothing.

import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Instant } from '../core/instant.ts'
import { transactionOf } from './full-disk.ts'
import {
  type Arrival,
  type Delivery,
  fromRow,
  type LogEntry,
  type Network,
  type Payment,
  type PaymentKind,
  type ReturnedPayment,
  type Row,
  SCHEMA,
  SCHEMA_VERSION,
  type Task,
  toRow,
} from './records.ts'

export type Storage = ReturnType<typeof openStorage>

export function openStorage(file: string) {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeToOthers(file)
  }
  const db = new DatabaseSync(file)
  // In this mode a crash of the process loses nothing. A power cut may lose the last moments of a test.
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000')
  dropOtherVersions(db)
  db.exec(SCHEMA)
  db.exec(`update deliveries set stage = 'waiting' where stage = 'taken'`)

  const { all, one, run, insert } = statementsOf(db)

  return {
    transaction: transactionOf(db),

    addPayment: (payment: Payment) => insert('payments', payment),
    savePayment: ({ kind, reference, state, code, traceId, opened, chargedBack, noticeCount }: Payment) =>
      run(
        `update payments set state = :state, code = :code, traceId = :traceId, opened = :opened,
           chargedBack = :chargedBack, noticeCount = :noticeCount
         where kind = :kind and reference = :reference`,
        { kind, reference, state, code, traceId, opened, chargedBack, noticeCount },
      ),
    payment: (kind: PaymentKind, reference: string) =>
      one<Payment>('select * from payments where kind = :kind and reference = :reference', {
        kind,
        reference,
      }),
    paymentUnder: (reference: string) =>
      one<Payment>('select * from payments where reference = :reference order by createdAt desc limit 1', {
        reference,
      }),
    sessionOfPage: (pageToken: string) =>
      one<Payment>('select * from payments where pageToken = :pageToken', { pageToken }),
    /** The open collection of a key, or else its latest one. */
    collectionOfKey: (key: string) =>
      one<Payment>(
        `select * from payments where key = :key and kind = 'collection'
         order by state = 'open' desc, createdAt desc limit 1`,
        { key },
      ),
    traceIdIsTaken: (traceId: string) =>
      one('select 1 as taken from payments where traceId = :traceId', { traceId }) !== undefined,

    addArrival: (arrival: Arrival) => insert('arrivals', arrival),
    arrivals: (kind: PaymentKind, reference: string) =>
      all<Arrival>('select * from arrivals where kind = :kind and reference = :reference order by rowid', {
        kind,
        reference,
      }),
    arrival: (kind: PaymentKind, paymentId: string) =>
      one<Arrival>('select * from arrivals where kind = :kind and paymentId = :paymentId', {
        kind,
        paymentId,
      }),

    addReturn: (returned: ReturnedPayment) => insert('returns', returned),
    returnUnder: (network: Network, reference: string) =>
      one<ReturnedPayment>('select * from returns where network = :network and reference = :reference', {
        network,
        reference,
      }),
    /** How much of an arrival has already been returned. */
    returnedAmount: (network: Network, paymentId: string): bigint =>
      one<{ amountInCents: bigint }>(
        `select coalesce(sum(amountInCents), 0) as amountInCents
         from returns where network = :network and paymentId = :paymentId`,
        { network, paymentId },
      )?.amountInCents ?? 0n,

    openReferences: () =>
      all<{ reference: string }>(`select reference from payments where state = 'open'`, {}).map(
        ({ reference }) => reference,
      ),

    addToLog: (entry: LogEntry) => insert('log', entry),
    log: () =>
      all<LogEntry>(
        'select at, movement, network, reference, amountInCents, traceId from log order by id',
        {},
      ),

    /** What moved over a network from one time up to another, in the order in which it did. */
    movements: (network: Network, from: Instant, to: Instant) =>
      all<LogEntry>(
        `select at, movement, network, reference, amountInCents, traceId
           from log where network = :network and at >= :from and at < :to order by id`,
        { network, from, to },
      ),

    addTask: (task: Omit<Task, 'id'>) => insert('tasks', task),
    nextTask: () => one<Task>('select * from tasks order by due, id limit 1', {}),
    removeTask: (id: number) => run('delete from tasks where id = :id', { id }),

    addDelivery: (delivery: Omit<Delivery, 'id' | 'tries'>) =>
      insert('deliveries', { ...delivery, tries: 0 }),
    nextDeliveryDue: () =>
      one<{ due: Instant }>(`select due from deliveries where stage = 'waiting' order by due limit 1`, {})
        ?.due,
    /** Each is claimed once, until it is retried or ended. A restart releases all claims. */
    takeDeliveries: (now: Instant, limit: number) =>
      all<Delivery>(
        `update deliveries set stage = 'taken'
         where id in (
           select id from deliveries where stage = 'waiting' and due <= :now order by due, id limit :limit)
         returning id, network, noticeId, reference, body, due, tries`,
        { now, limit },
      ).sort((one, other) => one.due - other.due || one.id - other.id),
    retryDelivery: (id: number, tries: number, due: Instant) =>
      run(`update deliveries set stage = 'waiting', tries = :tries, due = :due where id = :id`, {
        id,
        tries,
        due,
      }),
    endDelivery: (id: number) =>
      run(`update deliveries set stage = 'over', tries = tries + 1 where id = :id`, { id }),

    /** Counts, from 1, how often a step was taken for a reference. */
    countStep: (reference: string, step: string): number =>
      one<{ times: number }>(
        `insert into steps (reference, step, times) values (:reference, :step, 1)
         on conflict (reference, step) do update set times = times + 1 returning times`,
        { reference, step },
      )?.times ?? 1,

    clockOffsetMs: (): number =>
      Number(
        one<{ value: string }>(`select value from settings where name = 'clockOffsetMs'`, {})?.value ?? 0,
      ),
    rememberClockOffset: (offsetMs: number) =>
      run(`insert or replace into settings (name, value) values ('clockOffsetMs', :value)`, {
        value: String(offsetMs),
      }),

    close: () => db.close(),
  }
}

// SQLite gives the files beside it the mode of this one, but not those that are there.
export function closeToOthers(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    const { mode = 0 } = statSync(each, { throwIfNoEntry: false }) ?? {}
    if ((mode & 0o077) !== 0) chmodSync(each, 0o600)
  }
}

// Test money is not worth a migration: what an older or newer build has written is dropped.
function dropOtherVersions(db: DatabaseSync): void {
  const { user_version: version } = db.prepare('pragma user_version').get() as { user_version: number }
  if (version === SCHEMA_VERSION) return
  const tables = db.prepare(`select name from sqlite_master where type = 'table'`).all()
  for (const { name } of tables) db.exec(`drop table ${name}`)
  db.exec(`pragma user_version = ${SCHEMA_VERSION}`)
}

function statementsOf(db: DatabaseSync) {
  const prepared = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  const all = <Record>(sql: string, values: object): Record[] =>
    statement(sql)
      .all(toRow(values))
      .map((row) => fromRow<Record>(row as Row) as Record)
  const run = (sql: string, values: object): void => {
    statement(sql).run(toRow(values))
  }
  return {
    all,
    one: <Record>(sql: string, values: object): Record | undefined => all<Record>(sql, values)[0],
    run,
    insert: (table: string, record: object): void => {
      const names = Object.keys(record)
      const columns = names.join(', ')
      run(`insert into ${table} (${columns}) values (${names.map((name) => `:${name}`).join(', ')})`, record)
    },
  }
}
