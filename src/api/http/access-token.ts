// Access tokens: JWTs signed with EdDSA. All nodes share the signing keys, which are stored sealed in the database. The
// public keys are published, so that others can verify a token without calling us.

import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { isScope, type Scope } from '../../core/organizations/scope.ts'
import { openSecret, sealSecret } from '../../core/seal.ts'
import type { Context } from '../../flows/context.ts'
import {
  insertFirstSigningKey,
  listSigningKeys,
  type SigningKey,
} from '../../store/organizations/credentials.ts'

export const ACCESS_TOKEN_SECONDS = 3_600
const ALGORITHM = 'EdDSA'
const SEAL_LABEL = 'signing-key'
// An unknown key id reloads the keys, but at most this often, so that invented ids do not flood the database.
const RELOAD_INTERVAL_MS = 1_000

export type TokenClaims = { clientId: string; scopes: Scope[] | null; expiresAtSeconds: number }

export type AccessTokens = {
  issue: (client: { clientId: string; organizationId: string; scopes: Scope[] | null }) => Promise<string>
  // Undefined if the token is not ours, was altered or has expired.
  verify: (token: string) => Promise<TokenClaims | undefined>
  publicKeys: () => { keys: JWK[] }
}

// The configured SECRETS_KEY is not the one that sealed the stored signing keys.
export class WrongSecretsKey extends Error {
  override name = 'WrongSecretsKey'
}

export async function openAccessTokens(ctx: Context): Promise<AccessTokens> {
  let keys = await listSigningKeys(ctx.db)
  if (keys.length === 0) {
    await insertFirstSigningKey(ctx.db, await newSigningKey(ctx), ctx.clock.now())
    keys = await listSigningKeys(ctx.db)
  }
  const [newest] = keys
  if (newest === undefined) throw new Error('a signing key was just written and is not there')
  const signer = await openSigner(ctx, newest)
  let keySet = createLocalJWKSet({ keys: keys.map(publicJwk) })
  let reloadedAtMs = Number.NEGATIVE_INFINITY

  const reload = async (): Promise<boolean> => {
    if (performance.now() - reloadedAtMs < RELOAD_INTERVAL_MS) return false
    reloadedAtMs = performance.now()
    keys = await listSigningKeys(ctx.db)
    keySet = createLocalJWKSet({ keys: keys.map(publicJwk) })
    return true
  }

  const check = async (token: string): Promise<TokenClaims> => {
    const { payload } = await jwtVerify(token, keySet, {
      algorithms: [ALGORITHM],
      issuer: ctx.settings.publicUrl,
      audience: ctx.settings.publicUrl,
      currentDate: new Date(ctx.clock.now()),
    })
    const scopes = typeof payload.scope === 'string' ? payload.scope.split(' ').filter(isScope) : null
    return { clientId: payload.sub as string, scopes, expiresAtSeconds: payload.exp as number }
  }

  return {
    issue: async ({ clientId, organizationId, scopes }) => {
      const nowSeconds = Math.floor(ctx.clock.now() / 1_000)
      return new SignJWT({ organizationId, ...(scopes && { scope: scopes.join(' ') }) })
        .setProtectedHeader({ alg: ALGORITHM, kid: newest.keyId, typ: 'at+jwt' })
        .setIssuer(ctx.settings.publicUrl)
        .setAudience(ctx.settings.publicUrl)
        .setSubject(clientId)
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + ACCESS_TOKEN_SECONDS)
        .setJti(ctx.ids.next())
        .sign(signer)
    },
    verify: async (token) => {
      try {
        return await check(token)
      } catch (error) {
        if ((error as { code?: string }).code !== 'ERR_JWKS_NO_MATCHING_KEY' || !(await reload()))
          return undefined
        return check(token).catch(() => undefined)
      }
    },
    publicKeys: () => ({ keys: keys.map(publicJwk) }),
  }
}

function publicJwk(key: SigningKey): JWK {
  return { ...key.publicJwk, kid: key.keyId, alg: ALGORITHM, use: 'sig' } as JWK
}

async function newSigningKey(ctx: Context): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  const keyId = randomUUID()
  const secret = Buffer.from(JSON.stringify(await exportJWK(privateKey)))
  return {
    keyId,
    publicJwk: (await exportJWK(publicKey)) as Record<string, unknown>,
    sealedPrivate: sealSecret(
      ctx.settings.keys.rest,
      secret,
      `${SEAL_LABEL} ${keyId}`,
      ctx.ids.randomBytes(12),
    ),
  }
}

async function openSigner(ctx: Context, key: SigningKey) {
  const secret = openSecret(ctx.settings.keys.rest, key.sealedPrivate, `${SEAL_LABEL} ${key.keyId}`)
  if (secret === undefined) {
    throw new WrongSecretsKey(
      'SECRETS_KEY is not the one this database was set up with. Give every process the same SECRETS_KEY (or DATA_DIR).',
    )
  }
  return importJWK(JSON.parse(secret.toString()) as JWK, ALGORITHM)
}
