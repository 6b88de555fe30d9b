// recaudo signing-key: replaces the keys that sign access tokens.

import { newSigningKey } from '../api/http/signing-keys.ts'
import { isoInstant } from '../core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../core/organizations/organization.ts'
import {
  ACCESS_TOKEN_MS,
  PUBLISHED_AHEAD_MS,
  publishedAmong,
  signerAmong,
} from '../core/organizations/signing-key.ts'
import type { Context } from '../flows/context.ts'
import { recordAct } from '../flows/record-act.ts'
import type { Queryable } from '../store/db.ts'
import { insertSigningKey, listSigningKeys } from '../store/organizations/credentials.ts'
import { retireOtherSigningKeys } from '../store/organizations/retired-signing-keys.ts'
import { requireOwner } from './database.ts'
import type { Flags, Row } from './flags.ts'
import { takeSecretsKey } from './secrets.ts'

export async function showSigningKeys(ctx: Context): Promise<Row[]> {
  const now = ctx.clock.now()
  const keys = await listSigningKeys(ctx.db)
  const signer = signerAmong(keys, now)
  return publishedAmong(keys, now).map(({ keyId, createdAt }) => ({
    keyId,
    createdAt: isoInstant(createdAt),
    state:
      keyId === signer?.keyId ? 'signs' : createdAt > (signer?.createdAt ?? 0) ? 'signs next' : 'verifies',
  }))
}

export async function rotateSigningKeys(ctx: Context, flags: Flags): Promise<Row> {
  if (flags.now === true) await requireOwner(ctx.db, 'signing-key rotate --now')
  await takeSecretsKey(ctx)
  const key = await newSigningKey(ctx)
  const { keyId, createdAt } = key
  if (flags.now !== true) {
    await ctx.db.inTransaction(async (tx) => {
      await insertSigningKey(tx, key)
      await recordRotation(ctx, tx, keyId, 0)
    })
    const signsFrom = createdAt + PUBLISHED_AHEAD_MS
    return {
      keyId,
      signsFrom: isoInstant(signsFrom),
      oldTokensWorkUntil: isoInstant(signsFrom + ACCESS_TOKEN_MS),
    }
  }
  const retired = await ctx.db.inTransaction(async (tx) => {
    await insertSigningKey(tx, key)
    const others = await retireOtherSigningKeys(tx, keyId, ctx.clock.now())
    await recordRotation(ctx, tx, keyId, others)
    return others
  })
  return { keyId, signsFrom: isoInstant(createdAt), retired }
}

function recordRotation(ctx: Context, tx: Queryable, keyId: string, retired: number): Promise<void> {
  const act = { act: 'signingkey.rotate', before: null, after: { keyId, retired } } as const
  return recordAct(ctx, tx, { ...act, organizationId: UNATTRIBUTED_ORGANIZATION, objectId: keyId })
}
