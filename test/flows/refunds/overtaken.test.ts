// Refunds by payout while something else changes: the payin is charged back, the key has another owner, or the network pays what it had
// declined.

import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { unknown } from '../../../src/rails/rail.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, type World } from '../../world.ts'
import { approvalOf, decideAs } from '../approvals/approving.ts'
import { notify } from '../connections/notify.ts'
import { heldBy, withDirectory } from '../payouts/key-holders.ts'
import { peopleIn, SITE } from '../team/people.ts'
import { AMOUNT, refunding } from './refunding.ts'

const OWN = '1020304050'
// The network decides about it when somebody says so.
const OPEN = '1000000007'

describe('a refund by payout', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { PUBLIC_URL: SITE.origin } })
  })
  after(() => world[Symbol.asyncDispose]())
  const { ask, asked, chargeBack, confirmed, ends, leftOf, payin, proven, reaches, refund } = refunding(
    () => world,
  )
  afterEach(() => proven())

  const payerOf = (idNumber: string) => ({ inlineCustomer: { ...CUSTOMER, idNumber } })
  const simulate = async (payoutId: string, outcome: string) => {
    const answer = await world.client('POST', `/sandbox/payouts/${payoutId}/simulate`, { outcome })
    assert.ok(answer.status < 300, answer.text)
  }
  // Its payout is with the network, which has not decided.
  const sentOpen = async () => {
    const { id } = (await world.client('POST', '/payins', brebPayin(payerOf(OPEN)))).json
    await endPayin(world, world.client, id, 'confirmed')
    const made = await asked(id, { breb: { keyString: OPEN } })
    const { payoutId } = await reaches(made.id, 'PAYING')
    await world.work()
    return { payinId: id as string, refundId: made.id as string, payoutId: payoutId as string }
  }

  it('that the network has paid after all has given back what it paid, and nobody is paid that again', async () => {
    const { payinId, refundId, payoutId } = await sentOpen()
    await simulate(payoutId, 'declined')
    await reaches(refundId, 'AWAITING_CLAIM')
    const reference = railReference('payout', world.organization.organizationId, payoutId)
    assert.equal(await notify(world, { type: 'transfer.completed', reference, endToEndId: 'E2E-9' }), 200)
    const stopped = await ends(refundId, 'DECLINED')
    assert.equal(stopped.errorCode, 'RAIL_ERROR')
    assert.equal((await payin(payinId)).refundedAmountInCents, AMOUNT)
    assert.equal((await ask(payinId, { breb: { keyString: OPEN } })).json.code, 'REFUND_ABOVE_REMAINING')
  })

  it('is not paid to whoever has the key now, and its payer is asked for another', async () => {
    const made = await asked(await confirmed(payerOf(OWN)), { breb: { keyString: OWN } })
    assert.equal(made.claim.match, 'SAME')
    await withDirectory(world, heldBy(world, 'Otro Dueño', '99999999'), async () => {
      const again = await reaches(made.id, 'AWAITING_CLAIM')
      assert.equal(again.errorCode, 'RECEIVER_ID_MISMATCH')
      assert.deepEqual(leftOf('payout', again.payoutId), [])
    })
    await world.client('POST', `/refunds/${made.id}/cancel`)
  })

  it('is not paid to another than people have approved', async () => {
    const people = peopleIn(world)
    const carla = await people.newMember('approver')
    const { answer } = await people.withPasskey(carla)
    const approved = async () => {
      const made = await asked(await confirmed(payerOf(OWN)), { breb: { keyString: '@OTRAPERSONA' } })
      const approval = await approvalOf(world, made.id)
      const passkey = answer(Buffer.from(approval.digest, 'hex').toString('base64url'))
      await decideAs(people.ctx, carla, approval, 'APPROVED', { given: { passkey } })
      return made.id as string
    }
    await ends(await approved(), 'CONFIRMED')
    const id = await approved()
    await withDirectory(world, heldBy(world, 'Xiomara Zuluaga', '99999999'), async () => {
      assert.equal((await reaches(id, 'AWAITING_CLAIM')).errorCode, 'RECEIVER_ID_MISMATCH')
    })
    await world.client('POST', `/refunds/${id}/cancel`)
  })

  it('is paid where the directory hides whose the key is now', async () => {
    const made = await asked(await confirmed(payerOf(OWN)), { breb: { keyString: OWN } })
    await withDirectory(world, heldBy(world, 'Otr*** Due***', '9999', true), async () => {
      await ends(made.id, 'CONFIRMED')
    })
  })

  it('is paid where the directory hides only the document of whoever has the key now', async () => {
    const made = await asked(await confirmed(payerOf(OWN)), { breb: { keyString: OWN } })
    await withDirectory(world, heldBy(world, 'Otro Nombre', '******3050'), async () => {
      await ends(made.id, 'CONFIRMED')
    })
  })

  it('of which nothing was sent is canceled with its payout when its payin is charged back', async () => {
    const id = await confirmed(payerOf(OWN))
    const made = await asked(id, { breb: { keyString: OWN } })
    let payoutId = ''
    // The directory is away, so the payout waits.
    await withDirectory(
      world,
      async () => unknown('unavailable', 'away'),
      async () => {
        payoutId = (await reaches(made.id, 'PAYING')).payoutId
        await chargeBack(id, BigInt(AMOUNT))
        assert.equal((await ends(made.id, 'CANCELED')).errorCode, 'CHARGED_BACK')
      },
    )
    await world.passTime(60_000)
    assert.equal((await world.client('GET', `/payouts/${payoutId}`)).json.status, 'CANCELED')
    assert.deepEqual(leftOf('payout', payoutId), [])
    assert.equal((await refund(made.id)).errorCode, 'CHARGED_BACK')
  })

  it('whose payout is held back since a restore is not canceled when its payin is charged back', async () => {
    const id = await confirmed(payerOf(OWN))
    const made = await asked(id, { breb: { keyString: OWN } })
    await withDirectory(
      world,
      async () => unknown('unavailable', 'away'),
      async () => {
        const { payoutId } = await reaches(made.id, 'PAYING')
        const hold = (dueAt: string, leaseToken: string | null) =>
          world.db.query({
            text: 'update payouts set due_at = $2, lease_token = $3 where payout_id = $1',
            values: [payoutId, dueAt, leaseToken],
          })
        // It may have been paid between the backup and the restore.
        await hold('infinity', world.ctx.ids.next())
        await chargeBack(id, BigInt(AMOUNT))
        await world.passTime(60_000)
        assert.equal((await refund(made.id)).stage, 'PAYING')
        await hold('now', null)
        assert.equal((await ends(made.id, 'CANCELED')).errorCode, 'CHARGED_BACK')
      },
    )
  })

  it('that is on its way when its payin is charged back tells a person once both have left', async () => {
    const { payinId, refundId, payoutId } = await sentOpen()
    await chargeBack(payinId, 1_000_000n)
    assert.equal((await payin(payinId)).chargebackAmountInCents, 1_000_000)
    const told = async () =>
      (await listOpenAlarms(world.db)).filter(
        ({ subjectId, detail }) => subjectId === payinId && detail.includes(refundId),
      )
    assert.deepEqual(await told(), [], 'it may be declined yet')
    await simulate(payoutId, 'confirmed')
    await ends(refundId, 'CONFIRMED')
    assert.deepEqual(
      (await told()).map(({ kind, detail }) => [kind, detail]),
      [
        [
          'payin-contradiction',
          `refund ${refundId} has paid ${AMOUNT} cents by payout, after 1000000 cents of the payin were charged back`,
        ],
      ],
    )
  })
})
