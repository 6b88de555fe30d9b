// An organization's row: what its lock holds up, and what it does not; and what its minimum begins anew.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Queryable, sqlState } from '../../../src/store/db.ts'
import { lockOrganization, updateOrganization } from '../../../src/store/organizations/organizations.ts'
import { createWorld, type World } from '../../world.ts'
import { ORGANIZATION_ID, openOneOrganizationDatabase } from '../one-organization.ts'

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

describe('a minimum balance', () => {
  const { subjects, readAfter } = openOneOrganizationDatabase()

  it('that is another one has not been fallen below yet; the same one has', async () => {
    const fallen = `update organizations set below_minimum_since = now() where organization_id = '${ORGANIZATION_ID}'`
    const isStillBelow = (minimumBalanceInCents: bigint | null) =>
      readAfter([fallen], async (tx) => {
        await updateOrganization(tx, { ...subjects().organization, name: 'Otro', minimumBalanceInCents })
        const { rows } = await tx.query({
          text: 'select from organizations where below_minimum_since is not null',
        })
        return rows.length === 1
      })
    const { minimumBalanceInCents: same } = subjects().organization
    assert.ok(same !== null)
    assert.deepEqual(
      [await isStillBelow(same), await isStillBelow(same + 1n), await isStillBelow(null)],
      [true, false, false],
    )
  })
})
