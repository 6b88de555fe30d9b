// Every form of the console, whichever there are, is taken from pages of ours alone. What comes from another site changes nothing,
// whoever's cookie it carries.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import Fastify, { type FastifyRequest } from 'fastify'
import { routeConsole } from '../../src/console/routes.ts'
import { isFromOurPage } from '../../src/console/same-origin.ts'
import type { ConsoleOptions } from '../../src/console/setting.ts'
import { createWorld } from '../world.ts'
import { signIn } from './person.ts'

const ID = '01900000-0000-7000-8000-00000000ffff'

// As the server itself registers them, so that a new one is here by itself.
async function postRoutes(): Promise<string[]> {
  const paths = new Set<string>()
  const app = Fastify()
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'GET' && one !== 'HEAD') paths.add(`${one} ${url}`)
  })
  const options = { ctx: {}, live: { stop: () => {} }, environment: 'staging', publicUrl: 'http://x.example' }
  routeConsole(app, options as unknown as ConsoleOptions)
  await app.ready()
  await app.close()
  return [...paths]
}

it('a post from another site is refused at every address of the console', async () => {
  await using world = await createWorld()
  const owner = await signIn(world, 'owner')
  const routes = await postRoutes()
  assert.ok(routes.length > 60, `${routes.length} routes`)
  for (const must of ['sign-in', 'sign-out', 'theme', 'account/', 'portal/', 'show-person', 'settings/team'])
    assert.ok(
      routes.some((route) => route.includes(must)),
      must,
    )
  const foreign = [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, {}]
  for (const route of routes) {
    const [method = '', url = ''] = route.split(' ')
    const path = url.replace(':organizationId', world.organization.organizationId).replaceAll(/:\w+|\*/g, ID)
    for (const headers of foreign) {
      const { status } = await fetch(world.baseUrl + path, {
        method,
        redirect: 'manual',
        body: new URLSearchParams(),
        headers: { cookie: owner.cookie, origin: 'https://elsewhere.example', ...headers } as Record<
          string,
          string
        >,
      })
      assert.equal(status, 403, `${route} ${JSON.stringify(headers)}`)
    }
  }
})

it('a browser that says nothing of the site is known by the origin alone: scheme, host and port', () => {
  const isOurs = (headers: Record<string, string>) =>
    isFromOurPage({ method: 'POST', headers } as unknown as FastifyRequest, 'https://pay.example/pagos')
  const host = 'inside.example:4000'
  for (const origin of ['https://pay.example', 'http://inside.example:4000'])
    assert.ok(isOurs({ origin, host }), origin)
  for (const origin of [
    'http://pay.example',
    'https://pay.example:8443',
    'https://a.pay.example',
    'null',
    '',
  ])
    assert.ok(!isOurs({ origin, host }), origin)
  assert.ok(!isOurs({ host }), 'none')
  assert.ok(!isOurs({ origin: 'https://pay.example', host, 'sec-fetch-site': 'none' }), 'typed by hand')
})
