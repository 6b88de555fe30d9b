// Signs statements about payments with the keys that sign access tokens, and lists every key that ever did. Only statements are
// signed here: their first line is one that no token has (core/receipts/check.ts). Keys are read again after a second, so a
// key that was made or retired elsewhere counts here as soon as it does for tokens.

import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Instant } from '../../core/instant.ts'
import { isoOrNull } from '../../core/instant.ts'
import { signerAmong, signingKeyLabel } from '../../core/organizations/signing-key.ts'
import type { StatementKey } from '../../core/receipts/check.ts'
import { type StatementFields, signedBytes, unsignedStatement } from '../../core/receipts/statement.ts'
import { openSecret, type SealingKey } from '../../core/seal.ts'
import type { Db } from '../../store/db.ts'
import { listStatementKeys, type StatementKeyRow } from '../../store/organizations/statement-keys.ts'

export type Statements = {
  readonly sign: (receiptId: string, facts: StatementFields) => Promise<string>
  readonly keys: () => Promise<StatementKey[]>
}

type Options = { readonly db: Db; readonly sealingKey: SealingKey; readonly now: () => Instant }

const KEPT_MS = 1_000

export function createStatements({ db, sealingKey, now }: Options): Statements {
  let loaded: { at: Instant; rows: Promise<StatementKeyRow[]> } | undefined
  let opened: { keyId: string; privateKey: KeyObject } | undefined

  const rows = (): Promise<StatementKeyRow[]> => {
    if (loaded === undefined || Math.abs(now() - loaded.at) >= KEPT_MS) {
      const reading = { at: now(), rows: listStatementKeys(db) }
      loaded = reading
      // What failed is tried again at once.
      reading.rows.catch(() => {
        if (loaded === reading) loaded = undefined
      })
    }
    return loaded.rows
  }

  const signer = async (): Promise<{ keyId: string; privateKey: KeyObject }> => {
    const inUse = (await rows()).filter(({ retiredAt }) => retiredAt === null)
    const key = signerAmong(inUse, now())
    if (key === undefined) throw new Error('there is no key to sign with')
    if (opened?.keyId !== key.keyId) opened = { keyId: key.keyId, privateKey: open(sealingKey, key) }
    return opened
  }

  return {
    sign: async (receiptId, facts) => {
      const { keyId, privateKey } = await signer()
      const unsigned = unsignedStatement(keyId, receiptId, facts)
      return `${unsigned}.${sign(null, signedBytes(unsigned), privateKey).toString('base64url')}`
    },
    keys: async () =>
      (await rows()).map(({ keyId, publicJwk, retiredAt }) => ({
        kid: keyId,
        x: publicJwk.x as string,
        retiredAt: isoOrNull(retiredAt),
      })),
  }
}

function open(sealingKey: SealingKey, { keyId, sealedPrivate }: StatementKeyRow): KeyObject {
  const secret = openSecret(sealingKey, sealedPrivate, signingKeyLabel(keyId))
  if (secret === undefined) throw new Error('SECRETS_KEY does not open the key that signs')
  return createPrivateKey({ key: JSON.parse(secret.toString()), format: 'jwk' })
}
