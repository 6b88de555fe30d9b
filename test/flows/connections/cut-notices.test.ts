// A signed notice may be about money, whatever is wrong with it: it is applied, or a person sees what came.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../../src/rails/signature.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../../world.ts'

async function send(world: World, id: string, body: string, signed = body): Promise<number> {
  const at = Math.floor(world.ctx.clock.now() / 1_000)
  const signature = signNotice(world.config.breb.notificationKey, id, at, Buffer.from(signed))
  const headers = { [ID_HEADER]: id, [TIMESTAMP_HEADER]: String(at), [SIGNATURE_HEADER]: signature }
  const answer = await fetch(`${world.baseUrl}/notifications/breb`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return answer.status
}

const paid = (reference: string): string =>
  JSON.stringify({
    id: 'ntf-1',
    type: 'collection.paid',
    reference,
    occurredAt: '2026-11-16T03:00:00.000Z',
    paymentId: 'PAY-1',
    amount: '50000.00',
    endToEndId: null,
    reasonCode: null,
  })

describe('a signed notice of a payment', () => {
  it('that is cut is refused, so that the network sends it again, and a person sees what came', async () => {
    await using world = await createWorld()
    assert.equal(await send(world, 'ntf-1', paid('NOBODY').slice(0, -20)), 400)
    const [alarm, ...others] = await listOpenAlarms(world.db)
    assert.deepEqual(others, [])
    assert.equal(alarm?.kind, 'orphan-notice')
    assert.match(alarm?.detail ?? '', /notice ntf-1, which cannot be read: .*PAY-1.*50000\.00/)
  })

  it('that is empty is shown', async () => {
    await using world = await createWorld()
    assert.equal(await send(world, 'ntf-1', ''), 400)
    assert.equal((await listOpenAlarms(world.db)).length, 1)
  })

  it('whose body has another id than its signature is applied, and shown', async () => {
    await using world = await createWorld()
    const unpaid = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
    const { json } = await world.client('POST', '/payins', brebPayin(unpaid))
    await world.work()
    const reference = railReference('payin', world.organization.organizationId, json.id)
    assert.equal(await send(world, 'ntf-2', paid(reference)), 200)
    await world.work()
    assert.equal((await world.client('GET', `/payins/${json.id}`)).json.status, 'CONFIRMED')
    const alarms = (await listOpenAlarms(world.db)).map(({ detail }) => detail)
    assert.deepEqual(alarms, [
      'notice ntf-2 of BRE_B is called ntf-1 in its body, and is kept under its signed id',
    ])
  })

  it('that was altered on its way is refused, and nobody is told', async () => {
    await using world = await createWorld()
    assert.equal(await send(world, 'ntf-1', paid('NOBODY').slice(0, -20), paid('NOBODY')), 401)
    assert.deepEqual(await listOpenAlarms(world.db), [])
  })
})
