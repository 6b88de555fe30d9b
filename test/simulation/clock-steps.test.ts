// Machines whose clocks are hours wrong, ahead or behind, and are set right in one step: payments end late or early, but each ends,
// and every peso is accounted for. Smaller steps, under faults of the networks, are in storm.test.ts.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '../../src/core/instant.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { byDepth } from '../depth.ts'
import { checkMoney, unfinished } from './checker.ts'
import { type Simulation, startSimulation } from './harness.ts'
import { newPayin, newPayout, OVER_PSE } from './payments.ts'

const WRONG_BY_MS = 3 * HOUR_MS
const STEPS = 4

describe('clocks that are hours wrong, and then right', () => {
  for (const seed of byDepth([1], [1, 2]))
    it(`leave no payment open and no peso unexplained (seed ${seed})`, async () => {
      await using simulation = await startSimulation({
        seed,
        apis: 2,
        workers: 2,
        faults: NO_FAULTS,
        delayMs: 2_000,
      })
      const merchant = await simulation.newOrganization('Café La Palma')
      for (let step = 0; step < STEPS; step += 1) {
        simulation.skewClocks(WRONG_BY_MS)
        for (const ctx of simulation.apis) {
          await newPayin({ ...simulation, ctx }, merchant)
          await newPayin({ ...simulation, ctx }, merchant, { way: OVER_PSE })
          await newPayout({ ...simulation, ctx }, merchant)
        }
        await simulation.work()
        await simulation.passTime(20_000)
      }
      simulation.skewClocks(0)
      await passTime(simulation, [5_000, 61_000, HOUR_MS, WRONG_BY_MS, WRONG_BY_MS])
      for (let day = 0; day < 5 && (await unfinished(simulation.db)).length > 0; day += 1)
        await passTime(simulation, [25 * HOUR_MS])
      await simulation.reconcile()
      await passTime(simulation, [HOUR_MS])
      assert.deepEqual(
        [
          ...(await unfinished(simulation.db)),
          ...(await checkMoney(simulation.db, simulation.sandbox.log())),
          ...simulation.failures(),
        ],
        [],
      )
    })
})

async function passTime(simulation: Simulation, pausesMs: readonly number[]): Promise<void> {
  for (const ms of pausesMs) {
    await simulation.passTime(ms)
    await simulation.work()
  }
}
