// What keeps a batch exact: it waits for approval as a whole, each row is one payout whatever is killed, its people can be erased, and
// the limits of the day hold.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import { lapseDueApprovals } from '../../../src/flows/approvals/lapse.ts'
import type { Context } from '../../../src/flows/context.ts'
import { changeOrganizationLimits } from '../../../src/flows/organizations/change-limits.ts'
import { isAsApproved } from '../../../src/flows/payout-batches/approval.ts'
import { checkKeys } from '../../../src/flows/payout-batches/check-keys.ts'
import { sendBatch } from '../../../src/flows/payout-batches/send.ts'
import { erasePerson } from '../../../src/flows/people/erase.ts'
import { getBatch } from '../../../src/store/payout-batches/batches.ts'
import { checkedBatch, goodRow, handIn, person } from '../../api/payout-batches/files.ts'
import { createWorld, type World } from '../../world.ts'
import { approvalOf, decideAs, payoutBody, setRules } from '../approvals/approving.ts'
import { heldBy, withDirectory } from '../payouts/key-holders.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'

describe('a batch that must be approved', () => {
  let world: World
  let people: People
  let ctx: Context
  let carla: User
  let sign: (challenge: string) => unknown
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
    people = peopleIn(world)
    ctx = people.ctx
    carla = await people.newMember('approver')
    sign = (await people.withPasskey(carla)).answer
    await people.newMember('owner')
  })
  after(() => world[Symbol.asyncDispose]())

  let count = 0
  const newBatch = async (rows = 2, amount = '50.000') => {
    count += 10
    const first = count
    return checkedBatch(
      world,
      world.client,
      ...Array.from({ length: rows }, (_, at) => goodRow(first + at, amount)),
    )
  }
  const submit = async (id: string) => (await world.client('POST', `/payout-batches/${id}/submit`)).json
  const read = async (id: string) => (await world.client('GET', `/payout-batches/${id}`)).json
  const payouts = async (): Promise<number> =>
    (await world.client('GET', '/payouts?pageSize=100')).json.data.length
  const balance = async () => (await world.client('GET', '/balance')).json
  // biome-ignore lint/suspicious/noExplicitAny: the approval as the API answers it
  const decide = (approval: any, decision: 'APPROVED' | 'REFUSED') =>
    decideAs(ctx, carla, approval, decision, {
      given: { passkey: sign(Buffer.from(approval.digest, 'hex').toString('base64url')) },
    })

  it('waits with its money set aside, and is paid once it is approved', async () => {
    await setRules(world, [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 5_000_000, approvers: 1 }] }])
    const batch = await newBatch()
    const before = await balance()
    assert.equal((await submit(batch.id)).status, 'WAITING')
    const { rows } = await world.db.query({
      text: 'select due_at from payout_batches where batch_id = $1',
      values: [batch.id],
    })
    assert.deepEqual(rows, [{ due_at: null }], 'no worker looks at it meanwhile')
    await world.passTime(60_000)
    assert.equal(await payouts(), 0)
    const held = await balance()
    assert.equal(held.reservedInCents - before.reservedInCents, 10_000_000)
    const approval = await approvalOf(world, batch.id)
    assert.deepEqual([approval.kind, approval.amountInCents], ['payout-batch', 10_000_000])
    const decided = await decide(approval, 'APPROVED')
    assert.ok(
      !isRefusal(decided),
      JSON.stringify(decided, (_, v) => String(v)),
    )
    await world.passTime(2_000)
    await world.passTime(2_000)
    await world.passTime(2_000)
    const done = await read(batch.id)
    assert.deepEqual([done.status, done.payoutsConfirmed], ['COMPLETED', 2])
  })

  it('is a draft again, with its money back, if it is refused or nobody decides', async () => {
    const before = await balance()
    const refused = await newBatch()
    await submit(refused.id)
    await decide(await approvalOf(world, refused.id), 'REFUSED')
    assert.equal((await read(refused.id)).status, 'DRAFT')
    assert.equal((await balance()).reservedInCents, before.reservedInCents)
    const lapsed = await newBatch()
    await submit(lapsed.id)
    world.advance(8 * DAY_MS)
    while ((await lapseDueApprovals(ctx)) > 0) {}
    assert.equal((await read(lapsed.id)).status, 'DRAFT')
    assert.deepEqual(await balance(), before)
  })

  it('is not approved any more after an edit, and can be submitted anew', async () => {
    const batch = await newBatch()
    await submit(batch.id)
    const approval = await approvalOf(world, batch.id)
    const edited = await world.client('PATCH', `/payout-batches/${batch.id}/rows/2`, { amount: '70.000' })
    assert.equal(edited.status, 200, edited.text)
    const late = await decide(approval, 'APPROVED')
    assert.ok(isRefusal(late))
    await world.work()
    const next = await read(batch.id)
    assert.deepEqual([next.status, next.reservedInCents, next.totalInCents], ['DRAFT', 0, 12_000_000])
    assert.equal((await submit(batch.id)).status, 'WAITING')
    // It does not repeat itself.
    const again = await world.client('PATCH', `/payout-batches/${batch.id}/rows/3`, { reference: 'otra' })
    assert.deepEqual([again.json.state, again.json.problems], ['DRAFT', []])
    const canceled = await world.client('POST', `/payout-batches/${batch.id}/cancel`)
    assert.deepEqual([canceled.json.status, canceled.json.reservedInCents], ['CANCELED', 0])
  })

  it('is not sent, and an alarm says so, if its rows are not the ones that were approved', async () => {
    const batch = await newBatch()
    await submit(batch.id)
    assert.ok(!isRefusal(await decide(await approvalOf(world, batch.id), 'APPROVED')))
    const move = (cents: number) =>
      world.db.query({
        text: `update payout_batch_rows set amount_cents = amount_cents + case row_number when 2 then $2::bigint else -$2::bigint end
                where batch_id = $1`,
        values: [batch.id, cents],
      })
    const before = await payouts()
    // Somebody with the database moves money from one row to the other before a worker has it.
    await move(1_000_000)
    await world.passTime(2_000)
    assert.deepEqual([await payouts(), (await read(batch.id)).status], [before, 'PROCESSING'])
    const alarms = (await world.client('GET', '/alarms?kind=batch-altered')).json.data
    assert.deepEqual(
      alarms.map(({ subjectId }: { subjectId: string }) => subjectId),
      [batch.id],
    )
    await move(-1_000_000)
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(60_000)
    assert.equal((await read(batch.id)).status, 'COMPLETED')
  })

  it('is as it was approved also while it is being sent, and when rows of it were refused', async () => {
    const batch = await newBatch()
    await submit(batch.id)
    assert.ok(!isRefusal(await decide(await approvalOf(world, batch.id), 'APPROVED')))
    const { organizationId } = world.organization
    for (const state of ['SENT', 'REFUSED'])
      await world.db
        .inTransaction(async (tx) => {
          await tx.query({
            text: 'update payout_batch_rows set state = $2 where batch_id = $1 and row_number = 2',
            values: [batch.id, state],
          })
          const current = await getBatch(tx, organizationId, batch.id)
          assert.ok(current && (await isAsApproved(tx, current)), state)
          throw new Error('undone')
        })
        .catch((error: Error) => assert.equal(error.message, 'undone'))
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(60_000)
    assert.equal((await read(batch.id)).status, 'COMPLETED')
  })

  it('asks for its largest row whom that row alone would ask', async () => {
    await setRules(world, [{ kind: 'payout', tiers: [{ fromAmountInCents: 5_000_000, approvers: 1 }] }])
    const small = await newBatch(2, '10.000')
    assert.equal((await submit(small.id)).status, 'PROCESSING')
    const large = await newBatch(1, '50.000')
    assert.equal((await submit(large.id)).status, 'WAITING')
    await world.client('POST', `/payout-batches/${large.id}/cancel`)
    await world.work()
  })
})

