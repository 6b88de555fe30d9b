// The credentials and the server's address, from the environment or else from a file that only its owner can read. The two
// sources are never mixed, so that a key never goes to an address it was not meant for.

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
  // Where each value comes from, as the end of a sentence.
  readonly source: string
  readonly baseUrlSource: string
}

export type StoredCredentials = {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly clientId?: string
  readonly clientSecret?: string
  // Signs the events that `listen` forwards.
  readonly listenSecret?: string
}

export function readSignIn(): SignIn {
  const environment = fromEnvironment()
  const stored = environment === undefined ? readStoredCredentials() : {}
  const credentials = environment?.credentials ?? credentialsIn(stored)
  if (credentials === undefined) throw notSignedIn()
  const givenUrl = setting('RECAUDO_BASE_URL')
  const source = environment?.source ?? credentialsFile()
  const baseUrlSource =
    givenUrl !== undefined
      ? 'RECAUDO_BASE_URL'
      : stored.baseUrl === undefined
        ? 'the default'
        : credentialsFile()
  const baseUrl = givenUrl ?? stored.baseUrl ?? DEFAULT_BASE_URL
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

export function readStoredCredentials(): StoredCredentials {
  const file = credentialsFile()
  let text: string
  try {
    restrictAccess(file)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Failure(`${file} cannot be read: ${(error as Error).message}.`, EXIT.credentials)
  }
  try {
    const stored: unknown = JSON.parse(text)
    if (typeof stored === 'object' && stored !== null) return stored
  } catch {
    // Reported below.
  }
  throw new Failure(`${file} is damaged: delete it and run \`recaudo login\`.`, EXIT.credentials)
}

// Replaces the file atomically: a reader sees the old one or the new one.
export function writeStoredCredentials(stored: StoredCredentials): void {
  const file = credentialsFile()
  const temporary = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new Failure(`${file} cannot be written: ${(error as Error).message}.`)
  }
}

export function deleteStoredCredentials(): boolean {
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

// An empty variable counts as not set.
export function setting(name: string): string | undefined {
  return process.env[name] || undefined
}

function fromEnvironment(): { credentials: Credentials; source: string } | undefined {
  const apiKey = setting('RECAUDO_API_KEY')
  if (apiKey !== undefined)
    return {
      credentials: { apiKey: checkedCredential('RECAUDO_API_KEY', apiKey) },
      source: 'RECAUDO_API_KEY',
    }
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
      clientId: checkedCredential('RECAUDO_CLIENT_ID', clientId),
      clientSecret: checkedCredential('RECAUDO_CLIENT_SECRET', clientSecret),
    },
    source: 'RECAUDO_CLIENT_ID',
  }
}

function credentialsIn({ apiKey, clientId, clientSecret }: StoredCredentials): Credentials | undefined {
  if (apiKey !== undefined) return { apiKey }
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

export function checkedCredential(name: string, value: string): string {
  // Headers allow no other characters, and a copied credential easily includes a line break.
  if (/^[!-~]+$/.test(value)) return value
  throw new Failure(`${name} has blanks or other signs in it that no credential has.`, EXIT.credentials)
}

function restrictAccess(file: string): void {
  // Windows has no such permission bits.
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return
  chmodSync(file, 0o600)
  note(`recaudo: others could read ${file}; now only you can. If anybody may have, make a new key.`)
}
