// When audit entries cannot be chained: a database that is away is asked once, and what is wrong with one organization delays no other.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { StoreBusy, StoreUnavailable } from '../../src/store/db.ts'
import { chainAllDue } from '../../src/workers/audit-chain.ts'
import { searchFor } from '../../src/workers/due-queues.ts'
import { createWorld, type World } from '../world.ts'

describe('the chain of audit entries', () => {
  let world: World
  let lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // Organizations with an entry each that waits.
  const waiting = async (count: number): Promise<string[]> => {
    const made: string[] = []
    while (made.length < count) {
      const { client, organization } = await world.newMerchant()
      assert.equal((await client('PATCH', '/organization', { payinExpiryMinutes: 20 })).status, 200)
      made.push(organization.organizationId)
    }
    lines = []
    return made
  }
  const left = async (organizationId: string): Promise<number> => {
    const text = 'select from audit_unchained where organization_id = $1'
    return (await world.db.query({ text, values: [organizationId] })).rowCount ?? 0
  }

  it('asks a database that is away once, and not again for each organization', async () => {
    const owners = await waiting(3)
    const search = { ...searchFor(world.ctx, 'audit_unchained'), look: async () => owners }
    for (const away of [new StoreUnavailable('away'), new StoreBusy('busy')]) {
      let asked = 0
      const fails = (): Promise<never> => {
        asked += 1
        return Promise.reject(away)
      }
      const ctx = { ...world.ctx, db: { ...world.ctx.db, query: fails, inTransaction: fails } }
      await assert.rejects(chainAllDue(ctx, log, search), away)
      assert.equal(asked, 1)
    }
    assert.deepEqual(lines, [])
  })

  it('goes on with the others if one organization’s cannot be written, and the log names it', async () => {
    const [hindered = '', free = ''] = await waiting(2)
    await world.db.query({
      text: `alter table audit_chain add constraint hindered check (organization_id <> '${hindered}')`,
    })
    await chainAllDue(world.ctx, log)
    await world.db.query({ text: 'alter table audit_chain drop constraint hindered' })
    assert.deepEqual([(await left(hindered)) > 0, await left(free)], [true, 0])
    assert.deepEqual(
      lines.map(({ level, job, organizationId, msg }) => [level, job, organizationId, msg]),
      [[50, 'audit', hindered, 'work failed']],
    )
    await chainAllDue(world.ctx, log)
    assert.equal(await left(hindered), 0)
  })
})
