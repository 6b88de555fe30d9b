// Pages of payments over a connection, where things come later: the bank's page, the key's name, and the moment from which the key can
// be paid. And what is offered: the rails that go somewhere, and the banks that the provider has.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createPageWatch } from '../../src/checkout/page-watch.ts'
import { MINUTE_MS } from '../../src/core/instant.ts'
import { createPseOffers } from '../../src/flows/connections/pse-offer.ts'
import { payinPageMarks } from '../../src/store/page-marks.ts'
import { brebPayin, createWorld, eventually, psePayin, type World } from '../world.ts'
import { connectionsOf, digestIn, type FakeProvider, PAYER, payerOf, rowOf } from './connected.ts'
import { startHarness, TOKEN } from './harness.ts'
import { link as subjectOfLink, WOMPI } from './subjects.ts'

const NOT_READY = { pageUrl: null, isReady: false }

describe('a page of a payment over a connection', () => {
  let world: World
  let connections: ReturnType<typeof connectionsOf>
  let payer: ReturnType<typeof payerOf>
  before(async () => {
    world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0', KEY_WAIT_MS: '0' } })
    connections = connectionsOf(world)
    payer = payerOf(world)
  })
  beforeEach(() => connections.disconnect())
  after(() => world[Symbol.asyncDispose]())

  const create = async (path: string, body: Record<string, unknown>) => {
    const { status, json, text } = await world.client('POST', path, body)
    assert.equal(status, 201, text)
    return json
  }
  const newBreb = async () => {
    const payin = await create('/payins', brebPayin({ breb: { keyType: 'QR_CODE' } }))
    return { id: payin.id as string, path: new URL(payin.sourceData.checkoutUrl).pathname }
  }
  const newLink = async (changes: Record<string, unknown> = {}) => {
    const json = await create('/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
      ...changes,
    })
    return { id: json.paymentLinkId as string, path: new URL(json.paymentLinkUrl).pathname }
  }
  const versionOf = async (path: string) => JSON.parse((await payer.read(`${path}/status`)).text)
  const waits = (text: string) =>
    /data-version="\w+"/.test(text) && /<noscript><meta http-equiv="refresh" content="3">/.test(text)
  const tokenOf = (path: string) => path.split('/')[2] as string

  describe('whose bank has no page yet', () => {
    it('waits by itself, with and without script, and goes on when there is one', async () => {
      const placetopay = await connections.connect('placetopay')
      placetopay.instructions = NOT_READY
      const { id, sourceData } = await create('/payins', psePayin())
      const { pathname: path } = new URL(sourceData.pseUrl)
      const { location } = await payer.send(path)
      await world.work()
      assert.equal((await rowOf(world, id)).rail_stage, 'OPENING')
      const page = await payer.read(location as string)
      assert.match(page.text, /<h1>Conectando con Bancolombia<\/h1>/)
      assert.ok(waits(page.text))
      const before = await versionOf(path)
      assert.equal(before.state, 'preparing')

      placetopay.instructions = { pageUrl: 'https://bank.example/later' }
      await world.passTime(MINUTE_MS)
      assert.equal((await rowOf(world, id)).rail_stage, 'OPEN')
      const after = await versionOf(path)
      assert.equal(after.state, 'at-bank')
      assert.notEqual(after.version, before.version)
      assert.match(
        (await payer.read(location as string)).text,
        /href="https:\/\/bank\.example\/later" data-forward/,
      )
    })
  })

  describe('whose key the provider names', () => {
    it('says that it is being prepared, and shows it when it is there', async () => {
      const mono = await connections.connect('mono', { uses: ['BRE_B_IN'], namesKeys: true })
      mono.instructions = NOT_READY
      const { id, path } = await newBreb()
      for (const stage of ['TO_OPEN', 'OPENING']) {
        const row = await rowOf(world, id)
        assert.deepEqual([row.status, row.rail_stage, row.key_string], ['PENDING', stage, null])
        const { status, text } = await payer.read(path)
        assert.equal(status, 200)
        assert.match(text, /<h1>Preparando tu llave<\/h1>/)
        assert.ok(waits(text))
        assert.equal((await payer.read(`${path}/qr`)).status, 404)
        await world.work()
      }
      mono.instructions = { keyString: '@MONO1234567' }
      await world.passTime(MINUTE_MS)
      const { text } = await payer.read(path)
      assert.match(text, /data-copy="@MONO1234567"/)
      assert.match(text, /role="img" aria-label="Código QR/)
      assert.equal((await payer.read(`${path}/qr`)).status, 200)
    })

    it('is told when the key gets its name, even if nothing else changes', async () => {
      await connections.connect('mono', { uses: ['BRE_B_IN'], namesKeys: true })
      const { id, path } = await newBreb()
      const { organizationId } = world.organization
      const marks = () => payinPageMarks(world.db, [{ organizationId, payinId: id }])
      const { path: link } = await newLink({ rail: 'BRE_B' })
      await payer.read(link)
      const told = { payin: 0, link: 0 }
      const watch = createPageWatch(world.ctx)
      const pages = [
        watch(tokenOf(path), () => {
          told.payin += 1
        }),
        watch(tokenOf(link), () => {
          told.link += 1
        }),
      ]
      const areTold = (times: number) =>
        eventually(
          async () => told,
          ({ payin, link: ofLink }) => payin === times && ofLink === times,
        )
      try {
        await areTold(1)
        const before = await marks()
        await world.db.query({
          text: `update payins set key_string = '@NAMED' || right(payin_id::text, 5)
                  where organization_id = $1 and key_string is null and status = 'PENDING'`,
          values: [organizationId],
        })
        assert.notDeepEqual(await marks(), before)
        await areTold(2)
      } finally {
        for (const page of pages) page.stop()
      }
    })

    it('ends without one, and its page and receipt say what happened', async () => {
      await connections.connect('mono', { uses: ['BRE_B_IN'], namesKeys: true })
      const { id, path } = await newBreb()
      assert.equal((await world.client('POST', `/payins/${id}/cancel`)).status, 200)
      const { status, text } = await payer.read(path)
      assert.equal(status, 200)
      assert.match(text, /<h1>Pago cancelado<\/h1>/)
      assert.doesNotMatch(text, /<dt>Llave<\/dt>|null|undefined/)
    })
  })

  describe('whose key is not registered yet', () => {
    it('shows the amount and waits; the key and its code come when they can be paid', async () => {
      const mono = await connections.connect('mono', { uses: ['BRE_B_IN'] })
      mono.instructions = NOT_READY
      const { id, path } = await newBreb()
      const key = (await rowOf(world, id)).key_string as string
      assert.ok(key)
      for (const stage of ['TO_OPEN', 'OPENING']) {
        assert.equal((await rowOf(world, id)).rail_stage, stage)
        const { text } = await payer.read(path)
        assert.match(text, /<h1>Estamos registrando la llave…<\/h1>/)
        assert.match(text, /<dt>Valor exacto<\/dt><dd>\$\u00a050\.000<\/dd>/)
        assert.ok(waits(text))
        assert.ok(!text.includes(key) && !/class="qr"|data-copy/.test(text))
        assert.equal((await payer.read(`${path}/qr`)).status, 404)
        await world.work()
      }
      assert.match((await payer.read(`${path}?lang=en`)).text, /<h1>We’re registering the key…<\/h1>/)
      const before = await versionOf(path)
      assert.equal(before.state, 'registering')

      mono.instructions = {}
      await world.passTime(MINUTE_MS)
      const after = await versionOf(path)
      assert.equal(after.state, 'breb')
      assert.notEqual(after.version, before.version)
      const { text } = await payer.read(path)
      assert.ok(text.includes(`data-copy="${key}"`))
      assert.match(text, /class="qr"/)
    })

    it('over the installation’s own network is shown at once, as ever', async () => {
      const { path } = await newBreb()
      assert.match((await payer.read(path)).text, /data-copy="@/)
    })
  })

  describe('of a link', () => {
    it('offers only the rails that take its amount', async () => {
      await connections.connect('wompi', { minimumInCents: 150_000n })
      await connections.connect('mono', { uses: ['BRE_B_IN'], maximumInCents: 1_000_000n })
      const railsIn = async (amountInCents: number) => {
        const { text } = await payer.read((await newLink({ amountInCents })).path)
        return [...text.matchAll(/name="rail" id="(\w+)"/g)].map(([, rail]) => rail).join() || text
      }
      assert.equal(await railsIn(500_000), 'BRE_B,PSE')
      assert.match(await railsIn(2_000_000), /<h1[^>]*>[\s\S]*Paga con PSE/)
      assert.match(await railsIn(100_000), /<h1[^>]*>[\s\S]*Paga con Bre-B|Estamos registrando la llave/)
    })

    it('that no connection takes says that it cannot be paid', async () => {
      // Made while somebody took it: now a link that nobody takes is refused.
      const { path } = await newLink({ amountInCents: 100_000 })
      await connections.connect('wompi', { minimumInCents: 150_000n, uses: ['PSE_IN', 'BRE_B_IN'] })
      const { text } = await payer.read(path)
      assert.match(text, /<h1>Este cobro no se puede pagar por ahora<\/h1>/)
      assert.match(text, /No se movió dinero/)
      assert.doesNotMatch(text, /<form/)
    })

    for (const [what, left] of Object.entries({ 'one of two': 'BRE_B', 'the only one': null }))
      it(`whose rail is gone when the form comes (${what}) says so, and begins nothing else`, async () => {
        const { id, path } = await newLink(left === null ? { rail: 'PSE' } : {})
        await payer.read(path)
        await connections.connect('wompi', { minimumInCents: 10_000_000n })
        const sent = await payer.send(path, { rail: 'PSE', bank: 'CO_BANCOLOMBIA', ...PAYER })
        if (left === null) {
          assert.deepEqual([sent.status, sent.location], [303, path])
          assert.match((await payer.read(path)).text, /<h1>Este cobro no se puede pagar por ahora<\/h1>/)
        } else {
          assert.equal(sent.status, 422)
          assert.match(sent.text, /role="alert">Ese medio de pago no está disponible en este momento/)
          assert.match(sent.text, /Ver la llave y el QR/)
        }
        const { rows } = await world.db.query({
          text: 'select payin_id from payins where payment_link_id = $1',
          values: [id],
        })
        assert.deepEqual(rows, [])
      })
  })
})

describe('the banks of a link’s page', () => {
  let world: World
  let connections: ReturnType<typeof connectionsOf>
  let payer: ReturnType<typeof payerOf>
  let wompi: FakeProvider
  before(async () => {
    world = await createWorld({ env: { PAYER_ACTIONS_PER_MINUTE: '0' } })
    connections = connectionsOf(world)
    payer = payerOf(world)
  })
  beforeEach(async () => {
    await connections.disconnect()
    wompi = await connections.connect('wompi')
  })
  after(() => world[Symbol.asyncDispose]())

  const newLink = async (changes: Record<string, unknown> = {}) => {
    const { json } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
      rail: 'PSE',
      ...changes,
    })
    return new URL(json.paymentLinkUrl).pathname
  }
  const banksIn = (text: string) =>
    [...text.matchAll(/<option value="(CO_[A-Z_0-9]+)"[^>]*>[^<]+<\/option>/g)]
      .map(([, code]) => code as string)
      .filter((code) => !['CO_CC', 'CO_CE', 'CO_NIT'].includes(code))
      .sort()
  const by = (bank: string, terms: string | undefined) => ({ bank, ...PAYER, terms: terms ?? '' })

  it('are those that its provider has, and the test bank', async () => {
    const path = await newLink()
    const { text } = await payer.read(path)
    assert.deepEqual(banksIn(text), ['CO_BANCOLOMBIA', 'CO_BANCO_DE_PRUEBAS', 'CO_DAVIVIENDA'])
    const refused = await payer.send(path, by('CO_NEQUI', digestIn(text)))
    assert.equal(refused.status, 422)
    assert.match(refused.text, /id="bank-error">Ese banco no está disponible/)
    assert.equal((await payer.send(path, by('CO_BANCO_DE_PRUEBAS', digestIn(text)))).status, 303)
    await world.work()
    assert.deepEqual(wompi.orders[0]?.source, {
      rail: 'PSE',
      bank: 'CO_BANCO_DE_PRUEBAS',
      personType: 'INDIVIDUAL',
    })
  })

  it('are asked for once an hour', async () => {
    const path = await newLink()
    await payer.read(path)
    world.advance(55 * MINUTE_MS)
    await payer.read(path)
    assert.equal(wompi.banksAsked, 1)
    world.advance(5 * MINUTE_MS)
    await payer.read(await newLink())
    assert.equal(wompi.banksAsked, 2)
  })

  it('are all that there are if the provider does not say, until it does', async () => {
    wompi.banks = null
    const path = await newLink()
    const { text } = await payer.read(path)
    assert.ok(banksIn(text).length > 30)
    assert.ok(banksIn(text).includes('CO_NEQUI'))
    wompi.banks = ['1507']
    world.advance(3_000)
    assert.deepEqual(banksIn((await payer.read(path)).text), ['CO_BANCO_DE_PRUEBAS', 'CO_NEQUI'])
    assert.equal((await payer.send(path, by('CO_NEQUI', digestIn(text)))).status, 303)
  })

  it('of a provider’s test environment are its own, so that only the test bank is offered', async () => {
    wompi.banks = ['1', '2', '3']
    assert.deepEqual(banksIn((await payer.read(await newLink())).text), ['CO_BANCO_DE_PRUEBAS'])
    const { settings } = world.ctx
    const inProduction = { ...world.ctx, settings: { ...settings, environment: 'production' as const } }
    const connection = { connectionId: wompi.connectionId, provider: 'wompi' } as const
    const { organizationId } = world.organization
    const { bankNumbers } = await createPseOffers(inProduction)(organizationId, connection)
    assert.equal(bankNumbers, null, 'a list without one bank that we know is none')
  })

  it('that the merchant fixed and the provider has not are not available', async () => {
    const path = await newLink({ pse: { bank: 'CO_NEQUI' } })
    const { text } = await payer.read(path)
    const { status, text: refused } = await payer.send(path, by('', digestIn(text)))
    assert.equal(status, 422)
    assert.match(refused, /role="alert">Nequi no está disponible en este momento\. No se movió dinero/)
  })

  it('never include the test bank in production', async () => {
    const { app } = startHarness(subjectOfLink({ pse: WOMPI }), { environment: 'production' })
    const { body } = await app.inject(`/pay/${TOKEN}`)
    assert.deepEqual(banksIn(body), ['CO_BANCOLOMBIA', 'CO_BANCO_AGRARIO', 'CO_DAVIVIENDA'])
  })
})
