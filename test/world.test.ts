// The tools of the tests are tested: a world proves its books when it ends, and `eventually` gives up and says what it saw.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWorld, eventually, onServer } from './world.ts'

describe('a world', () => {
  it('fails its test at the end if the books do not hold, or cannot be read; and leaves no database', async () => {
    const faults: [string, RegExp][] = [
      [
        `update ledger_balances set credit_cents = credit_cents + 1 where account = 'AVAILABLE'`,
        /the books do not hold: .*the books sum to zero/,
      ],
      ['alter table ledger_transfers rename to gone', /the books do not hold: .*ledger_transfers/],
    ]
    for (const [text, message] of faults) {
      const world = await createWorld()
      await world.db.query({ text })
      await assert.rejects(world[Symbol.asyncDispose](), message)
      await assert.rejects(world.db.query({ text: 'select 1' }), 'its connections are closed')
      const name = new RegExp(/\/(test_[0-9a-f]{32})/).exec(world.databaseUrl)?.[1]
      await assert.rejects(onServer(`drop database ${name}`), /does not exist/)
    }
  })

  it('calls nobody outside, not even a provider that a merchant has connected', async () => {
    await using world = await createWorld()
    const { json: connection } = await world.client('POST', '/connections', {
      name: 'PlacetoPay',
      provider: 'placetopay',
      environment: 'test',
      uses: ['PSE_IN'],
      credentials: { login: 'shop', secretKey: 'secret' },
    })
    const { json: tested } = await world.client('POST', `/connections/${connection.id}/test`)
    assert.equal(tested.passed, false)
    const { rows } = await eventually(
      () => world.db.query<{ failure: string }>({ text: 'select failure from rail_exchanges' }),
      (result) => result.rows.length > 0,
    )
    for (const { failure } of rows) assert.match(failure, /ENOTFOUND|is not on this machine/)
    await assert.rejects(fetch('http://provider.example/'), ({ cause }: Error) =>
      /provider\.example is not on this machine/.test(String(cause)),
    )
  })
})

describe('eventually', () => {
  it('returns the value for which the condition holds, at once or later', async () => {
    let reads = 0
    const read = async () => {
      reads += 1
      return reads
    }
    assert.equal(await eventually(read, (value) => value >= 3), 3)
    assert.equal(reads, 3)
  })

  it('gives up after its time, and says how long it waited, for what, and what it saw last', async () => {
    const startedMs = performance.now()
    const isConfirmed = ({ status }: { status: string }) => status === 'CONFIRMED'
    await assert.rejects(
      eventually(async () => ({ status: 'PENDING' }), isConfirmed, 50),
      /^Error: not within 50 ms: .*'CONFIRMED'; last seen: {"status":"PENDING"}$/,
    )
    assert.ok(performance.now() - startedMs >= 50)
  })

  it('does not hide an error of what it reads', async () => {
    const failing = async () => {
      throw new Error('unreadable')
    }
    await assert.rejects(eventually(failing, Boolean), /unreadable/)
  })
})
