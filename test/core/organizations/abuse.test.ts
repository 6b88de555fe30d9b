// Bursts that a person is told about, with a clock of the test's own.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { isUuid } from '../../../src/core/ids.ts'
import {
  ABUSE_THRESHOLDS,
  abuseDetail,
  createAbuseWatch,
  subjectIdOf,
} from '../../../src/core/organizations/abuse.ts'

const KINDS = ['failed-sign-ins', 'many-refusals', 'many-missed-lookups'] as const

describe('a burst', () => {
  for (const kind of KINDS) {
    const { count, withinSeconds } = ABUSE_THRESHOLDS[kind]
    it(`of ${kind} is told with the first beyond ${count}, once in ten minutes`, () => {
      const watch = createAbuseWatch()
      const told = (times: number, now: number) =>
        Array.from({ length: times }, () => watch.count(kind, 'a', now)).filter(Boolean).length
      assert.equal(told(count, 0), 0)
      assert.equal(told(1, 0), 1)
      assert.equal(told(1_000, 1), 0)
      assert.equal(told(count * 10, 599_999), 0)
      assert.equal(told(count * 10, 600_000 + 1), 1, 'and once more while it goes on')
    })

    it(`of ${kind} is none if it takes longer than ${withinSeconds} s`, () => {
      const watch = createAbuseWatch()
      const everyMs = (withinSeconds * 1_000) / count
      for (let one = 0; one < count * 5; one += 1)
        assert.equal(watch.count(kind, 'a', Math.ceil(one * everyMs)), false)
    })
  }

  it('is what the guide says', () => {
    const rule = (kind: (typeof KINDS)[number]) => Object.values(ABUSE_THRESHOLDS[kind])
    assert.deepEqual(KINDS.map(rule), [
      [50, 60],
      [300, 60],
      [20, 600],
    ])
    const guide = readFileSync(new URL('../../../docs/guides/en/operating.md', import.meta.url), 'utf8')
    for (const [kind, words] of [
      ['failed-sign-ins', 'more than 50 requests or token requests within a minute'],
      ['many-refusals', 'more than 300 requests of one key or client within a minute'],
      ['many-missed-lookups', 'more than 20 look-ups of one organization within ten minutes'],
    ] as const)
      assert.ok(guide.includes(`| \`${kind}\` | ${words} `), kind)
  })

  it('is counted for each by itself', () => {
    const watch = createAbuseWatch()
    for (let one = 0; one < 50; one += 1) watch.count('failed-sign-ins', 'a', 0)
    assert.equal(watch.count('failed-sign-ins', 'b', 0), false)
    assert.equal(watch.count('many-refusals', 'a', 0), false)
    assert.equal(watch.count('failed-sign-ins', 'a', 0), true)
  })

  it('is told although another kind was told of the same credential', () => {
    const watch = createAbuseWatch()
    assert.equal(watch.count('address-refused', 'a', 0), true)
    const { count } = ABUSE_THRESHOLDS['many-refusals']
    for (let one = 0; one < count; one += 1) watch.count('many-refusals', 'a', 0)
    assert.equal(watch.count('many-refusals', 'a', 0), true)
  })

  it('is not needed where a credential comes from an address that is not on its list', () => {
    const watch = createAbuseWatch()
    assert.equal(watch.count('address-refused', 'a', 0), true)
    assert.equal(watch.count('address-refused', 'a', 1), false)
    assert.equal(watch.count('address-refused', 'b', 1), true)
  })

  it('of more addresses than are remembered costs no more memory', () => {
    const watch = createAbuseWatch(10)
    for (let one = 0; one < 50; one += 1) watch.count('failed-sign-ins', 'a', 0)
    for (let other = 0; other < 1_000; other += 1) watch.count('failed-sign-ins', `other ${other}`, 0)
    assert.equal(watch.count('failed-sign-ins', 'a', 0), false, 'a was forgotten')
  })
})

describe('the alarm about it', () => {
  it('has a subject that is always the same', () => {
    const id = '0199a0b0-0000-7000-8000-000000000001'
    assert.equal(subjectIdOf(id), id)
    assert.ok(isUuid(subjectIdOf('203.0.113.7')))
    assert.equal(subjectIdOf('203.0.113.7'), subjectIdOf('203.0.113.7'))
    assert.notEqual(subjectIdOf('203.0.113.7'), subjectIdOf('203.0.113.8'))
  })

  it('says how often, and who', () => {
    assert.equal(
      abuseDetail('failed-sign-ins', '203.0.113.7', null),
      'More than 50 within 60 s: sign-ins from 203.0.113.7 failed.',
    )
    assert.match(abuseDetail('address-refused', 'key-1', '203.0.113.7'), /key-1 was used from 203\.0\.113\.7/)
    assert.match(abuseDetail('address-refused', 'key-1', null), /an address that no proxy named/)
  })
})
