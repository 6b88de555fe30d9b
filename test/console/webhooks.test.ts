// Webhooks in the console: what receivers answered is kept sealed, and read where people look for it; and links to the portal, for
// people who have no account.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { WEBHOOK_WORDS } from '../../src/console/webhooks/words.ts'
import { HOUR_MS } from '../../src/core/instant.ts'
import { type Receiver, startReceiver } from '../api/webhooks/receiver.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { assertHarmless, formAt, HOSTILE, shows, wrongAt } from './typed.ts'

let world: World
let owner: Person
let receiver: Receiver
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
  receiver = await startReceiver()
})
after(async () => {
  await receiver[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

describe('what a receiver answered', () => {
  it('is on the page of the endpoint and of the event', async () => {
    receiver.answerWith(500, 'no such order')
    const { id } = (await world.client('POST', '/webhook-endpoints', { url: receiver.url })).json
    const event = (await world.client('POST', `/webhook-endpoints/${id}/test`)).json
    await world.work()
    for (const path of [`/webhooks/${id}`, `/events/${event.id}`]) {
      const { text } = await owner.get(path)
      assert.ok(text.includes('no such order'), path)
      assert.ok(!text.includes('sealed:'), path)
    }
  })
})

describe('how an endpoint does', () => {
  it('is told of the last day: that an attempt failed, although a later one did not, and then nothing', async () => {
    const { client, organization } = await world.newMerchant()
    const person = await signIn(world, 'owner', { organization })
    const { id } = (await client('POST', '/webhook-endpoints', { url: receiver.url })).json
    for (const status of [500, 200]) {
      receiver.answerWith(status)
      await client('POST', `/webhook-endpoints/${id}/test`)
      await world.work()
    }
    const { text } = await person.get(`/webhooks/${id}`)
    shows(text, WEBHOOK_WORDS.es.someFail('1'))
    assert.match(text, /class="sentence wait"/)
    world.advance(25 * HOUR_MS)
    shows((await person.get(`/webhooks/${id}`)).text, WEBHOOK_WORDS.es.quiet)
  })
})

describe('a link to the portal', () => {
  let merchant: Awaited<ReturnType<World['newMerchant']>>
  let person: Person
  before(async () => {
    merchant = await world.newMerchant()
    person = await signIn(world, 'owner', { organization: merchant.organization })
  })
  const newEndpoint = async (description: string): Promise<string> =>
    (await merchant.client('POST', '/webhook-endpoints', { url: receiver.url, description })).json.id
  const chosen = (page: string) => [...page.matchAll(/value="([0-9a-f-]{36})" checked/g)].map(([, id]) => id)

  it('needs something to show', async () => {
    const { status, text } = await person.get('/webhooks/share')
    assert.equal(status, 200)
    shows(text, 'Todavía no hay webhooks que mostrar')
    assert.ok(!(await person.get('/webhooks')).text.includes('/webhooks/share'))
  })

  it('is made from the list or from the page of an endpoint, which is chosen then', async () => {
    const first = await newEndpoint('Pedidos')
    assert.deepEqual(chosen((await person.get('/webhooks/share')).text), [first], 'there is but one')
    const second = await newEndpoint('Contabilidad')
    shows((await person.get('/webhooks')).text, `${person.home}/webhooks/share"`)
    shows((await person.get(`/webhooks/${second}`)).text, `/webhooks/share?endpoint=${second}"`)
    assert.deepEqual(chosen((await person.get('/webhooks/share')).text), [])
    assert.deepEqual(chosen((await person.get(`/webhooks/share?endpoint=${second}`)).text), [second])
  })

  it('shows its address once, with until when it works and who may frame it, and opens', async () => {
    const id = await newEndpoint(HOSTILE)
    const form = formAt((await person.get(`/webhooks/share?endpoint=${id}`)).text, '/webhooks/share')
    const typed = { ...form, '/endpointIds': id, '/readOnly': 'false', '/expiresInMinutes': '480' }
    const framed = { ...typed, '/frameAncestors': 'https://app.tienda.example\nhttps://otra.example' }
    const { status, text } = await person.post('/webhooks/share', framed)
    assert.equal(status, 200)
    assertHarmless(text)
    const [, address = ''] = /data-copy="(http[^"]*\/console\/portal\/[\w-]+)"/.exec(text) ?? []
    shows(text, 'Se muestra una sola vez')
    shows(text, /Sirve hasta \d/)
    shows(text, 'La pueden enmarcar: https://app.tienda.example, https://otra.example.')
    shows(text, 'enviar pruebas, reenviar')
    shows(text, '&lt;iframe src=')
    const portal = await fetch(world.baseUrl + new URL(address).pathname)
    assert.equal(portal.status, 200)
    const policy = portal.headers.get('content-security-policy') ?? ''
    shows(policy, 'frame-ancestors https://app.tienda.example https://otra.example')
    // What is sent again is answered again, and what was made is written down without its address.
    shows((await person.post('/webhooks/share', framed)).text, address)
    const { text: audit } = await merchant.client('GET', '/audit?act=portallink.create')
    shows(audit, id)
    assert.ok(!audit.includes(address.split('/').at(-1) ?? '?'))
  })

  it('says that nobody may frame it, and that whoever opens it only looks', async () => {
    const id = await newEndpoint('Solo mirar')
    const form = formAt((await person.get(`/webhooks/share?endpoint=${id}`)).text, '/webhooks/share')
    const { text } = await person.post('/webhooks/share', { ...form, '/endpointIds': id })
    shows(text, 'Ninguna página la puede enmarcar.')
    shows(text, 'solo puede mirar.')
    assert.ok(!text.includes('&lt;iframe'))
  })

  it('says at its field what is wrong', async () => {
    const form = formAt((await person.get('/webhooks/share')).text, '/webhooks/share')
    const none = await person.post('/webhooks/share', form)
    assert.equal(none.status, 400)
    assert.match(wrongAt(none.text, '/endpointIds') ?? '', /Elige al menos un webhook/)
    const id = await newEndpoint('Mal enmarcado')
    const wrong = { ...form, '/endpointIds': id, '/frameAncestors': 'https://app.example/ruta' }
    const { status, text } = await person.post('/webhooks/share', wrong)
    assert.equal(status, 400)
    assert.match(wrongAt(text, '/frameAncestors') ?? '', /Escribe orígenes https sin ruta/)
    assert.deepEqual(chosen(text), [id])
  })

  it('needs the right, and a proof that it is them', async () => {
    const { organization } = merchant
    const accountant = await signIn(world, 'accountant', { organization })
    assert.equal((await accountant.get('/webhooks/share')).status, 403)
    const support = await signIn(world, 'support', { organization })
    const id = await newEndpoint('Soporte')
    const form = formAt((await support.get('/webhooks/share')).text, '/webhooks/share')
    await world.db.query({
      text: "update sessions set proved_at = proved_at - interval '6 minutes' where user_id = $1",
      values: [support.userId],
    })
    const asked = await support.post('/webhooks/share', { ...form, '/endpointIds': id })
    assert.equal(asked.status, 403)
    shows(asked.text, 'Falta confirmar que eres tú')
    assert.ok(!asked.text.includes('/console/portal/'))
  })
})
