// The operator's doctor on a primary and its standby: each server by itself, one that lags, one that is gone, and two that both
// take writes.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startReplicated } from '../../process/standby.ts'
import { ask, examined } from './server.ts'

it('finds what is wrong with a primary and its standby', async (t) => {
  await using servers = await startReplicated()
  const replication = (told: Awaited<ReturnType<typeof examined>>) =>
    told.problems.filter((about) => /^(?:primary|server|standby|standbys|servers)\b/.test(about))

  await t.test('nothing, if both are well', async () => {
    const told = await examined(servers.url)
    assert.deepEqual(replication(told), [])
    assert.match(told.of('standby standby')?.text ?? '', /^synchronous, /)
    const roles = told.findings.filter(({ about }) => about.startsWith('server ')).map(({ text }) => text)
    assert.deepEqual(roles, ['takes writes', 'a standby'])
  })

  await t.test('that the address names the standby', async () => {
    const told = await examined(servers.standby.url)
    assert.deepEqual(replication(told), ['primary'])
  })

  await t.test('that the standby stands still and falls behind', async () => {
    await servers.standby.freeze()
    await ask(servers.primary.url, 'set synchronous_commit = local; create table filler as select 1')
    const told = await examined(servers.url, { limits: { standbyLagBytes: 0 } })
    servers.standby.thaw()
    const [gone = '', behind] = replication(told)
    assert.match(gone, /^server \//)
    assert.equal(behind, 'standby standby')
    assert.match(told.of('standby standby')?.text ?? '', /of the log behind$/)
  })

  await t.test('that both take writes', async () => {
    await servers.promote()
    const told = await examined(servers.url)
    // The primary has lost the standby that it waits for.
    assert.ok(told.problems.includes('servers'), told.problems.join())
    assert.match(told.of('servers')?.remedy ?? '', /stop the service/)
  })
})
