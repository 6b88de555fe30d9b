// The keys that people are sealed with, as a process keeps them in memory: loaded once for all who ask, and again where that failed.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { MAX_KEY_VERSION } from '../../../src/core/people/seal-text.ts'
import { ERASED, UNREADABLE } from '../../../src/core/people/sealed.ts'
import type { KeyWrapper } from '../../../src/flows/people/key-wrapper.ts'
import { createVaults, type Vault } from '../../../src/flows/people/vault.ts'
import { createWorld, type World } from '../../world.ts'

describe('the keys of an organization', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // As if the database held them in the open.
  const open: KeyWrapper = { wrap: async (key) => key, unwrap: async (wrapped) => wrapped }
  const vaultsWith = (wrapper: KeyWrapper) =>
    createVaults({ db: world.db, wrapper, now: () => world.ctx.clock.now(), randomBytes })
  const newOwner = async () => (await world.newMerchant()).organization.organizationId
  const versionsOf = async (organizationId: string) => {
    const text = 'select version from data_keys where organization_id = $1 order by version'
    const { rows } = await world.db.query<{ version: number }>({ text, values: [organizationId] })
    return rows.map(({ version }) => version)
  }

  it('are loaded once for all who ask at once, and then need no waiting', async () => {
    const owner = await newOwner()
    await vaultsWith(open)(owner)
    let unwrapped = 0
    const vaults = vaultsWith({
      ...open,
      unwrap: async (wrapped) => {
        unwrapped += 1
        return wrapped
      },
    })
    const [one, other] = await Promise.all([vaults(owner), vaults(owner)])
    assert.equal(one, other)
    assert.equal(unwrapped, 1)
    assert.equal(vaults(owner), one, 'it is no promise any more')
  })

  it('are loaded again where they could not be', async () => {
    const owner = await newOwner()
    let isAway = true
    const vaults = vaultsWith({
      ...open,
      wrap: async (key) => {
        if (isAway) throw new Error('the wrapper is away')
        return key
      },
    })
    await assert.rejects(async () => vaults(owner), /the wrapper is away/)
    isAway = false
    assert.ok(await vaults(owner))
    assert.deepEqual(await versionsOf(owner), [1])
  })

  it('that do not open any more get a successor, and what they have sealed says that it cannot be read', async () => {
    const owner = await newOwner()
    const id = world.ctx.ids.next()
    const before: Vault = await vaultsWith(open)(owner)
    const sealed = before.seal(id, ['Ana'])
    assert.deepEqual(before.open(sealed, id), ['Ana'])
    assert.equal(before.open(sealed, world.ctx.ids.next()), UNREADABLE, 'it is another row’s')
    assert.equal(before.open({ sealed: ERASED }, id), ERASED)
    const isGone: KeyWrapper = {
      wrap: async (key) => Buffer.concat([Buffer.from('new'), key]),
      unwrap: async (wrapped) =>
        wrapped.subarray(0, 3).equals(Buffer.from('new')) ? wrapped.subarray(3) : undefined,
    }
    const later = await vaultsWith(isGone)(owner)
    assert.deepEqual(await versionsOf(owner), [1, 2])
    assert.equal(later.open(sealed, id), UNREADABLE)
    assert.deepEqual(later.open(later.seal(id, ['Eva']), id), ['Eva'])
  })

  it('are not replaced without end', async () => {
    const owner = await newOwner()
    await vaultsWith(open)(owner)
    const text = 'update data_keys set version = $2 where organization_id = $1'
    await world.db.query({ text, values: [owner, MAX_KEY_VERSION] })
    const never = { ...open, unwrap: async () => undefined }
    await assert.rejects(async () => vaultsWith(never)(owner), /too many data keys/)
    assert.deepEqual(await versionsOf(owner), [MAX_KEY_VERSION])
  })
})
