// Two operators decide about the same money at once: one decision counts, and the other operator is told so.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { PayinAddress } from '../../../src/core/payins/payin.ts'
import { chargeBackSuspense } from '../../../src/flows/ledger/charge-back-suspense.ts'
import {
  attachSuspense,
  countedForInWords,
  returnSuspense,
} from '../../../src/flows/ledger/clear-suspense.ts'
import type { PayinRail } from '../../../src/rails/rail.ts'
import type { StoredNotice } from '../../../src/store/connections/notices.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { listSuspense, type SuspenseItem } from '../../../src/store/ledger/suspense.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../../world.ts'

describe('two operators and one suspense item', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  const lateMoney = async (): Promise<SuspenseItem> => {
    const body = brebPayin({ inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } })
    const { id } = (await world.client('POST', '/payins', body)).json
    await world.work()
    await world.client('POST', `/payins/${id}/cancel`)
    await world.client('POST', `/sandbox/payins/${id}/simulate`, { outcome: 'confirmed' })
    const [item] = await eventually(
      async () => {
        await world.work()
        return (await listSuspense(world.db, true)).filter((each) => each.payinId === id)
      },
      (items) => items.length === 1,
    )
    return item as SuspenseItem
  }
  const payinOf = (item: SuspenseItem): string => item.payinId as string
  const bookingsOf = async (id: string): Promise<string[]> => {
    const { json } = await world.client('GET', `/ledger/transfers?subjectId=${id}`)
    return json.data.map((transfer: { booking: string }) => transfer.booking).reverse()
  }
  // The operator's network answers like this, after something else has happened.
  const withReturn = (returnPayment: PayinRail['returnPayment']) => {
    const { networks } = world.ctx
    const rail = { ...networks.payins.BRE_B, returnPayment }
    return { ...world.ctx, networks: { ...networks, payins: { ...networks.payins, BRE_B: rail } } }
  }
  const REJECTED = { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode: 'B106' } as const
  const RETURNED = { outcome: 'accepted', value: { traceId: null } } as const

  it('an item that another operator attached first is not reported as attached by both', async () => {
    const item = await lateMoney()
    const other = (await world.client('POST', '/payins', brebPayin())).json.id
    const { batched } = world.ctx
    const slow = {
      ...world.ctx,
      batched: {
        ...batched,
        getPayin: Object.assign(async (address: PayinAddress) => {
          assert.ok('item' in (await attachSuspense(world.ctx, item.suspenseId, other)))
          return batched.getPayin(address)
        }, batched.getPayin),
      },
    }
    assert.ok('problem' in (await attachSuspense(slow, item.suspenseId, payinOf(item))))
    const [now] = (await listSuspense(world.db, true)).filter((each) => each.suspenseId === item.suspenseId)
    assert.equal(now?.attachedTo, other)
  })

  it('a refusal does not reopen what was returned meanwhile, and says what the item is', async () => {
    const item = await lateMoney()
    const slow = withReturn(async () => {
      assert.ok('item' in (await returnSuspense(world.ctx, item.suspenseId)))
      return REJECTED
    })
    const answer = await returnSuspense(slow, item.suspenseId)
    assert.ok('problem' in answer && answer.problem.includes('RETURNED'))
  })

  it('a merchant who comes later is told what it is, and why the network kept it, in a sentence', async () => {
    const { suspenseId } = await lateMoney()
    const ask = async () => (await world.client('POST', `/suspense/${suspenseId}/return`)).json
    const { payins } = world.ctx.networks
    const rail = payins.BRE_B
    Object.assign(payins, { BRE_B: { ...rail, returnPayment: async () => REJECTED } })
    const kept = await ask()
    Object.assign(payins, { BRE_B: rail })
    assert.equal(kept.code, 'RETURN_REFUSED')
    assert.equal(kept.detail, 'The network refused to return the money (B106).')
    assert.equal((await ask()).state, 'RETURNED')
    assert.equal((await ask()).detail, 'The money is RETURNED: nothing was done.')
  })

  it('money that left is booked as returned although another operator was told the opposite', async () => {
    const item = await lateMoney()
    const slow = withReturn(async () => {
      assert.ok(
        'problem' in
          (await returnSuspense(
            withReturn(async () => REJECTED),
            item.suspenseId,
          )),
      )
      return RETURNED
    })
    const answer = await returnSuspense(slow, item.suspenseId)
    assert.ok('item' in answer && answer.item.state === 'RETURNED')
    assert.deepEqual(await bookingsOf(item.suspenseId), ['money in suspense', 'suspense returned'])
  })

  it('money that left and was attached meanwhile is a contradiction with an alarm, not a success', async () => {
    const item = await lateMoney()
    const slow = withReturn(async () => {
      await returnSuspense(
        withReturn(async () => REJECTED),
        item.suspenseId,
      )
      assert.ok('item' in (await attachSuspense(world.ctx, item.suspenseId, payinOf(item))))
      return RETURNED
    })
    const answer = await returnSuspense(slow, item.suspenseId)
    assert.ok('problem' in answer && answer.problem.includes('ATTACHED'))
    const alarms = (await listOpenAlarms(world.db)).filter((alarm) => alarm.subjectId === item.payinId)
    assert.equal(alarms.length, 1)
  })

  it('what was counted is said to be where it is: in suspense elsewhere, or with the payin that it confirmed', async () => {
    const item = await lateMoney()
    const counted = { ...item, state: 'COUNTED', paymentId: 'P-1' } as const
    assert.equal(
      countedForInWords({ ...counted, attachedTo: null }),
      ': payment P-1 is in suspense elsewhere',
    )
    assert.equal(
      countedForInWords({ ...counted, attachedTo: 'payin-1' }),
      ': payment P-1 has confirmed payin payin-1',
    )
    assert.equal(countedForInWords({ ...item, state: 'RETURNED' }), '')
  })

  it('a chargeback of what is on its way back waits until the network has said whether it left', async () => {
    const item = await lateMoney()
    const silent = withReturn(async () => ({ outcome: 'unknown', kind: 'timeout', why: 'no answer' }))
    assert.ok('problem' in (await returnSuspense(silent, item.suspenseId)))
    const { organizationId, rail, paymentId, amountInCents } = item
    const chargeback = { amountInCents, paymentId }
    const now = world.ctx.clock.now()
    const notice: StoredNotice = {
      ...{ organizationId, rail, noticeId: world.ctx.ids.next(), networkCode: '', reference: null },
      ...{ subjectKind: 'payin', subjectId: payinOf(item), occurredAt: now, receivedAt: now },
      update: { kind: 'payin.chargeback', ...chargeback },
    }
    const alarms = (await listOpenAlarms(world.db)).length
    assert.equal(await chargeBackSuspense(world.ctx, notice, chargeback), 'absent')
    assert.equal(
      (await listOpenAlarms(world.db)).length,
      alarms,
      'nobody is told of what may still be booked',
    )
    const refusing = withReturn(async () => REJECTED)
    assert.ok('problem' in (await returnSuspense(refusing, item.suspenseId)))
    assert.equal(await chargeBackSuspense(world.ctx, notice, chargeback), 'written')
    assert.deepEqual(await bookingsOf(payinOf(item)), [])
    assert.equal((await bookingsOf(item.suspenseId)).at(-1), 'suspense charged back')
  })
})
