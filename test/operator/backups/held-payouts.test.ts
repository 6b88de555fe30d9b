// A payout that waited when a backup was taken has its reference, and is handed over again under it. A provider that has forgotten it
// by then would pay a second time: such a payout waits for a person, as what has no reference does.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { operatorNamed } from '../../../src/core/audit/actor.ts'
import { forgetfulProviders } from '../../../src/core/backups/held-back.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import { HOUR_MS, isoInstant } from '../../../src/core/instant.ts'
import type { Context } from '../../../src/flows/context.ts'
import { adoptSecretsKey } from '../../../src/flows/secrets-key.ts'
import { createBackup, restoreBackup } from '../../../src/operator/backups/commands.ts'
import { RELEASE_FLAGS } from '../../../src/operator/backups/flags.ts'
import { holdNow, releaseHeld, showHeld } from '../../../src/operator/backups/held.ts'
import { parseFlags } from '../../../src/operator/flags.ts'
import { isConnectionInUse } from '../../../src/store/connections/connections.ts'
import { nextPayoutWork } from '../../../src/store/payouts/next-work.ts'
import { payoutBody } from '../../flows/approvals/approving.ts'
import { moveToProviders } from '../../flows/connections/funds.ts'
import { accepted, connect, type ScriptedProvider } from '../../flows/connections/scripted-provider.ts'
import { createWorld, onServer, type World } from '../../world.ts'

describe('the providers that may pay an order again', () => {
  const after = (hours: number) => forgetfulProviders(0, hours * HOUR_MS)

  it('are those that forget within the backup’s age and the six hours until the workers start', () => {
    assert.deepEqual(after(17.9), ['mono', 'placetopay'])
    assert.deepEqual(after(18), ['wompi', 'mono', 'placetopay'])
  })

  it('are all that forget, where nobody knows how old the backup is', () => {
    assert.deepEqual(forgetfulProviders(null, 0), ['wompi', 'mono', 'placetopay'])
    assert.deepEqual(forgetfulProviders(Number.NaN, 0), ['wompi', 'mono', 'placetopay'])
  })
})

describe('recaudo backup release', () => {
  const parsed = (...args: string[]) => parseFlags('backup release', RELEASE_FLAGS, args)

  it('takes a kind and an id, or --all and neither', () => {
    assert.equal(parsed('batch', 'b-1').argument, 'batch b-1')
    assert.deepEqual([parsed('--all').argument, parsed('--all').flags.all], ['', true])
    const two =
      /^recaudo backup release takes two arguments, <kind> and <id>\.\n\nrecaudo backup release <kind> <id>: /
    for (const args of [[], ['b-1'], ['batch', 'b-1', 'b-2']])
      assert.throws(() => parsed(...args), { exitCode: 2, message: two })
    const none = { exitCode: 2, message: /^recaudo backup release --all takes no argument\./ }
    assert.throws(() => parsed('--all', 'batch', 'b-1'), none)
  })
})

