// Every `ts` block of every guide compiles with the packed types. Those of the rail guides do what they say. Every
// receiver accepts a signed event and refuses an altered one. The adapter's code is a file that others compile and run.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { secretBytes, webhookHeaders } from '../../src/webhooks/sign.ts'
import { nodes } from '../cli/binary.ts'
import {
  createWorldWithWorkers,
  makeWorkspace,
  ROOT,
  startProgram,
  type Workspace,
} from '../examples/workspace.ts'
import { freePort } from '../free-port.ts'
import { createDatabase, eventually, type World } from '../world.ts'
import { type Block, forServer, guideOf, guides } from './guide.ts'

const COMPILER = {
  target: 'es2024',
  lib: ['es2024'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  noEmit: true,
}

describe('the code in the guides', () => {
  let world: World
  let place: Workspace
  before(async () => {
    world = await createWorldWithWorkers(200)
    place = await makeWorkspace('guides-code')
    writeFileSync(join(place.directory, 'package.json'), '{"private":true,"type":"module"}')
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await place?.[Symbol.asyncDispose]()
  })

  const codeBlocks = (slug: string): Block[] =>
    guideOf(slug).blocks.filter(({ language }) => language === 'ts')
  const fileOf = (name: string, code: string): string => {
    const file = join(place.directory, name)
    writeFileSync(file, forServer(code, world.baseUrl))
    return file
  }

  it('is TypeScript or shell, and compiles', async () => {
    const languages = new Set(guides.flatMap(({ blocks }) => blocks.map(({ language }) => language)))
    assert.deepEqual([...languages].sort(), ['bash', 'ini', 'json', 'nginx', 'sh', 'text', 'ts', 'yaml'])
    const directory = join(place.directory, 'compiled')
    mkdirSync(directory)
    writeFileSync(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER, include: ['*.ts'] }),
    )
    let count = 0
    for (const { language, slug, blocks } of guides.filter((guide) => guide.slug !== 'writing-an-adapter'))
      for (const { text } of blocks.filter((block) => block.language === 'ts')) {
        count += 1
        writeFileSync(join(directory, `${language}-${slug}-${count}.ts`), `${text}export {}\n`)
      }
    assert.ok(count >= 18)
    const output = await promisify(execFile)(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', directory],
      { timeout: 60_000 },
    ).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
    assert.equal(output, '')
  })

  it('creates what the guides to rails, links and payouts say', async () => {
    process.env.RECAUDO_API_KEY = world.apiKey
    const load = async (slug: string) => import(fileOf(`${slug}.ts`, codeBlocks(slug)[0]?.text ?? ''))
    // As the guide names it, on the oldest Node that it names. The address comes from the environment.
    const { blocks, prose } = guideOf('first-payin')
    const [, name = ''] = /Save this as `(\w+\.mjs)`/.exec(prose) ?? []
    writeFileSync(join(place.directory, name), blocks.find(({ language }) => language === 'ts')?.text ?? '')
    const oldest = [...nodes()].sort(([a], [b]) => Number(a) - Number(b))[0]?.[1] ?? process.execPath
    const { stdout } = await promisify(execFile)(oldest, [name], {
      cwd: place.directory,
      env: { PATH: process.env.PATH, RECAUDO_API_KEY: world.apiKey, RECAUDO_BASE_URL: world.baseUrl },
      timeout: 60_000,
    })
    assert.match(stdout, /^@RC\w{12} data:image\/png;base64,/)
    const { payByBank } = await load('pse')
    assert.match(await payByBank('bank-1', 5_000_000, 'CO_NEQUI'), /\/pay\//)
    const { showQr } = await load('breb')
    assert.match(await showQr('qr-1', 5_000_000), /^<img src="data:image\/png;base64,.+<code>@RC/)
    const { checkoutUrl } = await load('payment-links')
    const url = await checkoutUrl('link-1', 5_000_000)
    assert.equal(await checkoutUrl('link-1', 5_000_000), url, 'asked twice, one link')
    const { refund } = await load('payouts')
    const order = { id: '7', amountInCents: 100_000, key: '@ANAMARIA36', customerName: 'Ana' }
    assert.equal((await refund(order)).id, (await refund(order)).id, 'asked twice, one payout')
    const { json } = await world.client('GET', '/payins')
    const references = json.data.map(({ reference }: { reference: string }) => reference)
    assert.deepEqual(references.sort(), ['bank-1', 'order-1005', 'qr-1'])
  })

  it('follows the log from its last position, and stores its position', async () => {
    const block = codeBlocks('webhooks').find(({ heading }) => heading === 'Follow the log instead')
    const file = fileOf('follow.ts', block?.text ?? '')
    const settings = { cwd: place.directory, env: { RECAUDO_API_KEY: world.apiKey } }
    const first = startProgram(process.execPath, [file], settings)
    const log = async () => (await world.client('GET', '/events?pageSize=100')).json.data as { id: string }[]
    // One event of each block that the previous test ran.
    const before = await eventually(log, ({ length }) => length === 4)
    const placeFile = join(place.directory, 'place')
    await eventually(
      async () => existsSync(placeFile) && readFileSync(placeFile, 'utf8'),
      (kept) => kept === '4',
    )
    await first.stop()
    const endpoint = (await world.client('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/' })).json
    const { json: fresh } = await world.client('POST', `/webhook-endpoints/${endpoint.id}/test`)
    const second = startProgram(process.execPath, [file], settings)
    await second.said(new RegExp(`webhook.test ${fresh.id}`))
    await second.stop()
    await world.client('DELETE', `/webhook-endpoints/${endpoint.id}`)
    for (const { id } of before)
      assert.ok(
        first.output().includes(id) !== second.output().includes(id),
        'each event was seen in one run',
      )
  })

  const receivers = codeBlocks('webhooks').filter(({ text }) => text.includes('3000'))

  it('there are receivers for Express, Fastify, Hono and plain Node, and a handler for Next', () => {
    assert.deepEqual(
      receivers.map(({ heading }) => heading),
      ['Express', 'Fastify', 'Hono', 'Plain Node'],
    )
    assert.ok(codeBlocks('webhooks').some(({ heading }) => heading === 'Next.js'))
  })

  const signed = (secret: string, body: string, atMs = Date.now()) => ({
    'content-type': 'application/json',
    ...webhookHeaders('id', Math.floor(atMs / 1_000), body, [secretBytes(secret)]),
  })
  const BODY = '{"id":"id","event":"payin.confirmed","resource":"payin","sequence":1,"version":2,  "data":{}}'
  // The same checks for each receiver, however it is called.
  const judge = async (
    secret: string,
    send: (headers: Record<string, string>, body: string) => Promise<Response>,
  ) => {
    const deliver = async (headers: Record<string, string>, body: string) => {
      const answer = await send(headers, body)
      return `${answer.status} ${await answer.text()}`
    }
    assert.match(await deliver(signed(secret, BODY), BODY), /^200 /)
    assert.match(
      await deliver(signed(secret, BODY), BODY.replace('confirmed', 'declined')),
      /^400 .*No signature fits/,
    )
    assert.match(await deliver(signed(secret, BODY, Date.now() - 3_600_000), BODY), /^400 .*off our clock/)
    assert.match(await deliver({ 'content-type': 'application/json' }, BODY), /^400 .*webhook-id is missing/)
  }

  for (const { heading, text } of receivers) {
    it(`${heading} accepts a delivery of the service, and refuses an altered one`, async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}/webhooks`
      const { json: endpoint } = await world.client('POST', '/webhook-endpoints', { url })
      const file = fileOf(`${heading.replaceAll(/\W/g, '-')}.ts`, text.replace('3000', String(port)))
      const receiver = startProgram(process.execPath, [file], {
        cwd: place.directory,
        env: { RECAUDO_WEBHOOK_SECRET: endpoint.secret },
      })
      try {
        await eventually(
          () =>
            fetch(url).then(
              () => true,
              () => false,
            ),
          (isUp) => isUp,
        )
        const { json: event } = await world.client('POST', `/webhook-endpoints/${endpoint.id}/test`)
        await receiver.said(new RegExp(`webhook\\.test ${event.id}`))
        await eventually(
          async () => (await world.client('GET', `/events/${event.id}/deliveries`)).json.data[0],
          (delivery) => delivery?.state === 'DELIVERED',
        )
        await judge(endpoint.secret, (headers, body) => fetch(url, { method: 'POST', headers, body }))
      } finally {
        await receiver.stop()
        await world.client('DELETE', `/webhook-endpoints/${endpoint.id}`)
      }
    })
  }

  it('Next accepts a signed event, and refuses an altered one', async () => {
    const { json: endpoint } = await world.client('POST', '/webhook-endpoints', {
      url: 'http://127.0.0.1:9/',
    })
    process.env.RECAUDO_WEBHOOK_SECRET = endpoint.secret
    const text = codeBlocks('webhooks').find(({ heading }) => heading === 'Next.js')?.text ?? ''
    const { POST } = await import(fileOf('route.ts', text))
    await judge(endpoint.secret, (headers, body) =>
      POST(new Request('http://shop.example/webhooks', { method: 'POST', headers, body })),
    )
  })

  it('an event that comes twice, or late, is applied once and in order', async () => {
    const text =
      codeBlocks('webhooks').find(({ heading }) => heading === 'Handle each event once')?.text ?? ''
    const { handleOnce } = await import(fileOf('once.ts', text))
    const database = await createDatabase(null)
    const db = new pg.Client({ connectionString: database.url })
    await db.connect()
    try {
      for (const [, sql] of text.matchAll(/^\/\/ (create table .*)$/gm)) await db.query(sql as string)
      await db.query(`insert into orders values ('order-1', 'NEW', 0)`)
      const event = (id: string, version: number, status: string) => ({
        ...{ id, version, resource: 'payin', event: 'payin.confirmed' },
        data: { reference: 'order-1', status },
      })
      const order = async () => (await db.query('select status, version from orders')).rows[0]
      await handleOnce(db, event('a', 2, 'CONFIRMED'))
      assert.deepEqual(await order(), { status: 'CONFIRMED', version: 2 })
      await handleOnce(db, event('b', 1, 'PROCESSING'))
      await db.query(`update orders set status = 'SHIPPED'`)
      await handleOnce(db, event('a', 2, 'CONFIRMED'))
      assert.deepEqual(await order(), { status: 'SHIPPED', version: 2 })
      await assert.rejects(handleOnce(db, { ...event('c', 3, 'CONFIRMED'), data: null }))
      assert.deepEqual((await db.query('select id from handled_events order by id')).rows, [
        { id: 'a' },
        { id: 'b' },
      ])
    } finally {
      await db.end()
      await database.drop()
    }
  })

  it('both secrets are accepted during a rotation', async () => {
    const text = codeBlocks('webhooks').find(({ heading }) => heading === 'Change the secret')?.text ?? ''
    const { verify } = await import(fileOf('rotation.ts', text))
    const { json: endpoint } = await world.client('POST', '/webhook-endpoints', {
      url: 'http://127.0.0.1:9/',
    })
    const { json: next } = await world.client('POST', `/webhook-endpoints/${endpoint.id}/rotate-secret`)
    process.env.RECAUDO_WEBHOOK_SECRETS = `${next.secret},${endpoint.secret}`
    for (const secret of [endpoint.secret, next.secret])
      assert.equal((await verify(BODY, new Headers(signed(secret, BODY)))).event, 'payin.confirmed')
  })
})
