// A merchant asks for money. The payin, and the answer kept for its Idempotency-Key, are written together or not at all.

import type { Organization } from '../../core/organizations/organization.ts'
import { newPayin, type Payin, type PayinRequest } from '../../core/payins/payin.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { getPayinByReference } from '../../store/payins/payins.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { insertOnce, refuseInUse } from '../insert-once.ts'

export async function createPayin(
  ctx: Needs<'ids' | 'db' | 'batched' | 'signals'>,
  organization: Organization,
  request: PayinRequest,
  remember: Idempotency<Payin> | null,
): Promise<Payin | Refusal> {
  const payin = newPayin(organization, ctx.ids.next(), request)
  const record = remember && idempotencyRecordOf(remember, payin)
  const inserted = await insertOnce(remember !== null, () => ctx.batched.insertPayin({ payin, record }))
  if (isRefusal(inserted)) return inserted
  if (inserted) {
    ctx.signals.workAdded('payins')
    return payin
  }

  const existing = await getPayinByReference(ctx.db, organization.organizationId, request.reference)
  // A commit whose answer was lost on the way is run again by the store: the row it finds in its way is our own.
  if (existing?.payinId === payin.payinId) return existing
  if (remember !== null) {
    const answered = await ctx.batched.getRecord({
      organizationId: organization.organizationId,
      key: remember.key,
    })
    if (answered !== undefined) throw new AnsweredBefore()
  }
  // The reference was taken when we tried and nobody holds it now: its payin was never committed. Rare; say try again.
  if (existing === undefined) return refuseInUse()
  return refuseDuplicate(existing)
}

function refuseDuplicate(existing: Payin): Refusal {
  const message = `The reference belongs to payin ${existing.payinId}.`
  return refuse('DUPLICATE_REFERENCE', message, {
    errors: [{ path: '/reference', code: 'DUPLICATE_REFERENCE', message, payinId: existing.payinId }],
  })
}
