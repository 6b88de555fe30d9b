// What anybody may send to /verify is checked in time that grows with its length, not with the square of it: the check runs where
// payments do.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkStatement } from '../../../src/core/receipts/check.ts'

describe('a text of the greatest length that /verify takes', () => {
  it('is checked in milliseconds, whatever is in it', async () => {
    const length = 32 * 1_024 - 'statement='.length
    const texts = {
      letters: `recaudo1.${'a'.repeat(length - 9)}`,
      'dots and a letter': `recaudo1.${'.'.repeat(length - 10)}a`,
    }
    await checkStatement(texts.letters.slice(0, 100), [])
    const took: Record<string, number> = {}
    for (const [name, text] of Object.entries(texts)) {
      const before = process.cpuUsage()
      await checkStatement(text, [])
      took[name] = process.cpuUsage(before).user / 1_000
    }
    for (const [name, ms] of Object.entries(took)) assert.ok(ms < 100, `${name}: ${ms} ms of CPU`)
  })
})
