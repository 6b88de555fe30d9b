// A merchant requests money. The payin and the recorded response for its Idempotency-Key are written atomically.

import type { Organization } from '../../core/organizations/organization.ts'
import { newPayin, type Payin, type PayinRequest } from '../../core/payins/payin.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { getPayinByReference } from '../../store/payins/payins.ts'
import { AnsweredBefore, type Idempotency, idempotencyRecordOf, type Needs } from '../context.ts'
import { insertOnce, refuseInUse } from '../insert-once.ts'
import { sealCustomer, sealNote } from '../people/vault.ts'
import { withReturnUrl } from './return-url.ts'

export async function createPayin(
  ctx: Needs<'ids' | 'db' | 'batched' | 'signals' | 'settings' | 'vault'>,
  organization: Organization,
  request: PayinRequest,
  idempotency: Idempotency<Payin> | null,
): Promise<Payin | Refusal> {
  const payinId = ctx.ids.next()
  const vault = await ctx.vault(organization.organizationId)
  // Only an answer that is kept is made from the sealed text.
  const customer = sealCustomer(vault, payinId, request.customer, idempotency !== null)
  const note = sealNote(vault, payinId, request.note ?? null)
  const payin = withReturnUrl(ctx, newPayin(organization, payinId, { ...request, customer, note }))
  const record = idempotency && idempotencyRecordOf(idempotency, payin)
  const inserted = await insertOnce(idempotency !== null, () => ctx.batched.insertPayin({ payin, record }))
  if (isRefusal(inserted)) return inserted
  if (inserted) {
    ctx.signals.workAdded('payins')
    return payin
  }

  const existing = await getPayinByReference(ctx.db, organization.organizationId, request.reference)
  // The store repeats a commit whose answer was lost. The conflicting row is then our own.
  if (existing?.payinId === payin.payinId) return existing
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

function refuseDuplicate(existing: Payin): Refusal {
  const message = `The reference belongs to payin ${existing.payinId}.`
  return refuse('DUPLICATE_REFERENCE', message, {
    errors: [{ path: '/reference', code: 'DUPLICATE_REFERENCE', message, payinId: existing.payinId }],
  })
}
