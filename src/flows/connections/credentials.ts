// A connection's credentials: sealed where they are stored, opened only to call the provider and to check what it sends.

import type { Connection, Credentials } from '../../core/connections/connection.ts'
import { PROVIDER_DESCRIPTIONS } from '../../core/connections/provider.ts'
import { openSecret, SEAL_NONCE_BYTES, sealSecret } from '../../core/seal.ts'
import type { Needs } from '../context.ts'

export function sealCredentials(
  ctx: Needs<'ids' | 'settings'>,
  connectionId: string,
  credentials: Credentials,
): Buffer {
  const text = Buffer.from(JSON.stringify(credentials))
  return sealSecret(
    ctx.settings.keys.rest,
    text,
    credentialsLabel(connectionId),
    ctx.ids.randomBytes(SEAL_NONCE_BYTES),
  )
}

// Undefined: they do not open with this SECRETS_KEY.
export function openCredentials(
  keys: Needs<'settings'>['settings']['keys'],
  connectionId: string,
  sealed: Buffer,
): Credentials | undefined {
  const text = openSecret(keys.rest, sealed, credentialsLabel(connectionId))
  return text && (JSON.parse(text.toString('utf8')) as Credentials)
}

export function credentialsLabel(connectionId: string): string {
  return `connection ${connectionId}`
}

// What was given, and the provider's usual values for the rest.
export function withDefaults(
  { provider, environment }: Pick<Connection, 'provider' | 'environment'>,
  given: Credentials,
): Credentials {
  const usual = PROVIDER_DESCRIPTIONS[provider].fields.flatMap(({ name, defaults }) => {
    const value = defaults?.[environment]
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(usual), ...given }
}
