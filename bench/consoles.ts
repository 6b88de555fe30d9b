// What open consoles cost: 1,000 of ten merchants, as browsers keep them. First while nothing happens in them: the transactions of
// the database a second beyond those without, and what another merchant notices. Then while one of the ten is paid 300 times a
// second, and each of its hundred consoles shows its list anew as often as it is told.

import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { SERVICE } from '../src/core/audit/actor.ts'
import { startSession } from '../src/flows/team/sessions.ts'
import { insertMembership, insertUser } from '../src/store/team/users.ts'
import { payinRequest } from './payins.ts'
import { atMost, type Row, UNTIMED } from './report.ts'
import type { Merchant, Testbed } from './testbed.ts'
import { transactionsPerSecond } from './watch.ts'

const CONSOLES = 1_000
const MERCHANTS = 10
const CONSOLES_PER_PERSON = 10
const ARRIVALS_PER_SECOND = 300
// As the script of the page does.
const SHOWN_EVERY_MS = 400

export async function consoles(testbed: Testbed): Promise<Row[]> {
  const other = await testbed.newMerchant()
  const watched: Merchant[] = []
  for (let at = 0; at < MERCHANTS; at += 1) watched.push(await testbed.newMerchant())
  const { port } = await testbed.server('store')
  const load = (merchant: Merchant) => ({
    requests: [payinRequest(merchant, 'SINGLE_USE')],
    connections: 16,
    arrivalsPerSecond: ARRIVALS_PER_SECOND,
  })
  const without = await testbed.measure('store', load(other))
  await testbed.sampleBusyShare()
  const idle = await transactionsPerSecond(testbed)
  const agent = new Agent({ keepAlive: false })
  const pages = new Agent({ keepAlive: true, maxSockets: 64 })
  let shown = 0
  const people = new Map<string, string>()
  for (let at = 0; at < CONSOLES; at += 1) {
    const { organizationId } = watched[at % MERCHANTS] as Merchant
    const person = `${organizationId} ${Math.floor(at / MERCHANTS / CONSOLES_PER_PERSON)}`
    const token = people.get(person) ?? (await newPerson(testbed, organizationId))
    people.set(person, token)
    await openConsole({ port, agent, pages, organizationId, token, onShown: () => (shown += 1) })
  }
  const statements = (await transactionsPerSecond(testbed)) - idle
  const quiet = await testbed.measure('store', load(other))
  shown = 0
  const startedAtMs = performance.now()
  const busy = await testbed.measure('store', load(watched[0] as Merchant))
  const shownPerSecond = shown / ((performance.now() - startedAtMs) / 1_000)
  agent.destroy()
  pages.destroy()
  const rows: Row[] = [
    { label: 'POST /payins of another merchant, no console is open', measured: without, bars: [] },
    {
      label: `  with ${CONSOLES.toLocaleString('en')} consoles of ten merchants open`,
      measured: quiet,
      bars: [
        atMost(statements, 20, 'statements a second for all consoles'),
        atMost(quiet.p50Ms / without.p50Ms, 1.5, '× the p50 without'),
      ],
    },
    {
      label: `  POST /payins of one of the ten, whose consoles show ${shownPerSecond.toFixed(0)} lists a second`,
      measured: busy,
      bars: [
        atMost(shownPerSecond, 60, 'lists a second'),
        atMost(busy.p50Ms / without.p50Ms, 2, '× the p50 without'),
      ],
    },
  ]
  return rows.map((row) => ({ ...row, measured: { ...UNTIMED, ...row.measured } }))
}

export async function newPerson({ db }: Testbed, organizationId: string): Promise<string> {
  const userId = crypto.randomUUID()
  const at = Date.now()
  const person = { name: 'Lucía Peña', language: 'es', singleKeys: true } as const
  await insertUser(db, { ...person, userId, email: `${userId}@example.com`, createdAt: at, updatedAt: at })
  await insertMembership(db, { organizationId, userId, role: 'owner', at })
  const ids = {
    next: () => crypto.randomUUID(),
    randomBytes: (count: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(count))),
    random: Math.random,
  }
  const clock = { now: Date.now, wallClock: Date.now, setOffset: () => {} }
  const origin = { address: null, browser: null }
  return (await startSession({ actor: SERVICE, db, ids, clock }, userId, 'password', origin)).token
}

type OpenConsole = {
  readonly port: number
  readonly agent: Agent
  readonly pages: Agent
  readonly organizationId: string
  readonly token: string
  readonly onShown: () => void
}

// As a browser does: a stream, and the page again whenever it tells, no more often than it may.
async function openConsole({
  port,
  agent,
  pages,
  organizationId,
  token,
  onShown,
}: OpenConsole): Promise<void> {
  const home = `/console/${organizationId}`
  const headers = { cookie: `recaudo_session=${token}` }
  let isShowing = false
  let isStale = false
  const show = async (): Promise<void> => {
    isStale = true
    if (isShowing) return
    isShowing = true
    while (isStale) {
      isStale = false
      const page = await answered(`${home}/payins`, {
        port,
        agent: pages,
        headers: { ...headers, 'x-live': '1' },
      })
      if (page.statusCode === 200) onShown()
      page.resume()
      await delay(SHOWN_EVERY_MS)
    }
    isShowing = false
  }
  const path = `${home}/live?since=${Date.now() + 60_000}&watch=payins`
  const stream = await answered(path, { port, agent, headers })
  if (stream.statusCode !== 200) throw new Error(`the stream answered ${stream.statusCode}`)
  stream.on('error', () => {})
  stream.on('data', (part: Buffer) => {
    if (part.includes('data')) show().catch(() => {})
  })
}

function answered(
  path: string,
  options: { port: number; agent: Agent; headers: Record<string, string> },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ path, ...options }, resolve).on('error', reject)
  })
}
