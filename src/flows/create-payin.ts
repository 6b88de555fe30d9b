// A merchant asks for money. The payin, and the answer kept for its Idempotency-Key, are written together or not at all.

import type { Organization } from '../core/organization.ts'
import { newPayin, type Payin, type PayinRequest } from '../core/payin.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import { LOCK_NOT_AVAILABLE, sqlState } from '../store/db.ts'
import { getPayinByReference } from '../store/payins.ts'
import { AnsweredBefore, type Context, type Remember, recordOf } from './context.ts'

export async function createPayin(
  ctx: Context,
  organization: Organization,
  request: PayinRequest,
  remember: Remember<Payin> | null,
): Promise<Payin | Refusal> {
  const payin = newPayin(organization, ctx.nextId(), request)
  const record = remember && recordOf(remember, payin)
  try {
    const { inserted } = await ctx.together.insertPayin({ payin, record })
    if (inserted) return payin
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return refuseInUse()
    throw error
  }

  const existing = await getPayinByReference(ctx.db, organization.organizationId, request.reference)
  // A commit whose answer was lost on the way is run again by the store: the row it finds in its way is our own.
  if (existing?.payinId === payin.payinId) return existing
  if (remember !== null) {
    const answered = await ctx.together.getRecord({
      organizationId: organization.organizationId,
      key: remember.key,
    })
    if (answered !== undefined) throw new AnsweredBefore()
  }
  // The reference was taken when we tried and nobody holds it now: its payin was never committed. Rare; say try again.
  if (existing === undefined) return refuseInUse()
  return refuseDuplicate(existing)
}

function refuseInUse(): Refusal {
  return refuse(
    'IDEMPOTENCY_KEY_IN_USE',
    'Another request with the same key or reference is still running.',
    {
      retryAfterSeconds: 1,
    },
  )
}

function refuseDuplicate(existing: Payin): Refusal {
  const message = `The reference belongs to payin ${existing.payinId}.`
  return refuse('DUPLICATE_REFERENCE', message, {
    errors: [{ path: '/reference', code: 'DUPLICATE_REFERENCE', message, payinId: existing.payinId }],
  })
}
