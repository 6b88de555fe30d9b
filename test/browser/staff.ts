// Somebody of a merchant with a browser on the console. Every browser complaint is recorded, policy violations too. SCREENSHOTS=1
// leaves pictures in test/screenshots.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Person } from '../console/person.ts'
import type { World } from '../world.ts'
import { launchChromium } from './chromium.ts'
import { browser } from './payer.ts'

export const WIDTHS = [320, 768, 1280] as const
const SCREENSHOTS = join(import.meta.dirname, '../screenshots')

export type Staff = {
  readonly page: Page
  readonly complaints: string[]
  // An address under the organization's, such as /settings.
  readonly open: (path: string) => Promise<void>
  readonly close: () => Promise<void>
}

export async function openStaff(
  world: Pick<World, 'baseUrl'>,
  person: Person,
  options: BrowserContextOptions = {},
  launched: Promise<Browser> = browser(),
): Promise<Staff> {
  const context = await (await launched).newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'es-CO',
    reducedMotion: 'reduce',
    ...options,
  })
  const [name = '', value = ''] = person.cookie.split('=')
  await context.addCookies([{ name, value, url: world.baseUrl, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser reports a page with a refusal as an error, which is expected here.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return {
    page,
    complaints,
    open: async (path) => {
      await page.goto(`${world.baseUrl}${path.startsWith('/console') ? '' : person.home}${path}`)
    },
    close: () => context.close(),
  }
}

// A browser that lays pages out and never draws them, which needs a quarter less CPU. Nothing can be clicked in it: a click waits for the
// element to be drawn.
export function launchUndrawn(): Promise<Browser> {
  return launchChromium(process.env.SCREENSHOTS === undefined ? ['--disable-threaded-compositing'] : [])
}

// The page at three widths.
export async function pictures(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS === undefined) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: join(SCREENSHOTS, `console-${name}-${width}.png`), fullPage: true })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}
