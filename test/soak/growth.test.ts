// The detector of growth, by leaks that are planted in made-up runs: it names each of them, and none where there is none.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { randomFrom } from '../../fuzz/random.ts'
import { judgeCost, judgeGrowth, type MeasuredValue } from '../../soak/growth.ts'
import { judgeSamples } from '../../soak/judgement.ts'
import type { ProbeResult } from '../../soak/probe.ts'
import { summaryOf } from '../../soak/report.ts'
import { KEPT_TABLES, type Sample } from '../../soak/samples.ts'
import { failuresOf } from '../../soak/soak.ts'

const HOUR = 3_600
const EVERY = 20
const HEAP = { floor: 8, share: 0.1 }
const MIB = 1024 ** 2

// An hour, a sample every 20 s.
const times = Array.from({ length: HOUR / EVERY }, (_, at) => (at + 1) * EVERY)

function run(valueAt: (seconds: number, noise: () => number) => number, seed = 1): MeasuredValue[] {
  const random = randomFrom(seed)
  // Between -1 and 1.
  const noise = (): number => random.below(20_001) / 10_000 - 1
  return times.map((atSeconds) => ({ atSeconds, value: valueAt(atSeconds, noise) }))
}

const kindOf = (points: MeasuredValue[]): string => judgeGrowth(points, HEAP).kind

describe('what is steady', () => {
  it('may be noisy', () => {
    for (let seed = 1; seed <= 50; seed += 1)
      assert.equal(kindOf(run((_, noise) => 60 + 15 * noise(), seed)), 'steady', `seed ${seed}`)
  })

  it('may fill up and be emptied, again and again', () => {
    assert.equal(kindOf(run((seconds) => 60 + ((seconds / 10) % 40))), 'steady')
  })

  it('may warm up, fast or slowly', () => {
    assert.equal(kindOf(run((seconds) => 100 - 60 * Math.exp(-seconds / 120))), 'steady')
    assert.equal(kindOf(run((seconds) => 100 - 60 * Math.exp(-seconds / 500))), 'steady')
  })

  it('may fill up for two thirds of the run, and then be full', () => {
    assert.equal(kindOf(run((seconds) => 60 + Math.min(seconds, (2 * HOUR) / 3) / 20)), 'steady')
  })

  it('may step up once, whenever', () => {
    for (const stepAt of [0.2, 0.4, 0.6, 0.8, 0.95])
      assert.equal(kindOf(run((seconds) => (seconds < stepAt * HOUR ? 60 : 90))), 'steady', String(stepAt))
  })

  it('may have peaks as high as they like', () => {
    assert.equal(kindOf(run((seconds, noise) => (seconds % 300 === 0 ? 900 : 60 + noise()))), 'steady')
  })

  it('may shrink', () => {
    assert.equal(kindOf(run((seconds) => 200 - seconds / 30)), 'steady')
  })
})

describe('what grows', () => {
  it('is seen through noise', () => {
    for (let seed = 1; seed <= 50; seed += 1)
      assert.equal(kindOf(run((seconds, noise) => 60 + (30 * seconds) / HOUR + 10 * noise(), seed)), 'grows')
  })

  it('is seen between collections and restarts of others', () => {
    assert.equal(kindOf(run((seconds) => 60 + ((seconds / 10) % 40) + (30 * seconds) / HOUR)), 'grows')
  })

  it('is seen where it begins late, or in steps', () => {
    assert.equal(kindOf(run((seconds) => 60 + Math.max(0, seconds - HOUR / 2) / 60)), 'grows')
    assert.equal(kindOf(run((seconds) => 60 + 5 * Math.floor(seconds / 400))), 'grows')
  })

  it('is seen behind a warm-up', () => {
    assert.equal(kindOf(run((seconds) => 100 - 60 * Math.exp(-seconds / 120) + seconds / 120)), 'grows')
  })

  it('is told with how much', () => {
    const verdict = judgeGrowth(
      run((seconds) => 60 + seconds / 60),
      HEAP,
    )
    assert.ok(verdict.kind === 'grows')
    assert.ok(Math.abs(verdict.from - 90) < 2 && Math.abs(verdict.to - 110) < 2, JSON.stringify(verdict))
  })
})

