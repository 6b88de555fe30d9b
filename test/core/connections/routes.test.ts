// What payments know of connections: in what order they are tried, and from which amount.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Connection, chooseRoute, isConnectedFor } from '../../../src/core/connections/connection.ts'
import { routesOf } from '../../../src/core/connections/routes.ts'

const connection = (changes: Partial<Connection>): Connection => ({
  organizationId: '01900000-0000-7000-8000-00000000000a',
  connectionId: '01900000-0000-7000-8000-000000000001',
  version: 1,
  name: 'one',
  provider: 'placetopay',
  environment: 'test',
  uses: ['PSE_IN'],
  priority: 100,
  minimumInCents: null,
  maximumInCents: null,
  enabled: true,
  credentials: Buffer.alloc(0),
  previousCredentials: null,
  previousUntil: null,
  createdAt: 0,
  updatedAt: 0,
  ...changes,
})
const routed = (...all: Partial<Connection>[]) =>
  routesOf(all.map((changes) => ({ connection: connection(changes), namesKeys: false })))

describe('the routes of connections', () => {
  it('serve the uses of enabled connections, and no other', () => {
    const routes = routed({ uses: ['BRE_B_IN'] }, { uses: ['BRE_B_OUT'], enabled: false })
    assert.equal(isConnectedFor(routes, 'BRE_B_IN'), true)
    assert.equal(isConnectedFor(routes, 'BRE_B_OUT'), false)
    assert.equal(isConnectedFor([], 'BRE_B_IN'), false)
  })

  it('come by priority, then by age, and without those that are disabled', () => {
    const routes = routed(
      { connectionId: '01900000-0000-7000-8000-000000000003', priority: 10 },
      { connectionId: '01900000-0000-7000-8000-000000000004', priority: 9 },
      { connectionId: '01900000-0000-7000-8000-000000000002', priority: 10 },
      { connectionId: '01900000-0000-7000-8000-000000000001', priority: 0, enabled: false },
    )
    assert.deepEqual(
      routes.map(({ connectionId }) => connectionId.at(-1)),
      ['4', '2', '3'],
    )
  })

  it('begin at the provider’s minimum, or at the connection’s own if that is higher', () => {
    const minimumOf = (changes: Partial<Connection>) => routed(changes)[0]?.minimumInCents
    assert.equal(minimumOf({ provider: 'placetopay' }), 1n)
    assert.equal(minimumOf({ provider: 'wompi' }), 150_000n)
    assert.equal(minimumOf({ provider: 'wompi', minimumInCents: 149_999n }), 150_000n)
    assert.equal(minimumOf({ provider: 'wompi', minimumInCents: 150_001n }), 150_001n)
  })

  it('let a small payout go where only payins have a minimum', () => {
    const routes = routed({ provider: 'wompi', uses: ['PSE_IN', 'BRE_B_OUT'], maximumInCents: 900_000n })
    const here = () => false
    assert.equal(chooseRoute(routes, 'PSE_IN', 149_999n, here).kind, 'none')
    assert.equal(chooseRoute(routes, 'PSE_IN', 150_000n, here).kind, 'connection')
    assert.equal(chooseRoute(routes, 'BRE_B_OUT', 1n, here).kind, 'connection')
    assert.equal(chooseRoute(routes, 'BRE_B_OUT', 900_001n, here).kind, 'none')
    assert.equal(chooseRoute(routes, 'BRE_B_IN', 150_000n, here).kind, 'installation')
  })

  it('say what a payment must know, and nothing more', () => {
    const [route] = routesOf([
      {
        connection: connection({
          provider: 'mono',
          uses: ['BRE_B_OUT', 'BRE_B_IN'],
          minimumInCents: 200n,
          maximumInCents: 300n,
        }),
        namesKeys: true,
      },
    ])
    assert.deepEqual(route, {
      connectionId: '01900000-0000-7000-8000-000000000001',
      provider: 'mono',
      uses: ['BRE_B_OUT', 'BRE_B_IN'],
      minimumInCents: 200n,
      maximumInCents: 300n,
      namesKeys: true,
    })
  })
})
