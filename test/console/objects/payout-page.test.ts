// The page of a payout: a sentence that says how it stands and why, with the times that it names, and everything that happened.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { amountText, whenText } from '../../../src/console/format.ts'
import { PAYOUT_WORDS } from '../../../src/console/payouts/words.ts'
import type { Payout } from '../../../src/core/payouts/payout.ts'
import { insertAlarm } from '../../../src/store/ledger/alarms.ts'
import { payoutBody } from '../../flows/approvals/approving.ts'
import { CUSTOMER, createWorld, eventually, type World } from '../../world.ts'
import { type Person, signIn } from '../person.ts'
import { momentsIn, plain, sentenceIn } from './shown.ts'

const OPEN = { ...CUSTOMER, idNumber: '1000000007' }
const words = PAYOUT_WORDS.es

describe('the page of a payout', () => {
  let world: World
  let owner: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
  })
  after(() => world[Symbol.asyncDispose]())

  const create = async (changes: Record<string, unknown> = {}): Promise<string> =>
    (await world.client('POST', '/payouts', payoutBody({ inlineCustomer: OPEN, ...changes }))).json.id
  const payoutOf = async (payoutId: string): Promise<Payout> => {
    const { organizationId } = world.organization
    return (await world.ctx.batched.getPayout({ organizationId, payoutId })) as Payout
  }
  const end = async (id: string, outcome: string): Promise<void> => {
    await world.work()
    await world.client('POST', `/sandbox/payouts/${id}/simulate`, { outcome })
    await eventually(
      async () => {
        await world.work()
        return payoutOf(id)
      },
      ({ status }) => status !== 'PROCESSING',
    )
  }
  const pageOf = async (id: string): Promise<string> => (await owner.get(`/payouts/${id}`)).text
  const when = (instant: number | null): string =>
    plain(whenText(instant as number, world.ctx.clock.now(), 'es'))
  const told = (...sentences: string[]): string =>
    sentences.map((one) => (one.endsWith('.') ? one : `${one}.`)).join(' ')

  it('says that the network has it, and when it is asked again', async () => {
    const id = await create()
    await world.work()
    const dueAt = world.ctx.clock.now() + 180_000
    await world.db.query({
      text: 'update payouts set due_at = $2 where payout_id = $1',
      values: [id, new Date(dueAt)],
    })
    assert.equal(sentenceIn(await pageOf(id)), told(words.open.SENT, words.askAgain(when(dueAt))))
    await end(id, 'confirmed')
  })

  it('says who received it when, and that it came back', async () => {
    const id = await create()
    await end(id, 'confirmed')
    const { resultAt } = await payoutOf(id)
    await world.passTime(120_000)
    const paid = () => plain(words.paid(OPEN.name, amountText(1_000_000n, 'es'), '@ANAGOMEZ', when(resultAt)))
    assert.equal(sentenceIn(await pageOf(id)), told(paid()))
    const returnedAt = (resultAt as number) + 60_000
    const change = (at: Date | null) =>
      world.db.query({ text: 'update payouts set returned_at = $2 where payout_id = $1', values: [id, at] })
    await change(new Date(returnedAt))
    assert.equal(sentenceIn(await pageOf(id)), told(paid(), words.cameBack(when(returnedAt))))
    await change(null)
  })

  it('says why it was not paid, when it ended, and that the money is back', async () => {
    const id = await create()
    await end(id, 'declined')
    const { resultAt, errorCode } = await payoutOf(id)
    await world.passTime(120_000)
    const why = words.why[errorCode as NonNullable<typeof errorCode>]
    assert.equal(sentenceIn(await pageOf(id)), told(why, words.released, words.ended(when(resultAt))))
  })

  it('says how much was missing where the balance was too small, and of nothing that it came back', async () => {
    const poor = await world.newMerchant()
    const { organizationId } = poor.organization
    const spend = (debit: string) =>
      world.db.query({
        text: `update ledger_balances set debit_cents = ${debit} where organization_id = $1 and account = 'AVAILABLE'`,
        values: [organizationId],
      })
    await spend('credit_cents')
    const { id: payoutId } = (await poor.client('POST', '/payouts', payoutBody({ inlineCustomer: OPEN })))
      .json
    await world.work()
    await spend('0')
    const payout = await world.ctx.batched.getPayout({ organizationId, payoutId })
    assert.deepEqual([payout?.errorCode, payout?.missingInCents], ['INSUFFICIENT_FUNDS', 1_000_000n])
    const { text } = await (await signIn(world, 'owner', { organization: poor.organization })).get(
      `/payouts/${payoutId}`,
    )
    const why = words.why.INSUFFICIENT_FUNDS
    assert.equal(
      sentenceIn(text),
      told(why, 'Faltaban $ 10.000', words.ended(when(payout?.resultAt ?? null))),
    )
  })

  it('tells everything that happened, newest first, each from its source', async () => {
    const id = await create()
    await end(id, 'confirmed')
    const { organizationId } = world.organization
    const alarm = { alarmId: world.ctx.ids.next(), kind: 'payout-contradiction', detail: 'x' } as const
    await insertAlarm(world.db, organizationId, id, alarm, world.ctx.clock.now())
    await world.api.requestLog.flush()
    const moments = momentsIn(await pageOf(id))
    assert.deepEqual([...new Set(moments.map(({ source }) => source))].toSorted(), [
      'API',
      'Alarma',
      'Aviso de la red',
      'Evento',
      'Libros',
      'Origen',
      'Red',
    ])
    const times = moments.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted().toReversed())
  })
})
