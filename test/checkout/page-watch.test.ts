// Pages that wait: every change is told, to those it concerns, and many pages cost as many statements as one.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createPageWatch } from '../../src/checkout/page-watch.ts'
import type { Queryable } from '../../src/store/db.ts'
import { brebPayin, createWorld, eventually, type World } from '../world.ts'

describe('watched pages', () => {
  let world: World
  let statements: string[]
  let isAway = false
  let watch: ReturnType<typeof createPageWatch>
  before(async () => {
    world = await createWorld()
    const query: Queryable['query'] = async (statement) => {
      statements.push(statement.name ?? statement.text)
      if (isAway) throw new Error('the database is away')
      return world.db.query(statement)
    }
    watch = createPageWatch({ ...world.ctx, db: { ...world.db, query } })
  })
  beforeEach(() => {
    statements = []
  })
  // A page that a failed test has left open would be watched for ever.
  after(async () => {
    for (const page of open) page.stop()
    await world[Symbol.asyncDispose]()
  })

  const tokenOf = (address: string): string => new URL(address).pathname.split('/')[2] as string
  const newPayin = async () => {
    const { json } = await world.client('POST', '/payins', brebPayin())
    return { id: json.id as string, token: tokenOf(json.sourceData.checkoutUrl) }
  }
  const newLink = async () => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    return { id: json.paymentLinkId as string, token: tokenOf(json.paymentLinkUrl) }
  }
  const open = new Set<{ stop(): void }>()
  const watching = (token: string) => {
    let told = 0
    const page = watch(token, () => {
      told += 1
    })
    open.add(page)
    return { told: () => told, stop: () => page.stop() }
  }
  const isTold = (page: { told: () => number }, count: number) =>
    eventually(
      async () => page.told(),
      (told) => told === count,
    )
  const looks = () => statements.filter((name) => name === 'payin-page-marks').length

  it('are told once at the start, and again when their payin or link changes', async () => {
    const [payin, other, link] = [await newPayin(), await newPayin(), await newLink()]
    const pages = [watching(payin.token), watching(other.token), watching(link.token)] as const
    for (const page of pages) await isTold(page, 1)
    assert.equal((await world.client('POST', `/payins/${payin.id}/cancel`)).status, 200)
    await isTold(pages[0], 2)
    assert.equal((await world.client('POST', `/payment-links/${link.id}/expire`)).status, 200)
    await isTold(pages[2], 2)
    assert.equal(pages[1].told(), 1, 'the other one has not changed')
    for (const page of pages) page.stop()
  })

  it('are told whoever else leaves', async () => {
    const [payin, other] = [await newPayin(), await newPayin()]
    const [stays, leaves] = [watching(payin.token), watching(other.token)]
    for (const page of [stays, leaves]) await isTold(page, 1)
    leaves.stop()
    await world.client('POST', `/payins/${payin.id}/cancel`)
    await isTold(stays, 2)
    stays.stop()
  })

  it('are told of an attempt that begins, and of where its bank is', async () => {
    const link = await newLink()
    const page = watching(link.token)
    await isTold(page, 1)
    const form = new URLSearchParams({
      rail: 'PSE',
      bank: 'CO_BANCO_DE_PRUEBAS',
      personType: 'INDIVIDUAL',
      name: 'Ana Gómez',
      idType: 'CO_CC',
      idNumber: '1000000007',
      email: 'ana@example.com',
      phone: '+573001234567',
    })
    const begun = await fetch(`${world.baseUrl}/pay/${link.token}`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    })
    assert.equal(begun.status, 303)
    await isTold(page, 2)
    await world.work()
    await isTold(page, 3)
    page.stop()
  })

  it('cost one statement for all payins and one for all links', async () => {
    const pages = []
    for (let made = 0; made < 40; made += 1) {
      const { token } = made % 2 === 0 ? await newPayin() : await newLink()
      // Two tabs of each.
      pages.push(watching(token), watching(token))
    }
    for (const page of pages) await isTold(page, 1)
    statements = []
    await eventually(
      async () => looks(),
      (count) => count >= 3,
    )
    assert.ok(statements.length <= 2 * looks() + 1, statements.join())
    for (const page of pages) page.stop()
    const last = watching((await newPayin()).token)
    await isTold(last, 1)
    statements = []
    await eventually(
      async () => looks(),
      (count) => count >= 2,
    )
    assert.deepEqual(
      new Set(statements),
      new Set(['payin-page-marks']),
      'pages that were left are not looked at',
    )
    last.stop()
  })

  it('are told of what changed while the database was away', async () => {
    const payin = await newPayin()
    const page = watching(payin.token)
    await isTold(page, 1)
    isAway = true
    await eventually(
      async () => looks(),
      (count) => count >= 2,
    )
    await world.client('POST', `/payins/${payin.id}/cancel`)
    isAway = false
    await isTold(page, 2)
    page.stop()
  })

  it('are looked at in parts, each of them', async () => {
    const parts: number[] = []
    const query: Queryable['query'] = async (statement) => {
      const [addresses] = statement.values as [unknown[]]
      parts.push(addresses.length)
      return world.db.query(statement)
    }
    watch = createPageWatch({ ...world.ctx, db: { ...world.db, query } }, 3)
    const payins = []
    for (let made = 0; made < 7; made += 1) payins.push(await newPayin())
    const pages = payins.map(({ token }) => watching(token))
    for (const page of pages) await isTold(page, 1)
    assert.deepEqual(parts.slice(0, 3), [3, 3, 1])
    await world.client('POST', `/payins/${payins[6]?.id}/cancel`)
    await isTold(pages[6] as (typeof pages)[0], 2)
    assert.deepEqual(
      pages.map(({ told }) => told()),
      [1, 1, 1, 1, 1, 1, 2],
    )
    for (const page of pages) page.stop()
  })

  it('of an address that means nothing cost no statement', async () => {
    const page = watching('nothing')
    const payin = watching((await newPayin()).token)
    statements = []
    await isTold(payin, 1)
    assert.equal(page.told(), 0)
    assert.ok(!statements.includes('link-page-marks'))
    for (const one of [page, payin]) one.stop()
  })
})
