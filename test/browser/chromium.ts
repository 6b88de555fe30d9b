// The browser for tests: the system's Chromium, never a downloaded one. CHROMIUM_PATH names it if it is elsewhere. On
// Debian as root it is installed once, before the first test: two installations at a time hinder each other.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

export function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), headless: true, args: [...FLAGS, ...flags] })
}

// Root cannot use Chromium's sandbox. Nothing here may call home: requests that the flags do not stop resolve to
// nothing.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export function findChromium(): string {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, and there is no such file.`)
  }
  return installed() ?? install()
}

function installed(): string | undefined {
  const directories = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  return NAMES.flatMap((name) => directories.map((directory) => join(directory, name))).find(existsSync)
}

function install(): string {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const command of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']])
      execFileSync('apt-get', command, { env: environment, stdio: 'ignore' })
  }
  const path = installed()
  if (path !== undefined) return path
  throw new Error(
    'The browser tests need Chromium and found none. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to it.',
  )
}
