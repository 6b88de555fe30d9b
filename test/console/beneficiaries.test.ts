// The beneficiary book in the console: every write is an operation of the API, a key is written only by whoever has shown that it is
// them, and nobody learns more of a person than their role may see.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

const PATH = '/beneficiaries'
const ANA = { idType: 'CO_CC', idNumber: '1020304050', name: 'Ana María Gómez', key: '1020304050' }

describe('the beneficiary book of the console', () => {
  let world: World
  let owner: Person
  let preparer: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    preparer = await signIn(world, 'preparer')
  })
  after(() => world[Symbol.asyncDispose]())

  const prove = (person: Person, isProved: boolean) =>
    world.db.query({
      text: `update sessions set proved_at = now() - $2::interval where user_id = $1`,
      values: [person.userId, isProved ? '0 minutes' : '10 minutes'],
    })
  const typed = (entry: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(entry).map(([name, value]) => [`/${name}`, value]))
  const idIn = (location: string | null) => /beneficiaries\/([0-9a-f-]{36})/.exec(location ?? '')?.[1] ?? ''
  const book = async () =>
    (await world.client('GET', `${PATH}?pageSize=100`)).json.data as Record<string, string>[]
  const added = async (entry: Record<string, string>): Promise<string> => {
    const { status, json, text } = await world.client('PUT', PATH, entry)
    assert.equal(status, 200, text)
    return json.id
  }

  it('teaches while it is empty, and is reached from payouts and batches', async () => {
    const { text } = await owner.get(PATH)
    assert.match(text, /curl -X PUT [\s\S]*\/beneficiaries/)
    for (const path of ['/payouts', '/batches'])
      assert.ok((await owner.get(path)).text.includes(`href="${owner.home}${PATH}"`), path)
  })

  it('adds somebody once the person has shown that it is them, and says when and how the key was verified', async () => {
    await prove(owner, false)
    const asked = await owner.post(`${PATH}/new`, typed(ANA))
    assert.equal(asked.status, 403)
    assert.ok(asked.text.includes('value="Ana María Gómez"'), 'what was typed is kept')
    assert.deepEqual(await book(), [])
    await prove(owner, true)
    const done = await owner.post(`${PATH}/new`, typed(ANA))
    assert.equal(done.status, 303)
    const { text } = await owner.get(`${PATH}/${idIn(done.location)}`)
    assert.match(text, /Verificada/)
    assert.ok(text.includes('El directorio nombró el mismo documento'))
    assert.match((await owner.get(PATH)).text, /Ana María Gómez[\s\S]*1020304050[\s\S]*Verificada/)
    const [entry] = (await world.client('GET', '/audit?pageSize=1')).json.data
    assert.deepEqual([entry.act, entry.actor.kind], ['beneficiary.write', 'person'])
  })

  it('says at its field what is wrong: a key of somebody else, of nobody, of no form, and what is missing', async () => {
    await prove(owner, true)
    const at = (text: string, field: string) =>
      new RegExp(`id="field-${field}-problem">([^<]*)<`).exec(text)?.[1]
    const other = await owner.post(`${PATH}/new`, typed({ ...ANA, idNumber: '77', key: '1020304050' }))
    assert.equal(other.status, 422)
    assert.equal(at(other.text, 'idNumber'), 'El directorio dice que esta llave es de otro documento.')
    const nobody = await owner.post(`${PATH}/new`, typed({ ...ANA, key: '@NOEXISTE1' }))
    assert.match(at(nobody.text, 'key') ?? '', /Nadie tiene esta llave/)
    const shapeless = await owner.post(`${PATH}/new`, typed({ ...ANA, key: '??' }))
    assert.match(at(shapeless.text, 'key') ?? '', /no tiene forma de llave/)
    const empty = await owner.post(`${PATH}/new`, {})
    assert.deepEqual(
      ['idType', 'idNumber', 'name', 'key'].map((field) => at(empty.text, field) !== undefined),
      [true, true, true, true],
    )
    assert.equal((await book()).length, 1)
  })

  it('changes an entry of a document whatever the form says the document is, and removes it', async () => {
    await prove(owner, true)
    const id = await added({ idType: 'CO_CC', idNumber: '1020304060', name: 'Beto Ruiz', key: '1020304060' })
    const before = (await book()).length
    const changes = { '/name': 'Beto Ruiz Mora', '/key': '1020304060', '/email': 'beto@example.com' }
    const done = await owner.post(`${PATH}/${id}`, { ...changes, '/idNumber': '1020304050' })
    assert.equal(done.status, 303, done.text)
    const entry = (await world.client('GET', `${PATH}/${id}`)).json
    assert.deepEqual(
      [entry.name, entry.email, entry.idNumber],
      ['Beto Ruiz Mora', 'beto@example.com', '1020304060'],
    )
    assert.equal((await book()).length, before)
    const wrong = await owner.post(`${PATH}/${id}`, { ...changes, '/key': '1020304050' })
    assert.match(wrong.text, /id="field-key-problem">El directorio dice que esta llave es de otro documento/)
    await prove(owner, false)
    assert.equal((await owner.post(`${PATH}/${id}`, { ...changes, '/name': 'Otro Nombre' })).status, 403)
    assert.equal((await world.client('GET', `${PATH}/${id}`)).json.name, 'Beto Ruiz Mora')
    await owner.post(`${PATH}/${id}/remove`)
    assert.equal((await book()).length, before)
    await prove(owner, true)
    assert.equal((await owner.post(`${PATH}/${id}/remove`)).status, 303)
    assert.equal((await owner.get(`${PATH}/${id}`)).status, 404)
    assert.equal((await owner.post(`${PATH}/${id}`, changes)).status, 404)
  })

  it('finds people by a name, a document, a key and an e-mail address, over all pages', async () => {
    for (let number = 0; number < 30; number += 1) {
      const idNumber = String(1_080_000_000 + number)
      await added({ idType: 'CO_CC', idNumber, name: `Persona ${number}`, key: idNumber })
    }
    const first = await owner.get(PATH)
    assert.equal(first.text.match(/id="beneficiary-/g)?.length, 25)
    const next = /href="([^"]*after=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') as string
    assert.equal((await owner.get(next)).text.match(/id="beneficiary-/g)?.length, 6)
    for (const question of ['gomez maria', 'cc 1020304050', '1.020.304.050']) {
      const { text } = await owner.get(`${PATH}?q=${encodeURIComponent(question)}`)
      assert.equal(text.match(/id="beneficiary-/g)?.length, 1, question)
      assert.ok(text.includes('Ana María Gómez'), question)
    }
    const { text } = await owner.get(`${PATH}?q=nadie`)
    assert.ok(text.includes('No está en la libreta'))
    const many = await owner.get(`${PATH}?q=persona`)
    assert.equal(many.text.match(/id="beneficiary-/g)?.length, 25)
    const on = /href="([^"]*after=[^"]*)"/.exec(many.text)?.[1]?.replaceAll('&amp;', '&') as string
    assert.equal((await owner.get(on)).text.match(/id="beneficiary-/g)?.length, 5)
  })

  it('masks people to roles that ask first, and lets them change an entry they have asked for', async () => {
    const id = (await book()).find(({ name }) => name === ANA.name)?.id as string
    const masked = (await preparer.get(`${PATH}/${id}`)).text
    assert.ok(!masked.includes('1020304050') && !masked.includes('Gómez'))
    assert.ok(masked.includes('primero muestra los datos'))
    assert.ok(!(await preparer.get(PATH)).text.includes('1020304050'))
    const shown = await preparer.post(`${PATH}/${id}/show-person`)
    assert.ok((await preparer.get(shown.location ?? '')).text.includes('value="Ana María Gómez"'))
    await prove(preparer, true)
    const refused = await preparer.post(`${PATH}/${id}`, { '/name': 'Otra Ana', '/key': '@NOEXISTE1' })
    assert.ok(refused.text.includes('value="Otra Ana"') && !refused.text.includes('1020304050'))
    const developer = await signIn(world, 'developer')
    const { text } = await developer.get(`${PATH}?q=${ANA.idNumber}`)
    assert.ok(text.includes('no puede buscarlas') && !text.includes('Gómez'))
  })

  it('is shown to whoever may not write, without a way to; and to nobody else', async () => {
    const accountant = await signIn(world, 'accountant')
    const id = (await book())[0]?.id
    assert.match(
      (await accountant.get(PATH)).text,
      /aria-disabled="true"[^>]*>[\s\S]{0,400}Agregar a alguien/,
    )
    assert.equal((await accountant.post(`${PATH}/new`, typed(ANA))).status, 403)
    assert.equal((await accountant.post(`${PATH}/${id}/remove`)).status, 403)
    const other = await world.newMerchant()
    const stranger = await signIn(world, 'owner', { organization: other.organization })
    await prove(stranger, true)
    assert.equal((await stranger.get(`${PATH}/${id}`)).status, 404)
    assert.equal((await stranger.post(`${PATH}/${id}/remove`)).status, 404)
    assert.equal((await book())[0]?.id, id)
  })
})
