// Files of lists: exactly what the list shows, in a form that a spreadsheet in Colombia reads as it was meant, whoever typed what.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { csvLine } from '../../src/api/export/csv.ts'
import { xlsx } from '../../src/api/export/xlsx.ts'
import { byDepth } from '../depth.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { listedRowIds } from './typed.ts'
import { unzip } from './unzip.ts'

const REFERENCES = [
  'pedido-1',
  '=HYPERLINK("http://evil.example";"x")',
  '+1',
  '-2+3',
  '@SUM(A1)',
  '00123456789',
  '900123456789012',
  '12/05',
  'con; punto y "coma"',
  'Ñandú café',
]

// What is held, without what only waits to be collected: how much of that there is depends on how busy the machine is.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function memoryHeld(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
// Far more than may be held at once. A sheet is compressed to a twentieth.
const ROWS = byDepth(50_000, 100_000)
// Less than the text of all rows.
const MOST_HELD_MB = { csv: byDepth(4, 10), xlsx: byDepth(8, 10) }
const LOOK_EVERY_BYTES = { csv: 20 * ROWS, xlsx: ROWS }

describe('a file of a list', () => {
  let world: World
  let owner: Person

  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    for (const [index, reference] of REFERENCES.entries()) {
      const inlineCustomer = { ...CUSTOMER, name: 'José Ñáñez', idNumber: '0900123456' }
      const body = brebPayin({ reference, amountInCents: 100_050 * (index + 1), inlineCustomer })
      const { json } = await world.client('POST', '/payins', body)
      if (index === 0) await endPayin(world, world.client, json.id, 'confirmed')
    }
  })
  after(() => world[Symbol.asyncDispose]())

  // As Excel splits it.
  function cellsOf(text: string): string[][] {
    const rows: string[][] = [[]]
    for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^;\r\n]*)(;|\r\n)/g)) {
      rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
      if (end !== ';') rows.push([])
    }
    return rows.slice(0, -1)
  }

  it('has a mark, semicolons and decimal commas in Spanish, and commas in English', async () => {
    const { headers, text } = await owner.get('/payins.csv')
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(
      headers.get('content-disposition') ?? '',
      /^attachment; filename="Cobros-\d{4}-\d{2}-\d{2}\.csv"/,
    )
    const response = await fetch(`${world.baseUrl}${owner.home}/payins.csv`, {
      headers: { cookie: owner.cookie },
    })
    assert.deepEqual([...new Uint8Array(await response.arrayBuffer()).slice(0, 3)], [0xef, 0xbb, 0xbf])
    assert.match(text, /^Referencia;Estado;Valor;Red;Pagador;Motivo;Creado;Id;/)
    assert.match(
      text,
      /\r\npedido-1;Confirmado;1000,50;Bre-B;José Ñáñez;;\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2};/,
    )
    const english = await signIn(world, 'owner', { language: 'en' })
    assert.match((await english.get('/payins.csv')).text, /\r\npedido-1,Confirmed,1000\.50,/)
  })

  it('makes formulas harmless, and keeps numbers that are names', async () => {
    const rows = cellsOf((await owner.get('/payins.csv?order=oldest')).text)
    const references = rows.slice(1).map(([reference]) => reference)
    assert.deepEqual(references, [
      'pedido-1',
      `'=HYPERLINK("http://evil.example";"x")`,
      "'+1",
      "'-2+3",
      "'@SUM(A1)",
      '="00123456789"',
      '="900123456789012"',
      '="12/05"',
      'con; punto y "coma"',
      'Ñandú café',
    ])
    assert.ok(rows[1]?.includes('="0900123456"'), 'the document keeps its zero')
  })

  it('makes harmless what begins a formula elsewhere, or behind what nobody sees', () => {
    const texts = [
      '＝1+1',
      '＋1',
      '－1',
      '＠SUM',
      '\t=1',
      '\r=1',
      '\n=1',
      '\u200b=1',
      ' =1',
      '\u00a0@x',
      '\tx',
      '\rx',
    ]
    for (const text of texts) {
      const [cell] = cellsOf(csvLine([{ text }], 'es')).flat()
      assert.equal(cell, `'${text}`, JSON.stringify(text))
    }
    assert.equal(csvLine([{ text: 'a=b' }, { text: 'Año－nuevo' }], 'es'), 'a=b;Año－nuevo\r\n')
  })

  it('is a workbook whose texts are texts and whose amounts and times are numbers', async () => {
    const response = await fetch(`${world.baseUrl}${owner.home}/payins.xlsx?order=oldest`, {
      headers: { cookie: owner.cookie },
    })
    const files = unzip(Buffer.from(await response.arrayBuffer()))
    assert.deepEqual(
      [...files.keys()],
      [
        '[Content_Types].xml',
        '_rels/.rels',
        'xl/workbook.xml',
        'xl/_rels/workbook.xml.rels',
        'xl/styles.xml',
        'xl/worksheets/sheet1.xml',
      ],
    )
    assert.match(files.get('xl/workbook.xml') ?? '', /<sheet name="[^"]{3,31}"/)
    const sheet = files.get('xl/worksheets/sheet1.xml') ?? ''
    const rows = [...sheet.matchAll(/<row>(.*?)<\/row>/g)].map(([, row = '']) =>
      [...row.matchAll(/<c(?: t="(\w+)")?(?: s="\d+")?(?:\/>|>(.*?)<\/c>)/g)].map(([, type, value = '']) => ({
        type,
        value: value
          .replaceAll(/<[^>]+>/g, '')
          .replaceAll('&amp;', '&')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>'),
      })),
    )
    assert.equal(rows.length, REFERENCES.length + 1)
    assert.deepEqual(
      rows.slice(1).map(([reference]) => reference),
      REFERENCES.map((value) => ({ type: 'inlineStr', value })),
    )
    assert.deepEqual(rows[1]?.[2], { type: undefined, value: '1000.50' })
    assert.ok(!sheet.includes('<f>'), 'no cell is a formula')
    assert.ok(rows[1]?.some(({ type, value }) => type === 'inlineStr' && value === '0900123456'))
  })

  const at = Date.UTC(2026, 10, 15, 4, 59, 4)

  it('has times as they are in Bogotá, and the spaces that somebody typed', () => {
    const cells = csvLine([{ time: at }, { text: ' x ' }, { text: 'x ' }, { time: null }], 'en')
    assert.equal(cells, '2026-11-14 23:59:04," x ","x ",\r\n')
  })

  const written = async (values: Parameters<typeof csvLine>[0], name = 'Cobros') => {
    const rows = async function* () {
      yield [values]
    }
    const files = unzip(Buffer.concat(await Array.fromAsync(xlsx({ name, heads: ['a'], rows: rows() }))))
    const texts = ['xl/worksheets/sheet1.xml', 'xl/workbook.xml'].map((path) => files.get(path) ?? '')
    return { sheet: texts[0] as string, workbook: texts[1] as string }
  }

  it('as a workbook has the same times, and nothing that is no XML', async () => {
    const { sheet, workbook } = await written(
      [{ time: at }, { text: 'A & B <c>\u0000\u000b\ud800\uffff' }, { text: 'x'.repeat(40_000) }],
      'Café [1/2]: "a&b" '.repeat(3),
    )
    const [, serial] = /<c s="4"><v>([\d.]+)<\/v>/.exec(sheet) ?? []
    // 14 November 2026 is day 46,340 of Excel.
    assert.ok(Math.abs(Number(serial) - (46_340 + (24 * 3_600 - 56) / 86_400)) < 1e-6, String(serial))
    assert.ok(sheet.includes('>A &amp; B &lt;c&gt;\ufffd</t>'), 'no markup, no control, no half of a pair')
    assert.ok(sheet.includes(`>${'x'.repeat(32_000)}</t>`), 'no more than a cell may hold')
    assert.ok(
      workbook.includes('<sheet name="Café  1 2   &quot;a&amp;b&quot; Café  1 2   &quot;" '),
      workbook,
    )
  })

  it('breaks off where a row cannot be read, instead of ending as if it were whole', async () => {
    const rows = async function* () {
      yield [[{ text: 'one' }]]
      throw new Error('the database is away')
    }
    await assert.rejects(Array.fromAsync(xlsx({ name: 'x', heads: ['a'], rows: rows() })), /is away/)
  })

  it('is for whoever may open the list', async () => {
    const support = await signIn(world, 'support')
    for (const kind of ['csv', 'xlsx']) {
      const { status, text } = await support.get(`/settings/audit.${kind}`)
      assert.equal(status, 403)
      assert.ok(text.includes('<html'), 'no file')
      assert.equal((await owner.get(`/settings/audit.${kind}`)).status, 200)
    }
  })

  it('has the rows of the list with its filters, over all of its pages', async () => {
    const paths = ['?status=CONFIRMED', '?text=1&order=oldest', '?min=3000&max=7000', '?period=yesterday']
    for (const query of paths) {
      const page = (await owner.get(`/payins${query}`)).text
      const shown = listedRowIds(page)
      const rows = cellsOf((await owner.get(`/payins.csv${query}`)).text)
      const at = rows[0]?.indexOf('Id') ?? -1
      assert.deepEqual(
        rows.slice(1).map((row) => row[at]),
        shown,
        query,
      )
    }
  })

  it('shows people as the role may see them', async () => {
    const { text } = await (await signIn(world, 'support')).get('/payins.csv')
    assert.match(text, /Jos\*\*\* Ñáñ\*\*\*/)
    assert.ok(!text.includes('0900123456') && !text.includes('José'))
  })

  it('exists for every list', async () => {
    for (const list of ['payouts', 'refunds', 'links', 'pages', 'events', 'movements'])
      for (const kind of ['csv', 'xlsx']) assert.equal((await owner.get(`/${list}.${kind}`)).status, 200)
  })

  let accountant: Person
  before(async () => {
    const { organization } = await world.newMerchant()
    accountant = await signIn(world, 'accountant', { organization })
    await world.db.query({
      text: `insert into payins (organization_id, payin_id, version, status, rail, amount_cents, currency, reference, key_type,
                                 key_string, customer, created_at, updated_at, expires_at, rail_stage)
             select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, 'PROCESSING', 'BRE_B', 100 * n, 'COP',
                    'pedido-' || n, 'SINGLE_USE', '@K' || n, $2::json, now(), now(), now(), 'DONE'
               from generate_series(1, $3::integer) as n`,
      values: [organization.organizationId, JSON.stringify(CUSTOMER), ROWS],
    })
  })

  it('has the rows of every page of a filtered list, in their order', async () => {
    // A page looks through so many rows at once, so the amounts are those of the first ones.
    const amounts = { newest: `min=${ROWS - 120}&max=${ROWS}`, oldest: 'min=1&max=121' }
    for (const [order, bounds] of Object.entries(amounts)) {
      const query = `?${bounds}&period=all&order=${order}`
      const shown: string[] = []
      let pages = 0
      for (let next: string | undefined = query; next !== undefined; pages += 1) {
        const { text } = await accountant.get(`/payins${next}`)
        shown.push(...listedRowIds(text))
        next = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      }
      const rows = cellsOf((await accountant.get(`/payins.csv${query}`)).text)
      const at = rows[0]?.indexOf('Id') ?? -1
      assert.deepEqual([pages, shown.length], [3, 121])
      assert.deepEqual(
        // An id of digits alone is written so that a spreadsheet leaves it.
        rows.slice(1).map((row) => row[at]?.replaceAll(/[="]/g, '')),
        shown,
      )
    }
  })

  it('of very many rows is sent as it is read', { timeout: 180_000 }, async () => {
    for (const kind of ['csv', 'xlsx'] as const) {
      const before = memoryHeld()
      const rssBefore = process.memoryUsage.rss()
      let most = before
      let mostRss = rssBefore
      let bytes = 0
      let lines = 0
      let looks = 0
      const response = await fetch(`${world.baseUrl}${accountant.home}/payins.${kind}?period=all`, {
        headers: { cookie: accountant.cookie },
      })
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += part.length
        if (kind === 'csv') for (const byte of part) if (byte === 10) lines += 1
        if (bytes > looks * LOOK_EVERY_BYTES[kind]) {
          looks += 1
          most = Math.max(most, memoryHeld())
          mostRss = Math.max(mostRss, process.memoryUsage.rss())
        }
      }
      assert.ok(looks > 3, `${bytes} bytes`)
      if (kind === 'csv') assert.equal(lines, ROWS + 1)
      const more = (most - before) / 1024 ** 2
      assert.ok(more < MOST_HELD_MB[kind], `${kind}: ${Math.round(more)} MB more`)
      const moreRss = (mostRss - rssBefore) / 1024 ** 2
      assert.ok(moreRss < 50, `${kind}: the process has ${Math.round(moreRss)} MB more`)
    }
  })
})