describe('what is allowed', () => {
  it('is the floor where little is there, and a share of what is there where it is much', () => {
    const rising = (by: number, from: number) => run((seconds) => from + (by * 1.5 * seconds) / HOUR)
    assert.equal(kindOf(rising(7, 10)), 'steady')
    assert.equal(kindOf(rising(9, 10)), 'grows')
    assert.equal(kindOf(rising(90, 1_000)), 'steady')
    assert.equal(kindOf(rising(120, 1_000)), 'grows')
  })

  it('is not judged where a run was too short', () => {
    assert.equal(kindOf(run((seconds) => seconds).slice(0, 12)), 'unjudged')
    assert.equal(kindOf([]), 'unjudged')
  })
})

describe('what is kept of each life', () => {
  const cost = (keptAt: (lives: number) => number) =>
    judgeCost(
      times.map((atSeconds) => ({ atSeconds, payments: atSeconds * 2, value: keptAt(atSeconds * 2) })),
      { floor: 8, share: 0.5 },
    ).kind

  it('may be any amount, as long as it stays the same', () => {
    assert.equal(
      cost((lives) => 4_000 + 25 * lives),
      'steady',
    )
  })

  it('is growth when each costs more than the one before', () => {
    assert.equal(
      cost((lives) => 4_000 + lives ** 2 / 100),
      'grows',
    )
  })

  it('is not judged where there were none', () => {
    const points = times.map((atSeconds) => ({ atSeconds, payments: 0, value: 1 }))
    assert.equal(judgeCost(points, { floor: 8, share: 0.5 }).kind, 'unjudged')
  })
})

// A run in which nothing grows but what is planted.
function samplesWith(plant: (sample: Sample, seconds: number) => Sample): Sample[] {
  const probed: ProbeResult = { rssBytes: 150 * MIB, heapBytes: 60 * MIB, handles: 20, files: 40 }
  return times.map((atSeconds) =>
    plant(
      {
        atSeconds,
        lives: atSeconds * 2,
        retries: 0,
        // Of the others nothing is judged: they are killed.
        processes: {
          'api-1': probed,
          'workers-1': probed,
          'api-2': { ...probed, heapBytes: atSeconds * MIB },
          networks: null,
        },
        database: {
          dueRows: 3,
          unnumberedEvents: 0,
          waitingForDead: atSeconds,
          keptBytes: 8 * MIB + atSeconds * 50 * 1_024,
          workingBytes: 2 * MIB,
          connections: 30,
          memoryBytes: 200 * MIB,
        },
        answers: { p50Ms: 6, p99Ms: 40, count: 100 },
        told: { p50Ms: 700, p99Ms: 2_000, count: 20 },
        disruptions: [],
      },
      atSeconds,
    ),
  )
}

