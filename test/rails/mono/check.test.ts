// What a merchant is told about credentials that do not work.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateMono, tenantAccountId } from '../../sandbox/providers/mono-caller.ts'
import { type Answer, openFakeNetwork } from '../fake-network.ts'
import { page } from './answers.ts'
import { type OpenChanges, openAt, PERSONAL } from './opened.ts'

const problems = async (url: string, changes: OpenChanges = {}) => {
  await using rails = openAt(url, changes)
  const lines = await rails.check()
  for (const { problem } of lines)
    for (const secret of PERSONAL) assert.ok(!(problem ?? '').includes(secret), problem ?? '')
  for (const exchange of rails.exchanges)
    for (const secret of PERSONAL) assert.ok(!JSON.stringify(exchange).includes(secret))
  return Object.fromEntries(lines.map(({ what, problem }) => [what, problem]))
}

test('credentials that work have no problems, for what the connection is used for', async () => {
  await using mono = await simulateMono()
  assert.deepEqual(await problems(mono.url), {
    'Ask for an access token': null,
    'List collections': null,
    'List outgoing transfers': null,
  })
  assert.deepEqual(await problems(mono.url, { uses: ['BRE_B_OUT'] }), {
    'Ask for an access token': null,
    'List outgoing transfers': null,
  })
})

test('nothing of what else the merchant does is listed', async () => {
  await using mono = await simulateMono()
  await mono.collect({ external_id: 'sale-of-3001234567' })
  await mono.transfer({ external_id: 'payout-to-3001234567' })
  await problems(mono.url)
})

test('a wrong secret or an unknown client is said, and nothing else is asked', async () => {
  await using mono = await simulateMono()
  for (const credentials of [{ clientSecret: 'wrong' }, { clientId: 'nobody' }]) {
    const found = await problems(mono.url, { credentials })
    assert.deepEqual(Object.keys(found), ['Ask for an access token'])
    assert.match(found['Ask for an access token'] ?? '', /client secret is wrong.*environment/)
  }
})

test('an address where nobody or somebody else answers is said', async () => {
  const nobody = await problems('http://127.0.0.1:9')
  assert.match(nobody['Ask for an access token'] ?? '', /cannot be reached/)
  await using farSide = await openFakeNetwork()
  const cases: [Answer, RegExp][] = [
    [
      { status: 200, bytes: '<html>hello</html>', headers: { 'content-type': 'text/html' } },
      /Check the address/,
    ],
    [{ status: 404, json: { error: 'Not Found' } }, /Check the address/],
    [{ status: 503, json: {} }, /Check again later/],
    [{ status: 400, json: { error: 'invalid_scope' } }, /collections outgoing_transfers.*enable/],
    [{ status: 401, json: {} }, /client secret is wrong/],
  ]
  for (const [answer, words] of cases) {
    farSide.willAnswer({ status: 200, json: {} })
    farSide.willGrant(answer)
    assert.match((await problems(farSide.url))['Ask for an access token'] ?? '', words)
    assert.equal(farSide.asked.length, 0)
  }
})

test('a product that is off, and an answer that is none, are said with the list', async () => {
  await using farSide = await openFakeNetwork()
  const cases: [Answer, RegExp][] = [
    [{ status: 403, json: { errors: [{ error_code: 'not_authorized' }] } }, /use collections.*enable/],
    [{ status: 200, json: {} }, /Check the address/],
    [{ status: 429, json: {} }, /Check again later/],
    ['reset', /cannot be reached/],
  ]
  for (const [answer, words] of cases) {
    farSide.willAnswer(answer)
    const found = await problems(farSide.url, { uses: ['BRE_B_IN'] })
    assert.match(found['List collections'] ?? '', words)
    assert.equal(found['Find the account'], undefined)
  }
})

test('an account that is none of the client’s, or not active, is said', async () => {
  await using farSide = await openFakeNetwork()
  const account = { id: tenantAccountId, state: 'active', beneficiary: { full_name: 'Canaria' } }
  const cases: [unknown, RegExp | null | undefined][] = [
    [[account], null],
    [[{ ...account, id: 'bbtacc_other' }, account], null],
    [[], /none of this client’s/],
    [[{ ...account, id: 'bbtacc_other' }], /none of this client’s/],
    [[{ ...account, state: 'inactive' }], /not active/],
    // Nobody knows what this means, so nothing is said.
    [{ accounts: [account] }, undefined],
  ]
  for (const [accounts, expected] of cases) {
    const isAccounts = (path: string) => path === '/api/v1/tenant/accounts'
    farSide.willAnswer(({ path }) => ({
      status: 200,
      json: isAccounts(path) ? accounts : page('collections', []),
    }))
    const found = await problems(farSide.url, { uses: ['BRE_B_IN'] })
    const problem = found['Find the account']
    if (expected instanceof RegExp) assert.match(problem ?? '', expected)
    else assert.equal(problem, expected)
    assert.equal(farSide.asked.filter(({ path }) => isAccounts(path)).length, 1)
  }
})
