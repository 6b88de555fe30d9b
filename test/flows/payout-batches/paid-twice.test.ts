// Batches against somebody who wants to be paid twice, alone, or for another.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { DAY_MS } from '../../../src/core/instant.ts'
import { isRefusal } from '../../../src/core/refusal.ts'
import type { User } from '../../../src/core/team/user.ts'
import type { Context } from '../../../src/flows/context.ts'
import { changeBatchRow } from '../../../src/flows/payout-batches/change-rows.ts'
import { createBatch } from '../../../src/flows/payout-batches/create.ts'
import { submitBatch } from '../../../src/flows/payout-batches/submit.ts'
import { keyRecord } from '../../../src/sandbox/directory.ts'
import { getOrganization } from '../../../src/store/organizations/organizations.ts'
import { checkedBatch, csv, goodRow, handIn, person } from '../../api/payout-batches/files.ts'
import { type Client, createWorld, eventually, type World } from '../../world.ts'
import { approvalOf, decideAs, personActor, setRules } from '../approvals/approving.ts'
import { notify } from '../connections/notify.ts'
import { type People, peopleIn, SITE } from '../team/people.ts'

const nameOf = (idNumber: string): string => keyRecord('NRIC', idNumber).person.name
const NO_LIMITS = { payoutsPerDay: null, payoutSumPerDay: null }

let world: World
before(async () => {
  world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
})
after(() => world[Symbol.asyncDispose]())

