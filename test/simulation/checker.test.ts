// The checker of simulated histories is itself checked: it notices each kind of discrepancy between what moved at the
// networks and what we recorded.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Queryable } from '../../src/store/db.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, psePayin, type World } from '../world.ts'
import { checkMoney, type Movement, unfinished } from './checker.ts'

describe('the checker', () => {
  let world: World
  let log: readonly Movement[]
  let openPayout: string
  before(async () => {
    world = await createWorld()
    const payout = (idNumber: string) => ({
      amountInCents: 1_000_000,
      currency: 'COP',
      rail: 'BRE_B',
      reference: `checked-${idNumber}`,
      breb: { keyString: '@ANAGOMEZ' },
      inlineCustomer: { ...CUSTOMER, idNumber },
    })
    const mismatch = { inlineCustomer: { ...CUSTOMER, idNumber: '1000000013' } }
    for (const body of [brebPayin(), psePayin(), brebPayin(mismatch)])
      await world.client('POST', '/payins', body)
    await world.client('POST', '/payouts', payout('1000000001'))
    openPayout = (await world.client('POST', '/payouts', payout('1000000007'))).json.id
    await world.passTime(1_000)
    await eventually(
      async () => {
        await world.work()
        const text = `select count(*) from events where type in ('payin.confirmed', 'payin.declined', 'payout.confirmed') and sequence is not null`
        return Number((await world.db.query<{ count: bigint }>({ text })).rows[0]?.count)
      },
      (count) => count === 4,
    )
    log = world.sandbox.log()
  })
  after(() => world[Symbol.asyncDispose]())

  const movement = (kind: Movement['movement']) => log.find((one) => one.movement === kind) as Movement
  const without = (one: Movement) => log.filter((other) => other !== one)
  // What the checker says after a change of our records, which is then undone.
  const saidAfter = async (
    text: string,
    check: (tx: Queryable) => Promise<string[]> = (tx) => checkMoney(tx, log),
  ) => {
    let said: string[] = []
    const undone = new Error('undone')
    await world.db
      .inTransaction(async (tx) => {
        const { rowCount } = await tx.query({ text })
        assert.ok((rowCount ?? 0) > 0, `the fault is planted: ${text}`)
        said = await check(tx)
        throw undone
      })
      .catch((error: Error) => {
        if (error !== undone) throw error
      })
    return said
  }
  const saysSomethingLike = (said: string[], pattern: RegExp) =>
    assert.ok(
      said.some((sentence) => pattern.test(sentence)),
      `${pattern} is not in ${JSON.stringify(said)}`,
    )

  it('has nothing to say about a history that is in order', async () => {
    assert.deepEqual(await checkMoney(world.db, log), [])
    assert.deepEqual(
      [...new Set(log.map((one) => `${one.network} ${one.movement}`))].sort(),
      ['breb credit', 'breb debit', 'pse credit'],
      'and there is something to look at',
    )
  })

  it('notices money that moved at a network otherwise than in our records', async () => {
    const [credit, debit] = [movement('credit'), movement('debit')]
    const more = (one: Movement, changes: Partial<Movement>) => [...log, { ...one, ...changes }]
    const histories: [string, readonly Movement[], RegExp][] = [
      ['a payout that left twice', more(debit, {}), /was debited 1000000 and 1000000/],
      ['a payout that never left', without(debit), /was debited nothing/],
      ['a payout of another amount', [...without(debit), { ...debit, amountInCents: 1n }], /was debited 1$/],
      ['a payment of nobody', more(debit, { reference: 'X' }), /the network paid X, which is no payout/],
      ['money that we do not know', more(credit, { traceId: 'new' }), /came as .* new .*, and is in \[\]/],
      ['money that never came', without(credit), /counts \d+ that never came/],
      ['another amount', [...without(credit), { ...credit, amountInCents: 1n }], /^1 came as/],
      [
        'a clearing account that is off',
        more(debit, { reference: 'X' }),
        /^CLEARING_BRE_B holds \S+, and \S+ moved/,
      ],
      ['nothing at all', [], /that never came/],
    ]
    for (const [what, history, pattern] of histories) {
      const said = await checkMoney(world.db, history)
      assert.ok(said.length > 0, what)
      saysSomethingLike(said, pattern)
    }
  })

  it('notices what is wrong in our own records', async () => {
    const faults: [string, RegExp][] = [
      [
        `update ledger_balances set credit_cents = credit_cents + 1 where account = 'AVAILABLE'`,
        /^not so that the books sum to zero/,
      ],
      [`delete from events where type = 'payin.confirmed'`, /^payin\.confirmed of .* was told as nothing/],
      [
        `update events set type = 'payin.canceled' where type = 'payin.confirmed'`,
        /^payin\.confirmed of .* was told as payin\.canceled/,
      ],
      [
        `insert into events (organization_id, event_id, type, resource, object_id, version, data, created_at)
         select organization_id, gen_random_uuid(), type, resource, object_id, version, data, created_at
           from events where type = 'payout.confirmed'`,
        /was told to have ended 2 times/,
      ],
      // Of one network payment: the payin that it confirmed, and money that is still held for it.
      [
        `insert into suspense_items (organization_id, suspense_id, rail, payment_id, amount_cents, reason, state, created_at, updated_at)
         select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), rail, payment_id, confirmed_amount_cents, 'UNATTRIBUTED',
                'OPEN', now(), now()
           from payins where status = 'CONFIRMED'`,
        /is in 2 places: payin \S+, suspense \S+ OPEN/,
      ],
      [
        `insert into suspense_items (organization_id, suspense_id, rail, payment_id, amount_cents, reason, state, created_at, updated_at)
         select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), rail, payment_id, amount_cents, 'UNATTRIBUTED',
                'RETURNED', now(), now()
           from suspense_items`,
        /is in 2 places: suspense \S+ OPEN, suspense \S+ RETURNED/,
      ],
      [
        `update suspense_items set state = 'COUNTED', attached_to = payin_id`,
        /^suspense \S+ is COUNTED for payin \S+, which payment \S+ has not confirmed/,
      ],
      [
        `update events set sequence = sequence + 100 where sequence > 1`,
        /are numbered up to \d+ and are \d+/,
      ],
      [
        `insert into rail_notices (organization_id, rail, notice_id, subject_kind, subject_id, network_update, network_code,
                                   occurred_at, received_at, state)
         select organization_id, rail, 'chargeback', 'payin', payin_id, '{"kind": "payin.chargeback", "paymentId": "1"}', '', now(), now(), 'DONE'
           from payins where status = 'CONFIRMED' limit 1`,
        /^the chargeback of .* is neither booked nor shown/,
      ],
    ]
    for (const [text, pattern] of faults) saysSomethingLike(await saidAfter(text), pattern)
  })

  it('lists what is unfinished: open payments, work that is due, waiting notices', async () => {
    const open = await unfinished(world.db)
    assert.deepEqual(open, [`payout ${openPayout} is PROCESSING SENT`])
    const faults: [string, RegExp][] = [
      [`update payins set rail_stage = 'OPEN' where rail = 'PSE'`, /^payin .* is CONFIRMED OPEN/],
      [`update payins set due_at = null where rail = 'PSE'`, /^payin .* is TO_SETTLE and due $/],
      [`update payouts set due_at = now() where status = 'CONFIRMED'`, /^payout .* is CONFIRMED DONE/],
      [`update rail_notices set state = 'WAITING'`, /^notice .* is WAITING/],
    ]
    for (const [text, pattern] of faults) saysSomethingLike(await saidAfter(text, unfinished), pattern)
  })
})
