// Open consoles: each is told of what its page shows, of its own organization, for as long as its person may look; and a thousand of
// them ask the database no more than one.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createLive, type Live, type LiveConsole, type LiveTimes } from '../../src/console/live/live.ts'
import { createTurns, type TurnLimits } from '../../src/console/live/turns.ts'
import { readWatches, type WatchName } from '../../src/console/live/watches.ts'
import { DAY_MS } from '../../src/core/instant.ts'
import type { Queryable } from '../../src/store/db.ts'
import { insertAlarm } from '../../src/store/ledger/alarms.ts'
import { openDaysFrom } from '../../src/store/ledger/closing-marks.ts'
import { type MarkedObject, objectMarks, setMarks } from '../../src/store/shown-marks.ts'
import { deleteMembership, updateRole } from '../../src/store/team/members.ts'
import { endSessions } from '../../src/store/team/sessions.ts'
import { newApprovers, newBatch, newPayout } from '../api/http/calls.ts'
import { lateMoney } from '../late-money.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

const open = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
// Far beyond what a test waits.
const NEVER_MS = 600_000
const QUICK = { soonMs: 10, lookEveryMs: 50, againMs: 100, sweepMs: NEVER_MS }

describe('open consoles', () => {
  let world: World
  let owner: Person
  let sessionId: string
  let statements: string[] = []
  let live: Live
  const closing = new Set<() => void>()

  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    sessionId = await sessionOf(owner)
    live = createLive(counted(), QUICK, { msPerSecond: 1e9, burstMs: 1e6 })
  })
  beforeEach(() => {
    for (const close of closing) close()
    closing.clear()
    statements = []
  })
  after(async () => {
    live.stop()
    await world[Symbol.asyncDispose]()
  })

  const counted = () => {
    const query: Queryable['query'] = async (statement) => {
      statements.push(statement.name ?? statement.text)
      return world.db.query(statement)
    }
    return { ...world.ctx, db: { ...world.db, query } }
  }
  const sessionOf = async ({ userId }: Person): Promise<string> => {
    const { rows } = await world.db.query<{ session_id: string }>({
      text: 'select session_id from sessions where user_id = $1',
      values: [userId],
    })
    return rows[0]?.session_id as string
  }
  const newPayin = async (client = world.client): Promise<string> =>
    (await client('POST', '/payins', brebPayin(open))).json.id

  type Watching = { told: () => number; isOver: () => boolean; close: () => void }
  const watching = (watch: WatchName[], changes: Partial<LiveConsole> = {}, hub = live): Watching => {
    let told = 0
    let isOver = false
    const opened = hub.open(
      {
        organizationId: world.organization.organizationId,
        sessionId,
        userId: world.ctx.ids.next(),
        watches: readWatches(watch.join(' ')),
        tell: () => {
          told += 1
        },
        end: () => {
          isOver = true
        },
        close: () => {},
        ...changes,
      },
      Date.now() + NEVER_MS,
    )
    assert.ok(opened)
    closing.add(opened.close)
    return { told: () => told, isOver: () => isOver, close: opened.close }
  }
  const isTold = (page: Watching, count = 1) =>
    eventually(
      async () => page.told(),
      (told) => told >= count,
    )
  // Whatever was to be told has been.
  const settled = async (): Promise<void> => {
    const page = watching(['payins'])
    await newPayin()
    await isTold(page)
    await delay(QUICK.againMs + 2 * QUICK.lookEveryMs)
    page.close()
  }

  it('ask nothing while nothing happens, and one question for all when something does', async () => {
    await settled()
    statements = []
    const pages = Array.from({ length: 1_000 }, () => watching(['payins']))
    await delay(300)
    assert.deepEqual(statements, [])
    await newPayin()
    for (const page of pages) await isTold(page)
    assert.deepEqual(new Set(statements), new Set(['roles-of-sessions']))
    assert.ok(statements.length <= 2, `${statements.length} statements`)
  })

  it('ask about objects once for all who look at them, and tell whose object has changed', async () => {
    const [one, other] = [await newPayin(), await newPayin()]
    const pages = Array.from({ length: 50 }, () => watching([`payins/${one}`]))
    const others = watching([`payins/${other}`])
    // What nobody has looked at yet counts as changed.
    await settled()
    const before = others.told()
    statements = []
    assert.equal((await world.client('POST', `/payins/${one}/cancel`)).status, 200)
    for (const page of pages) await isTold(page, 2)
    assert.equal(others.told(), before)
    const looks = statements.filter((name) => name === 'shown-marks-payins').length
    assert.ok(looks >= 1 && looks <= 4, `${looks} looks`)
  })

  it('are told nothing of another organization', async () => {
    const stranger = await world.newMerchant()
    const their = await signIn(world, 'owner', { organization: stranger.organization })
    const theirs = {
      organizationId: stranger.organization.organizationId,
      sessionId: await sessionOf(their),
    }
    const nouns: WatchName[] = ['payins', 'payouts', 'links', 'pages', 'events', 'movements', 'webhooks']
    const [page, foreign] = [watching(nouns), watching(nouns, theirs)]
    const payinId = await newPayin()
    const guessed = watching([`payins/${payinId}`], theirs)
    await world.client('POST', `/payins/${payinId}/cancel`)
    await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
    })
    await world.work()
    await settled()
    assert.ok(page.told() > 0)
    assert.deepEqual([foreign.told(), guessed.told()], [0, 0])
    await newPayin(stranger.client)
    await isTold(foreign)
  })

  it('are told of new links, events and attempts of deliveries', async () => {
    const [links, events, webhooks] = [watching(['links']), watching(['events']), watching(['webhooks'])]
    await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order-2',
      callbackUrl: 'https://shop.example/return',
    })
    await isTold(links)
    await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/events' })
    const payinId = await newPayin()
    await world.client('POST', `/payins/${payinId}/cancel`)
    await world.work()
    await isTold(events)
    await isTold(webhooks)
  })

  it('are told of money that arrives in suspense, and of what is decided about it', async () => {
    const page = watching(['suspense'])
    const { suspenseId, payinId } = await lateMoney(world)
    await isTold(page)
    await settled()
    const before = page.told()
    assert.equal((await world.client('POST', `/suspense/${suspenseId}/attach`, { payinId })).status, 200)
    await isTold(page, before + 1)
  })

  it('are told of a day that is closed by the next sweep, as nothing signals it', async () => {
    const swept = createLive(counted(), { ...QUICK, sweepMs: 50 }, { msPerSecond: 1e9, burstMs: 1e6 })
    const page = watching(['days'], {}, swept)
    // What nobody has looked at yet counts as changed.
    await isTold(page)
    await delay(300)
    const before = page.told()
    await openDaysFrom(world.db, world.organization.organizationId, Date.now() + DAY_MS, Date.now())
    await isTold(page, before + 1)
    swept.stop()
  })

  it('are told of batches and of approvals', async () => {
    await newApprovers(world, world.client)
    const rules = [{ kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }]
    assert.equal((await world.client('PUT', '/approval-rules', { rules })).status, 200)
    const [batches, approvals] = [watching(['payouts']), watching(['events'])]
    await newBatch(world.client)
    await isTold(batches)
    await world.client('POST', '/payouts', newPayout())
    await world.work()
    await isTold(approvals)
    assert.equal((await world.client('PUT', '/approval-rules', { rules: [] })).status, 200)
  })

  it('end with the session, and tell nothing more', async () => {
    const leaving = await signIn(world, 'support')
    const page = watching(['payins'], { sessionId: await sessionOf(leaving) })
    await endSessions(world.db, leaving.userId, null, Date.now())
    // Of what was made before, it may have been told.
    const toldBefore = page.told()
    await newPayin()
    await eventually(async () => page.isOver(), Boolean)
    assert.equal(page.told(), toldBefore)
  })

  it('end when the role is taken away or no longer holds what the page shows', async () => {
    const { organizationId } = world.organization
    const [gone, less] = [await signIn(world, 'support'), await signIn(world, 'owner')]
    const pages = [
      watching(['payins'], { sessionId: await sessionOf(gone) }),
      watching(['webhooks', 'payins'], { sessionId: await sessionOf(less) }),
    ]
    await deleteMembership(world.db, organizationId, gone.userId)
    await updateRole(world.db, organizationId, less.userId, 'accountant', Date.now())
    const toldBefore = pages.map((page) => page.told())
    await newPayin()
    for (const page of pages) await eventually(async () => page.isOver(), Boolean)
    assert.deepEqual(
      pages.map((page) => page.told()),
      toldBefore,
    )
  })

  it('end within a sweep when nothing happens', async () => {
    const swept = createLive(counted(), { ...QUICK, sweepMs: 50 })
    const leaving = await signIn(world, 'support')
    const page = watching(['payins'], { sessionId: await sessionOf(leaving) }, swept)
    await endSessions(world.db, leaving.userId, null, Date.now())
    await eventually(async () => page.isOver(), Boolean)
    swept.stop()
  })

  it('are told at once if something happened after their page was made', async () => {
    await newPayin()
    const asked = {
      organizationId: world.organization.organizationId,
      sessionId,
      watches: readWatches('payins'),
    }
    let told = 0
    const tell = (): void => {
      told += 1
    }
    const rest = { tell, end: () => {}, close: () => {} }
    live.open({ ...asked, ...rest, userId: 'a' }, Date.now() + NEVER_MS)?.close()
    assert.equal(told, 0)
    live.open({ ...asked, ...rest, userId: 'a' }, Date.now())?.close()
    assert.equal(told, 1)
    live.open({ ...asked, ...rest, userId: 'a' }, Number.NaN)?.close()
    assert.equal(told, 2)
  })

  it('are at most twelve of a person, and each that is closed makes room once', () => {
    const another = () => watching(['payins'], { userId: 'one' })
    for (let round = 0; round < 2; round += 1) {
      const pages = Array.from({ length: 12 }, another)
      assert.throws(another)
      watching(['payins'], { userId: 'another' })
      pages[0]?.close()
      pages[0]?.close()
      pages.push(another())
      assert.throws(another)
      for (const page of pages) page.close()
    }
  })

  // A hub by itself, whose clock, signals and database are the test's.
  const hubOf = (changes: { times?: Partial<LiveTimes>; turns?: TurnLimits; query?: Queryable['query'] }) => {
    let work: Parameters<typeof world.ctx.signals.onWork>[0] = () => assert.fail('nobody listens')
    const clock = { atMs: 1_000_000_000 }
    const ctx = {
      db: { ...world.db, query: changes.query ?? world.db.query },
      clock: { ...world.ctx.clock, wallClock: () => clock.atMs },
      signals: {
        ...world.ctx.signals,
        onWork: (listener: typeof work) => {
          work = listener
        },
      },
    }
    const hub = createLive(
      ctx as unknown as World['ctx'],
      { ...QUICK, ...changes.times },
      changes.turns ?? { msPerSecond: 1e9, burstMs: 1e6 },
    )
    return { hub, clock, signal: (...heard: Parameters<typeof work>) => work(...heard) }
  }

  it('that were closed leave their room, however many there were, and are told nothing more', async () => {
    const { hub } = hubOf({ turns: { msPerSecond: 100, burstMs: 1 } })
    const openOne = (told: () => void = () => {}) =>
      hub.open(
        {
          ...{ organizationId: world.organization.organizationId, sessionId, userId: 'one', watches: [] },
          ...{ tell: told, end: () => {}, close: () => {} },
        },
        Number.NaN,
      )
    for (let count = 0; count <= 5_000; count += 1) openOne()?.close()
    const told: string[] = []
    assert.ok(openOne(), 'there is room')
    openOne(() => void told.push('closed'))?.close()
    openOne(() => void told.push('open'))
    await eventually(
      async () => told.length,
      (count) => count > 0,
    )
    assert.deepEqual(told, ['open'])
    hub.stop()
  })

  it('are told of what was missed while the database was away, and of what concerns everybody', async () => {
    let isAway = true
    const query: Queryable['query'] = (statement) =>
      isAway ? Promise.reject(new Error('away')) : world.db.query(statement)
    const { hub, signal, clock } = hubOf({ query })
    clock.atMs = Date.now()
    const page = watching(['payins'], {}, hub)
    const { organizationId } = world.organization
    signal('payins', organizationId)
    await delay(2 * QUICK.lookEveryMs)
    assert.equal(page.told(), 0)
    isAway = false
    await isTold(page)
    await delay(QUICK.againMs + 2 * QUICK.lookEveryMs)
    const before = page.told()
    signal('payins', undefined)
    await isTold(page, before + 1)
    const webhooks = watching(['webhooks'], {}, hub)
    signal('shown', organizationId)
    await isTold(webhooks)
    hub.stop()
  })

  it('look once more after a signal: some of what it leads to has none of its own', async () => {
    const payinId = await newPayin()
    let isArmed = false
    const query: Queryable['query'] = async (statement) => {
      const result = await world.db.query<never>(statement)
      if (!isArmed || statement.name !== 'shown-marks-payins') return result
      isArmed = false
      const text = 'update payins set attempts = attempts + 1 where payin_id = $1'
      await world.db.query({ text, values: [payinId] })
      return result
    }
    const { hub, signal, clock } = hubOf({ query })
    clock.atMs = Date.now()
    const page = watching([`payins/${payinId}`], {}, hub)
    const { organizationId } = world.organization
    signal('payins', organizationId)
    await isTold(page)
    await delay(QUICK.againMs + 2 * QUICK.lookEveryMs)
    const before = page.told()
    isArmed = true
    signal('payins', organizationId)
    await isTold(page, before + 1)
    assert.ok(!isArmed)
    hub.stop()
  })

  it('are told as soon of a second signal, however late the second look at the first would be', async () => {
    const { hub, signal, clock } = hubOf({ times: { againMs: NEVER_MS } })
    clock.atMs = Date.now()
    const { organizationId } = world.organization
    const page = watching(['payins'], {}, hub)
    for (const count of [1, 2, 3]) {
      signal('payins', organizationId)
      await isTold(page, count)
      // By now the second look is waited for.
      await delay(2 * QUICK.lookEveryMs)
    }
    hub.stop()
  })

  it('whose page is too old to know of are told at once, and those of a signal that was everybody’s', () => {
    const { hub, clock, signal } = hubOf({})
    const isToldAt = (since: number) => {
      const told: number[] = []
      const rest = { tell: () => void told.push(since), end: () => {}, close: () => {} }
      const asked = { organizationId: world.organization.organizationId, sessionId, userId: 'one' }
      hub.open({ ...asked, ...rest, watches: readWatches('payins') }, since)?.close()
      return told.length === 1
    }
    clock.atMs += 10 * 60_000
    assert.equal(isToldAt(clock.atMs), false)
    assert.equal(isToldAt(clock.atMs - 50_000), false)
    assert.equal(isToldAt(clock.atMs - 70_000), true, 'nobody remembers what was then')
    signal('payins', undefined)
    clock.atMs += 20_000
    assert.deepEqual([isToldAt(clock.atMs - 30_000), isToldAt(clock.atMs)], [true, false])
    hub.stop()
  })

  it('are closed when the server stops', () => {
    const { hub } = hubOf({})
    const asked = [world.organization.organizationId, world.ctx.ids.next()]
    const closed: string[] = []
    for (const organizationId of asked)
      watching(['payins'], { organizationId, close: () => void closed.push(organizationId) }, hub)
    hub.stop()
    assert.deepEqual(closed, asked)
  })
})