describe('people of a batch', () => {
  const turns = async (count = 4) => {
    for (let turn = 0; turn < count; turn += 1) await world.passTime(2_000)
  }
  const submit = (client: Client, id: string, body: object = {}) =>
    client('POST', `/payout-batches/${id}/submit`, body)
  const paidTo = async (client: Client) =>
    (await client('GET', '/payouts?status=CONFIRMED&pageSize=100')).json.data.length
  // On a busy machine a payout takes more turns.
  const turnsUntil = <Value>(read: () => Promise<Value>, holds: (value: Value) => boolean) =>
    eventually(async () => {
      await turns(1)
      return read()
    }, holds)
  const hasPaid = (client: Client, count: number) =>
    turnsUntil(
      () => paidTo(client),
      (paid) => paid === count,
    )

  it('are not paid twice within a day by two files, without anybody accepting it', async () => {
    const { client } = await world.newMerchant()
    const first = await checkedBatch(world, client, goodRow(1), goodRow(2))
    // The same people and amounts; a blank line at the end makes it another file.
    const second = await checkedBatch(world, client, goodRow(1), goodRow(2), '')
    assert.equal((await submit(client, first.id)).status, 200)
    await hasPaid(client, 2)
    const again = await submit(client, second.id)
    await turns()
    assert.deepEqual(
      [again.status, await paidTo(client)],
      [422, 2],
      'the second file was sent without acceptWarnings, a moment after the first was paid',
    )
  })

  it('are not paid twice by a file that is handed in while another of them waits', async () => {
    const { client } = await world.newMerchant()
    const first = await checkedBatch(world, client, goodRow(3))
    // Submitted, and its payouts not made yet.
    assert.equal((await submit(client, first.id)).status, 200)
    const second = await handIn(client, goodRow(3), '')
    await turns()
    assert.equal((await submit(client, second.json.id)).status, 422, 'no repetition was told')
    await hasPaid(client, 1)
    await turns()
    assert.equal(await paidTo(client), 1)
    const [row] = (await client('GET', `/payout-batches/${second.json.id}/rows`)).json.data
    assert.equal(row.problems[0].code, 'DUPLICATE_PAYOUT')
    // Whoever has read it may pay once more.
    assert.equal((await submit(client, second.json.id, { acceptWarnings: true })).status, 200)
  })

  it('are told of as a repetition only if they are paid the same amount', async () => {
    const { client } = await world.newMerchant()
    const first = await checkedBatch(world, client, goodRow(5))
    assert.equal((await submit(client, first.id)).status, 200)
    await hasPaid(client, 1)
    const second = await checkedBatch(
      world,
      client,
      goodRow(5, '50.001'),
      goodRow(5).replace(';nomina', ';otra'),
    )
    assert.equal((await submit(client, second.id)).status, 422)
    const rows = (await client('GET', `/payout-batches/${second.id}/rows`)).json.data
    const codes = rows.map(({ problems }: { problems: { code: string }[] }) =>
      problems.map(({ code }) => code),
    )
    assert.deepEqual(
      codes.map((row: string[]) => row.includes('DUPLICATE_PAYOUT')),
      [false, true],
    )
  })

  it('are not paid twice by two files that are submitted at once', async () => {
    const { client } = await world.newMerchant()
    const [one, other] = [
      await checkedBatch(world, client, goodRow(9)),
      await checkedBatch(world, client, goodRow(9), ''),
    ]
    const answers = await Promise.all([one, other].map(({ id }) => submit(client, id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
    const refused = answers[0]?.status === 422 ? one : other
    const [row] = (await client('GET', `/payout-batches/${refused.id}/rows`)).json.data
    assert.equal(row.problems[0].code, 'DUPLICATE_IN_BATCH')
    // What somebody accepted was another version of it.
    const seen = { acceptWarnings: true, version: refused.version }
    assert.equal((await submit(client, refused.id, seen)).json.code, 'BATCH_CHANGED')
  })

  it('are in one batch if the same file is handed in twice at once', async () => {
    const { client } = await world.newMerchant()
    const answers = await Promise.all([1, 2, 3].map(() => handIn(client, goodRow(4))))
    await world.work()
    assert.deepEqual(
      answers.map(({ status }) => status).sort(),
      [201, 409, 409],
      'a double click makes several batches of one file',
    )
  })

  it('are not told of again once what they were told of has failed', async () => {
    const { client } = await world.newMerchant()
    const open = '1000000007'
    const line = (reference: string) => `${open};50.000;${reference};${nameOf(open)};CC;${open};`
    const first = await checkedBatch(world, client, line('r-1'))
    assert.equal((await submit(client, first.id, { acceptWarnings: true })).status, 200)
    await world.work()
    const second = await checkedBatch(world, client, line('r-2'))
    const codes = async () => {
      const [row] = (await client('GET', `/payout-batches/${second.id}/rows`)).json.data
      return row.problems.map(({ code }: { code: string }) => code)
    }
    assert.equal((await submit(client, second.id)).status, 422)
    assert.ok((await codes()).includes('DUPLICATE_PAYOUT'))
    const [row] = (await client('GET', `/payout-batches/${first.id}/rows`)).json.data
    await client('POST', `/sandbox/payouts/${row.payoutId}/simulate`, { outcome: 'declined' })
    const status = async () => (await client('GET', `/payouts/${row.payoutId}`)).json.status
    await turnsUntil(status, (now) => now === 'DECLINED')
    await submit(client, second.id, { acceptWarnings: true })
    assert.ok(!(await codes()).includes('DUPLICATE_PAYOUT'), 'it is no repetition any more')
  })

  it('are not paid again by a retry, when the network has paid them after all', async () => {
    const { client, organization } = await world.newMerchant()
    // The network has it and says nothing until it is told to.
    const open = '1000000007'
    const batch = await checkedBatch(world, client, `${open};50.000;r-5;${nameOf(open)};CC;${open};`)
    assert.equal((await submit(client, batch.id, { acceptWarnings: true })).status, 200)
    await world.work()
    const [row] = (await client('GET', `/payout-batches/${batch.id}/rows`)).json.data
    const payoutId = row.payoutId as string
    const payout = async () => (await client('GET', `/payouts/${payoutId}`)).json
    const reference = railReference('payout', organization.organizationId, payoutId)
    await client('POST', `/sandbox/payouts/${payoutId}/simulate`, { outcome: 'declined' })
    await turnsUntil(payout, ({ status }) => status === 'DECLINED')
    // And then it has paid all the same. Whoever runs the service has an alarm, and the loss is booked.
    assert.equal(await notify(world, { type: 'transfer.completed', reference, endToEndId: 'E2E-5' }), 200)
    await turnsUntil(
      async () =>
        (
          await world.db.query<{ stage: string }>({
            text: 'select stage from payouts where payout_id = $1',
            values: [payoutId],
          })
        ).rows[0]?.stage,
      (stage) => stage === 'STOPPED',
    )
    await turnsUntil(
      async () => (await client('GET', `/payout-batches/${batch.id}`)).json.status,
      (status) => status === 'COMPLETED',
    )
    const retried = await client('POST', `/payout-batches/${batch.id}/retry`)
    assert.notEqual(retried.status, 201, 'a row that the network has paid is tried again')
  })

  it('are not paid unseen when the budget for look-ups is spent', async () => {
    const { client } = await world.newMerchant()
    for (let at = 0; at < 60; at += 1) await client('GET', `/breb/keys/%40NOEXISTE${at}`)
    // The key is another's: the holder has document 1100000007, the row names 1100000006.
    const { idNumber, name } = person(6)
    const batch = await checkedBatch(
      world,
      client,
      `${person(7).idNumber};50.000;r-6;${name};CC;${idNumber};`,
    )
    assert.equal(batch.keysUnchecked, 1)
    const answer = await submit(client, batch.id)
    await turns()
    assert.deepEqual(
      [answer.status, await paidTo(client)],
      [422, 0],
      'a key that would be HOLDER_DOCUMENT_MISMATCH was paid without even a warning to accept',
    )
  })

  it('are looked up in the last 30 minutes, where the organization asks for it', async () => {
    const { client } = await world.newMerchant()
    const changed = await client('PATCH', '/organization', { requireKeyLookup: true })
    assert.equal(changed.status, 200, changed.text)
    const batch = await checkedBatch(world, client, goodRow(8))
    await world.passTime(5 * DAY_MS)
    const answer = await submit(client, batch.id)
    await turns()
    assert.deepEqual([answer.json.code, await paidTo(client)], ['BATCH_NOT_READY', 0])
    assert.equal((await client('POST', `/payout-batches/${batch.id}/check`)).status, 200)
    await world.work()
    assert.equal((await submit(client, batch.id)).status, 200)
  })
})

describe('a row that is refused', () => {
  const rowOf = async (id: string, at: number) =>
    (await world.client('GET', `/payout-batches/${id}/rows`)).json.data.find(
      ({ row }: { row: number }) => row === at,
    )

  it('for an amount that may mean two stays so when another of its cells is corrected', async () => {
    // Dots are decimals in this file, so 1.250 is one peso and 25 cents, or 1,250 pesos.
    const batch = await checkedBatch(world, world.client, goodRow(30, '100.50'), goodRow(31, '1.250'))
    assert.equal((await rowOf(batch.id, 3)).problems[0].code, 'AMOUNT_AMBIGUOUS')
    await world.client('PATCH', `/payout-batches/${batch.id}/rows/3`, { reference: 'nomina-31b' })
    const { problems, amountInCents } = await rowOf(batch.id, 3)
    assert.equal(
      problems[0]?.code,
      'AMOUNT_AMBIGUOUS',
      `nobody touched the amount, and it is ${amountInCents}`,
    )
  })

  it('for a formula stays so when another of its cells is corrected', async () => {
    const { idNumber } = person(32)
    const formula = '=HYPERLINK("http://x.example")'.replaceAll('"', '""')
    const line = `${idNumber};50.000;nomina-32;"${formula}";CC;${idNumber};`
    const batch = await checkedBatch(world, world.client, line)
    assert.equal((await rowOf(batch.id, 2)).problems[0].code, 'FORMULA')
    await world.client('PATCH', `/payout-batches/${batch.id}/rows/2`, { reference: 'nomina-32b' })
    const { problems } = await rowOf(batch.id, 2)
    assert.ok(
      problems.some(({ code }: { code: string }) => code === 'FORMULA'),
      JSON.stringify(problems),
    )
  })

  it('for its key is not kept in the book while the budget for look-ups is spent', async () => {
    const { client } = await world.newMerchant()
    const { idNumber, name } = person(33)
    const own = await client('PUT', '/beneficiaries', { idType: 'CO_CC', idNumber, name, key: idNumber })
    assert.equal(own.json.verifiedBy, 'DOCUMENT', own.text)
    const other = { idType: 'CO_CC', idNumber, name, key: person(34).idNumber }
    assert.equal((await client('PUT', '/beneficiaries', other)).json.code, 'KEY_OF_SOMEBODY_ELSE')
    for (let at = 0; at < 60; at += 1) await client('GET', `/breb/keys/%40NOEXISTE${at}`)
    assert.equal((await client('PUT', '/beneficiaries', other)).json.code, 'KEY_NOT_VERIFIED')
    // Another address beside the same key changes nothing of whose it is.
    const same = { idType: 'CO_CC', idNumber, name, key: idNumber, email: 'x@example.com' }
    assert.equal((await client('PUT', '/beneficiaries', same)).json.verifiedAt, own.json.verifiedAt)
    // The next payroll, which names documents and no keys.
    const batch = await checkedBatch(world, client, `;50.000;nomina-33;${name};CC;${idNumber};`)
    const [row] = (await client('GET', `/payout-batches/${batch.id}/rows`)).json.data
    assert.deepEqual([row.keyFromBook, row.problems[0].code], [true, 'HOLDER_NOT_CHECKED'])
    await client('POST', `/payout-batches/${batch.id}/submit`, { acceptWarnings: true })
    const [paid] = await eventually(
      async () => {
        await world.passTime(2_000)
        return (await client('GET', '/payouts?status=CONFIRMED')).json.data
      },
      ({ length }) => length > 0,
    )
    assert.equal(paid?.sourceData.canonicalKeyString ?? paid?.sourceData.keyString, idNumber)
  })
})

describe('whoever wrote the rows of a batch', () => {
  let people: People
  let ctx: Context
  before(async () => {
    people = peopleIn(world)
    ctx = people.ctx
    await people.newMember('owner')
  })

  it('does not approve them because somebody else pressed submit', async () => {
    await setRules(world, [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])
    const organization = await getOrganization(world.db, world.organization.organizationId)
    assert.ok(organization)
    const [alice, bob, carol] = [
      await people.newMember('administrator'),
      await people.newMember('administrator'),
      await people.newMember('administrator'),
    ]
    const as = (user: User) => ({ ...ctx, actor: personActor(user) })
    const creator = (user: User) => ({ credentialId: user.userId, limits: NO_LIMITS })
    const file = { bytes: Buffer.from(csv(goodRow(20)), 'base64'), fileName: 'nomina.csv', isRepeated: false }
    const made = await createBatch(as(alice), organization, creator(alice), file, null)
    assert.ok(!isRefusal(made))
    await world.work()
    const { batchId } = made.batch
    const edited = await changeBatchRow(as(carol), organization, batchId, 2, { amount: '900.000' })
    assert.ok(!isRefusal(edited))
    await world.work()
    const submission = { version: null, acceptsWarnings: true }
    const submitted = await submitBatch(as(bob), organization, creator(bob), batchId, submission, null)
    assert.ok(!isRefusal(submitted))
    const approval = await approvalOf(world, batchId)
    for (const user of [alice, bob, carol]) {
      const sign = (await people.withPasskey(user)).answer
      const passkey = sign(Buffer.from(approval.digest, 'hex').toString('base64url'))
      const decided = await decideAs(ctx, user, approval, 'APPROVED', { given: { passkey } })
      assert.ok(isRefusal(decided) && decided.refused === 'APPROVAL_OWN')
    }
  })

  it('is the only one to void an approval: a request that is refused changes nothing', async () => {
    await setRules(world, [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])
    const batch = await checkedBatch(world, world.client, goodRow(40))
    await world.client('POST', `/payout-batches/${batch.id}/submit`)
    const missing = await world.client('PATCH', `/payout-batches/${batch.id}/rows/4999`, { amount: '1' })
    assert.equal(missing.status, 404)
    const status = async () => (await world.client('GET', `/payout-batches/${batch.id}`)).json.status
    assert.equal(await status(), 'WAITING', 'a 404 has voided the approval and released the money')
    // Nor does one that says what the batch is already.
    await world.client('PATCH', `/payout-batches/${batch.id}/rows/2`, { amount: '50.000', leftOut: false })
    await world.client('POST', `/payout-batches/${batch.id}/leave-out`)
    await world.client('POST', `/payout-batches/${batch.id}/check`)
    assert.equal(await status(), 'WAITING')
    await world.client('POST', `/payout-batches/${batch.id}/leave-out`, { rows: [2] })
    assert.equal(await status(), 'DRAFT')
  })

  it('does not void it by an old request that is only answered again', async () => {
    const batch = await checkedBatch(world, world.client, goodRow(41), goodRow(42))
    const headers = { 'idempotency-key': `leave-${batch.id}` }
    const leave = () => world.client('POST', `/payout-batches/${batch.id}/leave-out`, { rows: [3] }, headers)
    const first = await leave()
    assert.equal(first.status, 200, first.text)
    await world.client('POST', `/payout-batches/${batch.id}/submit`)
    const again = await leave()
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal((await world.client('GET', `/payout-batches/${batch.id}`)).json.status, 'WAITING')
  })
})
