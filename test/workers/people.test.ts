// A service that does not own its tables may not seal the people from before in their events. It says so once and goes on with all
// others; the owner seals them by a command.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import pino from 'pino'
import { sealCustomers } from '../../src/operator/customers.ts'
import { grantRole } from '../../src/operator/service-role.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { peopleTurn } from '../../src/workers/people.ts'
import { citusUrl } from '../citus.ts'
import { columnsWith, makePlain, newPerson, textsOf } from '../flows/people/life.ts'
import { brebPayin, createWorld, onServer, type World } from '../world.ts'

const skip = citusUrl() !== undefined && 'on a cluster, roles are made on every machine by hand'

it('people from before are left to the owner, said once, and hold up nobody', { skip }, async () => {
  const role = `service_${randomUUID().replaceAll('-', '')}`
  await onServer(`create role ${role} login password 'secret'`)
  let owner: Db | undefined
  {
    await using world = await createWorld({
      databaseVia: async (url) => {
        owner = openDb({ url, poolSize: 2 })
        await grantRole(owner, role)
        return url.replace(/^(\w+:\/\/)(?:[^/@]*@)?/, `$1${role}:secret@`)
      },
    })
    const db = owner as Db
    const plain = newPerson()
    await world.client('POST', '/payins', brebPayin({ inlineCustomer: plain }))
    await world.passTime(2_000)
    await makePlain({ db } as World, plain)
    const others = [await world.newMerchant(), await world.newMerchant()]
    for (const { client } of others)
      await client('POST', '/payins', brebPayin({ inlineCustomer: newPerson() }))
    await world.passTime(61_000)

    const heard: string[] = []
    const turn = peopleTurn(world.ctx, pino({ base: null }, { write: (line) => heard.push(line) }))
    for (let round = 0; round < 2; round += 1) while ((await turn()) > 0) {}
    assert.equal(heard.length, 1)
    assert.match(heard[0] as string, /recaudo customer seal/)
    const { rows } = await db.query<{ organization_id: string }>({
      text: 'select distinct organization_id from people_digests',
    })
    assert.deepEqual(
      rows.map((row) => row.organization_id).sort(),
      others.map(({ organization }) => organization.organizationId).sort(),
    )
    assert.ok((await columnsWith(db, textsOf(plain))).length > 0, 'row and events are as they were')

    await assert.rejects(sealCustomers(world.ctx), /as their owner/)
    const setOffset = () => {}
    const clock = { ...world.ctx.clock, setOffset }
    assert.deepEqual(await sealCustomers({ ...world.ctx, db, clock }), { rows: 1 })
    assert.deepEqual(await columnsWith(db, textsOf(plain)), [])
    assert.equal(await turn(), 0)
    // The owner has been there: the organization is served again like all others.
    const late = newPerson()
    await world.client('POST', '/payins', brebPayin({ inlineCustomer: late }))
    await world.passTime(61_000)
    while ((await turn()) > 0) {}
    const digests = await db.query({
      text: 'select from people_digests where organization_id = $1',
      values: [world.organization.organizationId],
    })
    assert.ok((digests.rowCount ?? 0) > 2, 'of whoever came before, and of whoever came since')
    await db.close()
  }
  await onServer(`drop role ${role}`)
})