describe('a submitted batch', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is looked up by one worker: whoever has lost the lease looks up no more', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const made = await handIn(client, ...Array.from({ length: 45 }, (_, at) => goodRow(700 + at, '1.000')))
    const read = async () => (await client('GET', `/payout-batches/${made.json.id}`)).json
    const batch = await getBatch(world.db, organizationId, made.json.id)
    assert.ok(batch)
    const verified = async (): Promise<number> => {
      const { rows } = await world.db.query<{ count: number }>({
        text: `select count(*)::integer as count from payout_batch_rows where batch_id = $1 and key_check <> 'PENDING'`,
        values: [batch.batchId],
      })
      return rows[0]?.count ?? 0
    }
    await checkKeys(world.ctx, { batch, leaseToken: world.ctx.ids.next() }, organization)
    const lookedUp = await verified()
    assert.ok(lookedUp > 0 && lookedUp < 45, String(lookedUp))
    assert.equal((await read()).status, 'CHECKING')
    await world.work()
    assert.equal(await verified(), 45)
    assert.equal((await read()).status, 'DRAFT')
  })

  it('makes each row one payout, however many workers send it and wherever one is killed', async () => {
    const { client, organization } = await world.newMerchant()
    const rows = Array.from({ length: 450 }, (_, at) => goodRow(at, '1.000'))
    const made = await client('POST', '/payout-batches', {
      file: Buffer.from(
        ['llave;valor;referencia;nombre;tipo_documento;documento;correo', ...rows].join('\n'),
      ).toString('base64'),
    })
    await world.work()
    await client('POST', `/payout-batches/${made.json.id}/submit`, { acceptWarnings: true })
    const batch = await getBatch(world.db, organization.organizationId, made.json.id)
    assert.ok(batch)
    const claim = { batch, leaseToken: world.ctx.ids.next() }
    let points = 0
    const dying: Context = {
      ...world.ctx,
      signals: {
        ...world.ctx.signals,
        crashPoint: () => {
          points += 1
          if (points % 2 === 0) throw new Error('killed')
        },
      },
    }
    for (let turn = 0; turn < 6; turn += 1)
      await Promise.allSettled([1, 2, 3].map(() => sendBatch(dying, claim, organization)))
    while (await sendBatch(world.ctx, claim, organization)) {}
    const found = await world.db.query<{ payouts: number; references: number; cents: bigint }>({
      text: `select count(*)::integer as payouts, count(distinct reference)::integer as references,
                    sum(amount_cents)::bigint as cents
               from payouts where organization_id = $1`,
      values: [organization.organizationId],
    })
    assert.deepEqual(found.rows, [{ payouts: 450, references: 450, cents: 45_000_000n }])
    assert.equal((await client('GET', `/payout-batches/${batch.batchId}`)).json.reservedInCents, 0)
  })

  it('refuses what the limits of the day do not allow, before and after it is submitted', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const limits = { payoutsPerDay: 1, payoutSumPerDay: null, quietHours: null }
    const batch = await checkedBatch(world, client, goodRow(600), goodRow(601))
    await changeOrganizationLimits(world.ctx, organizationId, limits)
    const refused = await client('POST', `/payout-batches/${batch.id}/submit`)
    assert.equal(refused.json.code, 'PAYOUT_LIMIT_REACHED')
    await changeOrganizationLimits(world.ctx, organizationId, { ...limits, payoutsPerDay: null })
    assert.equal((await client('POST', `/payout-batches/${batch.id}/submit`)).status, 200)
    await changeOrganizationLimits(world.ctx, organizationId, limits)
    for (let turn = 0; turn < 4; turn += 1) await world.passTime(2_000)
    const done = (await client('GET', `/payout-batches/${batch.id}`)).json
    assert.deepEqual([done.status, done.payoutsConfirmed, done.payoutsFailed], ['COMPLETED', 1, 1])
    const rows = (await client('GET', `/payout-batches/${batch.id}/rows?state=REFUSED`)).json.data
    assert.deepEqual(
      rows.map(({ errorCode }: { errorCode: string }) => errorCode),
      ['PAYOUT_LIMIT_REACHED'],
    )
    assert.equal(done.reservedInCents, 0)
  })

  it('does not pay a verified key to its next owner', async () => {
    const { client } = await world.newMerchant()
    const batch = await checkedBatch(world, client, goodRow(650))
    assert.equal((await client('POST', `/payout-batches/${batch.id}/submit`)).status, 200)
    await withDirectory(world, heldBy(world, 'Otro Dueño', '99999999'), async () => {
      for (let turn = 0; turn < 3; turn += 1) await world.passTime(2_000)
    })
    const [payout] = (await client('GET', '/payouts')).json.data
    assert.deepEqual([payout.status, payout.errorCode], ['DECLINED', 'RECEIVER_ID_MISMATCH'])
    // Nobody verified the key of this one.
    const { id } = (await client('POST', '/payouts', payoutBody())).json
    await withDirectory(world, heldBy(world, 'Otro Dueño', '99999999'), async () => {
      for (let turn = 0; turn < 3; turn += 1) await world.passTime(2_000)
    })
    assert.equal((await client('GET', `/payouts/${id}`)).json.status, 'CONFIRMED')
  })

  it('pays a verified key whose holder’s document the directory hides by now', async () => {
    const { client } = await world.newMerchant()
    const batch = await checkedBatch(world, client, goodRow(660))
    assert.equal((await client('POST', `/payout-batches/${batch.id}/submit`)).status, 200)
    await withDirectory(world, heldBy(world, 'Otro Dueño', '******99'), async () => {
      for (let turn = 0; turn < 3; turn += 1) await world.passTime(2_000)
    })
    const [payout] = (await client('GET', '/payouts')).json.data
    assert.deepEqual([payout.status, payout.errorCode], ['CONFIRMED', null])
  })

  it('has its people sealed, and whoever is erased is in no row and no book', async () => {
    const { client, organization } = await world.newMerchant()
    const { organizationId } = organization
    const { idNumber, name } = person(700)
    await client('PUT', '/beneficiaries', { idType: 'CO_CC', idNumber, name, key: idNumber })
    const batch = await checkedBatch(world, client, goodRow(700), goodRow(701))
    const stored = await world.db.query<{ text: string }>({
      text: `select string_agg(r::text, '') || (select string_agg(b::text, '') from beneficiaries b) as text
               from payout_batch_rows r where organization_id = $1`,
      values: [organizationId],
    })
    assert.ok(!stored.rows[0]?.text.includes(idNumber), 'the document is in the table')
    const erased = await erasePerson(
      world.ctx,
      organizationId,
      { by: 'document', idType: 'CO_CC', idNumber },
      'test',
    )
    assert.ok(erased && !('open' in erased))
    assert.deepEqual([erased.foundBy, erased.payouts], ['document', 0], 'a row is no payout yet')
    const rows = (await client('GET', `/payout-batches/${batch.id}/rows`)).json.data
    assert.deepEqual(
      rows.map((row: { state: string; name: string }) => [row.state, row.name === 'ERASED']),
      [
        ['LEFT_OUT', true],
        ['DRAFT', false],
      ],
    )
    const [entry] = (await client('GET', '/beneficiaries')).json.data
    assert.deepEqual([entry.key, entry.name, entry.verifiedAt], ['ERASED', 'ERASED', null])
    const again = await checkedBatch(world, client, `;5000;r;${name};CC;${idNumber};`)
    const [row] = (await client('GET', `/payout-batches/${again.id}/rows`)).json.data
    assert.equal(row.problems[0].code, 'KEY_NOT_KNOWN')
    const trait = { by: 'email', email: 'p701@example.com' } as const
    const other = await erasePerson(world.ctx, organizationId, trait, 'test')
    assert.ok(other && !('open' in other))
    assert.equal(other.foundBy, 'email')
  })
})
