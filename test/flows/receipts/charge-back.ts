// A network takes back a payment over Bre-B, all of it or a part.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { World } from '../../world.ts'

export async function chargeBackPayin(world: World, payinId: string, amountInCents: bigint): Promise<void> {
  const { rows } = await world.db.query<{ payment_id: string }>({
    text: 'select payment_id from payins where payin_id = $1',
    values: [payinId],
  })
  const now = world.ctx.clock.now()
  await world.ctx.batched.insertNotice({
    organizationId: world.organization.organizationId,
    rail: 'BRE_B',
    noticeId: randomUUID(),
    subjectKind: 'payin',
    subjectId: payinId,
    update: { kind: 'payin.chargeback', paymentId: rows[0]?.payment_id ?? assert.fail(), amountInCents },
    networkCode: '',
    occurredAt: now,
    receivedAt: now,
  })
  await world.work()
}
