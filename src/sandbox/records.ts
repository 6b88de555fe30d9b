// The records and tables of the simulated networks: payments, money that moved, scheduled tasks and notices to send. A column
// has the name of the record's member, so a row is a record, except for money and booleans.

import type { Instant } from '../core/instant.ts'

export type Network = 'breb' | 'pse'
export type PaymentKind = 'collection' | 'session' | 'transfer'
export type PaymentState = 'open' | 'paid' | 'rejected' | 'canceled' | 'expired'

/** Chosen by the document number. */
export type Scenario =
  | 'confirmed'
  | 'declined'
  | 'canceled'
  | 'open'
  | 'thrice'
  | 'other-amount'
  | 'silent'
  | 'chargeback'

/** A collection or a transfer of Bre-B, or a session of PSE. */
export type Payment = {
  kind: PaymentKind
  reference: string
  state: PaymentState
  amountInCents: bigint
  scenario: Scenario
  /** The request, members in a fixed order. Two requests are the same if this is equal. */
  request: string
  /** The Bre-B key that receives the money. */
  key: string | null
  /** PSE: the CUS. A transfer: the end-to-end id, once it is completed. */
  traceId: string | null
  /** PSE: identifies the bank's page. */
  pageToken: string | null
  code: string | null
  /** A payer has opened it, so the timer no longer decides. */
  opened: boolean
  chargedBack: boolean
  createdAt: Instant
  expiresAt: Instant | null
  noticeCount: number
}

/** Money that came in. */
export type Arrival = {
  kind: PaymentKind
  paymentId: string
  reference: string
  amountInCents: bigint
  paidAt: Instant
}

export type ReturnedPayment = {
  network: Network
  reference: string
  paymentId: string
  amountInCents: bigint
  traceId: string
}

/** Credit: a payer's money came. Debit: a transfer went out. Return: money was returned. Chargeback: it was charged back. */
export type Movement = 'credit' | 'debit' | 'return' | 'chargeback'
export type LogEntry = {
  at: Instant
  movement: Movement
  network: Network
  reference: string
  amountInCents: bigint
  traceId: string
}

export type TaskName = 'settle' | 'expire' | 'give-up' | 'pay-late' | 'charge-back'
export type Task = { id: number; due: Instant; name: TaskName; kind: PaymentKind; reference: string }

export type Delivery = {
  id: number
  network: Network
  noticeId: string
  reference: string
  body: string
  due: Instant
  tries: number
}

export type Row = Record<string, string | number | bigint | null>

export function toRow(record: object): Row {
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? Number(value) : value,
  ])
  return Object.fromEntries(entries) as Row
}

export function fromRow<Kind>(row: Row | undefined): Kind | undefined {
  if (row === undefined) return undefined
  const { amountInCents, opened, chargedBack } = row
  return {
    ...row,
    ...(amountInCents !== undefined && { amountInCents: BigInt(amountInCents as number) }),
    ...(opened !== undefined && { opened: opened === 1, chargedBack: chargedBack === 1 }),
  } as Kind
}

// Increase it with every change of the tables.
export const SCHEMA_VERSION = 2
export const SCHEMA = `
create table if not exists settings (name text primary key, value text not null) strict;

create table if not exists payments (
  kind          text    not null,
  reference     text    not null,
  state         text    not null,
  amountInCents integer not null check (amountInCents > 0),
  scenario      text    not null,
  request       text    not null,
  key           text,
  traceId       text,
  pageToken     text    unique,
  code          text,
  opened        integer not null,
  chargedBack   integer not null,
  createdAt     integer not null,
  expiresAt     integer,
  noticeCount   integer not null,
  primary key (kind, reference)
) strict;
create unique index if not exists one_open_collection_per_key
  on payments (key) where kind = 'collection' and state = 'open';
create index if not exists payments_by_key on payments (key) where kind = 'collection';
create index if not exists payments_by_reference on payments (reference);
create unique index if not exists payments_by_trace on payments (traceId);

create table if not exists arrivals (
  kind          text    not null,
  paymentId     text    not null,
  reference     text    not null,
  amountInCents integer not null check (amountInCents > 0),
  paidAt        integer not null,
  primary key (kind, paymentId)
) strict;
create index if not exists arrivals_by_reference on arrivals (kind, reference);

create table if not exists returns (
  network       text    not null,
  reference     text    not null,
  paymentId     text    not null,
  amountInCents integer not null check (amountInCents > 0),
  traceId       text    not null,
  primary key (network, reference)
) strict;
create index if not exists returns_by_payment on returns (network, paymentId);

create table if not exists log (
  id            integer primary key,
  at            integer not null,
  movement      text    not null,
  network       text    not null,
  reference     text    not null,
  amountInCents integer not null check (amountInCents > 0),
  traceId       text    not null
) strict;
-- Whatever is repeated: a transfer takes money once, and a return gives it once.
create unique index if not exists money_goes_out_once
  on log (network, movement, reference) where movement in ('debit', 'return');

create table if not exists tasks (
  id        integer primary key,
  due       integer not null,
  name      text    not null,
  kind      text    not null,
  reference text    not null
) strict;
create index if not exists tasks_by_due on tasks (due, id);

create table if not exists deliveries (
  id        integer primary key,
  network   text    not null,
  noticeId  text    not null,
  reference text    not null,
  body      text    not null,
  due       integer not null,
  tries     integer not null,
  stage     text    not null default 'waiting' check (stage in ('waiting', 'taken', 'over'))
) strict;
create index if not exists deliveries_by_due on deliveries (due, id) where stage = 'waiting';

create table if not exists steps (
  reference text    not null,
  step      text    not null,
  times     integer not null,
  primary key (reference, step)
) strict;
`
