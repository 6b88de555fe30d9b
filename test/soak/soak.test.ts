// A soak of a few seconds: every process starts, payments live, a worker is killed, and afterwards nothing is missing. It is too
// short to judge growth; test/soak/growth.test.ts tests that. Its six processes are run by --deep alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soak } from '../../soak/soak.ts'
import { isDeep } from '../depth.ts'
import { createDatabase } from '../world.ts'

test('a short run loses nothing, and an interrupt ends it with its report', {
  timeout: 200_000,
  skip: isDeep ? false : 'only by --deep',
}, async (t) => {
  const database = await createDatabase()
  t.after(() => database.drop())
  const enough = Promise.withResolvers<void>()
  const report = await soak({
    databaseUrl: database.url,
    seconds: 600,
    rate: 5,
    sampleSeconds: 1,
    disruptSeconds: 2,
    seed: 7,
    lookMs: 300,
    interrupted: enough.promise,
    onSample: (_, all) => {
      if (all.some(({ disruptions }) => disruptions.length > 0)) enough.resolve()
    },
  })
  assert.deepEqual(report.failures, [])
  assert.equal(report.isWhole, false)
  assert.ok(report.disruptions['SIGKILL workers-2'] === 1)
  assert.ok(report.lives > 10 && report.events > 5, JSON.stringify(report.answered))
  for (const { processes, database: sampled } of report.samples) {
    for (const name of ['api-1', 'workers-1']) {
      assert.ok((processes[name]?.heapBytes ?? 0) > 10 * 1024 ** 2, `${name} is probed`)
      assert.ok((processes[name]?.files ?? 0) > 5)
    }
    assert.ok(sampled.keptBytes > 0 && sampled.workingBytes > 0 && sampled.connections > 4)
  }
})
