// The same key with the same request gets the first response again, byte for byte. The response is recorded in the same
// commit as its effect. Here a second request only waits for the first and then reads that record.

import { createHash } from 'node:crypto'
import type { Instant } from '../../core/instant.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { recordedBody } from '../../flows/change-once.ts'
import { AnsweredBefore, type Context } from '../../flows/context.ts'
import { refuseInUse } from '../../flows/insert-once.ts'
import {
  deleteExpiredRecord,
  type IdempotencyRecord,
  type RecordAddress,
  UNFINISHED_STATUS,
} from '../../store/idempotency.ts'
import { canonicalJson } from './json-body.ts'
import type { ApiAnswer } from './operation.ts'

export type IdempotencyKey = { readonly key: string; readonly fingerprint: Buffer }

const MAX_KEY_LENGTH = 255

// The draft standard quotes the key, most clients do not. Both forms mean the same key.
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined | Refusal {
  if (header === undefined) return undefined
  const text = Array.isArray(header) ? header.join(',') : header
  const key = /^"(.*)"$/s.exec(text)?.[1] ?? text
  if (key.length < 1 || key.length > MAX_KEY_LENGTH || !/^[\x20-\x7e]+$/.test(key)) {
    return refuse(
      'INVALID_INPUT',
      `The header Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} printable ASCII characters.`,
      {
        errors: [
          {
            path: '/headers/idempotency-key',
            code: 'WRONG_FORMAT',
            message: 'must have 1 to 255 printable ASCII characters',
          },
        ],
      },
    )
  }
  return key
}

// `whose`: where the same request of somebody else is another one.
export function fingerprintOf(method: string, path: string, body: unknown, whose = ''): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n${whose}`)
    .update(canonicalJson(body ?? null))
    .digest()
}

export type Idempotent = (
  organizationId: string,
  idempotency: IdempotencyKey,
  run: () => Promise<ApiAnswer | Refusal>,
) => Promise<ApiAnswer | Refusal>

export function createIdempotent(ctx: Context): Idempotent {
  const running = new Map<string, Promise<unknown>>()

  return async (organizationId, idempotency, run) => {
    const address = { organizationId, key: idempotency.key }
    const name = `${organizationId} ${idempotency.key}`
    for (let first = running.get(name); first !== undefined; first = running.get(name)) {
      await first
      const replayed = await replay(ctx, address, idempotency)
      if (replayed !== undefined) return replayed
      // The first request left no record. The first waiting request to get here runs next.
    }
    const attempt = runOrReplay(ctx, address, idempotency, run)
    running.set(
      name,
      attempt.catch(() => {}),
    )
    try {
      return await attempt
    } finally {
      running.delete(name)
    }
  }
}

async function runOrReplay(
  ctx: Context,
  address: RecordAddress,
  idempotency: IdempotencyKey,
  run: () => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal> {
  const first = await outcomeOf(run)
  if (first !== 'answered-before' && !isRefusal(first)) return first
  // A refusal changed nothing, but an earlier request may have used the key.
  const replayed = await replay(ctx, address, idempotency)
  if (replayed !== undefined) return replayed
  const isKeyTaken = first === 'answered-before' || first.refused === 'IDEMPOTENCY_KEY_IN_USE'
  // Only a record that has expired is in the way: nobody deleted it yet. The request is a new one.
  if (isKeyTaken && (await deleteExpiredRecord(ctx.db, address, ctx.clock.now()))) return run()
  if (first === 'answered-before') throw new AnsweredBefore()
  return first
}

async function outcomeOf(
  run: () => Promise<ApiAnswer | Refusal>,
): Promise<ApiAnswer | Refusal | 'answered-before'> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof AnsweredBefore) return 'answered-before'
    throw error
  }
}

// Longer than anybody waits with an answer.
const FINISHED_AFTER_MS = 30_000

function isUnfinished({ status, createdAt = 0 }: IdempotencyRecord, now: Instant): boolean {
  return status === UNFINISHED_STATUS && now < createdAt + FINISHED_AFTER_MS
}

async function replay(
  ctx: Context,
  address: RecordAddress,
  { fingerprint }: IdempotencyKey,
): Promise<ApiAnswer | Refusal | undefined> {
  const record = await ctx.batched.getRecord(address)
  if (record === undefined) return undefined
  if (!record.fingerprint.equals(fingerprint)) {
    return refuse(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used with another request: use a new key.',
    )
  }
  if (isUnfinished(record, ctx.clock.now())) return refuseInUse()
  const body = recordedBody(ctx, address, record.body)
  // Whoever made it did not come back to finish it, so it stays what it was.
  const status = record.status === UNFINISHED_STATUS ? 201 : record.status
  return { status, body, headers: { 'idempotent-replayed': 'true' } }
}
