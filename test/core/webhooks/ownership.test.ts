// The proof that a receiver holds an endpoint's secret: which requests are drawn, and which answers prove it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AttemptResult } from '../../../src/core/webhooks/delivery.ts'
import { drawProbes, ownershipProblem } from '../../../src/core/webhooks/ownership.ts'

const answered = (status: number | null): AttemptResult => ({
  status,
  latencyMs: 1,
  response: '',
  failure: status === null ? 'TIMEOUT' : null,
  retryAfterSeconds: null,
  delivered: status !== null && status >= 200 && status < 300,
  gone: status === 410,
})

// Answers to six requests, by whether each is genuine.
const problemOf = (answer: (isGenuine: boolean, at: number) => number | null) => {
  const probes = [true, false, false, true, false, true]
  return ownershipProblem(
    probes,
    probes.map((isGenuine, at) => answered(answer(isGenuine, at))),
  )
}

describe('the proof of who receives at an address', () => {
  it('draws three genuine and three forged requests, in every order alike', () => {
    let state = 1
    const random = () => {
      state = (state * 48_271) % 2_147_483_647
      return state / 2_147_483_647
    }
    const counts = new Map<string, number>()
    for (let draw = 0; draw < 20_000; draw += 1) {
      const probes = drawProbes(random)
      assert.equal(probes.length, 6)
      assert.equal(probes.filter((isGenuine) => isGenuine).length, 3)
      const order = probes.map(Number).join('')
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    assert.equal(counts.size, 20)
    for (const count of counts.values()) assert.ok(count > 800 && count < 1_200, `${count} of about 1,000`)
  })

  it('is given by 2xx to the genuine and 4xx to the forged', () => {
    assert.equal(
      problemOf((isGenuine) => (isGenuine ? 200 : 400)),
      undefined,
    )
    assert.equal(
      problemOf((isGenuine) => (isGenuine ? 204 : 401)),
      undefined,
    )
  })

  it('is not given by a server that answers all alike', () => {
    for (const status of [200, 204, 301, 400, 404, 410, 500, null])
      assert.notEqual(
        problemOf(() => status),
        undefined,
        `${status} to all`,
      )
  })

  it('is not given if a single answer is wrong', () => {
    for (const at of [0, 1, 2, 3, 4, 5])
      for (const wrong of [302, 500, null])
        assert.notEqual(
          problemOf((isGenuine, place) => (place === at ? wrong : isGenuine ? 200 : 400)),
          undefined,
          `${wrong} at ${at}`,
        )
    assert.match(String(problemOf((isGenuine, at) => (isGenuine || at === 1 ? 200 : 400))), /wrong signature/)
    assert.match(String(problemOf((isGenuine, at) => (isGenuine && at !== 3 ? 200 : 400))), /right signature/)
  })
})