describe('a payout over a connection that waited when a backup was taken', () => {
  let world: World
  let provider: ScriptedProvider
  let backup: string
  const ids = { waiting: '', handedOver: '', other: '' }
  before(async () => {
    backup = join(await mkdtemp(join(tmpdir(), 'recaudo-held-')), 'backup')
    world = await createWorld({ env: { SECRETS_KEY: 'a1b2'.repeat(16) } })
    assert.equal(await adoptSecretsKey(world.ctx), undefined)
    provider = await connect(world, { provider: 'wompi', uses: ['BRE_B_OUT'] })
    await moveToProviders(world)
    provider.payout = () => accepted({ state: 'processing', providerId: 'B-1' })
    const create = async (client = world.client): Promise<string> => {
      const { status, json, text } = await client('POST', '/payouts', payoutBody())
      assert.equal(status, 201, text)
      return json.id
    }
    ids.handedOver = await create()
    await world.work()
    ids.waiting = await create()
    // Over the installation's own network, which knows every order again.
    ids.other = await create((await world.newMerchant()).client)
    await createBackup(world.config, {}, backup)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await rm(join(backup, '..'), { recursive: true, force: true })
  })
  const restoredWith = async (hoursOld: number, flags: { stopped?: true } = {}) => {
    const file = join(backup, 'manifest.json')
    const manifest = JSON.parse(await readFile(file, 'utf8'))
    const takenAt = isoInstant(Date.now() - hoursOld * HOUR_MS)
    await writeFile(file, JSON.stringify({ ...manifest, takenAt }))
    const name = /\/(test_\w+)/.exec(world.databaseUrl)?.[1]
    await onServer(`drop database ${name} with (force)`)
    await onServer(`create database ${name}`)
    provider.calls.length = 0
    return restoreBackup(world.config, flags, backup)
  }
  const operator = (): Context => ({ ...world.ctx, actor: operatorNamed('maria') })
  const handedOver = () => provider.calls.filter((call) => call === 'submit payout').length
  const turns = async () => {
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(60_000)
  }

  it('is handed over again while its provider knows the order', async () => {
    const { heldBack } = await restoredWith(1)
    assert.deepEqual(heldBack, [])
    const asOf = isoInstant(Date.now() - 2 * HOUR_MS)
    assert.deepEqual(await holdNow(operator(), { 'as-of': asOf }), { heldBack: [] })
    await turns()
    assert.equal(handedOver(), 1)
  })

  it('is handed over again, however old the backup is, where the service was stopped before', async () => {
    const { heldBack } = await restoredWith(1_000, { stopped: true })
    assert.deepEqual(heldBack, [])
    await turns()
    assert.equal(handedOver(), 1)
  })

  it('is held back where its provider may have forgotten it, and nothing else is', async () => {
    const { heldBack } = await restoredWith(25)
    assert.deepEqual(heldBack, [`payout ${ids.waiting}`])
    await turns()
    assert.equal(handedOver(), 0)
    const [row, ...others] = await showHeld(operator(), {})
    assert.deepEqual([row?.kind, row?.id, row?.payments, others], ['payout', ids.waiting, 1, []])
    assert.match(String(row?.key), /\*\*\*/)
    const { organizationId } = world.organization
    assert.equal(row?.reference, railReference('payout', organizationId, ids.waiting))
    const work = await nextPayoutWork(world.db, { organizationId, payoutId: ids.waiting })
    assert.equal(work?.dueAt, null)
  })

  it('keeps its connection in use, and a payout that is with its provider is not let go', async () => {
    const { organizationId } = world.organization
    await world.db.query({
      text: 'update payouts set due_at = null where payout_id = $1',
      values: [ids.handedOver],
    })
    assert.equal(
      await isConnectionInUse(world.db, { organizationId, connectionId: provider.connectionId }),
      true,
    )
    await assert.rejects(releaseHeld(operator(), {}, `payout ${ids.handedOver}`), {
      message: /^The payout .+ is not held back: it is SENT\. Nothing was changed\.$/,
    })
  })

  it('is handed over when a person lets it go', async () => {
    await releaseHeld(operator(), {}, `payout ${ids.waiting}`)
    await turns()
    assert.equal(handedOver(), 1)
    await assert.rejects(releaseHeld(operator(), {}, `payout ${ids.waiting}`), { message: /it is SENT/ })
    assert.equal(handedOver(), 1)
  })

  it('is held back by hand as of any moment if none is named', async () => {
    await world.db.query({
      text: `update payouts set stage = 'RESERVED', due_at = now() where payout_id = $1`,
      values: [ids.waiting],
    })
    assert.deepEqual(await holdNow(operator(), {}), { heldBack: [`payout ${ids.waiting}`] })
    const before = await showHeld(operator(), {})
    assert.deepEqual(await holdNow(operator(), {}), { heldBack: [] })
    assert.deepEqual(await showHeld(operator(), {}), before)
  })
})
