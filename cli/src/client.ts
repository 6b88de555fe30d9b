// Creates the API client for commands from the current sign-in.

import type { ClientOptions, Recaudo } from '@recaudo/sdk'
import type { Administration } from '@recaudo/sdk/administration'
import type { Team } from '@recaudo/sdk/team'
import type { Call } from './command.ts'
import { readSignIn, type SignIn } from './credentials.ts'

// A person is waiting. This is enough for a dropped connection, but does not wait for a server that is down.
const MAX_RETRIES = 2

export type Client = { readonly recaudo: Recaudo; readonly signIn: SignIn }

export async function openClient(options: ClientOptions = {}, signIn = readSignIn()): Promise<Client> {
  const { Recaudo } = await import('@recaudo/sdk')
  const { baseUrl, credentials } = signIn
  return { recaudo: new Recaudo(credentials, { baseUrl, maxRetries: MAX_RETRIES, ...options }), signIn }
}

// For keys, clients and alarms.
export async function openAdministration(
  options: ClientOptions = {},
  signIn = readSignIn(),
): Promise<Administration> {
  const { Administration } = await import('@recaudo/sdk/administration')
  const { baseUrl, credentials } = signIn
  return new Administration(credentials, { baseUrl, maxRetries: MAX_RETRIES, ...options })
}

export async function openTeam({ baseUrl, credentials } = readSignIn()): Promise<Team> {
  const { Team } = await import('@recaudo/sdk/team')
  return new Team(credentials, { baseUrl, maxRetries: MAX_RETRIES })
}

export function callOptions({ flags }: Call): { idempotencyKey?: string } {
  const key = flags['idempotency-key']
  return typeof key === 'string' ? { idempotencyKey: key } : {}
}
