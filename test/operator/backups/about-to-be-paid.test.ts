// What was about to be paid when a backup was taken, and was paid by the database that was lost since. A payout has its reference
// already, and the network knows it again. Rows of a batch and refunds to a key have none yet: a person looks first.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { adoptSecretsKey } from '../../../src/flows/secrets-key.ts'
import { createBackup, restoreBackup } from '../../../src/operator/backups/commands.ts'
import { checkedBatch, goodRow } from '../../api/payout-batches/files.ts'
import { refunding } from '../../flows/refunds/refunding.ts'
import { CUSTOMER, createWorld, onServer, type World } from '../../world.ts'

// The payer's key: nobody has to approve it.
const OWN = '1020304050'

describe('what was about to be paid when a backup was taken', () => {
  let world: World
  let backup: string
  const ids = { batch: '', refund: '' }
  const { asked, confirmed } = refunding(() => world)
  before(async () => {
    backup = join(await mkdtemp(join(tmpdir(), 'recaudo-about-')), 'backup')
    world = await createWorld({ env: { SECRETS_KEY: 'a1b2'.repeat(16) } })
    assert.equal(await adoptSecretsKey(world.ctx), undefined)
    const payinId = await confirmed({ inlineCustomer: { ...CUSTOMER, idNumber: OWN } })
    ids.batch = (await checkedBatch(world, world.client, goodRow(1), goodRow(2))).id
    const submitted = await world.client('POST', `/payout-batches/${ids.batch}/submit`, {})
    assert.equal(submitted.status, 200, submitted.text)
    ids.refund = (await asked(payinId, { breb: { keyString: OWN } })).id
    await createBackup(world.config, {}, backup)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await rm(join(backup, '..'), { recursive: true, force: true })
  })
  const turns = async () => {
    for (let turn = 0; turn < 8; turn += 1) await world.passTime(2_000)
  }
  const paid = () => world.sandbox.log().filter(({ movement }) => movement === 'debit').length
  const restoredWith = async (flags: { stopped?: true }) => {
    const name = /\/(test_\w+)/.exec(world.databaseUrl)?.[1]
    await onServer(`drop database ${name} with (force)`)
    await onServer(`create database ${name}`)
    return restoreBackup(world.config, flags, backup)
  }

  it('goes on by itself where nothing was paid since, because the service was stopped before', async () => {
    const { heldBack } = await restoredWith({ stopped: true })
    assert.equal(paid(), 0)
    await turns()
    assert.equal(paid(), 3)
    assert.deepEqual(heldBack, [])
  })

  it('is held back, named and not paid a second time, where the lost database has paid it', async () => {
    const { heldBack } = await restoredWith({})
    await turns()
    await world.passTime(60 * 60_000)
    await turns()
    assert.equal(paid(), 3)
    assert.deepEqual(heldBack, [`batch ${ids.batch}`, `refund ${ids.refund}`])
  })
})
