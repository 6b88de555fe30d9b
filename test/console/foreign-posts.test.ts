// Every form of the console, whichever there are, is taken from pages of ours alone. What comes from another site changes nothing,
// whoever's cookie it carries. What comes from somebody unknown is not kept.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
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

// Eight megabytes for each connection of somebody unknown would end the process.
it('no address keeps a file in memory before it is known who sends it', async () => {
  await using world = await createWorld()
  const { organizationId } = world.organization
  const { organization: another } = await world.newMerchant()
  const stranger = await signIn(world, 'owner', { organization: another })
  const { hostname, port } = new URL(world.baseUrl)
  // The head alone: whoever waits for the rest answers that it did not come.
  const statusBeforeBody = async (path: string, cookie: string): Promise<number> => {
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nsec-fetch-site: same-origin\r\ncookie: ${cookie}\r\n` +
        'content-type: multipart/form-data; boundary=x\r\ncontent-length: 8000000\r\n\r\n',
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return Number(/^HTTP\/1.1 (\d+)/.exec(answer.toString('latin1'))?.[1])
  }
  for (const route of await postRoutes()) {
    const path = (route.split(' ')[1] ?? '')
      .replace(':organizationId', organizationId)
      .replaceAll(/:\w+|\*/g, ID)
    for (const cookie of ['', stranger.cookie]) {
      const status = await statusBeforeBody(path, cookie)
      assert.ok([303, 404, 415, 429].includes(status), `${route}: ${status}`)
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