describe('a run', () => {
  const grown = (plant: (sample: Sample, seconds: number) => Sample): string[] =>
    failuresOf(judgeSamples(samplesWith(plant), ['api-1', 'workers-1']), [], [])

  const inProcess = (name: string, change: (probed: ProbeResult, seconds: number) => ProbeResult) =>
    grown((sample, seconds) => ({
      ...sample,
      processes: { ...sample.processes, [name]: change(sample.processes[name] as ProbeResult, seconds) },
    }))
  const inDatabase = (change: (seconds: number) => Partial<Sample['database']>) =>
    grown((sample, seconds) => ({ ...sample, database: { ...sample.database, ...change(seconds) } }))

  it('passes when nothing grows but what is kept, what waits for the dead, and what is killed', () => {
    assert.deepEqual(
      grown((sample) => sample),
      [],
    )
  })

  const leaks: [string, string[]][] = [
    [
      'heap of api-1',
      inProcess('api-1', (one, seconds) => ({ ...one, heapBytes: one.heapBytes + seconds * 5_000 })),
    ],
    [
      'memory of workers-1',
      inProcess('workers-1', (one, seconds) => ({ ...one, rssBytes: one.rssBytes + seconds * 40_000 })),
    ],
    ['handles of api-1', inProcess('api-1', (one, seconds) => ({ ...one, handles: 20 + seconds / 60 }))],
    [
      'open files of workers-1',
      inProcess('workers-1', (one, seconds) => ({ ...one, files: 40 + seconds / 60 })),
    ],
    ['rows that are due', inDatabase((seconds) => ({ dueRows: seconds / 20 }))],
    ['events without a number', inDatabase((seconds) => ({ unnumberedEvents: seconds / 20 }))],
    ['tables that hold work', inDatabase((seconds) => ({ workingBytes: seconds * 4_000 }))],
    ['database connections', inDatabase((seconds) => ({ connections: 20 + seconds / 100 }))],
    ['memory of the database', inDatabase((seconds) => ({ memoryBytes: 200 * MIB + seconds * 50_000 }))],
    ['kept of each life', inDatabase((seconds) => ({ keptBytes: 8 * MIB + seconds ** 2 * 60 }))],
    [
      'answers, p50',
      grown((sample, seconds) => ({ ...sample, answers: { p50Ms: seconds / 20, p99Ms: 400, count: 9 } })),
    ],
    [
      'paid until told, p50',
      grown((sample, seconds) => ({ ...sample, told: { p50Ms: 100 + 2 * seconds, p99Ms: 9_000, count: 9 } })),
    ],
  ]
  for (const [what, failures] of leaks)
    it(`fails on a leak, and says which: ${what}`, () => {
      assert.equal(failures.length, 1, failures.join('; '))
      assert.ok(failures[0]?.startsWith(`${what} grows: `), failures.join())
    })

  it('fails if something that is judged was not measured, though the run was long enough', () => {
    const unprobed = grown((sample) => ({
      ...sample,
      processes: { ...sample.processes, 'api-1': null },
    }))
    assert.deepEqual(unprobed, [
      'heap of api-1 was not measured often enough to tell whether it grows',
      'memory of api-1 was not measured often enough to tell whether it grows',
      'handles of api-1 was not measured often enough to tell whether it grows',
      'open files of api-1 was not measured often enough to tell whether it grows',
    ])
    // A server elsewhere does not tell its memory.
    assert.deepEqual(
      inDatabase(() => ({ memoryBytes: null })),
      [],
    )
  })

  it('fails on whatever was lost or surprising', () => {
    assert.deepEqual(failuresOf([], ['a payin'], ['POST /payins was answered 500']), [
      'lost: a payin',
      'unexpected: POST /payins was answered 500',
    ])
  })

  it('says that nothing grew only where all of it was judged', () => {
    const said = (samples: Sample[]): string =>
      summaryOf({
        seconds: 60,
        isWhole: true,
        lives: 1,
        answered: {},
        events: 1,
        retries: 0,
        disruptions: {},
        samples,
        judged: judgeSamples(samples, ['api-1', 'workers-1']),
        losses: [],
        surprises: [],
        errorsLogged: [],
        failures: [],
      })
    const samples = samplesWith((sample) => sample)
    assert.match(said(samples), /^Nothing grew and nothing was lost\.$/m)
    assert.doesNotMatch(said(samples.slice(0, 9)), /Nothing grew/)
  })

  it('counts as kept only tables that there are', () => {
    const schema = readFileSync(join(import.meta.dirname, '../../db/schema.sql'), 'utf8')
    const tables = [...schema.matchAll(/^create table (\w+) \(/gm)].map(([, name]) => name)
    assert.deepEqual(
      KEPT_TABLES.filter((name) => !tables.includes(name)),
      [],
    )
  })
})
