// Credentials that have ended are listed by when they ended, in whichever way.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  insertApiKey,
  insertOAuthClient,
  revokeOAuthClient,
} from '../../../src/store/organizations/credentials.ts'
import {
  countWorkingApiKeys,
  countWorkingClients,
  listOwnApiKeys,
  listOwnClients,
} from '../../../src/store/organizations/own-credentials.ts'
import { ORGANIZATION_ID, openOneOrganizationDatabase } from '../one-organization.ts'
import { LATER, TWINS_CREATED_AT } from '../twins.ts'

describe('of credentials that have ended', () => {
  const { subjects, readAfter } = openOneOrganizationDatabase()

  it('keys that were revoked stand among those that expired, the last first', async () => {
    const ended = { early: 1_000, late: 4_000, earlier: 2_000, later: 3_000 }
    const names = await readAfter([], async (tx) => {
      for (const [name, afterMs] of Object.entries(ended)) {
        const expiresAt = TWINS_CREATED_AT + (name.endsWith('er') ? afterMs : 10_000)
        const digest = Buffer.alloc(32, name)
        await insertApiKey(tx, { ...subjects().apiKey, apiKeyId: randomUUID(), name, digest, expiresAt })
        if (name.endsWith('er')) continue
        const revokedAt = new Date(TWINS_CREATED_AT + afterMs).toISOString()
        await tx.query({ text: `update api_keys set revoked_at = '${revokedAt}' where name = '${name}'` })
      }
      return (await listOwnApiKeys(tx, ORGANIZATION_ID, LATER)).map(({ name }) => name)
    })
    assert.deepEqual(names, ['credential 1', 'late', 'later', 'earlier', 'early'])
  })

  it('clients stand in the order in which they were revoked, the last first', async () => {
    const ids = await readAfter([], async (tx) => {
      for (const [clientId, afterMs] of [
        ['a', 2_000],
        ['b', 3_000],
        ['c', 1_000],
      ] as const) {
        await insertOAuthClient(tx, { ...subjects().client, clientId })
        await revokeOAuthClient(tx, clientId, TWINS_CREATED_AT + afterMs)
      }
      return (await listOwnClients(tx, ORGANIZATION_ID)).map(({ clientId }) => clientId)
    })
    assert.deepEqual(ids, ['client-1', 'b', 'a', 'c'])
  })

  it('none counts among those that work', async () => {
    const working = (tx: Parameters<typeof countWorkingClients>[0]) =>
      Promise.all([countWorkingApiKeys(tx, ORGANIZATION_ID, LATER), countWorkingClients(tx, ORGANIZATION_ID)])
    const counts = await readAfter([], async (tx) => {
      const before = await working(tx)
      for (const clientId of ['a', 'b']) await insertOAuthClient(tx, { ...subjects().client, clientId })
      const made = await working(tx)
      for (const clientId of ['a', 'b', 'client-1']) await revokeOAuthClient(tx, clientId, LATER)
      await tx.query({ text: 'update api_keys set revoked_at = now()' })
      return [before, made, await working(tx)]
    })
    assert.deepEqual(counts, [
      [1, 1],
      [1, 3],
      [0, 0],
    ])
  })
})
