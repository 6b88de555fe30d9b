// Holds our reading of generated answers against llhttp's. Both agree, or ours is the more careful one: it refuses, or does not
// use the connection again. What is valid is refused by neither.

import { type Random, randomFrom } from '../random.ts'
import { type GeneratedAnswer, generateAnswer } from './generate.ts'
import { llhttpReader } from './llhttp.ts'
import { readWithOurs } from './ours.ts'
import type { Bytes, Reading } from './reading.ts'

export type Disagreement = {
  readonly kind: GeneratedAnswer['kind']
  readonly what: string
  readonly answer: string
  readonly pieces: readonly string[]
  readonly ends: boolean
  readonly ours: Reading
  readonly llhttp: Reading
}

export type Comparison = {
  readonly answers: number
  readonly readings: number
  // How often each outcome came, by kind of answer.
  readonly outcomes: Record<string, number>
  readonly disagreements: readonly Disagreement[]
}

const HEADER_BYTES = 16 * 1_024
const AT_ONCE = 500
// One answer in so many is cut and split at every byte, which is some hundred readings.
const SWEPT_ONE_IN = 200
const MOST_DISAGREEMENTS = 20

export async function compareAnswers(answers: number, seed: number): Promise<Comparison> {
  const random = randomFrom(seed)
  const byLlhttp = llhttpReader(HEADER_BYTES)
  const outcomes: Record<string, number> = {}
  const disagreements: Disagreement[] = []
  let readings = 0

  const compare = async (
    { kind, text: answer }: GeneratedAnswer,
    isCut: boolean,
    bytes: Bytes,
  ): Promise<void> => {
    readings += 1
    const ours = await readWithOurs(bytes, HEADER_BYTES)
    const llhttp = byLlhttp(bytes)
    const name = `${kind}${isCut ? ', cut' : ''}: ours ${ours.outcome}, llhttp ${llhttp.outcome}`
    outcomes[name] = (outcomes[name] ?? 0) + 1
    const what = disagreement(kind === 'valid' && !isCut, ours, llhttp)
    if (
      what === null ||
      disagreements.length >= MOST_DISAGREEMENTS ||
      disagreements.at(-1)?.answer === answer
    )
      return
    const pieces = bytes.pieces.map((piece) => piece.toString('latin1'))
    disagreements.push({ kind, what, answer, pieces, ends: bytes.ends, ours, llhttp })
  }

  let made = 0
  while (made < answers) {
    const running: Promise<void>[] = []
    while (made < answers && running.length < AT_ONCE) {
      const answer = generateAnswer(random)
      made += 1
      for (const { isCut, bytes } of waysToArrive(random, Buffer.from(answer.text, 'latin1')))
        running.push(compare(answer, isCut, bytes))
    }
    await Promise.all(running)
  }
  return { answers: made, readings, outcomes, disagreements }
}

// Null if both may be right.
export function disagreement(isValid: boolean, ours: Reading, llhttp: Reading): string | null {
  if (isValid && ours.outcome !== 'whole') return 'ours does not take a valid answer'
  if (isValid && llhttp.outcome !== 'whole') return 'llhttp does not take a valid answer'
  if (ours.outcome === 'refused') return null
  if (ours.outcome === 'waiting')
    return llhttp.outcome === 'whole' ? 'ours waits for more than there is' : null
  if (llhttp.outcome !== 'whole') return 'ours takes what llhttp does not'
  if (ours.status !== llhttp.status) return 'the statuses differ'
  if (ours.bodyBytes !== llhttp.bodyBytes) return 'the lengths differ'
  if (ours.isReusable && !llhttp.isReusable) return 'ours uses the connection again'
  return null
}

type Arrival = { readonly isCut: boolean; readonly bytes: Bytes }

function* waysToArrive(random: Random, whole: Buffer): Generator<Arrival> {
  const inTwo = (at: number): Buffer[] =>
    [whole.subarray(0, at), whole.subarray(at)].filter(({ length }) => length > 0)
  yield { isCut: false, bytes: { pieces: [whole], ends: true } }
  yield { isCut: false, bytes: { pieces: inTwo(random.below(whole.length + 1)), ends: true } }
  if (!random.oneIn(SWEPT_ONE_IN)) return
  yield {
    isCut: false,
    bytes: { pieces: Array.from(whole, (_, at) => whole.subarray(at, at + 1)), ends: true },
  }
  for (let at = 1; at < whole.length; at += 1) {
    yield { isCut: false, bytes: { pieces: inTwo(at), ends: true } }
    yield { isCut: true, bytes: { pieces: [whole.subarray(0, at)], ends: at % 2 === 0 } }
  }
}
