// Money that arrives after its payin was canceled, through the simulated network: it is in suspense, and can be returned.

import { randomUUID } from 'node:crypto'
import { suspenseList } from '../src/store/ledger/suspense.ts'
import { brebPayin, type Client, CUSTOMER, eventually, type World } from './world.ts'

export async function lateMoney(
  world: World,
  client: Client = world.client,
  changes: Record<string, unknown> = {},
): Promise<{ suspenseId: string; payinId: string }> {
  // The simulated networks leave this customer's payments open until a simulation decides.
  const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }
  const { id: payinId } = (await client('POST', '/payins', brebPayin({ inlineCustomer, ...changes }))).json
  const { organizationId } = (await client('GET', '/organization')).json
  await world.work()
  await client('POST', `/payins/${payinId}/cancel`)
  await client('POST', `/sandbox/payins/${payinId}/simulate`, { outcome: 'confirmed' })
  const list = suspenseList(world.db, organizationId, { payinId })
  const [item] = await eventually(
    async () => {
      await world.work()
      return list.seek({ direction: 'older', from: null }, 1)
    },
    (items) => items.length === 1,
  )
  return { suspenseId: item?.suspenseId as string, payinId }
}

// The network takes back a part of it.
export async function chargeBackSuspense(
  world: World,
  { suspenseId, payinId }: { suspenseId: string; payinId: string },
  amountInCents: bigint,
): Promise<void> {
  const { paymentId } = (await world.client('GET', `/suspense/${suspenseId}`)).json
  const now = world.ctx.clock.now()
  await world.ctx.batched.insertNotice({
    organizationId: world.organization.organizationId,
    rail: 'BRE_B',
    noticeId: randomUUID(),
    subjectKind: 'payin',
    subjectId: payinId,
    update: { kind: 'payin.chargeback', paymentId, amountInCents },
    networkCode: '',
    occurredAt: now,
    receivedAt: now,
  })
  await world.work()
}
