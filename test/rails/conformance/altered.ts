// A good answer that is altered in one place: a field is missing, has another type, names another amount or another currency, or the
// answer is too long. Nobody has said what such an answer means. So it must be unknown, or mean what it meant: nothing that is altered
// may end a payment, or pay it.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Limits } from '../../../src/rails/limits.ts'
import type { RailAnswer } from '../../../src/rails/rail.ts'
import type { Answer, Asked, Scripted } from '../fake-network.ts'
import { assertAnswer, shown } from './answers.ts'
import type { Bench, Port } from './bench.ts'
import type { Operation } from './operations.ts'

type Json = null | boolean | number | string | Json[] | { [field: string]: Json }
type Place = readonly (string | number)[]

export type Altering<Opened extends Port> = {
  readonly bench: Bench<Opened>
  readonly good: (asked: Asked) => Answer
  readonly answerBadly: (...answers: Scripted[]) => void
  // How amounts of the orders stand in the answers.
  readonly amounts: readonly (string | number)[]
}

export function alteredConformance<Opened extends Port>(
  { ability, call, accepted }: Operation<Opened>,
  { bench, good, answerBadly, amounts }: Altering<Opened>,
): void {
  // These hold no word about a payment, and are kept for later calls.
  if (ability === 'banks' || ability === 'terms') return
  const askWith = (rails: Opened, alter: (json: Json) => Json) => {
    answerBadly((asked) => {
      const answer = good(asked)
      if (typeof answer !== 'object' || !('json' in answer)) return answer
      return { ...answer, json: alter(structuredClone(answer.json) as Json) }
    })
    return call(rails)
  }
  const patient = { breakAfterFailures: 1_000_000 }
  const meansTheSame = (answer: RailAnswer<unknown, string>): boolean =>
    answer.outcome === 'unknown' ||
    (answer.outcome === 'accepted' && shown(saidOf(answer.value)) === shown(saidOf(accepted)))

  // Calls `alter` for each place of the answer. The answer is learned from a first call.
  const atEachPlace = async (
    rails: Opened,
    change: (value: Json, place: Place) => readonly (Json | undefined)[],
    judge: (answer: RailAnswer<unknown, string>, what: string) => void,
  ): Promise<number> => {
    let model: Json = null
    await askWith(rails, (json) => {
      model = json
      return json
    })
    let count = 0
    for (const place of placesOf(model))
      for (const changed of change(valueAt(model, place), place)) {
        const answer = await askWith(rails, (json) => withChanged(json, place, changed))
        judge(answer, `${place.join('.')} is ${JSON.stringify(changed)}: ${shown(answer)}`)
        count += 1
      }
    return count
  }

  it('ends and pays nothing by a field that is missing or has another type', () =>
    bench.withRails(async (rails) => {
      await atEachPlace(rails, otherTypes, (answer, what) => assert.ok(meansTheSame(answer), what))
    }, patient))

  it('does not read an answer that is too long', () => {
    const limits = { ...patient, answerBytes: 8_192, statementBytes: 8_192 } satisfies Partial<Limits>
    return bench.withRails(async (rails) => {
      let isPadded = false
      const answer = await askWith(rails, (json) => {
        if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
        isPadded = true
        return { ...json, padding: 'x'.repeat(8_192) }
      })
      assertAnswer(answer, isPadded ? 'unreadable' : { accepted })
    }, limits)
  })

  // It names no money.
  if (ability === 'look-up') return

  it('does not take another amount for the one that was ordered', () =>
    bench.withRails(async (rails) => {
      const other = (value: Json) => (amounts.includes(value as string) ? [anotherAmount(value)] : [])
      await atEachPlace(rails, other, (answer, what) => {
        if (answer.outcome === 'unknown' || ability === 'statement') return
        assert.ok(!ability.endsWith('submit') && meansTheSame(answer), what)
        // What somebody paid is handed on, and our books compare it.
        const paid = answer.outcome === 'accepted' ? paidIn(answer.value) : []
        assert.ok(paid.length === 0 || shown(paid) !== shown(paidIn(accepted)), what)
      })
    }, patient))

  it('does not take another currency', () =>
    bench.withRails(async (rails) => {
      let hasCurrency = false
      const answer = await askWith(rails, (json) => {
        const text = JSON.stringify(json)
        hasCurrency = text.includes('"COP"')
        return JSON.parse(text.replaceAll('"COP"', '"USD"'))
      })
      if (!hasCurrency) return
      const { lines } = (answer.outcome === 'accepted' ? answer.value : {}) as { lines?: unknown[] }
      assert.ok(answer.outcome === 'unknown' || lines?.length === 0, shown(answer))
    }, patient))
}

// What an answer says of a payment.
function saidOf(value: unknown) {
  const { state, how, reason } = (value ?? {}) as Record<string, unknown>
  return { state, how, reason }
}

function paidIn(value: unknown): unknown[] {
  const { payments, amountInCents } = (value ?? {}) as { payments?: object[]; amountInCents?: bigint }
  return payments ?? (amountInCents === undefined ? [] : [amountInCents])
}

function placesOf(value: Json, under: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = [...under, name]
    return [place, ...placesOf(inner, place)]
  })
}

function valueAt(value: Json, place: Place): Json {
  return place.reduce<Json>((inner, name) => (inner as { [field: string]: Json })[name] as Json, value)
}

// Undefined takes the field away.
function withChanged(json: Json, place: Place, changed: Json | undefined): Json {
  const holder = valueAt(json, place.slice(0, -1)) as { [field: string]: Json }
  const name = place.at(-1) as string
  if (changed !== undefined) holder[name] = changed
  else if (Array.isArray(holder)) holder.splice(Number(name), 1, null)
  else delete holder[name]
  return json
}

// An empty list is a list: it says that there is nothing.
function otherTypes(value: Json): readonly (Json | undefined)[] {
  const all: Json[] = [null, '', 'x', -1, 0.5, true, {}, [{}]]
  const asText = typeof value === 'number' ? [String(value)] : []
  const asNumber = typeof value === 'string' && /^\d{1,15}$/.test(value) ? [Number(value)] : []
  return [undefined, ...all.filter((other) => other !== value), ...asText, ...asNumber]
}

// One cent more.
function anotherAmount(value: Json): Json {
  if (typeof value === 'string') return value.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
  return Number.isInteger(value) ? (value as number) + 1 : (value as number) + 0.01
}