describe('what a page shows', () => {
  it('has another mark once anything of it has changed', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const { json: payin } = await world.client('POST', '/payins', brebPayin(open))
    const { json: payout } = await world.client('POST', '/payouts', {
      ...{ amountInCents: 5_000_000, currency: 'COP', rail: 'BRE_B', reference: 'factura' },
      ...{ inlineCustomer: CUSTOMER, breb: { keyString: '3001234567' } },
    })
    const { json: link } = await world.client('POST', '/payment-links', {
      ...{ amountType: 'FIXED', amountInCents: 5_000_000, reference: 'order', rail: 'BRE_B' },
      callbackUrl: 'https://shop.example/return',
    })
    const payer = { 'user-agent': 'Mozilla/5.0', 'sec-fetch-dest': 'document' }
    await fetch(world.baseUrl + new URL(link.paymentLinkUrl).pathname, { headers: payer })
    const { json: page } = await world.client('POST', '/payment-pages', {
      ...{ name: 'Feria', reference: 'feria', amountType: 'FIXED', amountInCents: 5_000_000 },
    })
    await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/events' })
    await world.client('POST', `/payins/${payin.id}/cancel`)
    await world.work()
    const { rows: deliveries } = await world.db.query<{ event_id: string }>({
      text: 'select event_id from deliveries limit 1',
    })
    const [linkId, pageId, eventId] = [
      link.paymentLinkId,
      page.paymentPageId,
      deliveries[0]?.event_id as string,
    ]
    const changes: [MarkedObject, id: string, table: string, key: string, set: string][] = [
      ['links', linkId, 'payins', 'payment_link_id', 'version = version + 1'],
      ['pages', pageId, 'payment_pages', 'payment_page_id', 'held_pieces = held_pieces + 1'],
      ['events', eventId, 'deliveries', 'event_id', `due_at = coalesce(due_at, now()) + interval '1 minute'`],
      ['payins', payin.id, 'payins', 'payin_id', 'version = version + 1'],
      ['payins', payin.id, 'payins', 'payin_id', 'attempts = attempts + 1'],
      ['payouts', payout.id, 'payouts', 'payout_id', 'version = version + 1'],
      ['payouts', payout.id, 'payouts', 'payout_id', 'attempts = attempts + 1'],
      [
        'payouts',
        payout.id,
        'payouts',
        'payout_id',
        `stage = case stage when 'SENT' then 'STOPPED' else 'SENT' end`,
      ],
    ]
    const undone = new Error('undone')
    for (const [kind, id, table, key, set] of changes)
      await assert.rejects(
        world.db.inTransaction(async (tx) => {
          const mark = () => objectMarks(tx, kind, [{ organizationId, id }])
          const before = await mark()
          assert.deepEqual(await mark(), before)
          await tx.query({ text: `update ${table} set ${set} where ${key} = $1`, values: [id] })
          assert.notDeepEqual(await mark(), before, `${kind}: ${set}`)
          throw undone
        }),
        undone,
      )
  })

  it('has another mark once an alarm is resolved, or money that waits is dealt with', async () => {
    await using world = await createWorld()
    const { organizationId } = world.organization
    const { ctx, db } = world
    await lateMoney(world)
    const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail: '' } as const
    await insertAlarm(db, organizationId, ctx.ids.next(), alarm, ctx.clock.now())
    const later = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail: '' } as const
    await insertAlarm(db, organizationId, ctx.ids.next(), later, ctx.clock.now())
    const undone = new Error('undone')
    for (const [set, text] of [
      ['alarms', `update alarms set resolved_at = now() where alarm_id = '${alarm.alarmId}'`],
      ['suspense', `update suspense_items set updated_at = updated_at + interval '1 second'`],
    ] as const)
      await assert.rejects(
        db.inTransaction(async (tx) => {
          const before = await setMarks(tx, set, [organizationId])
          await tx.query({ text })
          assert.notDeepEqual(await setMarks(tx, set, [organizationId]), before, set)
          throw undone
        }),
        undone,
      )
  })
})

