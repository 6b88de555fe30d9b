// What a provider says of a payment makes us ask, and settles nothing. What it says of one that its connection does not have is told.

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { railReference } from '../../../src/core/connections/reference.ts'
import { receiveHint } from '../../../src/flows/connections/receive-hint.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { newPayout } from '../../api/http/calls.ts'
import { createWorld, type World } from '../../world.ts'
import { moveToProviders } from './funds.ts'
import { connect, type ScriptedProvider } from './scripted-provider.ts'

let world: World
let provider: ScriptedProvider
before(async () => {
  world = await createWorld()
  provider = await connect(world, { uses: ['BRE_B_OUT'] })
  await moveToProviders(world)
})
after(() => world[Symbol.asyncDispose]())

const payOut = async (): Promise<string> => {
  const { status, json, text } = await world.client('POST', '/payouts', newPayout())
  assert.equal(status, 201, text)
  await world.work()
  return json.id
}

it('of several payments each that is unknown is told of, and each that is known is asked about', async () => {
  const { organizationId } = world.organization
  const { connectionId } = provider
  const payoutId = await payOut()
  const named = [payoutId, world.ctx.ids.next(), world.ctx.ids.next()]
  const references = named.map((id) => railReference('payout', organizationId, id))
  const asked = provider.calls.length
  const ask = references.map((reference) => ({ kind: 'payout', reference }) as const)
  assert.equal(await receiveHint(world.ctx, { organizationId, connectionId }, { ask, kind: 'paid' }), 1)
  await world.work()
  assert.deepEqual(provider.calls.slice(asked), ['query payout'])
  const told = (await listOpenAlarms(world.db)).filter(({ kind }) => kind === 'orphan-notice')
  assert.deepEqual(
    told.map(({ subjectId, detail }) => [subjectId, detail]).toSorted(),
    references
      .slice(1)
      .map((one) => [
        connectionId,
        `connection ${connectionId} reported paid of payout ${one}, which it does not have`,
      ])
      .toSorted(),
  )
})

it('how a payout over a connection ends is not for our simulated network to decide', async () => {
  const outcome = { outcome: 'confirmed' }
  const { status, json } = await world.client('POST', `/sandbox/payouts/${await payOut()}/simulate`, outcome)
  assert.deepEqual([status, json.code], [409, 'SIMULATION_REFUSED'])
  assert.match(json.detail, /goes over a connection/)
})
