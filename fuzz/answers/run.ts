// npm run fuzz:answers -- --answers 1000000 --seed 7: how webhooks' answers are read, held against llhttp. Exit code 1 if the two
// disagree.

import { parseArgs } from 'node:util'
import { compareAnswers } from './compare.ts'

const { values } = parseArgs({
  options: { answers: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
})
const startedMs = performance.now()
const { answers, readings, outcomes, disagreements } = await compareAnswers(
  Number(values.answers),
  Number(values.seed),
)
const seconds = (performance.now() - startedMs) / 1_000
for (const [name, times] of Object.entries(outcomes).sort())
  process.stdout.write(`${times.toLocaleString('en').padStart(12)}  ${name}\n`)
for (const one of disagreements) process.stdout.write(`${JSON.stringify(one)}\n`)
process.stdout.write(
  `${answers.toLocaleString('en')} answers, ${readings.toLocaleString('en')} readings, seed ${values.seed}, ` +
    `llhttp ${process.versions.llhttp}, ${seconds.toFixed(0)} s: ${disagreements.length} disagreements\n`,
)
process.exitCode = disagreements.length === 0 ? 0 : 1
