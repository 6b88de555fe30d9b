// Checks a client's settings when it is created, so that a mistake is reported where it was made and not at the first
// call.

import { RecaudoError } from './errors.ts'

export type Credentials = { apiKey: string } | { clientId: string; clientSecret: string }

type Read = {
  readonly apiKey?: string
  readonly client?: { grant_type: 'client_credentials'; client_id: string; client_secret: string }
  // Shows whether it is for staging or production: `rk_stg_…`, `rc_live_…`.
  readonly label: string
}

const DEFAULT_BASE_URL = 'http://127.0.0.1:4000'

export function readCredentials(given: Credentials): Read {
  const readText = (name: string): string => {
    const value = (given as Partial<Record<string, string>> | undefined)?.[name]
    // Headers allow no other characters, and no credential has any.
    if (value && /^[!-~]+$/.test(value)) return value
    throw new RecaudoError(`${name} is missing or has blanks in it: check the variable it comes from.`)
  }
  if (!given || !('clientId' in given)) return { apiKey: readText('apiKey'), label: readText('apiKey') }
  const client_id = readText('clientId')
  const client = {
    grant_type: 'client_credentials' as const,
    client_id,
    client_secret: readText('clientSecret'),
  }
  return { client, label: client_id }
}

/** Without an address of the caller's it is `RECAUDO_BASE_URL` of the environment, where the runtime has one. */
export function readBaseUrl(given: string = environment().RECAUDO_BASE_URL || DEFAULT_BASE_URL): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RecaudoError(`baseUrl must be like https://pay.example.com, not ${JSON.stringify(given)}.`)
  return url.origin + url.pathname.replace(/\/+$/, '')
}

// By name, because browsers and Workers have no such variable.
function environment(): Partial<Record<string, string>> {
  return Reflect.get(globalThis, 'process')?.env ?? {}
}
