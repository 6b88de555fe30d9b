// A client with id and secret fetches its access token, caches it, and renews it in time.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ApiError, type ClientOptions, Recaudo } from '../../sdk/src/recaudo.ts'
import { createWorld, type World } from '../world.ts'

const HOUR_MS = 3_600_000

describe('access tokens', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  // A client that counts its requests, and can be shown other answers.
  const clientOf = async (change: (path: string, answer: Response) => Promise<Response> | Response) => {
    const { clientId, secret: clientSecret } = await world.oauthClient()
    const paths: string[] = []
    const send: ClientOptions['fetch'] = async (url, init) => {
      const path = new URL(url as string).pathname
      paths.push(path)
      return change(path, await fetch(url as string, init))
    }
    const recaudo = new Recaudo(
      { clientId, clientSecret },
      { baseUrl: world.baseUrl, fetch: send, maxRetries: 0 },
    )
    return { recaudo, asked: () => paths.filter((path) => path === '/oauth/token').length, paths }
  }

  it('many calls at once share one token, and later ones too', async () => {
    const { recaudo, asked } = await clientOf((_, answer) => answer)
    await Promise.all([recaudo.balance.get(), recaudo.organization.get(), recaudo.payins.list()])
    await recaudo.balance.get()
    assert.equal(asked(), 1)
  })

  it('one that has expired by the server’s clock is renewed, and the call is answered', async () => {
    const { recaudo, asked } = await clientOf((_, answer) => answer)
    await recaudo.balance.get()
    world.advance(HOUR_MS + 1_000)
    await Promise.all([recaudo.balance.get(), recaudo.balance.get()])
    assert.equal(asked(), 2, 'both calls were refused and share the new one')
    await recaudo.balance.get()
    assert.equal(asked(), 2)
  })

  it('one that expires within a minute is no longer used', async () => {
    const { recaudo, asked, paths } = await clientOf(async (path, answer) =>
      path === '/oauth/token'
        ? Response.json({ ...((await answer.json()) as object), expires_in: 59 })
        : answer,
    )
    await recaudo.balance.get()
    await recaudo.balance.get()
    assert.equal(asked(), 2)
    assert.deepEqual(paths, ['/oauth/token', '/balance', '/oauth/token', '/balance'])
  })

  it('a new token that is refused as well is reported, with where to look', async () => {
    const { recaudo, asked } = await clientOf(async (path, answer) =>
      path === '/oauth/token'
        ? Response.json({ ...((await answer.json()) as object), access_token: 'of-another-server' })
        : answer,
    )
    const error = await recaudo.balance.get().catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ApiError)
    assert.match(error.message, /not valid or has expired.* The token is new: was its client revoked, or do /)
    assert.equal(asked(), 2, 'renewed once, not for ever')
  })

  it('if none can be had, each call says why, and the next asks again', async () => {
    let isDown = true
    const { recaudo } = await clientOf((path, answer) =>
      isDown && path === '/oauth/token' ? new Response('away', { status: 502 }) : answer,
    )
    await assert.rejects(recaudo.balance.get(), /answered POST \/oauth\/token with 502/)
    isDown = false
    await recaudo.balance.get()
  })

  it('a caller who gives up does not wait for the token', async () => {
    const { clientId, secret: clientSecret } = await world.oauthClient()
    const never: ClientOptions['fetch'] = () => new Promise(() => {})
    const recaudo = new Recaudo({ clientId, clientSecret }, { baseUrl: world.baseUrl, fetch: never })
    const controller = new AbortController()
    const call = recaudo.balance.get({ signal: controller.signal })
    const reason = new Error('enough')
    controller.abort(reason)
    await assert.rejects(call, reason)
  })
})
