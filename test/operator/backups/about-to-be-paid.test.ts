// What was about to be paid when a backup was taken, and was paid by the database that was lost since. A payout has its reference
// already, and the network knows it again. Rows of a batch and refunds to a key have none yet: a person looks first.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { operatorNamed } from '../../../src/core/audit/actor.ts'
import { maskNumber } from '../../../src/core/directory/breb-key.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import type { Context } from '../../../src/flows/context.ts'
import { adoptSecretsKey } from '../../../src/flows/secrets-key.ts'
import { createBackup, restoreBackup } from '../../../src/operator/backups/commands.ts'
import { holdNow, releaseHeld, showHeld } from '../../../src/operator/backups/held.ts'
import { wakeRefundsOf } from '../../../src/store/refunds/refunds.ts'
import { listenForWorkSignals } from '../../../src/store/work-signals.ts'
import { entriesOf } from '../../api/audit/entries.ts'
import { checkedBatch, goodRow, person } from '../../api/payout-batches/files.ts'
import { refunding } from '../../flows/refunds/refunding.ts'
import { CUSTOMER, createWorld, eventually, onServer, type World } from '../../world.ts'

// The payer's key: nobody has to approve it.
const OWN = '1020304050'

describe('what was about to be paid when a backup was taken', () => {
  let world: World
  let backup: string
  const ids = { batch: '', refund: '', payin: '' }
  const { asked, confirmed } = refunding(() => world)
  before(async () => {
    backup = join(await mkdtemp(join(tmpdir(), 'recaudo-about-')), 'backup')
    world = await createWorld({ env: { SECRETS_KEY: 'a1b2'.repeat(16) } })
    assert.equal(await adoptSecretsKey(world.ctx), undefined)
    ids.payin = await confirmed({ inlineCustomer: { ...CUSTOMER, idNumber: OWN } })
    ids.batch = (await checkedBatch(world, world.client, goodRow(1), goodRow(2))).id
    const submitted = await world.client('POST', `/payout-batches/${ids.batch}/submit`, {})
    assert.equal(submitted.status, 200, submitted.text)
    ids.refund = (await asked(ids.payin, { breb: { keyString: OWN } })).id
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
  const operator = (): Context => ({ ...world.ctx, actor: operatorNamed('maria') })
  const held = async () => (await showHeld(operator(), {})).map(({ kind, id }) => `${kind} ${id}`)
  const refuses = (subject: string, message: RegExp) =>
    assert.rejects(releaseHeld(operator(), {}, subject), { name: 'OperatorFailure', message })
  const actsOf = async (organizationId: string) =>
    (await entriesOf(world, { organizationId })).filter(({ act }) => /\.(?:release|hold)$/.test(act))

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

  it('is listed with what to look for, and its keys are masked', async () => {
    const { organizationId } = world.organization
    const rows = await showHeld(operator(), {})
    const since = rows.map(({ heldSince }) => Date.parse(String(heldSince)))
    assert.ok(since.every((time) => Date.now() - time < 60_000))
    assert.deepEqual(
      rows.map(({ heldSince: _, ...row }) => row),
      [
        {
          kind: 'batch',
          id: ids.batch,
          organizationId,
          pesos: '100000.00',
          payments: 2,
          key: null,
          reference: null,
        },
        {
          kind: 'refund',
          id: ids.refund,
          organizationId,
          pesos: '50000.00',
          payments: 1,
          key: '******4050',
          reference: null,
        },
      ],
    )
    assert.deepEqual(
      (await showHeld(operator(), { payments: true })).map(({ row, pesos, key }) => [row, pesos, key]),
      [
        [2, '50000.00', maskNumber(person(1).idNumber)],
        [3, '50000.00', maskNumber(person(2).idNumber)],
        [null, '50000.00', '******4050'],
      ],
    )
  })

  it('is let go by its kind and id alone', async () => {
    const unknown = world.ctx.ids.next()
    await refuses(`batch ${unknown}`, /^No batch has the id .+: `recaudo backup held` shows/)
    await refuses(`refund ${ids.batch}`, /^No refund has the id/)
    await refuses(`payin ${ids.batch}`, /^The kind must be batch, refund or payout, not "payin"/)
    await refuses('batch 17', /^17 is not an id/)
    assert.deepEqual(await held(), [`batch ${ids.batch}`, `refund ${ids.refund}`])
  })

  it('is not woken by a chargeback of its payin', async () => {
    const { organizationId } = world.organization
    await wakeRefundsOf(world.db, { organizationId, payinId: ids.payin }, world.ctx.clock.now())
    assert.deepEqual(await held(), [`batch ${ids.batch}`, `refund ${ids.refund}`])
  })

  it('goes on when a person lets it go, once, under their name', async () => {
    const { organizationId } = world.organization
    const since = (await showHeld(operator(), {})).find(({ id }) => id === ids.batch)?.heldSince
    const [released] = await releaseHeld(operator(), {}, `batch ${ids.batch.toUpperCase()}`)
    assert.deepEqual([released?.kind, released?.id, released?.payments], ['batch', ids.batch, 2])
    await refuses(
      `batch ${ids.batch}`,
      /^The batch .+ is not held back: it is PROCESSING\. Nothing was changed/,
    )
    await turns()
    assert.equal(paid(), 5)
    await refuses(`batch ${ids.batch}`, /is not held back: it is COMPLETED/)
    assert.deepEqual(await held(), [`refund ${ids.refund}`])

    assert.deepEqual(
      (await releaseHeld(operator(), { all: true }, '')).map(({ kind, id }) => `${kind} ${id}`),
      [`refund ${ids.refund}`],
    )
    await world.work()
    await refuses(`refund ${ids.refund}`, /is not held back: it is (?:PAYING|CONFIRMED)/)
    await turns()
    assert.equal(paid(), 6)
    assert.deepEqual(await releaseHeld(operator(), { all: true }, ''), [])

    const entries = await actsOf(organizationId)
    assert.deepEqual(
      entries.map(({ act, objectId, actor }) => [act, objectId, actor.kind, actor.name]),
      [
        ['payoutbatch.release', ids.batch, 'operator', 'maria'],
        ['refund.release', ids.refund, 'operator', 'maria'],
      ],
    )
    const { heldSince } = JSON.parse(entries[0]?.changes ?? '{}')
    assert.deepEqual(heldSince, { before: since, after: null })
  })

  it('is held back by hand after a restore that was not ours, while nobody runs', async () => {
    await restoredWith({ stopped: true })
    const listening = listenForWorkSignals(world.databaseUrl, () => {})
    const refused = { name: 'OperatorFailure', message: /^Recaudo runs on this database, in 1 process,/ }
    await assert.rejects(
      holdNow(operator(), { 'as-of': '2999-01-01T00:00:00Z' }),
      /^OperatorFailure: --as-of has not come/,
    )
    await assert.rejects(
      holdNow(operator(), { 'as-of': '2026-11-17' }),
      /--as-of must be a time with its zone/,
    )
    await eventually(
      async () =>
        (
          await world.db.query({
            text: `select from pg_stat_activity where application_name = 'recaudo-signals' and datname = current_database()`,
          })
        ).rowCount,
      (count) => count === 1,
    )
    await assert.rejects(holdNow(operator(), {}), refused)
    assert.deepEqual(await held(), [])
    await listening.stop()
    await eventually(
      () =>
        holdNow(operator(), {}).then(
          ({ heldBack }) => heldBack,
          () => null,
        ),
      (heldBack) => heldBack !== null,
    )
    assert.deepEqual(await held(), [`batch ${ids.batch}`, `refund ${ids.refund}`])
    const [since] = await showHeld(operator(), {})
    assert.deepEqual(await holdNow(operator(), {}), { heldBack: [] })
    assert.deepEqual((await showHeld(operator(), {}))[0], since)
    await turns()
    assert.equal(paid(), 6)
    const [entry] = await actsOf(UNATTRIBUTED_ORGANIZATION)
    assert.deepEqual([entry?.act, entry?.actor.name], ['database.hold', 'maria'])
    assert.match(entry?.changes ?? '', /"heldBack":.*2/)
  })
})
