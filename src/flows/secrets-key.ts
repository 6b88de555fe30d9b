// SECRETS_KEY, and how it is changed without stopping: every process is given both keys and goes on sealing with the one before; then
// one command makes the new one seal and seals everything anew; then every process is given the new one alone. The database says which
// one seals, so that no process meets a secret that it cannot open.

import { setTimeout as delay } from 'node:timers/promises'
import { UNATTRIBUTED_ORGANIZATION } from '../core/organizations/organization.ts'
import {
  isSealedWithCurrent,
  openSecret,
  SEAL_NONCE_BYTES,
  type SealingKeys,
  sealSecret,
} from '../core/seal.ts'
import type { Queryable } from '../store/db.ts'
import {
  activateSecretsKey,
  activeSecretsKey,
  finishSecretsKey,
  insertFirstSecretsKey,
  listSealed,
  replaceSealed,
  SEALED_PLACES,
  type SealedPlace,
  type SealedValue,
} from '../store/secrets.ts'
import { credentialsLabel } from './connections/credentials.ts'
import type { Needs } from './context.ts'
import { dataKeyLabel } from './people/key-wrapper.ts'
import { recordAct } from './record-act.ts'
import { invitationLabel, totpLabel } from './team/sealed-secrets.ts'

// How often a process looks which key seals. It is also told.
export const SECRETS_KEY_POLL_MS = 1_000
const ROWS_PER_PAGE = 500

// Seals with the key that the database names. Returns what the operator must do instead, if this process cannot have it.
export async function adoptSecretsKey(ctx: Needs<'clock' | 'db' | 'settings'>): Promise<string | undefined> {
  const { keys } = ctx.settings
  const active = (await activeSecretsKey(ctx.db)) ?? (await adoptFirst(ctx))
  const [newest = ''] = keys.keyIds
  if (active === undefined || !keys.keyIds.includes(active.keyId)) return otherKey(active?.keyId, newest)
  if (!active.isFinished && keys.keyIds.length === 1) return HALF_ROTATED
  keys.sealWith(active.keyId)
  return undefined
}

function otherKey(activeId: string | undefined, givenId: string): string {
  const ids = activeId === undefined ? '' : ` Its id is ${activeId}, and that of the given one ${givenId}.`
  return (
    `SECRETS_KEY is not the one this database was set up with.${ids} Give every process the same SECRETS_KEY (or DATA_DIR). ` +
    'To change it, set SECRETS_KEY_PREVIOUS to the key there was, restart every process, and run `recaudo secrets rotate`. Nothing was changed.'
  )
}

const HALF_ROTATED =
  'SECRETS_KEY was changed, and some secrets are still sealed under the one before. Set SECRETS_KEY_PREVIOUS to that one again ' +
  'and run `recaudo secrets rotate` until it has finished. Nothing is lost.'

// A database from before keys had ids, or a new one. What is sealed there tells which key it is.
async function adoptFirst(ctx: Needs<'clock' | 'db' | 'settings'>) {
  const keyId = await keyIdOfStored(ctx)
  if (keyId === undefined) return undefined
  await insertFirstSecretsKey(ctx.db, keyId, ctx.clock.now())
  return activeSecretsKey(ctx.db)
}

// Undefined if no key opens what is stored.
async function keyIdOfStored({ db, settings }: Needs<'db' | 'settings'>): Promise<string | undefined> {
  const { keys } = settings
  for (const place of PLACES) {
    const [value] = await listSealed(db, place, null, 1)
    if (value === undefined) continue
    const at = keys.rest.accepted.findIndex((one) => {
      const alone = { current: one, accepted: [one] }
      return openSecret(alone, bytesOf(value), LABELS[place](value.key)) !== undefined
    })
    return keys.keyIds[at]
  }
  return keys.keyIds[0]
}

export type SecretsKeyFollower = {
  // Resolves with what the operator must do, once a key seals that this process was not given. It seals nothing from then on, and
  // can open less and less: it has to end.
  readonly lost: Promise<string>
  readonly stop: () => void
}

// Other processes may make another key seal.
export function followSecretsKey(ctx: Needs<'db' | 'settings' | 'signals'>): SecretsKeyFollower {
  const { keys } = ctx.settings
  const lost = Promise.withResolvers<string>()
  const look = async (): Promise<void> => {
    const active = await activeSecretsKey(ctx.db)
    if (active === undefined) return
    if (keys.keyIds.includes(active.keyId)) keys.sealWith(active.keyId)
    else {
      keys.stopSealing()
      lost.resolve(otherKey(active.keyId, keys.keyIds[0] as string))
    }
  }
  const quietly = (): void => void look().catch(() => {})
  ctx.signals.onWork((kind) => {
    if (kind === 'secrets') quietly()
  })
  const timer = setInterval(quietly, SECRETS_KEY_POLL_MS).unref()
  return { lost: lost.promise, stop: () => clearInterval(timer) }
}

