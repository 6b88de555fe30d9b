// Next and Lighthouse for the tests that need them. They are larger than the service with all its tools, so `npm ci` leaves them
// out. test/run.ts installs them beside the other tests, from a lockfile of their own. Where that fails, for example without a
// network, their tests are skipped and say why.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../world.ts'

export const FRAMEWORKS = import.meta.dirname
const LOCKFILE = join(FRAMEWORKS, 'package-lock.json')
const CACHE = join(FRAMEWORKS, '../../node_modules/.cache/recaudo-tests')
const FAILURE = join(CACHE, 'frameworks-failure')
// In node_modules, so that it goes where they go.
const INSTALLED = join(FRAMEWORKS, 'node_modules/.installed')
const INSTALL_TIMEOUT_MS = 5 * 60_000

export const needsFrameworks = (file: string): boolean =>
  /test\/(?:browser\/lighthouse|examples\/next-breb-qr)\./.test(file)

// Returns what went wrong.
export async function installFrameworks(): Promise<string | undefined> {
  rmSync(FAILURE, { force: true })
  if (areInstalled()) return undefined
  // npm says which npm runs us. It must be run by the Node that it belongs to.
  const npm = process.env.npm_execpath
  const [program, first] = npm === undefined ? ['npm', []] : [process.env.npm_node_execpath ?? 'node', [npm]]
  // Without a network it gives up soon: two tests wait for it.
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
  const args = [...first, 'ci', '--prefix', FRAMEWORKS, '--ignore-scripts', '--loglevel=error', ...patience]
  try {
    await promisify(execFile)(program, args, { cwd: FRAMEWORKS, timeout: INSTALL_TIMEOUT_MS })
    writeFileSync(INSTALLED, lockfileDigest())
    return undefined
  } catch (error) {
    const reason = (error as Error).message.trim()
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(FAILURE, reason)
    return reason
  }
}

// Waits for the installation. Returns why they are not there.
export async function frameworksProblem(): Promise<string | undefined> {
  await eventually(
    async () => areInstalled() || existsSync(FAILURE),
    (isDecided) => isDecided,
    INSTALL_TIMEOUT_MS,
  )
  return areInstalled() ? undefined : `not installed: ${readFileSync(FAILURE, 'utf8').split('\n')[0]}`
}

function areInstalled(): boolean {
  return existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lockfileDigest()
}

function lockfileDigest(): string {
  return createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')
}
