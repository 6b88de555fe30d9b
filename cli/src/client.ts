// The client that commands talk through, made of whoever is signed in.

import type { ClientOptions, Recaudo } from '@recaudo/sdk'
import type { Call } from './command.ts'
import { readSignIn, type SignIn } from './credentials.ts'

// A person waits: enough for a server that restarts its connection, not for one that is away.
const MAX_RETRIES = 2

export type Client = { readonly recaudo: Recaudo; readonly signIn: SignIn }

export async function openClient(options: ClientOptions = {}, signIn = readSignIn()): Promise<Client> {
  const { Recaudo } = await import('@recaudo/sdk')
  const { baseUrl, credentials } = signIn
  return { recaudo: new Recaudo(credentials, { baseUrl, maxRetries: MAX_RETRIES, ...options }), signIn }
}

export function callOptions({ flags }: Call): { idempotencyKey?: string } {
  const key = flags['idempotency-key']
  return typeof key === 'string' ? { idempotencyKey: key } : {}
}
