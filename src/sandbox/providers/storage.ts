// What a simulated provider remembers: documents in its own format, tasks, notices, and how far its clock was moved. An SQLite file of
// its own, so a restart loses nothing.

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../core/instant.ts'
import { transactionOf } from '../full-disk.ts'
import { closeToOthers } from '../storage.ts'

export type DueTask = { id: number; due: Instant; name: string; subject: string }
export type DueNotice = {
  id: number
  due: Instant
  tries: number
  reference: string
  body: string
  url: string | null
}
export type DocumentStorage = ReturnType<typeof openDocuments>

const SCHEMA = `
  create table if not exists documents (
    number integer primary key, kind text not null, id text not null, reference text not null, value text not null,
    unique (kind, id));
  create index if not exists documents_by_reference on documents (kind, reference);
  create table if not exists tasks (id integer primary key, due integer not null, name text not null, subject text not null);
  create index if not exists tasks_by_due on tasks (due, id);
  create table if not exists notices (
    id integer primary key, due integer not null, tries integer not null, reference text not null, body text not null,
    url text, stage text not null);
  create index if not exists notices_by_due on notices (stage, due);
  create table if not exists steps (subject text not null, step text not null, times integer not null, primary key (subject, step));
  create table if not exists settings (name text primary key, value text not null);`

export function openDocuments(file: string) {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeToOthers(file)
  }
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000')
  db.exec(SCHEMA)
  db.exec(`update notices set stage = 'waiting' where stage = 'taken'`)
  const prepared = new Map<string, ReturnType<typeof db.prepare>>()
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, known)
    return known
  }
  const run = (sql: string, ...values: (string | number | null)[]) => statement(sql).run(...values)
  const all = (sql: string, ...values: (string | number)[]) => statement(sql).all(...values)
  const one = (sql: string, ...values: (string | number)[]) => statement(sql).get(...values)
  const valuesOf = <Value>(rows: readonly unknown[]): Value[] =>
    (rows as { value: string }[]).map(({ value }) => JSON.parse(value) as Value)

  return {
    transaction: transactionOf(db),
    /** Adds or replaces the document of this kind and id. */
    put: (kind: string, id: string, reference: string, value: unknown): void => {
      run(
        `insert into documents (kind, id, reference, value) values (?, ?, ?, ?)
         on conflict (kind, id) do update set reference = excluded.reference, value = excluded.value`,
        kind,
        id,
        reference,
        JSON.stringify(value),
      )
    },
    get: <Value>(kind: string, id: string): Value | undefined =>
      valuesOf<Value>(all('select value from documents where kind = ? and id = ?', kind, id))[0],
    /** In the order in which they came. */
    under: <Value>(kind: string, reference: string): Value[] =>
      valuesOf<Value>(
        all('select value from documents where kind = ? and reference = ? order by number', kind, reference),
      ),
    list: <Value>(kind: string, offset: number, limit: number): Value[] =>
      valuesOf<Value>(
        all(
          'select value from documents where kind = ? order by number limit ? offset ?',
          kind,
          limit,
          offset,
        ),
      ),
    count: (kind: string): number =>
      Number(
        (one('select count(*) as total from documents where kind = ?', kind) as { total: number }).total,
      ),

    addTask: (due: Instant, name: string, subject: string): void => {
      run('insert into tasks (due, name, subject) values (?, ?, ?)', due, name, subject)
    },
    nextTask: () => one('select * from tasks order by due, id limit 1') as DueTask | undefined,
    removeTask: (id: number): void => {
      run('delete from tasks where id = ?', id)
    },

    addNotice: (due: Instant, reference: string, body: string, url?: string): void => {
      run(
        `insert into notices (due, tries, reference, body, url, stage) values (?, 0, ?, ?, ?, 'waiting')`,
        due,
        reference,
        body,
        url ?? null,
      )
    },
    nextNoticeDue: (): Instant | undefined =>
      (
        one(`select due from notices where stage = 'waiting' order by due limit 1`) as
          | { due: Instant }
          | undefined
      )?.due,
    /** The first that is due and whose subject is not in the list. It is taken until it is repeated or ended. */
    takeNotice: (now: Instant, busy: readonly string[]): DueNotice | undefined => {
      const marks = busy.map(() => '?').join(', ')
      return one(
        `update notices set stage = 'taken'
          where id = (select id from notices where stage = 'waiting' and due <= ? and reference not in (${marks})
                       order by due, id limit 1)
         returning id, due, tries, reference, body, url`,
        now,
        ...busy,
      ) as DueNotice | undefined
    },
    repeatNotice: (id: number, due: Instant): void => {
      run(`update notices set stage = 'waiting', tries = tries + 1, due = ? where id = ?`, due, id)
    },
    endNotice: (id: number): void => {
      run(`update notices set stage = 'over', tries = tries + 1 where id = ?`, id)
    },
    notices: () =>
      all('select tries, reference, body, stage from notices order by id') as {
        tries: number
        reference: string
        body: string
        stage: string
      }[],

    /** Counts, from 1, how often a step was taken for a subject. */
    countStep: (subject: string, step: string): number =>
      (
        one(
          `insert into steps (subject, step, times) values (?, ?, 1)
           on conflict (subject, step) do update set times = times + 1 returning times`,
          subject,
          step,
        ) as { times: number }
      ).times,
    clockOffsetMs: (): number =>
      Number(
        (one(`select value from settings where name = 'clock'`) as { value: string } | undefined)?.value ?? 0,
      ),
    rememberClockOffset: (offsetMs: number): void => {
      run(`insert or replace into settings (name, value) values ('clock', ?)`, String(offsetMs))
    },
    close: () => db.close(),
  }
}
