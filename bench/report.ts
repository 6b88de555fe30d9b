// Formats the measurements as one table: a line for each row, with its bars beside it.

import type { Load } from './load.ts'

export type Measurement = Load & { cpuMicrosPerRequest: number }

// For what has a size and no rate.
export const UNTIMED: Measurement = {
  answered: 0,
  requestsPerSecond: Number.NaN,
  p50Ms: Number.NaN,
  p99Ms: Number.NaN,
  cpuMicrosPerRequest: Number.NaN,
}

// `isBinding`: it holds on a busy machine too, so missing it fails the run.
export type Bar = { figure: string; demand: string; met: boolean; isBinding?: true }

export type Row = { label: string; measured: Measurement; bars: Bar[] }

export function tableOf(rows: Row[]): string {
  const lines = rows.flatMap(({ label, measured, bars }) => {
    const figures = [
      label,
      count(measured.requestsPerSecond),
      latency(measured.p50Ms),
      latency(measured.p99Ms),
      count(measured.cpuMicrosPerRequest),
    ]
    const [first, ...others] = bars.map((bar) => [bar.figure, bar.demand, bar.met ? 'pass' : 'MISSED'])
    return [[...figures, ...(first ?? [])], ...others.map((bar) => ['', '', '', '', '', ...bar])]
  })
  return aligned([HEADING, ...lines])
}

function count(value: number): string {
  return Number.isNaN(value) ? '–' : Math.round(value).toLocaleString('en')
}

// Draining a backlog has a rate but no latency.
function latency(ms: number): string {
  return Number.isNaN(ms) ? '–' : ms.toFixed(1)
}

const HEADING = ['', 'requests/s', 'p50 ms', 'p99 ms', 'server CPU µs', 'measured', 'bar', '']
const NUMBERS = { from: 1, to: 4 }

function aligned(lines: string[][]): string {
  const widths = HEADING.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const isNumber = column >= NUMBERS.from && column <= NUMBERS.to
          return isNumber ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
        })
        .join('   ')
        .trimEnd(),
    )
    .join('\n')
}

export function atLeast(value: number, limit: number, of: string): Bar {
  return { figure: `${value.toFixed(2)} ${of}`, demand: `at least ${limit}`, met: value >= limit }
}

export function atMost(value: number, limit: number, of: string): Bar {
  return { figure: `${value.toFixed(2)} ${of}`, demand: `at most ${limit}`, met: value <= limit }
}

// Each figure has its own median, so a rate and a latency may come from different rounds.
export function medians(rounds: Measurement[]): Measurement {
  const median = (figure: keyof Measurement): number =>
    rounds.map((round) => round[figure]).sort((a, b) => a - b)[rounds.length >> 1] ?? Number.NaN
  return {
    answered: median('answered'),
    requestsPerSecond: median('requestsPerSecond'),
    p50Ms: median('p50Ms'),
    p99Ms: median('p99Ms'),
    cpuMicrosPerRequest: median('cpuMicrosPerRequest'),
  }
}
