// How often a stranger may act is remembered for each address of a page. An address that no page can have is not worth remembering.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createWorld } from '../../world.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('four hundred addresses of 15 kB under /page/', () => {
  it('leave nothing behind in memory', async () => {
    await using world = await createWorld()
    const { app } = world.api
    let strangers = 0
    const send = () => {
      strangers += 1
      return app.inject({
        method: 'POST',
        url: `/page/${randomBytes(11_250).toString('base64url')}`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          // Each is named by the proxy, and asks for the first time.
          'x-forwarded-for': `203.0.${strangers >> 8}.${strangers & 255}`,
        },
        payload: 'pieces=1',
      })
    }
    const used = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed / 1e6
    }
    for (let count = 0; count < 5; count += 1) await Promise.all(Array.from({ length: 20 }, send))
    const before = used()
    for (let count = 0; count < 20; count += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, send))
      assert.ok(answers.every(({ statusCode }) => statusCode === 404))
    }
    // A bucket is less than a hundred bytes, and 40,000 of them are kept.
    const left = used() - before
    assert.ok(left < 3, `${left.toFixed(1)} MB`)
  })
})
