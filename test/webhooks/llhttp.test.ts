// How answers to webhooks are read, held against llhttp, Node's own parser. `npm run fuzz:answers` does so by the million.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareAnswers, disagreement } from '../../fuzz/answers/compare.ts'
import type { Reading } from '../../fuzz/answers/reading.ts'

const ANSWERS = 15_000
const SEED = 20_261_116

describe('generated answers', () => {
  it('are read alike by llhttp and by us, or we refuse', async (t) => {
    const { answers, readings, outcomes, disagreements } = await compareAnswers(ANSWERS, SEED)
    assert.deepEqual(disagreements, [])
    assert.equal(answers, ANSWERS)
    t.diagnostic(`seed ${SEED}: ${readings} readings`)
    // Chance has met what it is meant to meet.
    for (const kind of ['valid', 'smuggled', 'damaged'])
      assert.ok((outcomes[`${kind}: ours whole, llhttp whole`] ?? 0) > 100, kind)
    for (const kind of ['smuggled', 'broken', 'damaged'])
      assert.ok((outcomes[`${kind}: ours refused, llhttp refused`] ?? 0) > 100, kind)
    assert.ok((outcomes['valid, cut: ours refused, llhttp refused'] ?? 0) > 100, 'cut short')
  })
})

describe('a disagreement', () => {
  const whole: Reading = { outcome: 'whole', status: 200, bodyBytes: 2, isReusable: true }
  const refused: Reading = { outcome: 'refused', status: null, bodyBytes: 0, isReusable: false }
  const waiting: Reading = { ...refused, outcome: 'waiting' }

  it('is another status, another length, a connection used again, or an answer that only we take', () => {
    assert.equal(disagreement(true, whole, whole), null)
    assert.equal(disagreement(false, whole, { ...whole, status: 201 }), 'the statuses differ')
    assert.equal(disagreement(false, whole, { ...whole, bodyBytes: 3 }), 'the lengths differ')
    assert.equal(
      disagreement(false, whole, { ...whole, isReusable: false }),
      'ours uses the connection again',
    )
    assert.equal(disagreement(false, whole, refused), 'ours takes what llhttp does not')
    assert.equal(disagreement(false, whole, waiting), 'ours takes what llhttp does not')
    assert.equal(disagreement(false, waiting, whole), 'ours waits for more than there is')
  })

  it('is not our refusal, unless the answer is valid', () => {
    assert.equal(disagreement(false, refused, whole), null)
    assert.equal(disagreement(false, { ...whole, isReusable: false }, whole), null)
    assert.equal(disagreement(true, refused, whole), 'ours does not take a valid answer')
    assert.equal(disagreement(true, waiting, whole), 'ours does not take a valid answer')
    assert.equal(disagreement(true, whole, refused), 'llhttp does not take a valid answer')
  })
})
