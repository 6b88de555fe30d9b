// What the Next example does on its server, without Next: its action and its routes are called as Next calls them. Next itself builds
// and serves it in next-breb-qr.test.ts, which only `npm test -- --deep` runs.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { it } from 'node:test'
import { freePort } from '../free-port.ts'
import { eventually } from '../world.ts'
import { createWorldWithWorkers, makeWorkspace } from './workspace.ts'

type Route = (request: Request, context?: { params: Promise<{ id: string }> }) => Promise<Response>

// Next leaves an action by throwing where it leads.
const NAVIGATION = `data:text/javascript,export const redirect = (path) => { throw new Error(path) }`

it('the Next example keeps an order with its QR, hears of its payment, and believes no one else', async () => {
  await using place = await makeWorkspace('example-next-routes', 'examples/next-breb-qr')
  await using world = await createWorldWithWorkers(3_600_000)
  const port = await freePort()
  const endpoint = await world.client('POST', '/webhook-endpoints', {
    url: `http://127.0.0.1:${port}/webhooks`,
  })
  Object.assign(process.env, {
    RECAUDO_API_KEY: world.apiKey,
    RECAUDO_BASE_URL: world.baseUrl,
    RECAUDO_WEBHOOK_SECRET: endpoint.json.secret,
    ORDERS_FILE: join(place.directory, 'orders.log'),
  })
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'next/navigation' ? { url: NAVIGATION, shortCircuit: true } : next(specifier, context),
  })
  const load = (path: string) => import(join(place.directory, 'app', path))
  const { buy } = (await load('buy.js')) as { buy: () => Promise<void> }
  const { POST } = (await load('webhooks/route.js')) as { POST: Route }
  const { GET } = (await load('orders/[id]/status/route.js')) as { GET: Route }
  const statusOf = async (id: string) => {
    const answer = await GET(new Request('http://shop/'), { params: Promise.resolve({ id }) })
    return [answer.status, ((await answer.json()) as { status?: string }).status]
  }
  await using stack = new AsyncDisposableStack()
  const shop = stack.use(
    createServer(async (incoming, outgoing) => {
      const { method = '', headers } = incoming
      const body = await buffer(incoming)
      const request = new Request('http://shop/webhooks', {
        method,
        headers: headers as Record<string, string>,
        body,
      })
      outgoing.writeHead((await POST(request)).status).end()
    }),
  )
  shop.listen(port, '127.0.0.1')

  const id = await buy().then(
    () => assert.fail('it leads nowhere'),
    ({ message }: Error) => message.replace(/^\/orders\//, ''),
  )
  const [payin] = (await world.client('GET', `/payins?reference=${id}`)).json.data
  const { getOrder } = await load('../orders.js')
  const { keyString, qrString } = payin.sourceData
  assert.deepEqual([getOrder(id).keyString, getOrder(id).qrString], [keyString, qrString])
  assert.deepEqual(await statusOf(id), [200, 'PROCESSING'])

  const forged = await POST(new Request('http://shop/webhooks', { method: 'POST', body: '{}' }))
  assert.deepEqual([forged.status, await forged.text()], [400, 'HEADERS_MISSING'])

  await eventually(
    () => world.client('POST', `/sandbox/payins/${payin.id}/simulate`, { outcome: 'confirmed' }),
    ({ status }) => status === 200,
  )
  await eventually(
    () => statusOf(id),
    ([, status]) => status === 'CONFIRMED',
  )
  assert.deepEqual(await statusOf('nobody’s'), [404, undefined])
})
