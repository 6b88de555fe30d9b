// POST /payins with traces beside the same server without: at the part that is kept by default, and with every trace kept. All three
// are served by one process. The collector is in the bench's own, which has nothing else to do meanwhile.

import { payinRequest } from './payins.ts'
import { atLeast, atMost, type Measurement, type Row } from './report.ts'
import { inRounds, type Testbed } from './testbed.ts'

const CONNECTIONS = 64
// The difference is small, so it takes many to see it.
export const TRACING_ROUNDS = 9

export async function tracing(testbed: Testbed): Promise<Row[]> {
  const requests = [payinRequest(await testbed.newMerchant(), 'SINGLE_USE')]
  const load = { requests, connections: CONNECTIONS }
  await testbed.startTogether(['store', 'traced', 'traced_all'])
  const before = testbed.collectedRequests()
  const { off, sampled, all } = await inRounds(
    testbed,
    {
      off: () => testbed.measure('store', load),
      sampled: () => testbed.measure('traced', load),
      all: () => testbed.measure('traced_all', load),
    },
    TRACING_ROUNDS,
  )
  if (testbed.collectedRequests() === before) throw new Error('no span arrived at the collector')
  const rates = (a: Measurement, b: Measurement): number => a.requestsPerSecond / b.requestsPerSecond
  const cpu = (a: Measurement, b: Measurement): number => a.cpuMicrosPerRequest / b.cpuMicrosPerRequest
  return [
    { label: 'POST /payins SINGLE_USE, 64 connections, not traced', measured: off, bars: [] },
    {
      label: '  one trace in twenty kept, as by default',
      measured: sampled,
      bars: [
        atLeast(rates(sampled, off), 0.95, 'of not traced'),
        atMost(cpu(sampled, off), 1.05, '× its CPU'),
      ],
    },
    { label: '  every trace kept', measured: all, bars: [] },
  ]
}
