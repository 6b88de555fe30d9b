// What a page costs a payer with an old phone on a bad line: 400 kbit/s, 400 ms round trip, a sixth of this machine's
// processor. The best of several loads counts, because this machine is busy with other tests.

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { EVERY_STATE, link } from '../checkout/subjects.ts'
import { byDepth } from '../depth.ts'
import { closeBrowser, openPayer } from './payer.ts'

after(closeBrowser)

const USABLE_WITHIN_MS = 1_500
const PAGE_BUDGET_BYTES = 10 * 1_024
const TRIES = 12
// The largest ones. What each of them weighs is in test/checkout/pages.test.ts.
const PAGES = ['choose-terms', 'breb', 'approved-pse']
const OTHER_PAGES = [
  'choose',
  'terms',
  'registering-key',
  'preparing-bank',
  'at-bank',
  'declined-link',
  'expired',
]

describe('on a bad line', () => {
  for (const name of byDepth(PAGES, [...PAGES, ...OTHER_PAGES]))
    it(`${name} can be used within ${USABLE_WITHIN_MS} ms, for one document of 10 KB`, async (t) => {
      const times: number[] = []
      for (let attempt = 0; attempt < TRIES && !times.some((ms) => ms <= USABLE_WITHIN_MS); attempt++) {
        const { usableMs, requests, bytes } = await load(name)
        times.push(usableMs)
        assert.deepEqual(
          requests.filter((path) => !path.includes('/stream')),
          ['/'],
          'nothing is loaded but the page',
        )
        assert.ok(bytes <= PAGE_BUDGET_BYTES, `${bytes} bytes`)
        t.diagnostic(`${bytes} bytes, usable after ${Math.round(usableMs)} ms`)
      }
      assert.ok(Math.min(...times) <= USABLE_WITHIN_MS, `${times.map(Math.round).join(', ')} ms`)
    })
})

// Usable means painted, with the script run, which happens before the document counts as loaded.
async function load(name: string) {
  const { subject, step } = EVERY_STATE[name] ?? { subject: link() }
  await using payer = await openPayer(subject, { viewport: { width: 360, height: 760 } })
  const { page } = payer
  const devtools = await page.context().newCDPSession(page)
  const requests: string[] = []
  let bytes = 0
  const address = payer.url()
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:'))
      requests.push(request.url.split('?')[0] === address ? '/' : request.url)
  })
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes = Math.max(bytes, encodedDataLength)
  })
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 400_000 / 8,
    uploadThroughput: 400_000 / 8,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.goto(payer.url(step === undefined ? '' : `?step=${step}`))
  const usableMs = await page.evaluate<number>(`new Promise((resolve) => {
    const poll = () => {
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      const [document] = performance.getEntriesByType('navigation')
      if (paint) resolve(Math.max(paint.startTime, document.domContentLoadedEventEnd))
      else setTimeout(poll, 20)
    }
    poll()
  })`)
  return { usableMs, requests, bytes }
}
