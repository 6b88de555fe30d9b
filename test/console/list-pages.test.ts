// Every list over several pages: an address that is pasted into another session shows the same there, and the file of a list holds
// the rows of all its pages.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PAGE_ROWS } from '../../src/console/lists/list-page.ts'
import { ROUTES } from '../../src/console/routes.ts'
import { refunding } from '../flows/refunds/refunding.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { listedRowIds, plain } from './typed.ts'

// For each list, addresses whose rows fill more than a page, and others with whatever else it can be filtered by.
const ADDRESSES: Readonly<Record<string, { many: readonly string[]; few: readonly string[] }>> = {
  '/payins': {
    many: ['', '?order=oldest&period=all', '?text=pedido&min=10000&rail=BRE_B&period=7d'],
    few: ['?status=CANCELED', '?max=10100&order=oldest', '?reason=CANCELED_BY_MERCHANT', '?period=yesterday'],
  },
  '/payouts': {
    many: ['', '?text=nomina&period=all&order=oldest'],
    few: ['?status=DECLINED', '?min=1&max=1010', '?text=nomina-7'],
  },
  '/links': {
    many: ['', '?status=PENDING&order=oldest&text=enlace'],
    few: ['?status=EXPIRED', '?rail=BRE_B', '?text=enlace-7&min=1&period=month'],
  },
  '/pages': {
    many: ['', '?order=oldest&period=7d'],
    few: ['?text=gina%207', '?status=OPEN&text=gina%209', '?status=CLOSED'],
  },
  '/events': {
    many: ['', '?order=oldest&period=all'],
    few: ['?about=payin', '?type=payin.canceled', '?about=webhook'],
  },
  '/movements': {
    many: ['', '?account=RESERVED&order=oldest', '?booking=payout%20reserved&min=1000'],
    few: ['?account=SUSPENSE', '?max=1010'],
  },
  '/refunds': {
    many: ['', '?reason=DEFECTIVE&order=oldest', '?min=1001'],
    few: ['?reason=FRAUD', '?max=1003'],
  },
  '/settings/audit': {
    many: ['', '?outcome=done&order=oldest', '?act=organization.change&kind=key'],
    few: ['?outcome=refused', '?act=webhook.create&period=all', '?text=payin.cancel'],
  },
}

