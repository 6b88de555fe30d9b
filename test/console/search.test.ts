// The search page: an id leads to its object, the rest is shown by kind with why it was found, people are masked by role, and whoever
// may not see them cannot ask by them. Nothing is shown of another organization.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sealStored } from '../../src/flows/people/seal-stored.ts'
import { writeWords } from '../../src/flows/search/write-words.ts'
import { brebPayin, CUSTOMER, createWorld, psePayin, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { listedRowIds } from './typed.ts'

const HOSTILE = '<img src=x onerror=alert(1)>"\'&'
const PEDRO = { ...CUSTOMER, name: 'Pedro <b>Páramo</b>', email: 'pedro@example.com', idNumber: '1000000007' }

describe('the search page', () => {
  let world: World
  let owner: Person
  const ids: string[] = []

  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    for (const body of [
      brebPayin({ reference: 'pedido-1', amountInCents: 125_000_050, inlineCustomer: PEDRO }),
      psePayin({ reference: 'pedido-2', amountInCents: 2_000_000, inlineCustomer: PEDRO }),
      brebPayin({ reference: HOSTILE, amountInCents: 3_000_000 }),
    ])
      ids.push((await world.client('POST', '/payins', body)).json.id)
    await world.client('POST', '/webhook-endpoints', { url: 'https://tienda.example/avisos' })
    await world.passTime(61_000)
    await sealStored(world.ctx)
    await writeWords(world.ctx)
  })
  after(() => world[Symbol.asyncDispose]())

  const search = (text: string, person = owner, more = '') =>
    person.get(`/search?q=${encodeURIComponent(text)}${more}`)
  const rowsOf = (text: string): number[] => listedRowIds(text).map((id) => ids.indexOf(id) + 1)

  it('teaches what can be searched, and shows nothing, where nothing was asked', async () => {
    for (const path of ['/search', '/search?q=', '/search?q=%00%20', '/search?q=a&q=b']) {
      const { status, text } = await owner.get(path)
      assert.equal(status, 200)
      assert.match(text, /class="ways"/, path)
      assert.deepEqual(rowsOf(text), [])
    }
  })

  it('leads straight to what an id is of', async () => {
    const { status, location } = await search(` ${ids[0]?.toUpperCase()} `)
    assert.equal(status, 303)
    assert.equal(location, `${owner.home}/payins/${ids[0]}`)
    const { rows } = await world.db.query<{ event_id: string }>({
      text: 'select event_id from events where sequence is not null limit 1',
    })
    if (rows[0] !== undefined)
      assert.match(
        String((await search(rows[0].event_id)).location),
        new RegExp(`/events/${rows[0].event_id}$`),
      )
    assert.equal((await search('019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90')).status, 200)
  })

  it('shows what was found, and why', async () => {
    const asked: [string, number[], string][] = [
      ['pedido', [2, 1], 'Referencia'],
      ['PEDIDO-2', [2], 'Referencia'],
      ['$ 1.250.000,50', [1], 'Valor'],
      ['1250000,5', [1], 'Valor'],
      ['páramo pedro', [2, 1], 'Nombre'],
      ['CC 1.000.000.007', [2, 1], 'Documento'],
      ['pedro@example.com', [2, 1], 'Correo'],
      [HOSTILE, [3], 'Referencia'],
    ]
    for (const [typed, rows, why] of asked) {
      const { status, text } = await search(typed)
      assert.equal(status, 200)
      assert.deepEqual(rowsOf(text), rows, typed)
      assert.match(text, new RegExp(`<td class="p-why">.*<span class="why">${why}</span>`), typed)
    }
    assert.match((await search('tienda.example')).text, /tienda\.example\/avisos<\/a>/)
  })

  it('keeps what was typed in its field, and all of it harmless', async () => {
    const { text } = await search(HOSTILE)
    assert.equal(text.includes('<img src=x'), false)
    assert.match(text, /id="search-text" name="q" value="&lt;img src=x onerror=alert\(1\)&gt;&quot;/)
    assert.equal((await search('pedido')).text.includes('<b>Páramo'), false)
  })

  it('says what to do where nothing is found', async () => {
    const { text, status } = await search('no-existe-nada')
    assert.equal(status, 200)
    assert.match(text, /Nada coincide con “no-existe-nada”/)
    assert.match(text, /href="[^"]*\/payins\?period=all&amp;text=no-existe-nada"/)
    const english = await signIn(world, 'owner', { language: 'en' })
    assert.match((await search('nothing-here', english)).text, /Nothing matches “nothing-here”/)
  })

  it('shows more of one kind where there is more', async () => {
    for (let count = 0; count < 9; count += 1)
      await world.client('POST', '/payins', brebPayin({ reference: `serie-${count}` }))
    const { text } = await search('serie-')
    assert.equal(rowsOf(text).length, 8)
    assert.match(text, /\/search\?q=serie-&amp;kind=payin"/)
    assert.equal(rowsOf((await search('serie-', owner, '&kind=payin')).text).length, 9)
    assert.equal(rowsOf((await search('serie-', owner, '&kind=payout')).text).length, 0)
    assert.equal(rowsOf((await search('serie-', owner, '&kind=nonsense')).text).length, 8)
  })

  it('masks people as the role sees them, and lets nobody guess at whom they may not see', async () => {
    assert.match((await search('pedido-1')).text, /Pedro &lt;b&gt;Páramo/)
    const support = await signIn(world, 'support')
    const masked = (await search('1000000007', support)).text
    assert.deepEqual(rowsOf(masked), [2, 1])
    assert.equal(masked.includes('Páramo'), false)
    const developer = await signIn(world, 'developer')
    for (const typed of ['1000000007', 'pedro@example.com', 'páramo', CUSTOMER.phone])
      assert.deepEqual(rowsOf((await search(typed, developer)).text), [], typed)
    assert.deepEqual(rowsOf((await search('pedido-1', developer)).text), [1])
    assert.match((await search('pedido-1', developer)).text, /Tu rol no ve datos personales/)
    // An accountant may not read endpoints.
    const accountant = await signIn(world, 'accountant')
    assert.equal((await search('tienda.example', accountant)).text.includes('avisos'), false)
  })

  it('shows nothing of another organization, not even by id', async () => {
    const { organization } = await world.newMerchant()
    const stranger = await signIn(world, 'owner', { organization })
    for (const typed of [ids[0] as string, 'pedido', '1000000007', 'páramo', '$ 1.250.000,50']) {
      const { status, text } = await search(typed, stranger)
      assert.equal(status, 200, typed)
      assert.deepEqual(rowsOf(text), [], typed)
    }
    assert.equal((await owner.get(`/console/${organization.organizationId}/search?q=pedido`)).status, 404)
  })
})
