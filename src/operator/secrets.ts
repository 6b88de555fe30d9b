// recaudo secrets: changes SECRETS_KEY while the service runs.

import type { Context, Needs } from '../flows/context.ts'
import { adoptSecretsKey, rotateSecretsKey } from '../flows/secrets-key.ts'
import { requireOwner } from './database.ts'
import { OperatorFailure } from './failure.ts'
import type { Row } from './flags.ts'

// From here on this process seals with the key that all others seal with.
export async function takeSecretsKey(ctx: Needs<'clock' | 'db' | 'settings'>): Promise<void> {
  const problem = await adoptSecretsKey(ctx)
  if (problem !== undefined) throw new OperatorFailure(problem)
}

export async function rotateSecrets(ctx: Context): Promise<Row[]> {
  await requireOwner(ctx.db, 'secrets rotate')
  await takeSecretsKey(ctx)
  return (await rotateSecretsKey(ctx)).map(({ place, resealed, unreadable }) => ({
    sealed: place,
    resealed,
    unreadable,
  }))
}
