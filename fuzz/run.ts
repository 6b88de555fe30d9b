// npm run fuzz -- --requests 200000 --seed 7: starts the service on a PostgreSQL of its own and sends it valid, nearly valid,
// hostile and broken requests. Exit code 1 if an answer, or the service, is not as it must always be.

import { parseArgs } from 'node:util'
import { fuzz } from './service/fuzz.ts'
import { startService } from './service/service.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '24' },
    'limit-ms': { type: 'string', default: '10000' },
  },
})
const requests = Number(values.requests)
const startedMs = performance.now()
await using service = await startService()
const report = await fuzz(service, {
  requests,
  seed: Number(values.seed),
  atOnce: Number(values['at-once']),
  limitMs: Number(values['limit-ms']),
  onProgress: (sent) => void process.stderr.write(`${sent.toLocaleString('en')} sent\n`),
})
const seconds = (performance.now() - startedMs) / 1_000
const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MiB`
for (const counts of [report.byKind, report.byStatus])
  for (const [name, times] of Object.entries(counts).sort())
    process.stdout.write(`${times.toLocaleString('en').padStart(10)}  ${name}\n`)
for (const { number, what, request, answer } of report.failures)
  process.stdout.write(`\n${number}: ${what}\n  ${request}\n  ${answer}\n`)
const { warm, end } = report
process.stdout.write(
  `\nmemory ${mebibytes(warm.heapBytes)} after warm-up, ${mebibytes(end.heapBytes)} at the end; ` +
    `handles ${warm.handles}, ${end.handles}; the slowest answer took ${Math.round(report.slowestMs)} ms\n` +
    `${report.sent.toLocaleString('en')} requests, seed ${values.seed}, ${Math.round(seconds)} s: ${report.failures.length} failures\n`,
)
process.exitCode = report.failures.length === 0 ? 0 : 1
