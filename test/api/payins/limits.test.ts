// The bounds of a request, tried on both sides: the largest amount, and the addresses that production accepts.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { maximumInCents } from '../../../src/core/connections/rail.ts'
import { type Answer, brebPayin, createWorld, psePayin, type World } from '../../world.ts'
import { newPayout } from '../http/calls.ts'
import { addNode, type Node } from '../http/node.ts'

describe('a request at its bounds', () => {
  let world: World
  let production: Node
  before(async () => {
    world = await createWorld({ env: { SECRETS_KEY: randomBytes(32).toString('hex') } })
    production = await addNode(world, { config: { environment: 'production' } })
  })
  after(async () => {
    await production[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const problemsOf = ({ json }: Answer) =>
    json.errors?.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
  const link = (changes: Record<string, unknown>) => ({
    amountType: 'FIXED',
    amountInCents: 100_000,
    reference: 'bounds',
    callbackUrl: 'https://shop.example/',
    ...changes,
  })

  it('takes the largest amount of its rail, and not a cent more', async () => {
    const pseInCents = world.config.pseMaximumInCents
    const most = (rail: 'BRE_B' | 'PSE') => Number(maximumInCents(rail, world.ctx.clock.now(), pseInCents))
    const requests: [string, number, (amountInCents: number) => Record<string, unknown>][] = [
      ['/payouts', most('BRE_B'), (amountInCents) => newPayout({ amountInCents })],
      ['/payins', most('BRE_B'), (amountInCents) => brebPayin({ amountInCents })],
      ['/payins', most('PSE'), (amountInCents) => psePayin({ amountInCents })],
      ['/payment-links', most('PSE'), (amountInCents) => link({ amountInCents })],
      ['/payment-links', most('BRE_B'), (amountInCents) => link({ amountInCents, rail: 'BRE_B' })],
    ]
    for (const [path, amount, bodyOf] of requests) {
      const largest = await world.client('POST', path, bodyOf(amount))
      assert.equal(largest.status, 201, `${path} ${largest.text}`)
      assert.equal(largest.json.amountInCents, amount)
      const above = await world.client('POST', path, bodyOf(amount + 1))
      assert.deepEqual(problemsOf(above), ['/amountInCents AMOUNT_ABOVE_MAXIMUM'], path)
    }
  })

  it('sends a payer back to an https address only in production, and to any web address in staging', async () => {
    const requests: [string, (callbackUrl: string) => Record<string, unknown>][] = [
      ['/payins', (callbackUrl) => brebPayin({ callbackUrl })],
      ['/payment-links', (callbackUrl) => link({ callbackUrl })],
    ]
    for (const [path, bodyOf] of requests) {
      const refused = await production.client('POST', path, bodyOf('http://shop.example/'))
      assert.deepEqual(problemsOf(refused), ['/callbackUrl WRONG_FORMAT'], path)
      for (const [client, url] of [
        [production.client, 'https://shop.example/'],
        [world.client, 'http://shop.example/'],
      ] as const) {
        const taken = await client('POST', path, bodyOf(url))
        assert.equal(taken.status, 201, `${path} ${url} ${taken.text}`)
      }
    }
  })
})
