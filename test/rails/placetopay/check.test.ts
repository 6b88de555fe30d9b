// What the operator is told when a connection to PlacetoPay is checked: which credential to change, or whom to ask.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { placetopay } from '../../../src/sandbox/providers/placetopay/gateway.ts'
import { type Simulated, simulate } from '../../sandbox/providers/simulated.ts'
import { type Answer, openFakeNetwork } from '../fake-network.ts'
import { bankList, credentials, handle, open } from './orders.ts'

const WHAT = 'The banks of PSE, asked for with the login and the secret key'

async function problemAt(simulated: Simulated, altered: Record<string, string>, offMs = 0) {
  await using rails = open(
    { credentials: { ...placetopay.credentials, url: simulated.url, ...altered } },
    { wallClock: () => simulated.now() + offMs },
  )
  const [line, ...others] = await rails.check()
  assert.deepEqual([line?.what, others], [WHAT, []])
  return line?.problem
}

async function problemWith(answer: Answer) {
  await using farSide = await openFakeNetwork()
  farSide.willAnswer(answer)
  await using rails = open({ credentials: credentials(farSide.url) }, { limits: { queryMs: 500 } })
  const [line] = await rails.check()
  return line?.problem ?? ''
}

describe('a check of a connection to PlacetoPay', () => {
  it('names the credential that is wrong', async () => {
    await using simulated = await simulate(placetopay)
    assert.equal(await problemAt(simulated, {}), null)
    assert.match((await problemAt(simulated, { login: 'nobody' })) ?? '', /does not know this login/)
    assert.match((await problemAt(simulated, { secretKey: 'wrong' })) ?? '', /secret key does not belong/)
    assert.match((await problemAt(simulated, { login: 'recaudo-inactive-site' })) ?? '', /site is inactive/)
    assert.match((await problemAt(simulated, { login: 'recaudo-expired-site' })) ?? '', /site has expired/)
    assert.match(
      (await problemAt(simulated, { login: 'recaudo-expired-password' })) ?? '',
      /credentials have expired/,
    )
    assert.match((await problemAt(simulated, {}, 6 * MINUTE_MS)) ?? '', /clock/)
    assert.match((await problemAt(simulated, {}, -6 * MINUTE_MS)) ?? '', /clock/)
    assert.match((await problemAt(simulated, { login: '' })) ?? '', /cannot read how we authenticate/)
    assert.match((await problemAt(simulated, { url: 'http://127.0.0.1:1' })) ?? '', /cannot be reached/)
    assert.match((await problemAt(simulated, { url: `${simulated.url}/v2` })) ?? '', /not a PlacetoPay/)
  })

  it('tells a gateway in trouble from another server, and a site without PSE from both', async () => {
    const failed = (reason: unknown, message = '') => ({ status: { status: 'FAILED', reason, message } })
    const problems: [Answer, RegExp][] = [
      [{ status: 503, json: failed(503) }, /problem of its own \(HTTP 503\)/],
      [{ status: 429, bytes: '' }, /problem of its own \(HTTP 429\)/],
      [{ status: 403, bytes: '' }, /HTTP 403/],
      [{ status: 200, json: { hello: 'world' } }, /not a PlacetoPay gateway/],
      [{ status: 200, bytes: '<html>' }, /not a PlacetoPay gateway/],
      ['no HTTP', /not a PlacetoPay gateway/],
      ['silent', /cannot be reached: no answer within the deadline/],
      [{ status: 200, json: { ...bankList, bankList: [] } }, /enable PSE/],
      [{ status: 200, json: failed('XN') }, /\(XN\).*whether PSE is enabled/],
      [
        { status: 401, json: failed(401, 'Authentication failed 199') },
        /login and the secret key. Check both/,
      ],
      [{ status: 200, json: failed(401, 'Authentication failed 102') }, /secret key does not belong/],
    ]
    for (const [answer, problem] of problems) assert.match(await problemWith(answer), problem)
  })

  it('asks even while the gateway is not called for payments', async () => {
    await using farSide = await openFakeNetwork()
    await using rails = open(
      { credentials: credentials(farSide.url) },
      { limits: { breakAfterFailures: 1, breakMs: 60_000, tries: 1 } },
    )
    farSide.willAnswer('reset')
    await rails.pse.query(handle('1'))
    await rails.banks?.()
    assert.equal(rails.isAway('PSE_IN'), true)
    farSide.willAnswer({ status: 200, json: bankList })
    assert.deepEqual(await rails.check(), [{ what: WHAT, problem: null }])
    assert.equal((await rails.pse.query(handle('1'))).outcome, 'unknown')
    assert.equal(farSide.asked.length, 1)
  })
})
