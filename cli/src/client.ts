// Creates the API client for commands from the current sign-in.

import type { ClientOptions, Recaudo } from '@recaudo/sdk'
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

export async function openTeam({ baseUrl, credentials } = readSignIn()): Promise<Team> {
  const { Team } = await import('@recaudo/sdk/team')
  return new Team(credentials, { baseUrl, maxRetries: MAX_RETRIES })
}

export function callOptions({ flags }: Call): { idempotencyKey?: string } {
  const key = flags['idempotency-key']
  return typeof key === 'string' ? { idempotencyKey: key } : {}
}