describe('turns', () => {
  it('go round the organizations, and each who waits is told once', () => {
    const told: string[] = []
    const turns = createTurns({ msPerSecond: 1, burstMs: 1 })
    turns.add('none', () => {})
    const crowd = [1, 2, 3].map((number) => () => void told.push(`crowd ${number}`))
    for (const tell of [...crowd, ...crowd]) turns.add('crowd', tell)
    turns.add('lone', () => void told.push('lone'))
    assert.deepEqual(told, [])
    turns.stop()
    const quick = createTurns({ msPerSecond: 100, burstMs: 100 })
    for (const tell of crowd) quick.add('crowd', tell)
    assert.deepEqual(told, ['crowd 1', 'crowd 2', 'crowd 3'])
    quick.stop()
  })

  it('give a lone console its turn before the crowd is through', async () => {
    const told: string[] = []
    const turns = createTurns({ msPerSecond: 500, burstMs: 25 })
    for (let number = 0; number < 50; number += 1) turns.add('crowd', () => void told.push('crowd'))
    turns.add('lone', () => void told.push('lone'))
    await eventually(
      async () => told.length,
      (count) => count === 51,
    )
    assert.ok(told.indexOf('lone') < 15, `${told.indexOf('lone')}`)
    turns.stop()
  })

  it('are fewer the longer the answers take', async () => {
    const told = { quick: 0, slow: 0 }
    const run = (name: 'quick' | 'slow', tookMs: number) => {
      const turns = createTurns({ msPerSecond: 1_000, burstMs: 20 })
      for (let number = 0; number < 500; number += 1)
        turns.add('crowd', () => {
          told[name] += 1
          turns.answered(tookMs)
        })
      return turns
    }
    const all = [run('quick', 2), run('slow', 100)]
    await delay(500)
    for (const turns of all) turns.stop()
    assert.ok(told.slow >= 1 && told.quick > 5 * told.slow, JSON.stringify(told))
  })
})

