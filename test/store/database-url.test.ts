// The forms in which DATABASE_URL names one server or several. What it refuses is in test/config.test.ts.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDatabaseUrl } from '../../src/store/database-url.ts'

describe('the address of a database', () => {
  const FORMS: readonly (readonly [url: string, names: string[], urls: string[]])[] = [
    ['postgresql://u:p@a:5432/shop', ['a:5432'], ['postgresql://u:p@a:5432/shop']],
    ['postgresql://u@/shop?host=/run', ['/run'], ['postgresql://u@/shop?host=/run']],
    ['postgresql:///shop', [''], ['postgresql:///shop']],
    [
      'postgres://u:p@a:5432,b:5433/shop?target_session_attrs=read-write',
      ['a:5432', 'b:5433'],
      ['postgres://u:p@/shop?host=a&port=5432', 'postgres://u:p@/shop?host=b&port=5433'],
    ],
    [
      'postgres://a,b:6000/shop',
      ['a', 'b:6000'],
      ['postgres:///shop?host=a', 'postgres:///shop?host=b&port=6000'],
    ],
    [
      'postgres://u:p@s,s@[::1]:1,b/shop?sslmode=disable',
      ['[::1]:1', 'b'],
      [
        'postgres://u:p@s,s@/shop?sslmode=disable&host=%3A%3A1&port=1',
        'postgres://u:p@s,s@/shop?sslmode=disable&host=b',
      ],
    ],
    [
      'postgres://u@/shop?host=/run/a,/run/b&port=5433',
      ['/run/a:5433', '/run/b:5433'],
      ['postgres://u@/shop?host=%2Frun%2Fa&port=5433', 'postgres://u@/shop?host=%2Frun%2Fb&port=5433'],
    ],
  ]
  for (const [url, names, urls] of FORMS)
    it(`${url} names ${names.length}`, () => {
      const read = readDatabaseUrl(url)
      assert.ok('servers' in read)
      assert.deepEqual(
        read.servers.map(({ name }) => name),
        names,
      )
      assert.deepEqual(
        read.servers.map((server) => server.url),
        urls,
      )
      assert.equal(read.skipsStandby, names.length > 1)
    })

  it('of one server is that of a primary only if it says so', () => {
    const read = readDatabaseUrl('postgres://a/shop?target_session_attrs=primary')
    assert.deepEqual(read, {
      servers: [{ name: 'a', url: 'postgres://a/shop?target_session_attrs=primary' }],
      skipsStandby: true,
    })
  })
})
