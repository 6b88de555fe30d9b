// recaudo payins, payouts, links, keys, balance and banks do what the API does, and print it as JSON or for people.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { qrImageInTerminal } from '../../cli/src/qr-code.ts'
import { createWorld, endPayin, type World } from '../world.ts'
import { type Merchant, nodes } from './binary.ts'
import { merchantInProcess } from './in-process.ts'
import { scanned } from './scanned.ts'

const CUSTOMER = [
  ...['--name', 'Ana Gómez', '--email', 'ana@example.com', '--phone', '+573001234567'],
  // The simulated networks leave this customer's payments open until a simulation decides.
  ...['--document-number', '1000000007'],
]
const AMOUNT = ['--amount-in-cents', '5000000']
// The text that a bank app reads: it ends with its checksum.
const QR_PAYLOAD = /^000201.*6304[0-9A-F]{4}$/

describe('recaudo', () => {
  let world: World
  let merchant: Merchant
  before(async () => {
    world = await createWorld()
    merchant = merchantInProcess(world)
  })
  after(async () => {
    merchant[Symbol.dispose]()
    await world[Symbol.asyncDispose]()
  })

  const get = async (path: string) => (await world.client('GET', path)).json

  for (const [major, node] of nodes())
    it(`payins create makes a payin, on Node ${major}`, async () => {
      const reference = randomUUID()
      const args = ['payins', 'create', '--rail', 'BRE_B', ...AMOUNT, '--reference', reference]
      const made = await merchant.run([...args, '--key-type', 'QR_CODE', ...CUSTOMER, '--json'], { node })
      assert.deepEqual([made.code, made.stderr], [0, ''])
      assert.deepEqual(made.json, await get(`/payins/${made.json.id}`))
      assert.equal(made.json.inlineCustomer.idType, 'CO_CC')
      const shown = await merchant.run(['payins', 'get', made.json.id, '--qr'], { node })
      assert.match(shown.stdout, /^amount +\$ 50\.000,00$/m)
      assert.match(shown.stdout, new RegExp(`^key to pay to +${made.json.sourceData.keyString}$`, 'm'))
      assert.ok(!shown.stdout.includes('\x1b'), 'no colours where nobody looks')
      assert.match(scanned(shown.stdout) ?? '', QR_PAYLOAD)
    })

  it('payins create draws the QR code that it asked for', async () => {
    const args = ['payins', 'create', '--rail', 'BRE_B', ...AMOUNT, '--reference', randomUUID()]
    const { stdout } = await merchant.run([...args, '--key-type', 'QR_CODE'])
    assert.match(scanned(stdout) ?? '', QR_PAYLOAD)
  })

  it('an image that is no PNG of ours is not drawn, and nothing fails', () => {
    for (const image of [
      '',
      'data:image/png;base64,',
      'data:image/png;base64,AAAA',
      'https://x.example/a.png',
    ])
      assert.equal(qrImageInTerminal(image), undefined, image)
  })

  it('receipts verify says genuine, altered or unknown, with the server or by its keys, without a credential', async () => {
    const args = ['payins', 'create', '--rail', 'BRE_B', ...AMOUNT, '--reference', randomUUID()]
    const { id } = (await merchant.run([...args, ...CUSTOMER, '--json'])).json
    await endPayin(world, world.client, id, 'confirmed')
    const receipt = (await merchant.run(['payins', 'receipt', id, '--json'])).json
    assert.deepEqual(receipt, await get(`/payins/${id}/receipt`))
    const anybody = { env: { RECAUDO_API_KEY: '' } }
    const genuine = await merchant.run(['receipts', 'verify', receipt.qrText], anybody)
    assert.deepEqual([genuine.code, genuine.stderr], [0, ''])
    assert.match(genuine.stdout, /^verdict +genuine$/m)
    assert.match(genuine.stdout, /^amount +\$ 50\.000,00$/m)
    const file = join(merchant.home, 'receipt.txt')
    writeFileSync(file, `${receipt.statement.slice(0, -9)}\n`)
    const altered = await merchant.run(['receipts', 'verify', `@${file}`], anybody)
    assert.equal(altered.code, 1)
    assert.match(
      altered.stdout,
      /^altered: the text of this receipt was changed or cut\. .+ verify it again\. /,
    )
    const unknown = await merchant.run(['receipts', 'verify', '-'], { ...anybody, input: 'hola\n' })
    assert.deepEqual([unknown.code, unknown.stderr], [1, ''])
    assert.ok(unknown.stdout.startsWith(`unknown: ${world.baseUrl} did not sign this text, or `))
    assert.match(unknown.stdout, / Give all the text of the receipt’s QR code, .+ --base-url .+ as paid\.\n$/)
    const { code, json } = await merchant.run(['receipts', 'verify', 'hola', '--json'], anybody)
    assert.deepEqual([code, json], [1, { verdict: 'unknown' }])
    const keys = join(merchant.home, 'keys.json')
    writeFileSync(keys, (await world.anonymous('GET', '/.well-known/receipt-keys.json')).text)
    const away = ['--base-url', 'http://127.0.0.1:9', '--keys', keys, '--json']
    const offline = await merchant.run(['receipts', 'verify', receipt.statement, ...away], anybody)
    assert.deepEqual([offline.code, offline.json.verdict, offline.json.since], [0, 'genuine', null])
    const strange = await merchant.run(['receipts', 'verify', 'hola', ...away.slice(0, 4)], anybody)
    assert.equal(strange.code, 1)
    assert.match(strange.stdout, /^unknown \(checked offline\): none of these keys vouches for this text\. /)
    const lost = await merchant.run(['receipts', 'verify', receipt.statement, ...away.slice(0, 2)], anybody)
    assert.deepEqual([lost.code, lost.stdout], [4, ''])
    assert.match(lost.stderr, /could not be asked/)
  })

  it('payins create takes PSE, JSON, a file and standard input, and flags take precedence', async () => {
    const body = {
      amountInCents: 100,
      currency: 'COP',
      rail: 'PSE',
      reference: 'x',
      pse: { bank: 'CO_BANCOLOMBIA', personType: 'BUSINESS' },
      callbackUrl: 'https://shop.example/back',
    }
    const text = JSON.stringify(body)
    const file = join(merchant.home, 'payin.json')
    writeFileSync(file, text)
    const create = (data: string, input = '') =>
      merchant.run(
        ['payins', 'create', '--data', data, '--reference', randomUUID(), '--bank', 'CO_NEQUI', '--json'],
        { input },
      )
    for (const end of [await create(text), await create(`@${file}`), await create('-', text)]) {
      assert.equal(end.code, 0, end.stderr)
      const { amountInCents, sourceData, rail, callbackUrl } = end.json
      assert.deepEqual(
        [amountInCents, sourceData.bank, rail, callbackUrl],
        [100, 'CO_NEQUI', 'PSE', body.callbackUrl],
      )
    }
    const plain = ['--rail', 'PSE', ...AMOUNT, '--reference', randomUUID(), '--bank', 'CO_BANCOLOMBIA']
    assert.equal((await merchant.json('payins', 'create', ...plain)).sourceData.bank, 'CO_BANCOLOMBIA')
  })

  it('two commands with one idempotency key create one payin', async () => {
    const line = ['payins', 'create', '--rail', 'BRE_B', ...AMOUNT, '--reference', randomUUID()]
    const key = ['--idempotency-key', randomUUID()]
    assert.deepEqual(await merchant.json(...line, ...key), await merchant.json(...line, ...key))
  })

  it('lists take filters and a limit, over pages', async () => {
    const { client, apiKey } = await world.newMerchant()
    using other = merchantInProcess({ apiKey, baseUrl: world.baseUrl })
    const ids: string[] = []
    for (let made = 0; made < 12; made += 1) {
      const args = ['--rail', 'BRE_B', ...AMOUNT, '--reference', `order-${made}`]
      if (made < 2) ids.unshift((await other.json('payins', 'create', ...args)).id)
      else {
        const body = { amountInCents: 1, currency: 'COP', rail: 'BRE_B', breb: { keyType: 'SINGLE_USE' } }
        ids.unshift((await client('POST', '/payins', { ...body, reference: `order-${made}` })).json.id)
      }
    }
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    const first = await other.json('payins', 'list')
    assert.deepEqual([idsOf(first), first.hasMore], [ids.slice(0, 10), true])
    const all = await other.json('payins', 'list', '--limit', '12')
    assert.deepEqual([idsOf(all), all.hasMore], [ids, false])
    assert.equal((await other.json('payins', 'list', '--limit', '11')).data.length, 11)
    assert.deepEqual(idsOf(await other.json('payins', 'list', '--reference', 'order-3')), [ids[8]])
    assert.deepEqual(idsOf(await other.json('payins', 'list', '--status', 'CONFIRMED')), [])
    assert.equal((await other.run(['payins', 'list', '--status', 'CONFIRMED'])).stdout, 'none\n')
    const { stdout } = await other.run(['payins', 'list', '--limit', '2'])
    const rows = stdout.trimEnd().split('\n')
    assert.equal(rows.length, 4)
    assert.match(rows[0] ?? '', /^id +created +rail +amount +status +reference +customer$/)
    const column = (row: string | undefined) => row?.indexOf('BRE_B')
    assert.equal(column(rows[1]), rows[0]?.indexOf('rail'), 'columns are aligned')
    assert.match(rows[1] ?? '', /BRE_B +\$ 0,01 +PROCESSING +order-11 +–$/)
  })

  it('payins cancel ends a payin', async () => {
    const { id } = await merchant.json(
      ...['payins', 'create', '--rail', 'BRE_B', ...AMOUNT, '--reference', randomUUID()],
    )
    assert.match((await merchant.run(['payins', 'get', id])).stdout, /^expires +\S+Z$/m)
    assert.equal((await merchant.json('payins', 'cancel', id)).status, 'CANCELED')
    const { stdout } = await merchant.run(['payins', 'get', id])
    assert.match(stdout, /^error +CANCELED_BY_MERCHANT$/m)
    assert.doesNotMatch(stdout, /^expires/m)
  })

  it('payouts create, list, get and cancel', async () => {
    const line = ['payouts', 'create', ...AMOUNT, '--key', '@ANAGOMEZ', '--reference', 'refund', ...CUSTOMER]
    const payout = await merchant.json(...line, '--document-type', 'CE')
    assert.deepEqual(
      [payout.status, payout.sourceData.keyString, payout.inlineCustomer.idType],
      ['PROCESSING', '@ANAGOMEZ', 'CO_CE'],
    )
    assert.deepEqual(await merchant.json('payouts', 'get', payout.id), payout)
    assert.deepEqual((await merchant.json('payouts', 'list', '--reference', 'refund')).data, [payout])
    assert.equal((await merchant.json('payouts', 'cancel', payout.id)).status, 'CANCELED')
    const again = await merchant.run(['payouts', 'cancel', payout.id])
    assert.equal(again.code, 1)
    assert.match(
      again.stderr,
      /^recaudo: The payout is CANCELED\.\n {2}PAYOUT_NOT_CANCELABLE · status 409 · request \S+ · http/,
    )
  })

  it('links create, get, list and expire, with a QR code that leads to the page', async () => {
    const line = [
      'links',
      'create',
      ...AMOUNT,
      '--reference',
      'link-1',
      '--callback-url',
      'https://shop.example/t',
    ]
    const { stdout, code } = await merchant.run([
      ...line,
      '--qr',
      '--rail',
      'PSE',
      '--bank',
      'CO_BANCOLOMBIA',
    ])
    assert.equal(code, 0)
    const url = /^page +(\S+)$/m.exec(stdout)?.[1] ?? assert.fail(stdout)
    assert.equal(scanned(stdout), url)
    const [link] = (await merchant.json('links', 'list', '--reference', 'link-1')).data
    assert.deepEqual([link.paymentLinkUrl, link.pse], [url, { bank: 'CO_BANCOLOMBIA' }])
    assert.equal(scanned((await merchant.run(['links', 'get', link.paymentLinkId, '--qr'])).stdout), url)
    assert.deepEqual(await merchant.json('links', 'get', link.paymentLinkId, '--qr'), link)
    assert.equal((await merchant.json('links', 'expire', link.paymentLinkId)).status, 'EXPIRED')
  })

  it('keys get, balance and banks', async () => {
    const key = await merchant.json('keys', 'get', '@anagomez')
    assert.deepEqual([key.keyString, key.status], ['@ANAGOMEZ', 'ACTIVE'])
    const missing = await merchant.run(['keys', 'get', '@NOEXISTE1', '--json'])
    assert.deepEqual([missing.code, missing.stdout, missing.json.error.code], [1, '', 'KEY_NOT_FOUND'])
    assert.deepEqual(await merchant.json('balance'), await get('/balance'))
    const { stdout } = await merchant.run(['balance'])
    assert.match(stdout, /^available +\$ 1\.000\.000\.000,00$/m)
    assert.deepEqual((await merchant.json('banks')).data, (await get('/pse/banks')).data)
  })

  it('clock advance moves staging’s clock', async () => {
    const before = world.ctx.clock.now()
    const { now } = await merchant.json('clock', 'advance', '1h30m')
    assert.ok(Date.parse(now) - before >= 5_400_000)
    for (const wrong of ['90', '0s', '-1h', '1w', 'soon'])
      assert.equal((await merchant.run(['clock', 'advance', '--', wrong])).code, 2, wrong)
  })

  it('a refusal names every field, with the flag that it came from', async () => {
    const line = ['payins', 'create', '--rail', 'PSE', '--amount-in-cents', '0', '--reference', '']
    const { code, stdout, stderr } = await merchant.run([...line, '--name', 'Ana'])
    assert.deepEqual([code, stdout], [1, ''])
    const [head, ...rest] = stderr.trimEnd().split('\n')
    assert.equal(head, 'recaudo: 6 fields are wrong:')
    assert.match(rest.at(-1) ?? '', /^ {2}INVALID_INPUT · status 400 · request \S+ · http.+#INVALID_INPUT$/)
    for (const flag of ['amount-in-cents', 'reference', 'bank', 'document-number', 'phone', 'email'])
      assert.ok(
        rest.some((one) => one.includes(` (--${flag})  `)),
        flag,
      )
    const { json } = await merchant.run([...line, '--json'])
    assert.deepEqual(
      json.error.errors.map(({ path }: { path: string }) => path),
      ['/amountInCents', '/reference', '/pse/bank'],
    )
    assert.ok(json.error.requestId)
  })

  it('mistakes in the command line are reported before anything is sent', async () => {
    const wrong: [string[], RegExp][] = [
      [['payins', 'create'], /^recaudo: --rail, --amount-in-cents, --reference are required\.$/m],
      [['payins', 'create', '--rail', 'BRE_B', '--reference', 'x'], /--amount-in-cents is required\.$/m],
      [
        ['payins', 'create', '--amount-in-cents', '50.000'],
        /must be a whole number of cents, such as 5000000 for \$ 50\.000,00; not "50\.000"\.$/m,
      ],
      [['pages', 'update', 'x'], /Say what to change: --page-name, .+, --valid-until or --data\.$/m],
      [
        ['pages', 'update', 'x', '--max-pieces', 'few'],
        /--max-pieces must be a whole number, such as 40; not "few"\.$/m,
      ],
      [
        ['pages', 'update', 'x', '--amount-in-cents', 'none'],
        /--amount-in-cents must be a whole number of cents/,
      ],
      [['payins', 'create', '--data', '[1]'], /--data must be a JSON object/],
      [['payins', 'create', '--data', '@nowhere.json'], /--data: ENOENT.+nowhere\.json/],
      [['payins', 'list', '--limit', '0'], /--limit must be a whole number from 1 to 100000, not "0"/],
      [['payins', 'list', '--stats', 'X'], /There is no flag --stats\. Did you mean --status\?/],
      [['payins', 'get'], /recaudo payins get takes one argument, <id>\./],
      [
        ['payouts', 'create', ...AMOUNT],
        /--key, --reference, --name, --email, --phone, --document-number are/,
      ],
      [['balance', 'now'], /recaudo balance takes no argument\./],
    ]
    for (const [args, said] of wrong) {
      const end = await merchant.run(args, { env: { RECAUDO_BASE_URL: 'http://127.0.0.1:9' } })
      assert.deepEqual([end.code, end.stdout], [2, ''], args.join(' '))
      assert.match(end.stderr, said)
    }
  })
})
