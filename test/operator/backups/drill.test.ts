// The drill with `recaudo backup`: a day's load, a backup, more load, the whole database lost, the backup restored. What the networks
// know and the books do not is found by reconciliation, and nothing is paid twice.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { adoptSecretsKey } from '../../../src/flows/secrets-key.ts'
import { createBackup, restoreBackup, verifyBackup } from '../../../src/operator/backups/commands.ts'
import { openDay } from '../../flows/ledger/reconciling.ts'
import { onServer, type World } from '../../world.ts'
import { type Drill, drillIn } from './drill.ts'
import { emptyDatabase } from './empty-database.ts'

describe('the drill', () => {
  let world: World
  let drill: Drill
  let directory: string
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'recaudo-drill-'))
    world = await openDay({ env: { SECRETS_KEY: 'a1b2'.repeat(16) } })
    assert.equal(await adoptSecretsKey(world.ctx), undefined)
    drill = drillIn(world)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })

  it('loads, backs up while the service runs, proves the backup, and loads more', async () => {
    await drill.loadBefore()
    const backup = await createBackup(world.config, {}, join(directory, 'backup'))
    assert.deepEqual(backup.leftOut, [])
    await using scratch = await emptyDatabase()
    const proofs = await verifyBackup(world.config, { scratch: scratch.url }, join(directory, 'backup'))
    assert.equal(proofs.length, 7)
    await drill.loadAfter()
  })

  it('loses the database, and restores the backup into an empty one', async () => {
    const name = /\/(test_\w+)/.exec(world.databaseUrl)?.[1]
    await onServer(`drop database ${name} with (force)`)
    await onServer(`create database ${name}`)
    const restored = await restoreBackup(world.config, {}, join(directory, 'backup'))
    assert.ok(Number(restored.rows) > 100)
    await drill.assertRestored()
  })

  it('settles what was open by asking the network, which pays nothing a second time', () =>
    drill.assertPaidOnce())

  it('finds by reconciliation exactly what lies between', () => drill.assertFound())
})
