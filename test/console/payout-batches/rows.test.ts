// Files of payouts in the console, without any script: each role sees the people of a batch as it may, wherever they stand, and whoever
// submits one shows before that it is them.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { maskKey } from '../../../src/core/directory/breb-key.ts'
import { PEOPLE_VIEW, ROLES, type Role } from '../../../src/core/team/role.ts'
import { checkedBatch, goodRow, person } from '../../api/payout-batches/files.ts'
import { createWorld, type World } from '../../world.ts'
import { type Person, signIn } from '../person.ts'

const NAME = 'Mariana Sepúlveda'
const TOLD = [NAME, 'Sepúlveda', '1020304050', '@MARIPEREZ', 'PEREZ', 'mariana.sepulveda@correo.example']
const ROW = `@MARIPEREZ;50.000;nomina-1;${NAME};CC;1020304050;mariana.sepulveda@correo.example`

describe('a batch in the console', () => {
  let world: World
  let path: string
  const people = new Map<Role, Person>()
  before(async () => {
    world = await createWorld()
    for (const role of ROLES) people.set(role, await signIn(world, role))
    path = `/batches/${(await checkedBatch(world, world.client, ROW)).id}`
  })
  after(() => world[Symbol.asyncDispose]())
  const as = (role: Role) => people.get(role) as Person

  it('shows its people to roles that see people, in its rows, at a row and in its file', async () => {
    for (const role of ROLES.filter((one) => PEOPLE_VIEW[one] === 'shown'))
      for (const place of [path, `${path}/rows/2`, `${path}/result.csv`]) {
        const { status, text } = await as(role).get(place)
        assert.equal(status, 200, `${role} ${place}`)
        for (const told of TOLD) assert.ok(text.includes(told), `${role} ${place}: ${told}`)
      }
  })

  it('masks them to the others, and gives these no file', async () => {
    for (const role of ROLES.filter((one) => PEOPLE_VIEW[one] !== 'shown')) {
      for (const place of [path, `${path}/rows/2`]) {
        const { status, text } = await as(role).get(place)
        assert.equal(status, 200, `${role} ${place}`)
        for (const told of TOLD) assert.ok(!text.includes(told), `${role} ${place}: ${told}`)
      }
      const { text } = await as(role).get(path)
      assert.ok(!text.includes('result.csv'), `${role} is offered the file`)
      assert.equal((await as(role).get(`${path}/result.csv`)).status, 404, role)
      // As on every other page: two ways to mask the same key would show nearly all of it.
      assert.ok(text.includes('@MAR***'), role)
      assert.ok(text.includes('m***@correo.example'), role)
    }
  })

  it('shows which key of the beneficiary book it pays, as the role sees keys', async () => {
    const { idNumber, name } = person(7)
    const entry = { idType: 'CO_CC', idNumber, name, key: idNumber }
    assert.equal((await world.client('PUT', '/beneficiaries', entry)).status, 200)
    const { id } = await checkedBatch(world, world.client, `;5000;r;${name};CC;${idNumber};`)
    for (const role of ROLES) {
      const { text } = await as(role).get(`/batches/${id}`)
      const [, key] = /<div>([^<]+)<small class="soft">de la libreta/.exec(text) ?? []
      assert.equal(key, PEOPLE_VIEW[role] === 'shown' ? idNumber : maskKey(idNumber), role)
    }
  })

  it('is corrected row after row: whoever saw those with errors only goes on with what is left of them', async () => {
    const { id } = await checkedBatch(world, world.client, goodRow(8, '-1'), goodRow(9, '-1'))
    const home = `/batches/${id}`
    const list = await as('owner').get(`${home}?only=errors`)
    assert.ok(list.text.includes(`${home}/rows/2?only=errors`))
    const row = await as('owner').get(`${home}/rows/2?only=errors`)
    assert.ok(row.text.includes(`action="${as('owner').home}${home}/rows/2?only=errors"`), row.text)
    const saved = await as('owner').post(`${home}/rows/2?only=errors`, { '/amount': '50.000' })
    assert.equal(saved.status, 303)
    assert.match(String(saved.location), new RegExp(`${home}\\?only=errors&`))
  })

  it('is submitted by whoever has shown that it is them', async () => {
    const owner = as('owner')
    const { id } = await checkedBatch(world, world.client, goodRow(1))
    const status = async () => (await world.client('GET', `/payout-batches/${id}`)).json.status
    const prove = (minutesAgo: number) =>
      world.db.query({
        text: `update sessions set proved_at = now() - make_interval(mins => $2) where user_id = $1`,
        values: [owner.userId, minutesAgo],
      })
    await prove(10)
    assert.equal((await owner.post(`/batches/${id}/submit`, { '/version': '2' })).status, 403)
    assert.equal(await status(), 'DRAFT')
    await prove(0)
    assert.equal((await owner.post(`/batches/${id}/submit`)).status, 303)
    assert.equal(await status(), 'PROCESSING')
  })
})
