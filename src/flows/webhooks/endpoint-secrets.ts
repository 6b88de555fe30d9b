// What an endpoint's events are signed with, opened: its secret and, where it has one, its Ed25519 key. During a rotation those
// before them sign too.

import { openSecret, SEAL_NONCE_BYTES, sealSecret } from '../../core/seal.ts'
import type { WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import type { Needs } from '../context.ts'

export type EndpointSecrets = { readonly secrets: Buffer[]; readonly signingSeeds: Buffer[] }

export function endpointSecrets(
  ctx: Needs<'clock' | 'settings'>,
  endpoint: WebhookEndpoint,
): EndpointSecrets {
  const { endpointId, sealedSecret, sealedPrevious, sealedSigningKey, sealedPreviousKey, previousUntil } =
    endpoint
  const isRotating = (previousUntil ?? 0) > ctx.clock.now()
  const open = (label: string, sealed: readonly (Buffer | null)[]): Buffer[] =>
    sealed
      .filter((one) => one !== null)
      .map((one) => {
        const opened = openSecret(ctx.settings.keys.rest, one, label)
        if (opened === undefined)
          throw new Error('the secret of a webhook endpoint does not open with SECRETS_KEY')
        return opened
      })
  const secrets = open(secretLabel(endpointId), [sealedSecret, isRotating ? sealedPrevious : null])
  return {
    secrets: secrets.map((secret) => ctx.settings.webhooks.secretBytes(secret.toString('utf8'))),
    signingSeeds: open(signingKeyLabel(endpointId), [
      sealedSigningKey,
      isRotating ? sealedPreviousKey : null,
    ]),
  }
}

export function sealWebhookSecret(
  ctx: Needs<'ids' | 'settings'>,
  endpointId: string,
  secret: string,
): Buffer {
  return seal(ctx, Buffer.from(secret), secretLabel(endpointId))
}

// A new Ed25519 key for an endpoint that is to have one.
export function newSealedSigningKey(
  ctx: Needs<'ids' | 'settings'>,
  endpointId: string,
  wanted: boolean,
): Pick<WebhookEndpoint, 'publicKey' | 'sealedSigningKey'> {
  if (!wanted) return { publicKey: null, sealedSigningKey: null }
  const { seed, publicKey } = ctx.settings.webhooks.newSigningKey()
  return { publicKey, sealedSigningKey: seal(ctx, seed, signingKeyLabel(endpointId)) }
}

function seal(ctx: Needs<'ids' | 'settings'>, secret: Buffer, label: string): Buffer {
  return sealSecret(ctx.settings.keys.rest, secret, label, ctx.ids.randomBytes(SEAL_NONCE_BYTES))
}

function secretLabel(endpointId: string): string {
  return `webhook ${endpointId}`
}

function signingKeyLabel(endpointId: string): string {
  return `webhook signing key ${endpointId}`
}
