// A payment that the network named wrongly: it is in suspense, while the payin that it was made for is open.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { endOfDay } from '../../../src/core/bogota-day.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import { DAY_MS, HOUR_MS } from '../../../src/core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense, type SuspenseItem } from '../../../src/store/ledger/suspense.ts'
import { readBalances } from '../../../src/store/ledger/transfers.ts'
import { checkMoney } from '../../simulation/checker.ts'
import { brebPayin, CUSTOMER, eventually, type World } from '../../world.ts'
import { notify } from '../connections/notify.ts'
import { compareNow, findings, openDay, passTimeSilently, today } from './reconciling.ts'

// The network is silent about this payer's payment. A query finds it.
export const SILENT = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000015' } }
const AMOUNT = 5_000_000n

// Whose payment the network says it is.
const NAMES = {
  nobody: async () => 'GARBLED-1',
  'another payin': async (world: World) =>
    railReference('payin', world.organization.organizationId, randomUUID()),
  'another merchant': async (world: World) =>
    railReference('payin', (await world.newMerchant()).organization.organizationId, randomUUID()),
} as const
type Name = keyof typeof NAMES
export const HELD_NAMES: readonly Name[] = ['nobody', 'another payin']

export type Held = { world: World; payinId: string; paymentId: string; item: SuspenseItem }

// A payin is paid, the network names the payment wrongly, and it is in suspense while the payin is open.
export async function hold(name: Name, amount = '50000.00'): Promise<Held> {
  const world = await openDay()
  await world.client('PATCH', '/organization', { payinExpiryMinutes: 1_440 })
  await eventually(
    async () => (await world.client('GET', '/organization')).json.payinExpiryMinutes,
    (minutes) => minutes === 1_440,
  )
  const payinId = (await world.client('POST', '/payins', brebPayin(SILENT))).json.id
  await passTimeSilently(world, 5_000)
  const paymentId = world.sandbox.log()[0]?.traceId as string
  await notify(world, { reference: await NAMES[name](world), paymentId, amount })
  await passTimeSilently(world, HOUR_MS + 1_000)
  const [item] = await listSuspense(world.db, true)
  assert.equal(item?.state, 'OPEN')
  assert.equal((await read(world, payinId)).status, 'PROCESSING')
  return { world, payinId, paymentId, item: item as SuspenseItem }
}

export const read = async (world: World, id: string) => (await world.client('GET', `/payins/${id}`)).json

export async function bookingsOf(world: World, subjectId: string): Promise<string[]> {
  const { rows } = await world.db.query<{ booking: string }>({
    text: 'select booking from ledger_transfers where subject_id = $1 order by transfer_id',
    values: [subjectId],
  })
  return rows.map(({ booking }) => booking)
}

// How the network tells what it was, later.
export const ROUTES = {
  'a query finds it': ({ world }: Held) => world.passTime(13 * 60_000),
  'its notice comes': async ({ world, payinId, paymentId }: Held) => {
    const reference = railReference('payin', world.organization.organizationId, payinId)
    await notify(world, { reference, paymentId, amount: '50000.00' })
    await passTimeSilently(world, 1_000)
  },
  'the statement lists it': async ({ world }: Held) => {
    const day = today(world)
    await passTimeSilently(world, endOfDay(day) + HOUR_MS - world.ctx.clock.now())
    await compareNow(world, day)
    await passTimeSilently(world, 1_000)
    // The day is compared again, and the books agree with it.
    await compareNow(world, day)
    const open = (await findings(world)).filter(({ state }) => state === 'OPEN')
    assert.deepEqual(open, [])
  },
} as const

export async function assertCountedOnce({ world, payinId, item }: Held): Promise<void> {
  const { organizationId } = world.organization
  const payin = await read(world, payinId)
  assert.equal(payin.status, 'CONFIRMED')
  const [counted, ...others] = await listSuspense(world.db, true)
  assert.deepEqual(others, [])
  assert.deepEqual([counted?.state, counted?.attachedTo], ['COUNTED', payinId])
  assert.deepEqual(await listSuspense(world.db, false), [])
  for (const id of [organizationId, UNATTRIBUTED_ORGANIZATION])
    assert.equal((await readBalances(world.db, id)).SUSPENSE, 0n)
  const isOwn = item.organizationId === organizationId
  assert.deepEqual(
    [await bookingsOf(world, payinId), await bookingsOf(world, item.suspenseId)],
    isOwn
      ? [['payin confirmed from suspense'], ['money in suspense']]
      : [['payin confirmed'], ['money in suspense', 'suspense released']],
  )
  assert.equal((await readBalances(world.db, organizationId)).PENDING_SETTLEMENT, AMOUNT)
  assert.deepEqual(await checkMoney(world.db, world.sandbox.log()), [])
}

export async function assertSettles({ world, payinId }: Held): Promise<void> {
  const { organizationId } = world.organization
  const before = await readBalances(world.db, organizationId)
  await world.passTime(DAY_MS)
  assert.equal((await read(world, payinId)).settlementStatus, 'SETTLED')
  const after = await readBalances(world.db, organizationId)
  assert.equal(after.AVAILABLE - before.AVAILABLE, AMOUNT)
}

export const alarmsOf = async (world: World, subjectId: string) =>
  (await listOpenAlarms(world.db))
    .filter((alarm) => alarm.subjectId === subjectId)
    .map(({ detail }) => detail)

export const itemNow = async ({ world, item }: Held) =>
  (await listSuspense(world.db, true)).find(({ suspenseId }) => suspenseId === item.suspenseId)

// The payin gets nothing of money that is elsewhere, and a person is told.
export async function assertDeclined(held: Held, state: SuspenseItem['state']): Promise<void> {
  const { world, payinId, item } = held
  const payin = await read(world, payinId)
  assert.deepEqual([payin.status, payin.errorCode], ['DECLINED', 'RAIL_ERROR'])
  assert.equal((await itemNow(held))?.state, state)
  assert.deepEqual(await bookingsOf(world, payinId), [])
  const alarms = (await alarmsOf(world, payinId)).filter((detail) => detail.includes(item.suspenseId))
  assert.equal(alarms.length, 1)
  assert.equal((await listSuspense(world.db, true)).length, 1)
}
