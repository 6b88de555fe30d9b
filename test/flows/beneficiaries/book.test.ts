// The beneficiary book: what it finds people by is what it says of them now.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { erasePerson } from '../../../src/flows/people/erase.ts'
import { person } from '../../api/payout-batches/files.ts'
import { createWorld, type World } from '../../world.ts'
import { withDirectory } from '../payouts/key-holders.ts'

describe('an entry of the beneficiary book', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const write = async (at: number, email: string) => {
    const { idNumber, name } = person(at)
    const entry = { idType: 'CO_CC', idNumber, name, email, key: idNumber }
    const { json, status, text } = await world.client('PUT', '/beneficiaries', entry)
    assert.equal(status, 200, text)
    return json.id as string
  }
  const entry = async (id: string) => (await world.client('GET', `/beneficiaries/${id}`)).json
  const erase = (email: string) =>
    erasePerson(world.ctx, world.organization.organizationId, { by: 'email', email }, 'test')
  const digestsOf = async (id: string) => {
    const text = 'select count(*)::integer as count from people_digests where object_id = $1'
    return (await world.db.query<{ count: number }>({ text, values: [id] })).rows[0]?.count
  }

  it('is not erased by an address that it no longer has, and is by the one that it has', async () => {
    const id = await write(1, 'antes@example.com')
    const found = await digestsOf(id)
    assert.equal(await write(1, 'ahora@example.com'), id)
    assert.equal(await digestsOf(id), found, 'nothing is left of the address that it had')
    const text = 'select version from beneficiaries where beneficiary_id = $1'
    assert.deepEqual((await world.db.query({ text, values: [id] })).rows, [{ version: 2 }])
    await erase('antes@example.com')
    assert.equal((await entry(id)).email, 'ahora@example.com')
    await erase('ahora@example.com')
    assert.ok(!JSON.stringify(await entry(id)).includes('ahora@example.com'))
  })

  it('that is deleted leaves nothing that finds anybody', async () => {
    const id = await write(2, 'dos@example.com')
    assert.notEqual(await digestsOf(id), 0)
    assert.equal((await world.client('DELETE', `/beneficiaries/${id}`)).status, 200)
    assert.equal(await digestsOf(id), 0)
  })
  it('is not written with a key that the directory refuses, whatever the reason', async () => {
    const { idNumber, name } = person(3)
    for (const reason of ['KEY_NOT_FOUND', 'KEY_SUSPENDED', 'KEY_INVALID'] as const)
      await withDirectory(
        world,
        async () => ({ outcome: 'rejected', reason, networkCode: 'X' }),
        async () => {
          const sent = { idType: 'CO_CC', idNumber, name, key: idNumber }
          assert.equal((await world.client('PUT', '/beneficiaries', sent)).json.code, reason)
        },
      )
    assert.ok(!(await world.client('GET', '/beneficiaries')).text.includes(name))
  })
})
