// The drill: a day's load, a backup, more load, the whole database lost, the backup restored. What the networks know and the books
// do not is found by reconciliation, and nothing is paid twice.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { adoptSecretsKey } from '../../../src/flows/secrets-key.ts'
import { createBackup, restoreBackup, verifyBackup } from '../../../src/operator/backups/commands.ts'
import { verifyEventNumbers } from '../../../src/store/events/verify-numbers.ts'
import { listOpenFindings } from '../../../src/store/ledger/reconciliations.ts'
import { listSuspense } from '../../../src/store/ledger/suspense.ts'
import { verifyLedger } from '../../../src/store/ledger/verify.ts'
import { payoutBody } from '../../flows/approvals/approving.ts'
import { endDay, openDay, reconcileAll } from '../../flows/ledger/reconciling.ts'
import { brebPayin, CUSTOMER, endPayin, onServer, psePayin, type World } from '../../world.ts'
import { emptyDatabase } from './empty-database.ts'

const OPEN = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }
const PAYINS_OF_A_KIND = 10

describe('the drill', () => {
  let world: World
  let directory: string
  // Known before the backup, open at its moment, and made after it.
  const known = { payins: [] as string[], payouts: [] as string[] }
  const open = { payin: '', payout: '' }
  const lost = { payin: '', payout: '' }

  const create = async (path: string, body: object): Promise<string> => {
    const { status, text, json } = await world.client('POST', path, body)
    assert.equal(status, 201, text)
    return json.id
  }
  const statusOf = async (path: string): Promise<string | number> => {
    const { status, json } = await world.client('GET', path)
    return status === 200 ? json.status : status
  }
  const paidByTheNetwork = (payoutId: string): number => {
    const reference = railReference('payout', world.organization.organizationId, payoutId)
    return world.sandbox.log().filter((entry) => entry.reference === reference && entry.movement === 'debit')
      .length
  }

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'recaudo-drill-'))
    world = await openDay({ env: { SECRETS_KEY: 'a1b2'.repeat(16) } })
    assert.equal(await adoptSecretsKey(world.ctx), undefined)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })

  it('loads, backs up while the service runs, and loads more', async () => {
    for (let count = 0; count < PAYINS_OF_A_KIND; count += 1) {
      known.payins.push(await create('/payins', brebPayin()), await create('/payins', psePayin()))
    }
    known.payouts.push(await create('/payouts', payoutBody()))
    open.payin = await create('/payins', brebPayin(OPEN))
    await world.passTime(2_000)
    // Not handed to the network yet.
    open.payout = await create('/payouts', payoutBody())

    const backup = await createBackup(world.config, {}, join(directory, 'backup'))
    assert.deepEqual(backup.leftOut, [])
    await using scratch = await emptyDatabase()
    const proofs = await verifyBackup(world.config, { scratch: scratch.url }, join(directory, 'backup'))
    assert.equal(proofs.length, 7)

    await endPayin(world, world.client, open.payin, 'confirmed')
    lost.payin = await create('/payins', brebPayin({ amountInCents: 1_234_500 }))
    lost.payout = await create('/payouts', payoutBody({ amountInCents: 777_700 }))
    await world.passTime(2_000)
    assert.equal(await statusOf(`/payins/${lost.payin}`), 'CONFIRMED')
    assert.deepEqual([open.payout, lost.payout].map(paidByTheNetwork), [1, 1])
  })

  it('loses the database, and restores the backup into an empty one', async () => {
    const name = /\/(test_\w+)/.exec(world.databaseUrl)?.[1]
    await onServer(`drop database ${name} with (force)`)
    await onServer(`create database ${name}`)
    const restored = await restoreBackup(world.config, {}, join(directory, 'backup'))
    assert.ok(Number(restored.rows) > 100)
    const events = await world.client('GET', '/events?pageSize=1')
    assert.equal(events.status, 200, events.text)
    for (const id of known.payins) assert.equal(await statusOf(`/payins/${id}`), 'CONFIRMED')
    assert.equal(await statusOf(`/payins/${open.payin}`), 'PROCESSING')
    assert.equal(await statusOf(`/payouts/${open.payout}`), 'PROCESSING')
    assert.deepEqual(
      [await statusOf(`/payins/${lost.payin}`), await statusOf(`/payouts/${lost.payout}`)],
      [404, 404],
    )
  })

  it('settles what was open by asking the network, which pays nothing a second time', async () => {
    await world.passTime(60_000)
    assert.equal(await statusOf(`/payouts/${open.payout}`), 'CONFIRMED')
    assert.deepEqual([...known.payouts, open.payout, lost.payout].map(paidByTheNetwork), [1, 1, 1])
  })

  it('finds by reconciliation exactly what lies between', async () => {
    const day = await endDay(world)
    await reconcileAll(world.ctx)
    // A payment of a payin that we do not know may be ahead of it: it goes to suspense when an hour has passed.
    for (let minutes = 0; minutes < 120; minutes += 20) await world.passTime(20 * 60_000)
    assert.equal(await statusOf(`/payins/${open.payin}`), 'CONFIRMED')
    const found = await listOpenFindings(world.db, { day, rails: ['BRE_B', 'PSE'], limit: 100 })
    assert.deepEqual(
      found.map(({ kind, movement, subjectId, networkAmountInCents }) => [
        kind,
        movement,
        subjectId,
        networkAmountInCents,
      ]),
      [
        ['NETWORK_ONLY', 'credit', lost.payin, 1_234_500n],
        ['NETWORK_ONLY', 'debit', lost.payout, 777_700n],
      ],
    )
    const suspended = await listSuspense(world.db, false)
    assert.deepEqual(
      suspended.map(({ reason, amountInCents }) => [reason, amountInCents]),
      [['UNKNOWN_PAYIN', 1_234_500n]],
    )
    assert.deepEqual([...known.payouts, open.payout, lost.payout].map(paidByTheNetwork), [1, 1, 1])
    assert.deepEqual([await verifyLedger(world.db), await verifyEventNumbers(world.db)], [[], []])
  })
})
