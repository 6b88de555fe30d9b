// A list of the console: what it costs the server, and when somebody with an old phone on a bad line sees it for the first time:
// 400 kbit/s, 400 ms round trip, a sixth of this machine's processor.

import type { Browser } from 'playwright-core'
import { launchChromium } from '../test/browser/chromium.ts'
import { newPerson } from './consoles.ts'
import { UNIQUE } from './load.ts'
import { payinRequest } from './payins.ts'
import { atMost, type Row, UNTIMED } from './report.ts'
import { inRounds, type Testbed } from './testbed.ts'

const ROWS = 60
const LOADS = 5

export async function consolePage(testbed: Testbed): Promise<Row[]> {
  const merchant = await testbed.newMerchant()
  const token = await newPerson(testbed, merchant.organizationId)
  const { port } = await testbed.server('store')
  const [, body = ''] = payinRequest(merchant, 'SINGLE_USE').split('\r\n\r\n')
  for (let count = 0; count < ROWS; count += 1) {
    const { status } = await fetch(`http://127.0.0.1:${port}/payins`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey },
      body: body.replaceAll(UNIQUE, String(count).padStart(UNIQUE.length, '-')),
    })
    if (status !== 201) throw new Error(`POST /payins answered ${status}`)
  }
  const path = `/console/${merchant.organizationId}/payins`
  const cookie = `recaudo_session=${token}`
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${cookie}\r\naccept-encoding: gzip, deflate, br, zstd\r\n\r\n`
  const { list } = await inRounds(testbed, {
    list: () => testbed.measure('store', { requests: [request], connections: 4 }),
  })
  const browser = await launchChromium()
  const times: number[] = []
  try {
    for (let load = 0; load < LOADS; load += 1) times.push(await paintedMs(browser, port, path, token))
  } finally {
    await browser.close()
  }
  const median = times.sort((a, b) => a - b)[LOADS >> 1] as number
  return [
    {
      label: 'list of 50 payins, answered',
      measured: list,
      bars: [atMost(list.cpuMicrosPerRequest / 1_000, 3, 'ms of the server’s CPU')],
    },
    {
      label: '  painted on the first visit, 400 kbit/s and a sixth of the CPU',
      measured: UNTIMED,
      bars: [atMost(median / 1_000, 2, 's')],
    },
  ]
}

async function paintedMs(browser: Browser, port: number, path: string, token: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 360, height: 760 } })
  const url = `http://127.0.0.1:${port}`
  await context.addCookies([{ name: 'recaudo_session', value: token, url, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const kilobytes = 400_000 / 8
  const line = { offline: false, latency: 400, downloadThroughput: kilobytes, uploadThroughput: kilobytes }
  await devtools.send('Network.emulateNetworkConditions', line)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.goto(url + path, { waitUntil: 'commit' })
  await page.locator('#rows tr').first().waitFor()
  const painted = await page.evaluate<number>(`new Promise((resolve) => {
    const poll = () => {
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      if (paint) resolve(paint.startTime)
      else setTimeout(poll, 20)
    }
    poll()
  })`)
  await context.close()
  return painted
}
