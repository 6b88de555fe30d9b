// The browser for tests: the system's Chromium, never a downloaded one. CHROMIUM_PATH names it if it is elsewhere. On
// Debian as root it is installed once, before the first test: two installations at a time hinder each other.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

export function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    headless: true,
    args: [...FLAGS, UNOPTIMIZED, ...flags],
  })
}

// With all that a user's browser has, such as a camera.
export function launchWholeChromium(flags: readonly string[]): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? installed(NAMES) ?? findChromium()
  return chromium.launch({ executablePath, headless: true, args: [...FLAGS, ...flags] })
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
// A page lives for a second here: optimizing its script costs more than it gives back.
const UNOPTIMIZED = '--js-flags=--no-opt --no-maglev'
// Without a user interface it needs less than half of the CPU, most of all for a new page.
const SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export function findChromium(): string {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, and there is no such file.`)
  }
  return installed([SHELL]) ?? installShell() ?? installed(NAMES) ?? install()
}

function installed(names: readonly string[]): string | undefined {
  const directories = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  return names.flatMap((name) => directories.map((directory) => join(directory, name))).find(existsSync)
}

const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function apt(command: readonly string[], timeout?: number): void {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', command, { env: environment, stdio: 'ignore', ...(timeout && { timeout }) })
}

// The whole Chromium does as well, so nobody waits long for this.
const SHELL_WITHIN_MS = 60_000

function installShell(): string | undefined {
  if (!canInstall() || installed(NAMES) === undefined) return undefined
  try {
    apt(['install', '-y', '--no-install-recommends', SHELL], SHELL_WITHIN_MS)
  } catch {
    return undefined
  }
  return installed([SHELL])
}

function install(): string {
  if (canInstall())
    for (const command of [['update'], ['install', '-y', '--no-install-recommends', SHELL, 'chromium']])
      apt(command)
  const path = installed([SHELL]) ?? installed(NAMES)
  if (path !== undefined) return path
  throw new Error(
    'The browser tests need Chromium and found none. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to it.',
  )
}
