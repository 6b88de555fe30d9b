// The end of a log, as whoever waits for it sees it: asked for at once after a signal, and told to whoever waits for it alone.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createLogPositions } from '../../../src/api/events/log-positions.ts'
import type { Context } from '../../../src/flows/context.ts'

type Signal = (kind: string, organizationId?: string) => void

// A database that answers when it is told to, with the end that it is told.
function watching() {
  const ends: Record<string, { sequence: number; redelivery: number }> = {}
  const polled: string[] = []
  let held: (() => void)[] | undefined
  let isAway = false
  let signal: Signal = () => {}
  const query = async ({ values }: { values: string[] }) => {
    const [organizationId = ''] = values
    polled.push(organizationId)
    const end = ends[organizationId] ?? { sequence: 0, redelivery: 0 }
    const row = { last_sequence: BigInt(end.sequence), last_redelivery: BigInt(end.redelivery) }
    if (held !== undefined) await new Promise<void>((resolve) => held?.push(resolve))
    if (isAway) throw new Error('away')
    return { rows: [row], rowCount: 1 }
  }
  const signals = { onWork: (listener: Signal) => (signal = listener) }
  const positions = createLogPositions({ db: { query }, signals } as unknown as Context)
  return {
    ends,
    polled,
    positions,
    signal: (kind: string, organizationId?: string) => signal(kind, organizationId),
    hold: () => (held = []),
    release: () => {
      for (const one of held ?? []) one()
      held = undefined
    },
    setAway: (away: boolean) => (isAway = away),
  }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
}
const isDone = async (promise: Promise<void>): Promise<boolean> => {
  let done = false
  void promise.then(() => {
    done = true
  })
  await settled()
  return done
}
const START = { sequence: 0, redelivery: 0 }

describe('the end of a log', () => {
  it('is asked for at once after a signal about it or about all, and after no other', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { polled, positions, signal } = watching()
    const ending = new AbortController()
    for (const one of ['a', 'b']) positions.watch(one, ending.signal)
    await settled()
    assert.deepEqual(polled.splice(0), ['a', 'b'])
    const askedAfter = async (...args: Parameters<Signal>) => {
      signal(...args)
      await settled()
      return polled.splice(0)
    }
    assert.deepEqual(await askedAfter('streams', 'a'), ['a'])
    assert.deepEqual(await askedAfter('streams'), ['a', 'b'])
    assert.deepEqual(await askedAfter('streams', 'nobody'), [])
    assert.deepEqual(await askedAfter('payins', 'a'), [])
    assert.deepEqual(await askedAfter('payins'), [])
    t.mock.timers.tick(250)
    await settled()
    assert.deepEqual(polled.splice(0), ['a', 'b'], 'four times a second without one')
    ending.abort()
    assert.deepEqual(await askedAfter('streams'), [])
  })

  it('is told to whoever waits for a newer one: an event, or an event that is sent again', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { ends, positions, signal } = watching()
    const ending = new AbortController()
    const end = positions.watch('a', ending.signal)
    await settled()
    for (const newer of [
      { sequence: 1, redelivery: 0 },
      { sequence: 1, redelivery: 1 },
    ]) {
      const known = end.position
      const waiting = end.waitForNewer(known, ending.signal)
      assert.equal(await isDone(waiting), false, 'nothing is newer yet')
      ends.a = newer
      signal('streams', 'a')
      assert.equal(await isDone(waiting), true)
      assert.deepEqual(end.position, newer)
      assert.equal(await isDone(end.waitForNewer(known, ending.signal)), true, 'it is known already')
    }
    assert.equal(getEventListeners(ending.signal, 'abort').length, 1, 'whoever was told listens no more')
    const ahead = end.waitForNewer({ sequence: 5, redelivery: 5 }, ending.signal)
    ends.a = { sequence: 4, redelivery: 1 }
    signal('streams', 'a')
    assert.equal(await isDone(ahead), false, 'newer than before, but not than what is known')
    ending.abort()
    assert.equal(await isDone(ahead), true)
  })

  it('lets whoever has left go, and keeps the others waiting', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { positions } = watching()
    const [leaving, staying] = [new AbortController(), new AbortController()]
    const end = positions.watch('a', staying.signal)
    assert.equal(positions.watch('a', leaving.signal), end)
    const waits = [leaving, staying].map(({ signal }) => end.waitForNewer(START, signal))
    leaving.abort()
    assert.deepEqual(await Promise.all(waits.map(isDone)), [true, false])
    assert.equal(
      await isDone(end.waitForNewer(START, leaving.signal)),
      true,
      'who comes too late waits for nothing',
    )
    staying.abort()
  })

  it('is asked for once more if a signal came while the answer was on its way', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { polled, positions, signal, hold, release } = watching()
    const ending = new AbortController()
    hold()
    positions.watch('a', ending.signal)
    signal('streams', 'a')
    signal('streams', 'a')
    await settled()
    assert.deepEqual(polled, ['a'])
    release()
    await settled()
    assert.deepEqual(polled, ['a', 'a'])
    ending.abort()
  })

  it('is asked for again after the database was away', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const { ends, positions, setAway } = watching()
    const ending = new AbortController()
    setAway(true)
    const end = positions.watch('a', ending.signal)
    const waiting = end.waitForNewer(START, ending.signal)
    ends.a = { sequence: 1, redelivery: 0 }
    assert.equal(await isDone(waiting), false)
    setAway(false)
    t.mock.timers.tick(250)
    assert.equal(await isDone(waiting), true)
    ending.abort()
  })
})
