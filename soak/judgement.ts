// What of a run's samples is judged, and how much each may come and go. The memory of a process is judged where it lives as long as
// the run.

import { judgeCost, judgeGrowth, type MeasuredValue, type Verdict } from './growth.ts'
import type { Sample } from './samples.ts'

export type GrowthJudgement = {
  readonly what: string
  readonly unit: Unit
  readonly verdict: Verdict
  // Not every system tells it.
  readonly isOptional?: true
}
export type Unit = 'MiB' | 'KiB' | 'ms' | ''

const MIB = 1024 ** 2

export function judgeSamples(samples: readonly Sample[], steady: readonly string[]): GrowthJudgement[] {
  const over = (
    what: string,
    unit: Unit,
    read: (sample: Sample) => number | null | undefined,
    allowance: { floor: number; share: number },
  ): GrowthJudgement => ({ what, unit, verdict: judgeGrowth(seriesOf(samples, read), allowance) })
  return [
    ...steady.flatMap((name) => [
      over(`heap of ${name}`, 'MiB', (one) => inMib(one.processes[name]?.heapBytes), {
        floor: 8,
        share: 0.1,
      }),
      over(`memory of ${name}`, 'MiB', (one) => inMib(one.processes[name]?.rssBytes), {
        floor: 48,
        share: 0.25,
      }),
      over(`handles of ${name}`, '', (one) => one.processes[name]?.handles, { floor: 15, share: 0.25 }),
      over(`open files of ${name}`, '', (one) => one.processes[name]?.files, { floor: 15, share: 0.25 }),
    ]),
    over('rows that are due', '', (one) => one.database.dueRows, { floor: 30, share: 0.5 }),
    over('events without a number', '', (one) => one.database.unnumberedEvents, { floor: 30, share: 0.5 }),
    over('tables that hold work', 'MiB', (one) => inMib(one.database.workingBytes), {
      floor: 4,
      share: 0.25,
    }),
    over('database connections', '', (one) => one.database.connections, { floor: 10, share: 0.25 }),
    {
      ...over('memory of the database', 'MiB', (one) => inMib(one.database.memoryBytes), {
        floor: 48,
        share: 0.25,
      }),
      isOptional: true,
    },
    over('answers, p50', 'ms', (one) => one.answers?.p50Ms, { floor: 40, share: 1 }),
    over('paid until told, p50', 'ms', (one) => one.told?.p50Ms, { floor: 500, share: 1 }),
    {
      what: 'kept of each life',
      unit: 'KiB',
      verdict: judgeCost(
        samples.map((one) => ({
          atSeconds: one.atSeconds,
          value: one.database.keptBytes / 1_024,
          payments: one.lives,
        })),
        { floor: 8, share: 0.5 },
      ),
    },
  ]
}

const inMib = (bytes: number | null | undefined): number | null | undefined => bytes && bytes / MIB

function seriesOf(
  samples: readonly Sample[],
  read: (sample: Sample) => number | null | undefined,
): MeasuredValue[] {
  return samples.flatMap((sample) => {
    const value = read(sample)
    return value === null || value === undefined ? [] : [{ atSeconds: sample.atSeconds, value }]
  })
}
