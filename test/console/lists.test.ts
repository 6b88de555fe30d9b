// Lists of the console: everything that they show is in their address, people are masked by role, and views are one's own.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Role } from '../../src/core/team/role.ts'
import { listSavedViews } from '../../src/store/team/saved-views.ts'
import { insertMembership } from '../../src/store/team/users.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, psePayin, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { listedRowIds } from './typed.ts'

const PEDRO = { ...CUSTOMER, name: 'Pedro <b>Páramo</b>', email: 'pedro@example.com', idNumber: '1000000007' }

describe('a list', () => {
  let world: World
  let owner: Person
  const ids: string[] = []

  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    const bodies = [
      brebPayin({ reference: 'pedido-1', amountInCents: 1_000_000 }),
      psePayin({ reference: 'pedido-2', amountInCents: 2_000_000, inlineCustomer: PEDRO }),
      brebPayin({ reference: 'Factura 3', amountInCents: 3_000_050, inlineCustomer: PEDRO }),
      brebPayin({ reference: 'factura-4', amountInCents: 4_000_000 }),
    ]
    for (const body of bodies) ids.push((await world.client('POST', '/payins', body)).json.id)
    await endPayin(world, world.client, ids[0] as string, 'confirmed')
    await endPayin(world, world.client, ids[1] as string, 'declined')
    await world.client('POST', `/payins/${ids[3]}/cancel`)
  })
  after(() => world[Symbol.asyncDispose]())

  // The rows that a page shows, by the ends of their addresses.
  async function shown(path: string, person = owner): Promise<number[]> {
    const { status, text } = await person.get(path)
    assert.equal(status, 200, text)
    return listedRowIds(text).map((id) => ids.indexOf(id) + 1)
  }

  it('shows what its address asks for, newest or oldest first', async () => {
    const asked: [string, number[]][] = [
      ['/payins', [4, 3, 2, 1]],
      ['/payins?order=oldest', [1, 2, 3, 4]],
      ['/payins?status=DECLINED', [2]],
      ['/payins?status=PROCESSING&rail=BRE_B', [3]],
      ['/payins?rail=BRE_B', [4, 3, 1]],
      ['/payins?text=factura', [4, 3]],
      ['/payins?text=FACTURA&min=35000', [4]],
      ['/payins?min=20000&max=30000,50', [3, 2]],
      ['/payins?reason=CANCELED_BY_MERCHANT', [4]],
      ['/payins?bank=CO_BANCOLOMBIA', [2]],
      ['/payins?settlement=PENDING_SETTLEMENT', [1]],
      ['/payins?period=yesterday', []],
      ['/payins?period=month&order=oldest&text=pedido', [1, 2]],
      ['/payins?from=2019-01-01&to=2019-12-31', []],
      // What makes no sense is left out.
      ['/payins?status=NONSENSE&rail=X&min=abc&period=never&from=2019-02-30&order=up&after=7', [4, 3, 2, 1]],
    ]
    for (const [path, rows] of asked) assert.deepEqual(await shown(path), rows, path)
  })

  it('goes from page to page without losing or repeating a row', async () => {
    assert.deepEqual(await shown(`/payins?after=${ids[2]}`), [2, 1])
    assert.deepEqual(await shown(`/payins?before=${ids[1]}`), [4, 3])
    assert.deepEqual(await shown(`/payins?order=oldest&after=${ids[2]}`), [4])
    assert.deepEqual(await shown(`/payins?order=oldest&before=${ids[2]}`), [1, 2])
  })

  it('has totals of the filter by state, each of which leads to its rows', async () => {
    const { text } = await owner.get('/payins?text=pedido')
    const tabs = [
      ...text.matchAll(
        /href="(\?[^"]*)"[^>]*><span class="tab-name">.*?<\/span><span class="tab-count">(\d+)<\/span><span class="tab-sum">([^<]*)</g,
      ),
    ]
    const byAddress = Object.fromEntries(
      tabs.map(([, href, count, sum]) => [
        href?.replaceAll('&amp;', '&'),
        [count, sum?.replaceAll('\u00a0', ' ')],
      ]),
    )
    assert.deepEqual(byAddress['?text=pedido&period=24h'], ['2', '$ 30.000'])
    assert.deepEqual(byAddress['?text=pedido&period=24h&status=DECLINED'], ['1', '$ 20.000'])
    assert.deepEqual(byAddress['?text=pedido&period=24h&status=CONFIRMED'], ['1', '$ 10.000'])
    assert.deepEqual(byAddress['?text=pedido&period=24h&status=CANCELED'], ['0', '$ 0'])
  })

  it('says on each row why it stands so', async () => {
    const { text } = await owner.get('/payins')
    for (const reason of ['Fondos insuficientes', 'Lo canceló el comercio', 'Esperando el pago'])
      assert.ok(text.includes(reason), reason)
    const english = await signIn(world, 'owner', { language: 'en' })
    assert.ok((await english.get('/payins')).text.includes('Insufficient funds'))
  })

  it('leads from a form’s address to one without empty fields', async () => {
    const form =
      '/payins?text=&period=24h&was=24h&rail=PSE&from=&to=&min=&max=&reason=&bank=&settlement=&order=newest'
    const { status, location } = await owner.get(form)
    assert.deepEqual([status, location], [303, `${owner.home}/payins?rail=PSE&period=24h`])
    // Whichever of the days and the period was changed counts.
    const days = await owner.get('/payins?period=24h&was=24h&from=2026-01-01')
    assert.equal(days.location, `${owner.home}/payins?from=2026-01-01`)
    const preset = await owner.get('/payins?period=7d&was=days&from=2026-01-01')
    assert.equal(preset.location, `${owner.home}/payins?period=7d`)
  })

  it('keeps the cents of an amount in its address', async () => {
    for (const [typed, kept] of [
      ['0,05', '0.05'],
      ['0,5', '0.50'],
      ['30000,50', '30000.50'],
      ['7', '7'],
    ] as const) {
      const { location } = await owner.get(`/payins?min=${typed}&max=${typed}&period=24h&was=24h`)
      assert.equal(location, `${owner.home}/payins?min=${kept}&max=${kept}&period=24h`, typed)
    }
  })

  it('shows people as the role may see them, and never as markup', async () => {
    const names: Record<Role, boolean> = {
      owner: true,
      administrator: true,
      approver: true,
      accountant: true,
      preparer: false,
      support: false,
      developer: false,
    }
    for (const [role, isShown] of Object.entries(names)) {
      const { text } = await (await signIn(world, role as Role)).get('/payins')
      assert.equal(text.includes('Ana María Gómez'), isShown, role)
      assert.equal(text.includes('Ana*** Mar*** Góm***'), !isShown, role)
      assert.ok(!text.includes('<b>Páramo'), role)
    }
  })

  it('teaches whoever has nothing yet, and says so where the filters leave nothing', async () => {
    const other = await world.newMerchant()
    const fresh = await signIn(world, 'owner', { organization: other.organization })
    for (const path of ['/payins', '/payouts', '/links', '/pages', '/events']) {
      const { text, status } = await fresh.get(path)
      assert.equal(status, 200)
      assert.match(text, /class="empty teach"/, path)
    }
    assert.match((await owner.get('/payins?text=zzz')).text, /Nada con estos filtros/)
    assert.match((await owner.get('/payins?period=yesterday')).text, /Nada en: ayer/)
  })

  it('shows every list to whoever may read it, and names the right to whoever may not', async () => {
    for (const path of ['/payins', '/payouts', '/links', '/pages', '/events'])
      assert.equal((await owner.get(path)).status, 200, path)
    await world.db.query({
      text: `update memberships set role = 'accountant' where user_id = $1`,
      values: [owner.userId],
    })
    assert.match((await owner.get('/payins')).text, /aria-disabled="true"[^>]*>.*Crear cobro/)
    await world.db.query({
      text: `update memberships set role = 'owner' where user_id = $1`,
      values: [owner.userId],
    })
  })

  it('keeps a view for the person alone, and forgets it', async () => {
    const query = 'status=DECLINED&rail=PSE&period=7d'
    const saved = await owner.post('/views', { list: 'payins', name: ' Rechazos <PSE> ', query })
    assert.deepEqual([saved.status, saved.location], [303, `${owner.home}/payins?${query}&done=view-saved`])
    const page = (await owner.get(`/payins?${query}`)).text
    assert.match(page, /Rechazos &lt;PSE&gt;/)
    const other = await signIn(world, 'owner')
    assert.ok(!(await other.get('/payins')).text.includes('Rechazos'))
    const [, viewId] = /\/views\/([0-9a-f-]{36})\/delete/.exec(page) ?? []
    await other.post(`/views/${viewId}/delete`, { list: 'payins' })
    assert.match((await owner.get('/payins')).text, /Rechazos/)
    await owner.post(`/views/${viewId}/delete`, { list: 'payins' })
    assert.ok(!(await owner.get('/payins')).text.includes('Rechazos'))
  })

  it('keeps a dozen views of a list and no more, and none without a name', async () => {
    const person = await signIn(world, 'support')
    const save = (name: string) => person.post('/views', { list: 'payouts', name, query: 'period=7d' })
    assert.match((await save('  ')).location ?? '', /done=view-unnamed/)
    for (let count = 1; count <= 12; count += 1)
      assert.match((await save(`${count}`)).location ?? '', /done=view-saved/)
    assert.match((await save('13')).location ?? '', /done=view-full/)
    const { organizationId } = world.organization
    const views = await listSavedViews(world.db, organizationId, person.userId, 'payouts')
    const inOrder = Array.from({ length: 12 }, (_, at) => `${at + 1}`)
    assert.deepEqual(
      views.map(({ name }) => name),
      inOrder,
      'in the order in which they were saved',
    )
    assert.equal((await person.post('/views', { list: 'secrets', name: 'x', query: '' })).status, 404)
    // What is full is this list of this person: not another list, nor the same list of somebody else.
    const other = { list: 'links', name: 'x', query: 'period=7d' }
    assert.match((await person.post('/views', other)).location ?? '', /\/links\?.*done=view-saved/)
    const colleague = { list: 'payouts', name: 'x', query: 'period=7d' }
    assert.match((await owner.post('/views', colleague)).location ?? '', /done=view-saved/)
  })

  it('keeps a view in the organization and at the list where it was saved, and nowhere else', async () => {
    const person = await signIn(world, 'support')
    const { organizationId } = (await world.newMerchant()).organization
    const there = `/console/${organizationId}`
    const { userId } = person
    await insertMembership(world.db, { organizationId, userId, role: 'support', at: 0 })
    const saveAt = async (home: string, name: string, query = 'period=7d') =>
      (await person.post(`${home}/views`, { list: 'payins', name, query })).location ?? ''
    const names = async (path: string) => {
      const { text } = await person.get(path)
      return [...text.matchAll(/<li class="view"><a [^>]*>.*?<\/svg>([^<]*)</g)].map(([, name]) => name)
    }
    for (let count = 1; count <= 12; count += 1) await saveAt(person.home, `${count}`)
    assert.deepEqual(await names(`${there}/payins`), [])
    assert.deepEqual(await names('/payouts'), [])
    assert.match(await saveAt(there, 'Allá'), /done=view-saved/)
    assert.deepEqual(await names(`${there}/payins`), ['Allá'])
    assert.equal((await names('/payins')).length, 12)
    // Another organization’s address deletes nothing of this one.
    const open = (await person.get(`${there}/payins?period=7d`)).text
    const [, viewId = ''] = /\/views\/([0-9a-f-]{36})\/delete/.exec(open) ?? []
    await person.post(`/views/${viewId}/delete`, { list: 'payins' })
    assert.deepEqual(await names(`${there}/payins`), ['Allá'])
    const gone = await person.post(`${there}/views/${viewId}/delete`, { list: 'payins' })
    assert.equal(gone.location, `${there}/payins?done=view-deleted`)
    assert.deepEqual(await names(`${there}/payins`), [])
    assert.equal((await person.post('/views/nothing/delete', { list: 'payins' })).status, 404)
  })

  it('keeps a view whole or not at all, and nothing that is no filter', async () => {
    const person = await signIn(world, 'support')
    const name = `${'ñ'.repeat(39)}😀😀`
    const save = async (letters: number) => {
      const query = `text="><b>${'a'.repeat(letters)}`
      return (await person.post('/views', { list: 'payouts', name, query })).location ?? ''
    }
    const before = 'text=%22%3E%3Cb%3E'
    assert.match(await save(1_001 - before.length), /done=view-long$/)
    assert.match(await save(1_000 - before.length), /done=view-saved$/)
    const views = await listSavedViews(world.db, world.organization.organizationId, person.userId, 'payouts')
    assert.deepEqual(
      views.map((view) => [view.name, view.query]),
      // A letter is never cut in two.
      [[`${'ñ'.repeat(39)}😀`, before.padEnd(1_000, 'a')]],
    )
  })

  it('offers to keep what is worth a name, and to delete the view that is open', async () => {
    const person = await signIn(world, 'support')
    const offers = async (path: string) => {
      const { text } = await person.get(path)
      return [text.includes('id="view-name"'), [...text.matchAll(/\/views\/[0-9a-f-]+\/delete/g)].length]
    }
    assert.deepEqual(await offers('/events'), [false, 0], 'the list as it opens is no view')
    assert.deepEqual(await offers('/events?period=7d'), [true, 0])
    for (const query of ['period=7d', 'period=month'])
      await person.post('/views', { list: 'events', name: query, query })
    assert.deepEqual(await offers('/events?period=7d'), [false, 1])
    assert.deepEqual(await offers('/events'), [false, 0])
    const { text } = await person.get('/events?period=7d')
    const [, viewId = ''] = /\/views\/([0-9a-f-]{36})\/delete/.exec(text) ?? []
    const { location } = await person.post(`/views/${viewId}/delete`, { list: 'events' })
    assert.equal(location, `${person.home}/events?done=view-deleted`)
  })
})
