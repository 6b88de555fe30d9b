// The list of banks that PlacetoPay's adapter keeps: when it asks for it, and what a payer loses if it cannot be had.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/instant.ts'
import type { PayinOrder } from '../../../src/rails/rail.ts'
import { type Answer, type FakeNetwork, openFakeNetwork } from '../fake-network.ts'
import { bankList, credentials, NOW, open, order, transaction } from './orders.ts'

const NOT_LISTED = { outcome: 'rejected', reason: 'BANK_UNAVAILABLE', networkCode: 'BANK_NOT_LISTED' }
const at = (bank: string): PayinOrder => ({
  ...order,
  source: { rail: 'PSE', bank, personType: 'INDIVIDUAL' },
})

async function withBanks(
  information: () => Answer,
  act: (rails: ReturnType<typeof open>, farSide: FakeNetwork, clock: { now: number }) => Promise<void>,
  environment: 'test' | 'live' = 'test',
  limits = {},
): Promise<void> {
  await using farSide = await openFakeNetwork()
  farSide.willAnswer(({ path }) =>
    path === '/gateway/information' ? information() : { status: 200, json: transaction },
  )
  const clock = { now: NOW }
  await using rails = open(
    { credentials: credentials(farSide.url), environment },
    { now: () => clock.now, limits: { pauseFromMs: 1, pauseToMs: 2, ...limits } },
  )
  await act(rails, farSide, clock)
}

const times = ({ asked }: FakeNetwork, path: string) => asked.filter((one) => one.path === path).length
const listed = (): Answer => ({ status: 200, json: bankList })

describe('a bank at PlacetoPay', () => {
  it('is refused if the gateway does not list it, and no payment is made', async () => {
    await withBanks(listed, async (rails, farSide) => {
      assert.deepEqual(await rails.pse.submit(at('CO_NEQUI')), NOT_LISTED)
      assert.equal(times(farSide, '/gateway/process'), 0)
      assert.equal((await rails.pse.submit(at('CO_BANCOLOMBIA'))).outcome, 'accepted')
      const sent = farSide.asked.at(-1)?.body as { instrument: { redirection: { additional: object } } }
      assert.deepEqual(sent.instrument.redirection.additional, { bankCode: '1007', userType: 'person' })
    })
  })

  it('is the test bank 1022 in a test, and nobody’s bank in earnest', async () => {
    await withBanks(listed, async (rails, farSide) => {
      assert.equal((await rails.pse.submit(at('CO_BANCO_DE_PRUEBAS'))).outcome, 'accepted')
      assert.match(JSON.stringify(farSide.asked.at(-1)?.body), /"bankCode":"1022"/)
    })
    await withBanks(
      listed,
      async (rails, farSide) => {
        assert.deepEqual(await rails.pse.submit(at('CO_BANCO_DE_PRUEBAS')), NOT_LISTED)
        assert.equal(farSide.asked.length, 0)
      },
      'live',
    )
  })

  it('is looked up in a list that is asked for once an hour', async () => {
    await withBanks(listed, async (rails, farSide, clock) => {
      await Promise.all([rails.pse.submit(order), rails.pse.submit(order), rails.pse.submit(order)])
      await rails.pse.submit(order)
      assert.equal(times(farSide, '/gateway/information'), 1)
      clock.now += HOUR_MS - 1
      await rails.pse.submit(order)
      assert.equal(times(farSide, '/gateway/information'), 1)
      clock.now += 1
      await rails.pse.submit(order)
      assert.equal(times(farSide, '/gateway/information'), 2)
      assert.equal(times(farSide, '/gateway/process'), 6)
    })
  })

  it('is found in the newest list that anybody asked for', async () => {
    let banks = bankList.bankList.slice(0, 2)
    await withBanks(
      () => ({ status: 200, json: { ...bankList, bankList: banks } }),
      async (rails, farSide) => {
        assert.deepEqual(await rails.pse.submit(at('CO_BANCO_DE_PRUEBAS')), NOT_LISTED)
        banks = bankList.bankList
        await rails.banks?.()
        assert.equal((await rails.pse.submit(at('CO_BANCO_DE_PRUEBAS'))).outcome, 'accepted')
        assert.equal(times(farSide, '/gateway/information'), 2)
      },
    )
  })

  it('is tried by its number while the list cannot be had, which is not asked for with every payment', async () => {
    const troubles: Answer[] = [
      'reset',
      { status: 500, bytes: '' },
      { status: 200, json: {} },
      { status: 200, json: { ...bankList, bankList: [] } },
      { status: 200, json: { ...bankList, bankList: [{ code: '1007', description: 'x'.repeat(201) }] } },
      { status: 400, json: { status: { status: 'FAILED', reason: 400 } } },
    ]
    for (const trouble of troubles) {
      let answer = trouble
      await withBanks(
        () => answer,
        async (rails, farSide, clock) => {
          assert.equal((await rails.pse.submit(at('CO_NEQUI'))).outcome, 'accepted')
          const asked = times(farSide, '/gateway/information')
          await rails.pse.submit(at('CO_NEQUI'))
          assert.equal(times(farSide, '/gateway/information'), asked)
          clock.now += MINUTE_MS
          answer = listed()
          assert.deepEqual(await rails.pse.submit(at('CO_NEQUI')), NOT_LISTED)
          assert.equal(times(farSide, '/gateway/process'), 2)
        },
      )
    }
  })

  it('does not keep a payer waiting for the list, or payments from being made', async () => {
    await withBanks(
      () => 'silent',
      async (rails, farSide, clock) => {
        for (let count = 0; count < 4; count += 1) {
          assert.equal((await rails.pse.submit(order)).outcome, 'accepted')
          clock.now += MINUTE_MS
        }
        assert.equal(rails.isAway('PSE_IN'), false)
        assert.equal(times(farSide, '/gateway/process'), 4)
      },
      'test',
      { queryMs: 30, breakAfterFailures: 2, breakMs: 60_000 },
    )
  })
})
