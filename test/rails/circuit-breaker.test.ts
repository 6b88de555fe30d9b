import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circuitBreaker } from '../../src/rails/circuit-breaker.ts'

function breakerAt() {
  const clock = { ms: 1_000 }
  const breaker = circuitBreaker({ breakAfterFailures: 3, breakMs: 100 }, () => clock.ms)
  const call = (answered: boolean): boolean => {
    const finish = breaker.enter()
    finish?.(answered)
    return finish !== undefined
  }
  return { clock, breaker, call }
}

test('a success in between resets the count of failures', () => {
  const { call } = breakerAt()
  for (const answered of [false, false, true, false, false, true]) assert.ok(call(answered))
  assert.ok(call(true))
})

test('after consecutive failures every call is refused for a while', () => {
  const { clock, call } = breakerAt()
  for (const _ of [1, 2, 3]) assert.ok(call(false))
  assert.ok(!call(true))
  clock.ms += 99
  assert.ok(!call(true))
  clock.ms += 1
  assert.ok(call(true))
  assert.ok(call(true))
})

test('then one call may probe, and the others wait for its result', () => {
  const { clock, breaker, call } = breakerAt()
  for (const _ of [1, 2, 3]) call(false)
  clock.ms += 100
  const probe = breaker.enter()
  assert.ok(probe !== undefined)
  assert.equal(breaker.enter(), undefined)
  clock.ms += 1_000
  assert.equal(breaker.enter(), undefined)
  assert.ok(breaker.isOpen(), 'nobody else may ask meanwhile')
  probe(false)
  assert.ok(!call(true), 'a try that fails keeps the others out for the whole time again')
  clock.ms += 100
  assert.ok(call(true))
})

test('calls that started before and fail late do not keep it open longer', () => {
  const { clock, breaker, call } = breakerAt()
  const late = [1, 2, 3, 4].map(() => breaker.enter())
  for (const _ of [1, 2, 3]) call(false)
  clock.ms += 60
  for (const finish of late) finish?.(false)
  clock.ms += 40
  assert.ok(call(true))
})

test('a late failure of another call does not admit a second probe beside the first', () => {
  const { clock, breaker, call } = breakerAt()
  const late = breaker.enter()
  for (const _ of [1, 2, 3]) call(false)
  clock.ms += 100
  assert.ok(breaker.enter() !== undefined)
  late?.(false)
  assert.equal(breaker.enter(), undefined)
})
