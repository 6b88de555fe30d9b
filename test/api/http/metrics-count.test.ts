// What is counted is counted once each time.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createMetrics } from '../../../src/api/http/metrics.ts'

it('each call of a network is one in the metrics, by how it was answered', async () => {
  const metrics = createMetrics()
  for (const status of [200, 201, null]) metrics.countCall('BRE_B', status)
  const text = await metrics.show()
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('recaudo_rail_calls_total{') && !line.endsWith(' 0'))
  assert.deepEqual(lines.map((line) => line.split(' ').at(-1)).toSorted(), ['1', '2'], lines.join())
})
