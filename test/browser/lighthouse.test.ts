// Lighthouse on the payer's pages: 100 of 100 in accessibility and in best practices.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { EVERY_STATE } from '../checkout/subjects.ts'
import { FRAMEWORKS, frameworksProblem } from '../frameworks/frameworks.ts'
import { freePort } from '../free-port.ts'
import { launchChromium } from './chromium.ts'
import { closeBrowser, openPayer, type Payer } from './payer.ts'

const CATEGORIES = ['accessibility', 'best-practices'] as const
// A page of each layout; axe looks at all of them.
const PAGES = ['choose', 'breb', 'at-bank', 'approved-pse'] as const

// Neither category measures speed, so there is no wait after the load and no screenshot.
const AT_ONCE = {
  pauseAfterFcpMs: 0,
  pauseAfterLoadMs: 0,
  networkQuietThresholdMs: 0,
  cpuQuietThresholdMs: 0,
  disableFullPageScreenshot: true,
}

// What these tests read of a report.
type Lighthouse = (
  url: string,
  flags: object,
) => Promise<
  | {
      lhr: {
        runtimeError?: unknown
        audits: Record<string, { score: number | null; title: string; details?: unknown } | undefined>
        categories: Record<
          string,
          { score: number | null; auditRefs: { id: string; weight: number }[] } | undefined
        >
      }
    }
  | undefined
>

const problem = await frameworksProblem()

describe('Lighthouse', { skip: problem ?? false }, () => {
  let lighthouse: Lighthouse
  let browser: Browser
  let port: number
  let payer: Payer
  before(async () => {
    ;({ default: lighthouse } = await import(join(FRAMEWORKS, 'node_modules/lighthouse/core/index.js')))
    port = await freePort()
    browser = await launchChromium([`--remote-debugging-port=${port}`])
    payer = await openPayer()
    for (const [name, { subject }] of Object.entries(EVERY_STATE)) payer.harness.subjects.set(name, subject)
  })
  after(async () => {
    await browser.close()
    await payer.close()
    await closeBrowser()
  })

  for (const name of PAGES)
    it(`${name} has 100 in ${CATEGORIES.join(' and ')}`, async () => {
      assert.ok(name in EVERY_STATE, `${name} is a page`)
      const step = EVERY_STATE[name]?.step
      const result = await lighthouse(payer.url(step === undefined ? '' : `?step=${step}`, name), {
        port,
        logLevel: 'silent',
        onlyCategories: [...CATEGORIES],
        ...AT_ONCE,
      })
      assert.ok(result, 'it ran')
      const { audits, categories, runtimeError } = result.lhr
      assert.equal(runtimeError, undefined)
      const failed = CATEGORIES.flatMap((category) => categories[category]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && audits[id]?.score !== null && (audits[id]?.score ?? 0) < 1)
        .map(({ id }) => `${id}: ${audits[id]?.title} ${JSON.stringify(audits[id]?.details)?.slice(0, 300)}`)
      assert.deepEqual(failed, [])
      for (const category of CATEGORIES) assert.equal(categories[category]?.score, 1)
    })
})
