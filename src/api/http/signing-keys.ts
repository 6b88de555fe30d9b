// The keys that sign access tokens, as this process knows them. All processes share them, sealed in the database. Whoever gets or
// uses a token has them read again, at most once a second and without waiting: a key that another process made is known here
// before it signs (core/organizations/signing-key.ts), and one that was retired is forgotten within about a second.

import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { publishedAmong, signerAmong, signingKeyLabel } from '../../core/organizations/signing-key.ts'
import { openSecret, SEAL_NONCE_BYTES, sealSecret } from '../../core/seal.ts'
import type { Needs } from '../../flows/context.ts'
import { listSigningKeys, type SigningKey } from '../../store/organizations/credentials.ts'

export const TOKEN_ALGORITHM = 'EdDSA'
const RELOAD_INTERVAL_MS = 1_000

// The configured SECRETS_KEY is not the one that sealed the stored signing keys.
export class WrongSecretsKey extends Error {
  override name = 'WrongSecretsKey'
}

type PrivateKey = Awaited<ReturnType<typeof importJWK>>
type Published = { readonly jwks: JWK[]; readonly keySet: ReturnType<typeof createLocalJWKSet> }

export type SigningKeys = {
  readonly signer: () => Promise<{ keyId: string; privateKey: PrivateKey }>
  readonly published: () => Published
  readonly isValid: (keyId: string) => boolean
  // False if they were read a moment ago.
  readonly reload: () => Promise<boolean>
}

export async function followSigningKeys(ctx: Needs<'clock' | 'db' | 'settings'>): Promise<SigningKeys> {
  let keys = await listSigningKeys(ctx.db)
  let loadedAtMs = Number.NEGATIVE_INFINITY
  let published = publish(keys)
  let opened = await openSigner(ctx, signerOf(keys, ctx.clock.now()))

  let loading: Promise<boolean> | undefined

  const load = async (): Promise<boolean> => {
    const startedAtMs = performance.now()
    try {
      keys = await listSigningKeys(ctx.db)
      // What failed may be tried again at once.
      loadedAtMs = startedAtMs
      return true
    } finally {
      loading = undefined
    }
  }
  // Whoever comes while they are being read waits for the same.
  const reload = async (): Promise<boolean> => {
    if (performance.now() - loadedAtMs < RELOAD_INTERVAL_MS) return false
    loading ??= load()
    return loading
  }
  // While the database is away, what is known goes on.
  const reloadLater = (): void => void reload().catch(() => {})

  return {
    reload,
    signer: async () => {
      reloadLater()
      const signer = signerOf(keys, ctx.clock.now())
      if (opened.keyId !== signer.keyId) opened = await openSigner(ctx, signer)
      return opened
    },
    isValid: (keyId) => {
      reloadLater()
      return publishedAmong(keys, ctx.clock.now()).some((key) => key.keyId === keyId)
    },
    published: () => {
      const now = publishedAmong(keys, ctx.clock.now())
      const isSame =
        now.length === published.jwks.length &&
        now.every(({ keyId }, at) => published.jwks[at]?.kid === keyId)
      if (!isSame) published = publish(now)
      return published
    },
  }
}

function signerOf(keys: readonly SigningKey[], now: number): SigningKey {
  const signer = signerAmong(keys, now)
  if (signer === undefined) throw new Error('there is no key to sign access tokens with')
  return signer
}

function publish(keys: readonly SigningKey[]): Published {
  const jwks = keys.map(
    ({ keyId, publicJwk }) => ({ ...publicJwk, kid: keyId, alg: TOKEN_ALGORITHM, use: 'sig' }) as JWK,
  )
  return { jwks, keySet: createLocalJWKSet({ keys: jwks }) }
}

export async function newSigningKey(ctx: Needs<'clock' | 'ids' | 'settings'>): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(TOKEN_ALGORITHM, {
    crv: 'Ed25519',
    extractable: true,
  })
  const keyId = randomUUID()
  const secret = Buffer.from(JSON.stringify(await exportJWK(privateKey)))
  const nonce = ctx.ids.randomBytes(SEAL_NONCE_BYTES)
  return {
    keyId,
    publicJwk: (await exportJWK(publicKey)) as Record<string, unknown>,
    sealedPrivate: sealSecret(ctx.settings.keys.rest, secret, signingKeyLabel(keyId), nonce),
    createdAt: ctx.clock.now(),
  }
}

async function openSigner(
  ctx: Needs<'settings'>,
  key: SigningKey,
): Promise<{ keyId: string; privateKey: PrivateKey }> {
  const secret = openSecret(ctx.settings.keys.rest, key.sealedPrivate, signingKeyLabel(key.keyId))
  if (secret === undefined) {
    throw new WrongSecretsKey(
      'SECRETS_KEY is not the one this database was set up with. Give every process the same SECRETS_KEY (or DATA_DIR).',
    )
  }
  return {
    keyId: key.keyId,
    privateKey: await importJWK(JSON.parse(secret.toString()) as JWK, TOKEN_ALGORITHM),
  }
}
