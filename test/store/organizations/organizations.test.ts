// An organization's row: what its lock holds up, and what it does not.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Queryable, sqlState } from '../../../src/store/db.ts'
import { lockOrganization } from '../../../src/store/organizations/organizations.ts'
import { createWorld, type World } from '../../world.ts'

const LOCK_NOT_AVAILABLE = '55P03'

describe('the lock of an organization', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // What another transaction runs into while the organization is locked.
  const whileLocked = (organizationId: string, act: (db: Queryable) => Promise<unknown>) =>
    world.db.inTransaction(async (tx) => {
      await lockOrganization(tx, organizationId)
      try {
        await world.db.inTransaction(async (other) => {
          await other.query({ text: `set local lock_timeout = '200ms'` })
          await act(other)
        })
        return 'done'
      } catch (error) {
        return sqlState(error)
      }
    })

  it('makes a second change of its settings wait', async () => {
    const { organizationId } = world.organization
    const seen = await whileLocked(organizationId, (db) => lockOrganization(db, organizationId))
    assert.equal(seen, LOCK_NOT_AVAILABLE)
  })

  it('makes no row wait that refers to the organization', async () => {
    const { organizationId } = world.organization
    const seen = await whileLocked(organizationId, (db) =>
      db.query({
        text: `insert into key_lookups (organization_id, key_string, looked_up_at) values ($1, '@ANA', now())`,
        values: [organizationId],
      }),
    )
    assert.equal(seen, 'done')
  })
})