describe('every list', () => {
  let world: World
  let owner: Person
  let other: Person

  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    other = await signIn(world, 'owner')
    const { client } = world
    const made = async (path: string, body: unknown): Promise<Record<string, string>> => {
      const { status, json, text } = await client('POST', path, body)
      assert.equal(status, 201, text)
      return json
    }
    const waiting = { ...CUSTOMER, idNumber: '1000000007' }
    for (let count = 0; count < PAGE_ROWS + 5; count += 1) {
      const amountInCents = 1_000_000 + 1_000 * count
      const payin = await made(
        '/payins',
        brebPayin({ reference: `pedido-${count}`, amountInCents, inlineCustomer: waiting }),
      )
      if (count % 20 === 7) await client('POST', `/payins/${payin.id}/cancel`)
      await made('/payouts', {
        amountInCents: 100_000 + 100 * count,
        currency: 'COP',
        rail: 'BRE_B',
        reference: `nomina-${count}`,
        inlineCustomer: CUSTOMER,
        breb: { keyString: '@ANAGOMEZ' },
      })
      const terms = { amountType: 'FIXED', amountInCents: 7_200_000 }
      const callbackUrl = 'https://tienda.example'
      const link = await made('/payment-links', { ...terms, callbackUrl, reference: `enlace-${count}` })
      if (count === 7) await client('POST', `/payment-links/${link.paymentLinkId}/expire`)
      await client('PATCH', '/organization', { name: `Comercio ${count}` })
      const page = await made('/payment-pages', {
        ...terms,
        name: `Página ${count}`,
        reference: `pagina-${count}`,
      })
      if (count === 7) await client('POST', `/payment-pages/${page.paymentPageId}/close`)
    }
    const { asked, confirmed } = refunding(() => world)
    const given = await confirmed({ amountInCents: 100_000_000 })
    for (let count = 0; count < PAGE_ROWS + 5; count += 1)
      await asked(given, {
        amountInCents: 100_000 + 100 * count,
        reason: count === 7 ? 'FRAUD' : 'DEFECTIVE',
      })
    await world.work()
    const support = await signIn(world, 'support')
    await support.post('/settings/team/invite')
  })
  after(() => world[Symbol.asyncDispose]())

  it('is looked at', () => {
    const hasFile = (path: string) => ROUTES.some((route) => route.path === `${path}.csv`)
    const lists = ROUTES.filter(({ method, path }) => method === 'GET' && hasFile(path))
    // A closed day's movements do not change: reports.test.ts holds the file of one against its page.
    const changing = lists.map(({ path }) => path).filter((path) => path !== '/reports/:day/movements')
    assert.deepEqual(Object.keys(ADDRESSES).sort(), changing.sort())
  })

  // From the tabs on: tabs with their totals, filters, rows, pager.
  const shownIn = (text: string) => text.slice(text.indexOf('id="tabs"'), text.indexOf('</main>'))

  // Every page from this one on, each of them as somebody else sees it at the same address.
  async function rowsFrom(path: string, query: string): Promise<{ rows: string[]; pages: number }> {
    const rows: string[] = []
    let pages = 0
    for (let next: string | undefined = query; next !== undefined; pages += 1) {
      assert.ok(pages < 9, 'there is an end')
      const mine = await owner.get(path + next)
      assert.equal(mine.status, 200, path + next)
      const theirs = await other.get(path + next)
      assert.ok(shownIn(mine.text).length > 100, path + next)
      assert.equal(shownIn(theirs.text), shownIn(mine.text), path + next)
      rows.push(...listedRowIds(mine.text))
      const [, onward] = /rel="next" href="([^"]*)"/.exec(mine.text) ?? []
      next = onward && plain(onward)
    }
    return { rows, pages }
  }

  async function rowsInFile(path: string, query: string): Promise<string[]> {
    const { text } = await owner.get(`${path}.csv${query}`)
    const [heads = '', ...lines] = text.replace('\ufeff', '').trimEnd().split('\r\n')
    const at = heads.split(';').indexOf('Id')
    assert.ok(at >= 0, heads)
    // An id may follow a text with a semicolon in quotes, so it is looked for by its form where lines were cut.
    return lines.map((line) => cells(line)[at] ?? '')
  }

  const cells = (line: string) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^;]*)(?:;|$)/g)].map(([, cell = '']) => cell)

  for (const [path, { many, few }] of Object.entries(ADDRESSES))
    it(`${path} is the same in another session, page by page, and its file has all of them`, async () => {
      for (const query of [...many, ...few]) {
        const { rows, pages } = await rowsFrom(path, query)
        assert.equal(new Set(rows).size, rows.length, `${query} shows a row twice`)
        assert.deepEqual(await rowsInFile(path, query), rows, query)
        if (many.includes(query)) assert.ok(pages > 1 && rows.length > PAGE_ROWS, `${query}: ${rows.length}`)
        else assert.ok(rows.length <= PAGE_ROWS, `${query}: ${rows.length}`)
      }
      const some = await Promise.all(few.map((query) => rowsFrom(path, query)))
      assert.ok(
        some.some(({ rows }) => rows.length > 0),
        'a filter leaves something',
      )
    })

  it('keeps the page of a way back, and what is searched for', async () => {
    const first = await owner.get('/payins?text=pedido')
    const [, next = ''] = /rel="next" href="([^"]*)"/.exec(first.text) ?? []
    const second = await owner.get(`/payins${plain(next)}`)
    const [, back = ''] = /rel="prev" href="([^"]*)"/.exec(second.text) ?? []
    for (const path of [`/payins${plain(back)}`, '/search?q=pedido-7', '/alarms', '/webhooks']) {
      const mine = (await owner.get(path)).text
      const main = (text: string) => text.slice(text.indexOf('<main'), text.indexOf('</main>'))
      assert.equal(main((await other.get(path)).text), main(mine), path)
    }
    assert.deepEqual(listedRowIds((await other.get(`/payins${plain(back)}`)).text), listedRowIds(first.text))
  })
})
