// Who may move staging's clock, and how far.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEMO_ORGANIZATION_ID } from '../../../src/core/organizations/organization.ts'
import { createOrganization } from '../../../src/flows/organizations/create.ts'
import { issueApiKey } from '../../../src/flows/organizations/issue-credential.ts'
import { advanceClock, readClockOffset } from '../../../src/store/staging-clock.ts'
import { assertProblem } from '../../api/http/problem.ts'
import { type Client, clientOf, createWorld, type World } from '../../world.ts'

const move = (client: Client, seconds: number) => client('POST', '/sandbox/clock/advance', { seconds })
const YEAR_SECONDS = 366 * 86_400

describe('staging’s clock', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SANDBOX_SHARED_CLOCK: 'false' } })
  })
  after(() => world[Symbol.asyncDispose]())

  it('is moved by the only organization, and by the demo organization, but by no other of several', async () => {
    assert.equal((await move(world.client, 60)).status, 200)
    const other = await world.newMerchant(['sandbox:write'])
    for (const client of [world.client, other.client]) {
      const refused = await move(client, 60)
      assertProblem(refused, 'SIMULATION_REFUSED')
      assert.match(refused.json.detail, /demo organization.*SANDBOX_SHARED_CLOCK=true/)
    }
    assert.equal(await readClockOffset(world.db), 60_000, 'nobody’s time has moved')
    await createOrganization(world.ctx, 'Demo', DEMO_ORGANIZATION_ID)
    const request = { organizationId: DEMO_ORGANIZATION_ID, name: 'demo', scopes: null, expiresAt: null }
    const demo = clientOf(world.baseUrl, {
      'x-api-key': (await issueApiKey(world.ctx, request))?.secret ?? '',
    })
    assert.equal((await move(demo, 60)).status, 200)
    assert.equal(await readClockOffset(world.db), 120_000)
  })
})

describe('a clock that the operator shares', () => {
  let world: World
  before(async () => {
    world = await createWorld({ env: { SANDBOX_SHARED_CLOCK: 'true' } })
  })
  after(() => world[Symbol.asyncDispose]())

  it('is moved by any organization, ten years in all, and says what is left', async () => {
    const { client } = await world.newMerchant()
    for (let year = 0; year < 9; year += 1) assert.equal((await move(client, YEAR_SECONDS)).status, 200)
    assert.equal((await move(world.client, YEAR_SECONDS - 100)).status, 200)
    const refused = await move(client, 101)
    assertProblem(refused, 'INVALID_INPUT')
    assert.deepEqual(refused.json.errors[0].path, '/seconds')
    assert.match(refused.json.errors[0].message, /by 100 seconds more, of ten years in all/)
    assert.equal((await move(client, 100)).status, 200)
    assert.match((await move(client, 1)).json.errors[0].message, /by 0 seconds more/)
    assert.equal(await readClockOffset(world.db), 10 * YEAR_SECONDS * 1_000)
    assert.equal((await world.client('GET', '/organization')).status, 200)
  })

  it('goes on from its limits where something else is stored', async () => {
    const store = (offsetMs: string) =>
      world.db.query({ text: 'update staging_clock set offset_ms = $1', values: [offsetMs] })
    await store('9223372036854775807')
    assertProblem(await move(world.client, 1), 'INVALID_INPUT')
    await store('-9223372036854775808')
    assert.equal((await move(world.client, 1)).status, 200)
    assert.equal(await readClockOffset(world.db), 1_000)
  })

  it('stays within ten years when many move it at once', async () => {
    await world.db.query({
      text: 'update staging_clock set offset_ms = $1',
      values: [9 * YEAR_SECONDS * 1_000],
    })
    const half = (YEAR_SECONDS / 2) * 1_000
    const moved = await Promise.all(Array.from({ length: 8 }, () => advanceClock(world.db, half)))
    assert.equal(moved.filter((offset) => offset !== undefined).length, 2)
    assert.equal(await readClockOffset(world.db), 10 * YEAR_SECONDS * 1_000)
  })
})
