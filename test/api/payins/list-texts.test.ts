// What the list shows of a payin at its end is kept as text. It is what reading that payin shows at every moment, whatever has become of
// it since the list was last asked for.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ApiRequest } from '../../../src/api/http/operation.ts'
import { listPayinsOperation } from '../../../src/api/payins/list.ts'
import { eraseCustomer } from '../../../src/operator/customers.ts'
import { setPayinCustomer } from '../../../src/store/payins/payins.ts'
import { refunding } from '../../flows/refunds/refunding.ts'
import { brebPayin, CUSTOMER, createWorld, psePayin, type World } from '../../world.ts'

const PAYER = { ...CUSTOMER, idNumber: '1020304050' }

describe('a payin in a list', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())
  const { asked, chargeBack, confirmed, ends, settle } = refunding(() => world)

  const listed = async (query = ''): Promise<Map<string, Record<string, unknown>>> => {
    const { data } = (await world.client('GET', `/payins?pageSize=100${query}`)).json
    return new Map(data.map((one: { id: string }) => [one.id, one]))
  }
  // As it is read by itself, where the payer is shown whole.
  const read = async (id: string) => {
    const { inlineCustomer, ...rest } = (await world.client('GET', `/payins/${id}`)).json
    return { ...rest, inlineCustomer: inlineCustomer?.name ?? null }
  }
  const isAsRead = async (id: string) => {
    const shown = await read(id)
    for (const query of ['', `&rail=${shown.rail}`])
      assert.deepEqual((await listed(query)).get(id), shown, query)
  }

  it('is as it is read, the first time and again', async () => {
    const ids = [await confirmed(), await confirmed({}, 'PSE')]
    for (let times = 0; times < 2; times += 1)
      for (const id of ids) assert.deepEqual((await listed()).get(id), await read(id))
    const order = [...(await listed()).keys()]
    assert.deepEqual(order, order.toSorted().toReversed(), 'the newest first')
  })

  const changes: Record<string, (id: string) => Promise<unknown>> = {
    'is settled': settle,
    'is charged back': (id) => chargeBack(id, 1_000_000n),
    'is refunded': async (id) => ends((await asked(id, { amountInCents: 1_000 })).id, 'CONFIRMED'),
    'has lost its payer': (id) =>
      settle(id).then(() => eraseCustomer(world.ctx, { document: 'CO_CC:1020304050', yes: true })),
  }
  for (const [how, change] of Object.entries(changes))
    it(`shows at once that it ${how}`, async () => {
      const id = await confirmed({ inlineCustomer: PAYER })
      await isAsRead(id)
      const before = await read(id)
      await change(id)
      assert.notDeepEqual(await read(id), before)
      await isAsRead(id)
    })

  it('that is open shows at once that it ends', async () => {
    const { json } = await world.client(
      'POST',
      '/payins',
      brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }),
    )
    await world.work()
    await isAsRead(json.id)
    assert.equal((await listed('&status=PROCESSING')).has(json.id), true)
    await world.client('POST', `/payins/${json.id}/cancel`)
    await isAsRead(json.id)
    assert.equal((await listed('&status=PROCESSING')).has(json.id), false)
    assert.equal((await listed('&status=CANCELED')).has(json.id), true)
  })

  it('whose payer comes later shows them at once, although it is the same version', async () => {
    const { json } = await world.client('POST', '/payins', psePayin({ inlineCustomer: undefined }))
    assert.ok(json.id, JSON.stringify(json))
    await isAsRead(json.id)
    const address = { organizationId: world.organization.organizationId, payinId: json.id }
    await setPayinCustomer(world.db, address, CUSTOMER, world.ctx.clock.now())
    assert.equal((await read(json.id)).inlineCustomer, CUSTOMER.name)
    await isAsRead(json.id)
  })

  it('that moves while the page is read is not shown among those that it has left', async () => {
    const { json } = await world.client(
      'POST',
      '/payins',
      brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }),
    )
    await world.work()
    let ended: Promise<unknown> | undefined
    // Between the page and what it shows.
    const query = async <Row extends object>(config: { name?: string; text: string; values?: unknown[] }) => {
      if (config.name?.startsWith('get-payins') && ended === undefined) {
        ended = world.client('POST', `/payins/${json.id}/cancel`)
        await ended
      }
      return world.db.query<Row>(config)
    }
    const ctx = { ...world.ctx, db: { ...world.db, query } }
    const caller = { organization: world.organization }
    const request = { ctx, caller, query: { status: 'PROCESSING' } } as unknown as ApiRequest
    const answer = (await listPayinsOperation.handle(request)) as { body: string }
    assert.ok(ended !== undefined)
    assert.deepEqual(
      JSON.parse(answer.body).data.filter(({ id }: { id: string }) => id === json.id),
      [],
    )
  })

  it('is nobody else’s, whatever is kept', async () => {
    const { id } = (await world.client('POST', '/payins', brebPayin())).json
    await world.client('POST', `/payins/${id}/cancel`)
    await isAsRead(id)
    const other = await world.newMerchant()
    assert.deepEqual((await other.client('GET', '/payins?pageSize=100')).json.data, [])
    // The same id and version, of another merchant.
    const text = `insert into payins select (jsonb_populate_record(p, jsonb_build_object('organization_id', $2::text, 'reference', 'theirs',
                                               'customer', null))).* from payins p where payin_id = $1`
    await world.db.query({ text, values: [id, other.organization.organizationId] })
    const [theirs] = (await other.client('GET', '/payins')).json.data
    assert.deepEqual([theirs.id, theirs.reference, theirs.inlineCustomer], [id, 'theirs', null])
    await isAsRead(id)
  })
})
