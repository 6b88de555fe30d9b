// A run as people read it: a line for each sample while it goes on, and at the end what grew and what was lost.

import type { GrowthJudgement } from './judgement.ts'
import type { Sample } from './samples.ts'
import type { SoakReport } from './soak.ts'

const MIB = 1024 ** 2

type Column = readonly [head: string, width: number, read: (sample: Sample) => string]

const mib = (bytes: number | null | undefined): string =>
  bytes === null || bytes === undefined ? '–' : (bytes / MIB).toFixed(0)
const ms = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(0))
const number = (value: number | undefined): string => (value === undefined ? '–' : String(value))

const COLUMNS: readonly Column[] = [
  ['time', 8, ({ atSeconds }) => clock(atSeconds)],
  ['lives', 7, ({ lives }) => String(lives)],
  ['api heap', 9, ({ processes }) => mib(processes['api-1']?.heapBytes)],
  ['rss', 5, ({ processes }) => mib(processes['api-1']?.rssBytes)],
  ['fds', 5, ({ processes }) => number(processes['api-1']?.files)],
  ['work heap', 10, ({ processes }) => mib(processes['workers-1']?.heapBytes)],
  ['rss', 5, ({ processes }) => mib(processes['workers-1']?.rssBytes)],
  ['fds', 5, ({ processes }) => number(processes['workers-1']?.files)],
  ['due', 5, ({ database }) => String(database.dueRows)],
  ['dead', 6, ({ database }) => String(database.waitingForDead)],
  ['work MiB', 9, ({ database }) => (database.workingBytes / MIB).toFixed(1)],
  ['kept', 6, ({ database }) => mib(database.keptBytes)],
  ['conns', 6, ({ database }) => String(database.connections)],
  ['db mem', 7, ({ database }) => mib(database.memoryBytes)],
  ['p50', 5, ({ answers }) => ms(answers?.p50Ms)],
  ['p99', 6, ({ answers }) => ms(answers?.p99Ms)],
  ['told p50', 9, ({ told }) => ms(told?.p50Ms)],
  ['p99', 7, ({ told }) => ms(told?.p99Ms)],
]

export const headLine = (): string => COLUMNS.map(([head, width]) => head.padStart(width)).join('')

export function sampleLine(sample: Sample): string {
  const cells = COLUMNS.map(([, width, read]) => read(sample).padStart(width)).join('')
  return sample.disruptions.length === 0 ? cells : `${cells}  ${sample.disruptions.join(', ')}`
}

export function summaryOf(report: SoakReport): string {
  const { answered, disruptions, judged, failures, errorsLogged } = report
  const counted = Object.entries(answered).map(([kind, count]) => `${count} ${kind}`)
  const happened = Object.entries(disruptions).map(([what, times]) => `${times} × ${what}`)
  return [
    `${clock(report.seconds)}${report.isWhole ? '' : ', interrupted'}: ${report.lives} lives (${counted.join(', ')}), ${report.events} events told, ${report.retries} requests sent again`,
    `disruptions: ${happened.join(', ') || 'none'}; errors logged: ${errorsLogged.length}`,
    '',
    ...judged.map(judgedLine),
    '',
    ...(failures.length === 0 ? [goodNews(judged)] : failures.map((one) => `FAILED: ${one}`)),
  ].join('\n')
}

function goodNews(judged: readonly GrowthJudgement[]): string {
  const isJudged = judged.every(({ verdict }) => verdict.kind !== 'unjudged')
  return isJudged
    ? 'Nothing grew and nothing was lost.'
    : 'Nothing was lost. Not everything was sampled often enough to tell whether it grows.'
}

function judgedLine({ what, unit, verdict }: GrowthJudgement): string {
  if (verdict.kind === 'unjudged') return `${what.padEnd(30)} too few samples to tell`
  const from = verdict.from.toFixed(1).padStart(9)
  const to = verdict.to.toFixed(1).padStart(9)
  return `${what.padEnd(30)}${from} →${to} ${unit.padEnd(4)} ${verdict.kind}`
}

function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60]
  return [hours, minutes, whole % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
