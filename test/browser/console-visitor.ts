// Somebody with a browser at the console of a world. Passkeys need a host name, so they open it as localhost. Every complaint of
// the browser is recorded, policy violations too.

import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { ASSETS } from '../../src/console/assets.ts'
import type { World } from '../world.ts'
import { browser } from './payer.ts'

export type Visitor = AsyncDisposable & {
  readonly context: BrowserContext
  readonly page: Page
  readonly complaints: string[]
  // An address of the console.
  readonly at: (path: string) => string
  readonly forgetSession: () => Promise<void>
}

export async function openConsole(
  world: Pick<World, 'baseUrl'>,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await (await browser()).newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'es-CO',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser reports a 404 or 422 page as an error, which is expected here.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  const { port } = new URL(world.baseUrl)
  return {
    context,
    page,
    complaints,
    // A page of the console that stands open notices that it is signed out, and would go to sign in by itself. A file of the console does
    // not, and has the process that the pages have.
    forgetSession: async () => {
      if (options.javaScriptEnabled !== false)
        await page.goto(`http://localhost:${port}/console/assets/${ASSETS.style}`)
      await context.clearCookies()
    },
    at: (path) => `http://localhost:${port}/console${path}`,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

export type Authenticator = {
  readonly cdp: CDPSession
  readonly authenticatorId: string
  readonly credentials: () => Promise<readonly { readonly credentialId: string }[]>
}

// A device with passkeys, as Chromium simulates it.
export async function withAuthenticator({ context, page }: Visitor): Promise<Authenticator> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    cdp,
    authenticatorId,
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}
