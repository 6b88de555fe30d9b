// Access tokens: JWTs signed with EdDSA, by keys that all nodes share (signing-keys.ts). The public halves are published, so that
// others can verify a token without calling us.

import { type JWK, jwtVerify, SignJWT } from 'jose'
import { isScope, type Scope } from '../../core/organizations/scope.ts'
import { ACCESS_TOKEN_MS } from '../../core/organizations/signing-key.ts'
import type { Context } from '../../flows/context.ts'
import { insertFirstSigningKey, listSigningKeys } from '../../store/organizations/credentials.ts'
import { followSigningKeys, newSigningKey, TOKEN_ALGORITHM } from './signing-keys.ts'

export const ACCESS_TOKEN_SECONDS = ACCESS_TOKEN_MS / 1_000

export type TokenClaims = {
  keyId: string
  clientId: string
  scopes: Scope[] | null
  expiresAtSeconds: number
}

export type AccessTokens = {
  issue: (client: { clientId: string; organizationId: string; scopes: Scope[] | null }) => Promise<string>
  // Undefined if the token is not ours, was altered or has expired.
  verify: (token: string) => Promise<TokenClaims | undefined>
  // Whether the key that signed a verified token is still one of ours.
  isValidKey: (keyId: string) => boolean
  publicKeys: () => Promise<{ keys: JWK[] }>
}

export async function openAccessTokens(ctx: Context): Promise<AccessTokens> {
  if ((await listSigningKeys(ctx.db)).length === 0)
    await insertFirstSigningKey(ctx.db, await newSigningKey(ctx))
  const keys = await followSigningKeys(ctx)

  const check = async (token: string): Promise<TokenClaims> => {
    const { payload, protectedHeader } = await jwtVerify(token, keys.published().keySet, {
      algorithms: [TOKEN_ALGORITHM],
      issuer: ctx.settings.publicUrl,
      audience: ctx.settings.publicUrl,
      currentDate: new Date(ctx.clock.now()),
    })
    const scopes = typeof payload.scope === 'string' ? payload.scope.split(' ').filter(isScope) : null
    const keyId = protectedHeader.kid as string
    return { keyId, clientId: payload.sub as string, scopes, expiresAtSeconds: payload.exp as number }
  }

  return {
    issue: async ({ clientId, organizationId, scopes }) => {
      const { keyId, privateKey } = await keys.signer()
      const nowSeconds = Math.floor(ctx.clock.now() / 1_000)
      return new SignJWT({ organizationId, ...(scopes && { scope: scopes.join(' ') }) })
        .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: keyId, typ: 'at+jwt' })
        .setIssuer(ctx.settings.publicUrl)
        .setAudience(ctx.settings.publicUrl)
        .setSubject(clientId)
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + ACCESS_TOKEN_SECONDS)
        .setJti(ctx.ids.next())
        .sign(privateKey)
    },
    verify: async (token) => {
      try {
        return await check(token)
      } catch (error) {
        if ((error as { code?: string }).code !== 'ERR_JWKS_NO_MATCHING_KEY' || !(await keys.reload()))
          return undefined
        return check(token).catch(() => undefined)
      }
    },
    isValidKey: keys.isValid,
    publicKeys: async () => {
      await keys.reload()
      return { keys: keys.published().jwks }
    },
  }
}
