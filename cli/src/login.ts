// recaudo login and logout. Credentials are tested before they are stored, and prompted for only in an interactive
// terminal.

import type { Credentials } from '@recaudo/sdk'
import { openClient } from './client.ts'
import type { Call, Flags, Shown } from './command.ts'
import {
  checkBaseUrl,
  checkedCredential,
  credentialsFile,
  DEFAULT_BASE_URL,
  deleteStoredCredentials,
  readStoredCredentials,
  setting,
  writeStoredCredentials,
} from './credentials.ts'
import { environmentOf } from './environment.ts'
import { usageFailure } from './failure.ts'
import { isInteractive } from './terminal.ts'

export async function login({ flags }: Call): Promise<Shown> {
  const baseUrl = await readBaseUrl(flags)
  const credentials = await readCredentials(flags)
  const { recaudo } = await openClient(
    {},
    { baseUrl, credentials, source: 'what was given', baseUrlSource: '--base-url' },
  )
  const name = await recaudo.organization.get().then(
    (organization) => organization.name,
    // A key without the scope to read this is still valid.
    (error: { status?: number }) => {
      if (error.status !== 403) throw error
      return undefined
    },
  )
  const environment = await environmentOf(baseUrl)
  const { listenSecret } = readStoredOrEmpty()
  writeStoredCredentials({ baseUrl, ...credentials, ...(listenSecret !== undefined && { listenSecret }) })
  const file = credentialsFile()
  return {
    json: { baseUrl, environment, organization: name ?? null, file },
    text: () =>
      `Signed in${name === undefined ? '' : ` as ${name}`} on ${baseUrl}${environment === undefined ? '' : ` (${environment})`}. Kept in ${file}.`,
  }
}

export async function logout(): Promise<Shown> {
  const forgotten = deleteStoredCredentials()
  const file = credentialsFile()
  return {
    json: { forgotten, file },
    text: () => (forgotten ? `Signed out: ${file} is deleted.` : 'There was nothing to forget.'),
  }
}

// A damaged file is treated as empty, and login replaces it.
function readStoredOrEmpty(): ReturnType<typeof readStoredCredentials> {
  try {
    return readStoredCredentials()
  } catch {
    return {}
  }
}

async function readBaseUrl(flags: Flags): Promise<string> {
  const givenUrl = flags['base-url'] ?? setting('RECAUDO_BASE_URL')
  const baseUrl =
    typeof givenUrl === 'string'
      ? givenUrl
      : (isInteractive() &&
          !hasCredentials(flags) &&
          (await ask(`Address of the server [${DEFAULT_BASE_URL}]: `))) ||
        DEFAULT_BASE_URL
  checkBaseUrl(baseUrl, flags['base-url'] === undefined ? 'RECAUDO_BASE_URL' : '--base-url')
  return baseUrl
}

async function readCredentials(flags: Flags): Promise<Credentials> {
  const { 'api-key': apiKey, 'client-id': clientId, 'client-secret': clientSecret } = flags
  if (typeof apiKey === 'string') {
    if (clientId !== undefined || clientSecret !== undefined)
      throw usageFailure('Give --api-key, or --client-id and --client-secret, not both.')
    return { apiKey: checkedCredential('The API key', await valueOrStdin(apiKey)) }
  }
  if (typeof clientId === 'string') {
    const secret =
      typeof clientSecret === 'string'
        ? await valueOrStdin(clientSecret)
        : isInteractive()
          ? await ask('Client secret: ', true)
          : undefined
    if (secret === undefined)
      throw usageFailure('--client-secret is required with --client-id; - reads it from standard input.')
    return {
      clientId: checkedCredential('The client id', clientId),
      clientSecret: checkedCredential('The client secret', secret),
    }
  }
  if (clientSecret !== undefined) throw usageFailure('--client-id is required with --client-secret.')
  if (!isInteractive())
    throw usageFailure('Give --api-key (- reads it from standard input), or --client-id and --client-secret.')
  return { apiKey: checkedCredential('The API key', await ask('API key: ', true)) }
}

function hasCredentials(flags: Flags): boolean {
  return flags['api-key'] !== undefined || flags['client-id'] !== undefined
}

async function valueOrStdin(value: string): Promise<string> {
  if (value !== '-') return value
  const { readFileSync } = await import('node:fs')
  return readFileSync(0, 'utf8').trim()
}

// Secrets are not echoed while they are typed.
async function ask(question: string, isSecret = false): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline/promises'),
    import('node:stream'),
  ])
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? discard : process.stderr,
    terminal: true,
  })
  try {
    if (isSecret) process.stderr.write(question)
    const answer = await lines.question(question)
    if (isSecret) process.stderr.write('\n')
    return answer.trim()
  } finally {
    lines.close()
  }
}