describe('the stream', () => {
  let world: World
  let owner: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
  })
  after(() => world[Symbol.asyncDispose]())

  const listen = async (person: Person, watch: string, home = person.home) => {
    const ended = new AbortController()
    const response = await fetch(
      `${new URL(home, world.baseUrl)}/live?since=${Date.now() + NEVER_MS}&watch=${watch}`,
      {
        headers: { cookie: person.cookie, accept: 'text/event-stream' },
        redirect: 'manual',
        signal: ended.signal,
      },
    )
    let text = ''
    const reading = (async () => {
      for await (const part of response.body ?? []) text += Buffer.from(part).toString()
    })().catch(() => {})
    return { response, text: () => text, close: () => ended.abort(), reading }
  }

  it('tells that something has changed, and nothing else', async () => {
    const stream = await listen(owner, 'payins')
    assert.equal(stream.response.status, 200)
    assert.match(stream.response.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.equal(stream.response.headers.get('cache-control'), 'no-store')
    await world.client('POST', '/payins', brebPayin(open))
    await eventually(
      async () => stream.text(),
      (text) => text.includes('data'),
    )
    assert.match(stream.text(), /^:\n\n(data: changed\n\n)+$/)
    stream.close()
    await stream.reading
  })

  it('is for those who may look', async () => {
    const other = await world.newMerchant()
    const foreign = await listen(owner, 'payins', `/console/${other.organization.organizationId}`)
    assert.equal(foreign.response.status, 204)
    const stranger = await listen({ ...owner, cookie: 'recaudo_session=none' }, 'payins')
    assert.equal(stranger.response.status, 204)
    const accountant = await signIn(world, 'accountant')
    const nothing = await listen(accountant, 'webhooks')
    assert.equal(nothing.response.status, 204)
    assert.equal((await listen(owner, 'nonsense payins/x')).response.status, 204)
  })

  it('is refused to who has twelve, until one of them is closed', async () => {
    const busy = await signIn(world, 'support')
    const streams = await Promise.all(Array.from({ length: 12 }, () => listen(busy, 'payins')))
    const { response } = await listen(busy, 'payins')
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '30'])
    streams[0]?.close()
    const then = await eventually(
      () => listen(busy, 'payins'),
      (stream) => stream.response.status === 200,
    )
    for (const stream of [...streams, then]) stream.close()
  })

  it('says that it is over when the session is', async () => {
    const leaving = await signIn(world, 'support')
    const stream = await listen(leaving, 'payins')
    await endSessions(world.db, leaving.userId, null, Date.now())
    await world.client('POST', '/payins', brebPayin(open))
    await stream.reading
    assert.equal(stream.text(), ':\n\nevent: over\ndata:\n\n')
  })

  it('is closed by the server that stops, which waits for none', async () => {
    const stopping = await createWorld()
    const person = await signIn(stopping, 'owner')
    const stream = await listen(person, 'payins', `${stopping.baseUrl}${person.home}`)
    assert.equal(stream.response.status, 200)
    const isStopped = stopping[Symbol.asyncDispose]().then(() => true)
    const isEnded = await Promise.race([stream.reading.then(() => true), delay(5_000, false)])
    stream.close()
    await isStopped
    assert.ok(isEnded)
    assert.equal(stream.text(), ':\n\n')
  })

  it('is no use of the session, and neither is a page that shows itself anew', async () => {
    const idle = await signIn(world, 'support')
    const seenAt = async (): Promise<string> => {
      const text = 'select seen_at::text as seen from sessions where user_id = $1'
      return (await world.db.query<{ seen: string }>({ text, values: [idle.userId] })).rows[0]?.seen as string
    }
    await world.db.query({
      text: `update sessions set seen_at = seen_at - interval '1 hour' where user_id = $1`,
      values: [idle.userId],
    })
    const before = await seenAt()
    const stream = await listen(idle, 'payins')
    stream.close()
    await stream.reading
    assert.equal((await idle.get('/payins', { 'x-live': '1' })).status, 200)
    assert.equal(await seenAt(), before)
    await idle.get('/payins')
    assert.notEqual(await seenAt(), before)
  })
})
