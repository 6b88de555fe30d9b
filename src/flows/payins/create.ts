// A merchant requests money. The payin and the recorded response for its Idempotency-Key are written atomically.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Organization } from '../../core/organizations/organization.ts'
import { newPayin, type Payin, type PayinRequest } from '../../core/payins/payin.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { finishRecord, type IdempotencyRecord, UNFINISHED_STATUS } from '../../store/idempotency.ts'
import type { InsertedPayment } from '../../store/locked-connections.ts'
import { getPayinByReference, insertPayins, type NewPayin } from '../../store/payins/payins.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { insertOnce, refuseInUse } from '../insert-once.ts'
import { routePayin, withPresentRoutes } from '../payment-route.ts'
import { sealCustomer, sealNote } from '../people/vault.ts'
import { insertRecorded } from '../record-act.ts'
import { withReturnUrl } from './return-url.ts'

type Creating = Needs<
  'actor' | 'clock' | 'ids' | 'db' | 'batched' | 'networks' | 'signals' | 'settings' | 'vault'
>

export function createPayin(
  ctx: Creating,
  organization: Organization,
  request: PayinRequest,
  idempotency: Idempotency<Payin> | null,
): Promise<Payin | Refusal> {
  return withPresentRoutes(ctx, organization, (known) => createRouted(ctx, known, request, idempotency))
}

async function createRouted(
  ctx: Creating,
  organization: Organization,
  request: PayinRequest,
  idempotency: Idempotency<Payin> | null,
): Promise<Payin | Refusal> {
  const route = routePayin(ctx, organization, request.way.rail, request.amountInCents)
  if (isRefusal(route)) return route
  const payinId = ctx.ids.next()
  const vault = await ctx.vault(organization.organizationId)
  // Only an answer that is kept is made from the sealed text.
  const customer = sealCustomer(vault, payinId, request.customer, idempotency !== null)
  const note = sealNote(vault, payinId, request.note ?? null)
  const made = newPayin(organization, payinId, { ...request, customer, note }, null, route)
  const payin = withReturnUrl(ctx, made)
  const record = idempotency && recordOf(idempotency, payin)
  const inserted = await insertOnce(idempotency !== null, () => insert(ctx, { payin, record }))
  if (isRefusal(inserted)) return inserted
  if (inserted) {
    ctx.signals.workAdded('payins', organization.organizationId)
    return lacksKey(payin) ? waitForKey(ctx, payin, idempotency) : payin
  }

  const existing = await getPayinByReference(ctx.db, organization.organizationId, request.reference)
  // The store repeats a commit whose answer was lost. The conflicting row is then our own. A worker may have moved it since, and the
  // answer is what it was when it was made, as it is kept for its key.
  if (existing?.payinId === payin.payinId)
    return lacksKey(payin) ? waitForKey(ctx, payin, idempotency) : payin
  if (idempotency !== null) {
    const answered = await ctx.batched.getRecord({
      organizationId: organization.organizationId,
      key: idempotency.key,
    })
    if (answered !== undefined) throw new AnsweredBefore()
  }
  // The reference was taken when we inserted and is free now: its payin was never committed. Rare; the caller retries.
  if (existing === undefined) return refuseInUse()
  return refuseDuplicate(existing)
}

function insert(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'batched'>,
  one: NewPayin,
): Promise<InsertedPayment> {
  const { organizationId, payinId: objectId, source } = one.payin
  return insertRecorded(
    ctx,
    {
      organizationId,
      act: 'payin.create',
      objectId,
      before: null,
      after: { ...one.payin, rail: source.rail },
    },
    () => ctx.batched.insertPayin(one),
    async (tx) => (await insertPayins(tx, [one]))[0] as InsertedPayment,
  )
}

function lacksKey({ source }: Payin): boolean {
  return source.rail === 'BRE_B' && source.keyString === null
}

// An answer that a key may still come into is unfinished until we have waited for it.
function recordOf(idempotency: Idempotency<Payin>, payin: Payin): IdempotencyRecord {
  const record = idempotencyRecordOf(idempotency, payin)
  return lacksKey(payin) ? { ...record, status: UNFINISHED_STATUS } : record
}

// The provider names the key, and mostly does so at once. Beyond our patience the payin is PENDING without one.
async function waitForKey(
  ctx: Needs<'clock' | 'db' | 'batched' | 'settings'>,
  created: Payin,
  idempotency: Idempotency<Payin> | null,
): Promise<Payin> {
  const giveUpAt = ctx.clock.wallClock() + ctx.settings.keyWaitMs
  let payin = created
  while (payin.status === 'PENDING' && ctx.clock.wallClock() < giveUpAt) {
    await sleep(LOOK_AGAIN_AFTER_MS)
    payin = (await ctx.batched.getPayin(created)) ?? payin
  }
  if (idempotency !== null)
    await finishRecord(ctx.db, payin.organizationId, idempotencyRecordOf(idempotency, payin))
  return payin
}

const LOOK_AGAIN_AFTER_MS = 50

function refuseDuplicate(existing: Payin): Refusal {
  const message = `The reference belongs to payin ${existing.payinId}.`
  return refuse('DUPLICATE_REFERENCE', message, {
    errors: [{ path: '/reference', code: 'DUPLICATE_REFERENCE', message, payinId: existing.payinId }],
  })
}
