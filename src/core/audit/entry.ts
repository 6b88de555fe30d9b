// One audit entry: who did what to which thing, from where, what changed, and how it ended. Its canonical text is what the chain's
// digests are made of, so that anybody with the entries can make them again (docs/guides/en/audit.md).

import { hash } from 'node:crypto'
import { type Instant, isoInstant } from '../instant.ts'
import { centsToNumber } from '../money.ts'
import type { RefusalCode } from '../refusal.ts'
import type { ObjectKind } from './act.ts'
import type { Actor } from './actor.ts'
import { AUDITED_FIELDS, type FieldRule } from './fields.ts'

export const OUTCOMES = ['done', 'refused'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type Change = { readonly before: unknown; readonly after: unknown }
export type Changes = Readonly<Record<string, Change>>

export type AuditEntry = {
  readonly organizationId: string
  readonly entryId: string
  readonly at: Instant
  readonly actor: Actor
  readonly act: string
  readonly objectKind: string
  // Null where the thing was not made, or has no id.
  readonly objectId: string | null
  // As JSON, as it is stored.
  readonly changes: string
  readonly outcome: Outcome
  readonly refusal: RefusalCode | string | null
}

// What the first line of every chain follows.
export const FIRST_DIGEST: Buffer = Buffer.alloc(32)

export function chainDigest(previous: Buffer, entry: AuditEntry): Buffer {
  return hash('sha256', Buffer.concat([previous, Buffer.from(canonicalText(entry))]), 'buffer')
}

// The fields in this order, as a JSON array without spaces.
export function canonicalText(entry: AuditEntry): string {
  const { actor } = entry
  return JSON.stringify([
    entry.organizationId,
    entry.entryId,
    isoInstant(entry.at),
    actor.kind,
    actor.id,
    actor.name,
    actor.sessionId,
    actor.address,
    actor.requestId,
    entry.act,
    entry.objectKind,
    entry.objectId,
    entry.changes,
    entry.outcome,
    entry.refusal,
  ])
}

// Null before: it was made. Null after: it is gone.
export function changesBetween(kind: ObjectKind, before: object | null, after: object | null): Changes {
  const changes: Record<string, Change> = {}
  for (const [field, rule] of Object.entries(AUDITED_FIELDS[kind])) {
    const [old, next] = [before, after].map((one) => fieldOf(one, field))
    if (isSame(old, next)) continue
    changes[field] = { before: presented(rule, old), after: presented(rule, next) }
  }
  return changes
}

function fieldOf(thing: object | null, field: string): unknown {
  return (thing as Readonly<Record<string, unknown>> | null)?.[field] ?? null
}

function isSame(one: unknown, other: unknown): boolean {
  return jsonOf(one) === jsonOf(other)
}

function presented(rule: FieldRule, value: unknown): unknown {
  if (value === null) return null
  if (rule === 'secret') return SECRET
  if (rule === 'time') return isoInstant(value as Instant)
  if (rule === 'digest') return digestText(typeof value === 'string' ? value : jsonOf(value))
  if (rule === 'url') return abridged(urlWithoutQuery(String(value)))
  return JSON.parse(jsonOf(value, abridged)) as unknown
}

const SECRET = '(secret)'
// Longer texts are cut. Their digest still tells two of them apart.
const MAX_TEXT = 300

function abridged(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}… (${digestText(text)})`
}

function digestText(text: string): string {
  return `${text.length} characters, SHA-256 ${hash('sha256', text, 'hex')}`
}

function urlWithoutQuery(text: string): string {
  const url = URL.parse(text)
  if (url === null) return digestText(text)
  return `${url.origin}${url.pathname}${url.search === '' && url.hash === '' ? '' : '?…'}`
}

function jsonOf(value: unknown, ofText: (text: string) => string = (text) => text): string {
  return JSON.stringify(value, (_, one) => {
    if (typeof one === 'bigint') return centsToNumber(one)
    return typeof one === 'string' ? ofText(one) : one
  })
}