const LABELS: Readonly<Record<SealedPlace, (key: readonly string[]) => string>> = {
  'signing keys': ([keyId]) => `signing-key ${keyId}`,
  'connection credentials': ([, connectionId]) => credentialsLabel(connectionId as string),
  'earlier connection credentials': ([, connectionId]) => credentialsLabel(connectionId as string),
  'data keys': ([organizationId, version]) => dataKeyLabel(organizationId as string, Number(version)),
  'webhook secrets': ([, endpointId]) => `webhook ${endpointId}`,
  'earlier webhook secrets': ([, endpointId]) => `webhook ${endpointId}`,
  'webhook signing keys': ([, endpointId]) => `webhook signing key ${endpointId}`,
  'earlier webhook signing keys': ([, endpointId]) => `webhook signing key ${endpointId}`,
  'authenticator apps': ([userId]) => totpLabel(userId as string),
  'invitations to be sent': ([invitationId]) => invitationLabel(invitationId as string),
  'kept answers': ([organizationId, key]) => `answer ${organizationId} ${key}`,
}
const PLACES = Object.keys(SEALED_PLACES) as SealedPlace[]

export type Resealed = { readonly place: SealedPlace; readonly resealed: number; readonly unreadable: number }

// Makes the first of the keys seal, and seals everything anew under it. May be run again at any time: what is done is left alone.
export async function rotateSecretsKey(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'signals'>,
): Promise<Resealed[]> {
  const keyId = ctx.settings.keys.keyIds[0] as string
  const active = await activeSecretsKey(ctx.db)
  if (active?.keyId !== keyId)
    await ctx.db.inTransaction(async (tx) => {
      await activateSecretsKey(tx, keyId, ctx.clock.now())
      await recordRotation(ctx, tx, active?.keyId ?? null, { keyId })
    })
  ctx.settings.keys.sealWith(keyId)
  ctx.signals.workAdded('secrets')
  // Nobody seals with the one before any more, once all have looked and what they had begun is written.
  if (active?.isFinished !== true || active.keyId !== keyId) await delay(5 * SECRETS_KEY_POLL_MS)
  const done: Resealed[] = []
  for (const place of PLACES) done.push(await resealPlace(ctx, place))
  const sum = (count: (one: Resealed) => number): number => done.reduce((total, one) => total + count(one), 0)
  await ctx.db.inTransaction(async (tx) => {
    await finishSecretsKey(tx, keyId, ctx.clock.now())
    const resealed = sum((one) => one.resealed)
    await recordRotation(ctx, tx, keyId, { keyId, resealed, unreadable: sum((one) => one.unreadable) })
  })
  return done
}

// When the new key begins to seal, and when everything is sealed under it.
function recordRotation(
  ctx: Needs<'actor' | 'clock' | 'ids'>,
  tx: Queryable,
  previousId: string | null,
  after: { readonly keyId: string; readonly resealed?: number; readonly unreadable?: number },
): Promise<void> {
  const act = { act: 'secretskey.rotate', before: { keyId: previousId }, after } as const
  return recordAct(ctx, tx, { ...act, organizationId: UNATTRIBUTED_ORGANIZATION, objectId: after.keyId })
}

async function resealPlace(ctx: Needs<'ids' | 'db' | 'settings'>, place: SealedPlace): Promise<Resealed> {
  let resealed = 0
  let unreadable = 0
  for (let after: readonly string[] | null = null; ; ) {
    const page: SealedValue[] = await listSealed(ctx.db, place, after, ROWS_PER_PAGE)
    for (const value of page) {
      const replacement = resealedValue(ctx, place, value)
      if (replacement === 'unreadable') unreadable += 1
      // Whoever wrote a newer one meanwhile has sealed it with the new key.
      else if (replacement !== undefined && (await replaceSealed(ctx.db, place, value, replacement)))
        resealed += 1
    }
    if (page.length < ROWS_PER_PAGE) return { place, resealed, unreadable }
    after = page.at(-1)?.key ?? null
  }
}

// Undefined if it is sealed with the new key already.
function resealedValue(
  { ids, settings }: Needs<'ids' | 'settings'>,
  place: SealedPlace,
  value: SealedValue,
): Buffer | string | 'unreadable' | undefined {
  const { rest }: SealingKeys = settings.keys
  const bytes = bytesOf(value)
  const label = LABELS[place](value.key)
  if (isSealedWithCurrent(rest, bytes, label)) return undefined
  const secret = openSecret(rest, bytes, label)
  if (secret === undefined) return 'unreadable'
  const sealed = sealSecret(rest, secret, label, ids.randomBytes(SEAL_NONCE_BYTES))
  return typeof value.sealed === 'string' ? SEALED_ANSWER + sealed.toString('base64') : sealed
}

// As change-once.ts writes a kept answer that holds a secret.
const SEALED_ANSWER = 'sealed:'

function bytesOf({ sealed }: SealedValue): Buffer {
  return typeof sealed === 'string' ? Buffer.from(sealed.slice(SEALED_ANSWER.length), 'base64') : sealed
}
