// What the team's tables hold sealed with SECRETS_KEY: the secrets of authenticator apps, and the tokens of invitations whose
// e-mails wait.

import { openSecret, SEAL_NONCE_BYTES, sealSecret } from '../../core/seal.ts'
import type { Needs } from '../context.ts'

export function totpLabel(userId: string): string {
  return `totp ${userId}`
}

export function invitationLabel(invitationId: string): string {
  return `invitation ${invitationId}`
}

export function sealFor(ctx: Needs<'ids' | 'settings'>, secret: Buffer, label: string): Buffer {
  return sealSecret(ctx.settings.keys.rest, secret, label, ctx.ids.randomBytes(SEAL_NONCE_BYTES))
}

export function openFor(ctx: Needs<'settings'>, sealed: Buffer, label: string): Buffer {
  const secret = openSecret(ctx.settings.keys.rest, sealed, label)
  if (secret === undefined) throw new Error(`a secret does not open with SECRETS_KEY: ${label}`)
  return secret
}
