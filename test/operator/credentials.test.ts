// recaudo key, client, signing-key, suspense and exchange: what is printed of credentials and their ends, and of money that was sent back.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../src/core/instant.ts'
import { ACCESS_TOKEN_MS, PUBLISHED_AHEAD_MS } from '../../src/core/organizations/signing-key.ts'
import {
  createClient,
  createKey,
  revokeClient,
  revokeKey,
  rollClient,
  rollKey,
  showClients,
  showKeys,
} from '../../src/operator/credentials.ts'
import type { Row } from '../../src/operator/flags.ts'
import { returnSuspenseItem, showExchanges, showSuspense } from '../../src/operator/ledger.ts'
import { rotateSigningKeys } from '../../src/operator/signing-keys.ts'
import { chargeBackSuspense, lateMoney } from '../late-money.ts'
import { createWorld, eventually, type World } from '../world.ts'

describe('what an operator is shown', () => {
  let world: World
  let org: string
  before(async () => {
    world = await createWorld()
    org = world.organization.organizationId
  })
  after(() => world[Symbol.asyncDispose]())

  // In whole hours: the clock goes on meanwhile.
  const hoursBetween = (from: unknown, to: unknown): number =>
    Math.round((Date.parse(String(to)) - Date.parse(String(from))) / HOUR_MS)
  const rowOf = (rows: Row[], id: unknown) => rows.find((row) => [row.apiKeyId, row.clientId].includes(id))

  it('of a key: when it ends, that a roll leaves it a day, and that it was revoked', async () => {
    const key = await createKey(world.ctx, { org, 'expires-in-days': '30', scopes: 'payins:read' })
    assert.deepEqual([hoursBetween(key.createdAt, key.expiresAt), key.scopes], [720, 'payins:read'])
    const rolled = await rollKey(world.ctx, {}, String(key.apiKeyId))
    assert.equal(hoursBetween(rolled.createdAt, rolled.oldKeyWorksUntil), 24)
    assert.deepEqual([rolled.expiresAt, rolled.replaces], [key.expiresAt, key.apiKeyId])
    const listed = rowOf(await showKeys(world.ctx, { org }), key.apiKeyId)
    assert.deepEqual([listed?.expiresAt, listed?.revokedAt], [rolled.oldKeyWorksUntil, null])
    const other = await createKey(world.ctx, { org })
    const { revokedAt } = await revokeKey(world.ctx, {}, String(other.apiKeyId))
    assert.equal(rowOf(await showKeys(world.ctx, { org }), other.apiKeyId)?.revokedAt, revokedAt)
    assert.ok(revokedAt !== null)
    world.advance(30 * DAY_MS)
    for (const id of [rolled.apiKeyId, other.apiKeyId])
      await assert.rejects(rollKey(world.ctx, {}, String(id)), /has ended: `recaudo key create`/)
  })

  it('of a client: what it may do, that a roll leaves its secret a day, and that it was revoked', async () => {
    const client = await createClient(world.ctx, { org, scopes: 'payins:read,links:read' })
    assert.equal(client.scopes, 'payins:read,links:read')
    const id = String(client.clientId)
    const { oldSecretWorksUntil } = await rollClient(world.ctx, {}, id)
    assert.equal(hoursBetween(client.createdAt, oldSecretWorksUntil), 24)
    await revokeClient(world.ctx, {}, id)
    assert.ok(rowOf(await showClients(world.ctx, { org }), id)?.revokedAt !== null)
    await assert.rejects(rollClient(world.ctx, {}, id), /was revoked/)
  })

  it('of a new signing key: when it signs, and until when tokens of the one before work', async () => {
    const { signsFrom, oldTokensWorkUntil } = await rotateSigningKeys(world.ctx, {})
    assert.equal(Date.parse(String(oldTokensWorkUntil)) - Date.parse(String(signsFrom)), ACCESS_TOKEN_MS)
    assert.ok(Date.parse(String(signsFrom)) - world.ctx.clock.now() <= PUBLISHED_AHEAD_MS)
  })

  it('of money in suspense: what was taken back of it, and what the network was asked to return it', async () => {
    const late = await lateMoney(world)
    await chargeBackSuspense(world, late, 1_000_000n)
    const [row] = await showSuspense(world.ctx, {})
    assert.deepEqual([row?.pesos, row?.chargedBackPesos, row?.state], ['50000.00', '10000.00', 'OPEN'])
    await returnSuspenseItem(world.ctx, {}, late.suspenseId)
    assert.deepEqual(await showSuspense(world.ctx, {}), [])
    assert.equal((await showSuspense(world.ctx, { all: true }))[0]?.state, 'RETURNED')
    const exchanges = await eventually(
      () => showExchanges(world.ctx, {}, late.suspenseId),
      ({ length }) => length > 0,
    )
    assert.ok(exchanges.every(({ status }) => status === 200 || status === 201))
  })
})
