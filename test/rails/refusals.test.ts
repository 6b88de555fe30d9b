// Which answers refuse an order, by their status: what is about the caller, the rate or the server says nothing about the order, whatever
// else it says. And how each directory is asked, whose answer may take as long as the key's own bank does.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brebDirectory } from '../../src/rails/breb/directory.ts'
import type { Call, Gateway } from '../../src/rails/gateway.ts'
import { LIMITS } from '../../src/rails/limits.ts'
import { monoDirectory } from '../../src/rails/mono/directory.ts'
import { readRefusalCode as readMonoRefusal } from '../../src/rails/mono/wire.ts'
import { readRefusal as readPlacetopayRefusal } from '../../src/rails/placetopay/transaction.ts'
import type { Directory } from '../../src/rails/rail.ts'
import { wompiDirectory } from '../../src/rails/wompi/directory.ts'
import { readPaymentRefusal, readPayoutRefusal } from '../../src/rails/wompi/wire.ts'

const STATUSES = [200, 201, 302, 400, 401, 402, 403, 404, 408, 409, 415, 422, 429, 499, 500, 502, 503, 599]
const ABOUT_THE_ORDER = [400, 402, 404, 409, 415, 422, 499]

const READERS: Readonly<
  Record<string, [read: (httpStatus: number) => string | undefined, statuses: number[]]>
> = {
  'a payment of Wompi': [
    (status) => readPaymentRefusal({ error: { type: 'INPUT_VALIDATION_ERROR' } }, status),
    // Wompi says so of a wrong key too. A gateway does not ask its reader then.
    [400, 401, ...ABOUT_THE_ORDER.slice(1)],
  ],
  'a payout of Wompi': [
    (status) => readPayoutRefusal({ code: 'EXC_001' }, status),
    [400, 401, ...ABOUT_THE_ORDER.slice(1)],
  ],
  'an order of Mono': [
    (status) => readMonoRefusal({ errors: [{ error_code: 'wrong', message: 'wrong' }] }, status),
    ABOUT_THE_ORDER,
  ],
  'an order of PlacetoPay': [
    (status) => readPlacetopayRefusal({ status: { status: 'FAILED', reason: 'XX' } }, status),
    ABOUT_THE_ORDER,
  ],
}

describe('a refusal', () => {
  for (const [what, [read, statuses]] of Object.entries(READERS))
    it(`of ${what} has a status that is about it`, () => {
      assert.deepEqual(
        STATUSES.filter((status) => read(status) !== undefined),
        statuses,
      )
    })

  it('of a look-up at Wompi may come from a directory that is away or late, and then with a status of the server’s', () => {
    for (const code of ['EXC_036', 'EXC_037'])
      assert.deepEqual(
        STATUSES.filter((status) => readPayoutRefusal({ code }, status) === code),
        [400, 401, 402, 404, 409, 415, 422, 499, 500, 502, 503, 599],
      )
  })
})

describe('a key is looked up', () => {
  const asked = async (open: (gateway: Gateway) => Directory): Promise<Call | undefined> => {
    const calls: Call[] = []
    const gateway: Gateway = {
      ask: async (call) => {
        calls.push(call)
        return { outcome: 'unknown', kind: 'timeout', why: 'nobody answered' }
      },
      isAway: () => false,
    }
    const answer = await open(gateway).lookUp('3001234567', 'PHONE')
    assert.equal(answer.outcome, 'unknown')
    return calls[0]
  }
  // Who waits for a bank must not keep others from theirs, and a key is personal wherever it stands.
  const patient = { timeoutKeepsCircuitClosed: true, deadlineMs: 5_000 } as const
  const personal = { method: 'GET', id: '3001234567', idIsPersonal: true, mayAskAgain: true } as const

  it('by Bre-B under its type', async () => {
    assert.deepEqual(await asked((gateway) => brebDirectory(gateway, LIMITS)), {
      ...patient,
      ...personal,
      resource: '/keys/M',
    })
  })

  it('by Wompi with its type', async () => {
    assert.deepEqual(await asked((gateway) => wompiDirectory(gateway, LIMITS)), {
      ...patient,
      ...personal,
      resource: '/v2/breb/keys/resolve',
      query: { keyType: 'PHONE' },
    })
  })

  it('by Mono once, because each is counted', async () => {
    const { resource, ...call } = (await asked((gateway) => monoDirectory(gateway, LIMITS, 'account'))) ?? {}
    assert.match(String(resource), /\/resolve$/)
    assert.deepEqual(call, {
      ...patient,
      method: 'POST',
      id: null,
      body: { tenant_account_id: 'account', format: 'plain_key', value: '3001234567' },
      mayAskAgain: false,
    })
  })
})
