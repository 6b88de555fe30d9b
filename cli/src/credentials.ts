// Who we are and whom we talk to: from the environment, or else from a file that only its owner reads. The one thing to
// know: the two are not mixed, so that a key never goes to an address it was not meant for.

import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Credentials } from '@recaudo/sdk'
import { EXIT, Failure, usageFailure } from './failure.ts'
import { note } from './terminal.ts'

export const DEFAULT_BASE_URL = 'http://127.0.0.1:4000'

export type SignIn = {
  readonly baseUrl: string
  readonly credentials: Credentials
  // Where each comes from, as the end of a sentence.
  readonly source: string
  readonly baseUrlSource: string
}

export type Kept = {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly clientId?: string
  readonly clientSecret?: string
  // Signs what `listen` forwards.
  readonly listenSecret?: string
}

export function readSignIn(): SignIn {
  const own = fromEnvironment()
  const kept = own === undefined ? readKept() : {}
  const credentials = own?.credentials ?? keptCredentials(kept)
  if (credentials === undefined) throw notSignedIn()
  const given = setting('RECAUDO_BASE_URL')
  const source = own?.source ?? credentialsFile()
  const baseUrlSource =
    given !== undefined ? 'RECAUDO_BASE_URL' : kept.baseUrl === undefined ? 'the default' : credentialsFile()
  const baseUrl = given ?? kept.baseUrl ?? DEFAULT_BASE_URL
  checkBaseUrl(baseUrl, baseUrlSource)
  return { baseUrl, credentials, source, baseUrlSource }
}

export function notSignedIn(): Failure {
  return new Failure(
    'Not signed in: run `recaudo login`, or set RECAUDO_API_KEY (or RECAUDO_CLIENT_ID and RECAUDO_CLIENT_SECRET).',
    EXIT.credentials,
  )
}

export function credentialsFile(): string {
  return join(setting('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'recaudo', 'credentials.json')
}

export function readKept(): Kept {
  const file = credentialsFile()
  let text: string
  try {
    tighten(file)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Failure(`${file} cannot be read: ${(error as Error).message}.`, EXIT.credentials)
  }
  try {
    const kept: unknown = JSON.parse(text)
    if (typeof kept === 'object' && kept !== null) return kept
  } catch {
    // Said below.
  }
  throw new Failure(`${file} is damaged: delete it and run \`recaudo login\`.`, EXIT.credentials)
}

// Put in place whole: a reader finds the old file or the new one.
export function writeKept(kept: Kept): void {
  const file = credentialsFile()
  const aside = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(aside, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
    renameSync(aside, file)
  } catch (error) {
    rmSync(aside, { force: true })
    throw new Failure(`${file} cannot be written: ${(error as Error).message}.`)
  }
}

export function forgetKept(): boolean {
  const file = credentialsFile()
  const wasThere = statSync(file, { throwIfNoEntry: false }) !== undefined
  rmSync(file, { force: true })
  return wasThere
}

export function checkBaseUrl(text: string, source: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw usageFailure(
      `The address ${JSON.stringify(text)}, from ${source}, must be like https://pay.example.com.`,
    )
}

// A variable that is set to nothing is not set.
export function setting(name: string): string | undefined {
  return process.env[name] || undefined
}

function fromEnvironment(): { credentials: Credentials; source: string } | undefined {
  const apiKey = setting('RECAUDO_API_KEY')
  if (apiKey !== undefined)
    return { credentials: { apiKey: checked('RECAUDO_API_KEY', apiKey) }, source: 'RECAUDO_API_KEY' }
  const clientId = setting('RECAUDO_CLIENT_ID')
  const clientSecret = setting('RECAUDO_CLIENT_SECRET')
  if (clientId === undefined && clientSecret === undefined) return undefined
  if (clientId === undefined || clientSecret === undefined)
    throw new Failure(
      `RECAUDO_CLIENT_${clientId === undefined ? 'ID' : 'SECRET'} is not set: a client needs both its id and its secret.`,
      EXIT.credentials,
    )
  return {
    credentials: {
      clientId: checked('RECAUDO_CLIENT_ID', clientId),
      clientSecret: checked('RECAUDO_CLIENT_SECRET', clientSecret),
    },
    source: 'RECAUDO_CLIENT_ID',
  }
}

function keptCredentials({ apiKey, clientId, clientSecret }: Kept): Credentials | undefined {
  if (apiKey !== undefined) return { apiKey }
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

export function checked(name: string, value: string): string {
  // Headers carry nothing else, and a line break is easily copied along.
  if (/^[!-~]+$/.test(value)) return value
  throw new Failure(`${name} has blanks or other signs in it that no credential has.`, EXIT.credentials)
}

function tighten(file: string): void {
  // Windows has other rights than these.
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return
  chmodSync(file, 0o600)
  note(`recaudo: others could read ${file}; now only you can. If anybody may have, make a new key.`)
}
