// PSE over a connection whose provider wants the payer on our page: nothing is handed over before, what the payer accepts is what the
// provider told us, and it is recorded once, with the payer's browser.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { liveBackend } from '../../src/checkout/live-backend.ts'
import { MINUTE_MS } from '../../src/core/instant.ts'
import type { Payin } from '../../src/core/payins/payin.ts'
import { advancePayin } from '../../src/flows/payins/advance.ts'
import { confirmPayer } from '../../src/flows/payins/payer-actions.ts'
import { deviceOf } from '../../src/flows/people/vault.ts'
import { eraseCustomer, findCustomer } from '../../src/operator/customers.ts'
import { claimDuePayins, makePayinDue } from '../../src/store/payins/payins.ts'
import { columnsWith, newPerson } from '../flows/people/life.ts'
import { CUSTOMER, createWorld, psePayin, type World } from '../world.ts'
import {
  ADDRESS,
  asksIn,
  BROWSER,
  connectionsOf,
  digestIn,
  type FakeProvider,
  linksIn,
  PAYER,
  payerOf,
  rowOf,
  termsOf,
} from './connected.ts'

const BY_PSE = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', ...PAYER }
const urlsOf = (provider: Pick<FakeProvider, 'terms'>) => (provider.terms ?? []).map(({ url }) => url)

describe('a payer whom the provider wants on our page', () => {
  let world: World
  let connections: ReturnType<typeof connectionsOf>
  let wompi: FakeProvider
  let payer: ReturnType<typeof payerOf>
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

  const newPayin = async (changes: Record<string, unknown> = {}, client = world.client) => {
    const { status, json, text } = await client('POST', '/payins', psePayin(changes))
    assert.equal(status, 201, text)
    return { id: json.id as string, path: new URL(json.sourceData.pseUrl).pathname }
  }
  const newLink = async (changes: Record<string, unknown> = {}) => {
    const { json, text } = await world.client('POST', '/payment-links', {
      amountType: 'FIXED',
      amountInCents: 5_000_000,
      reference: 'order',
      callbackUrl: 'https://shop.example/return',
      ...changes,
    })
    assert.ok(json.paymentLinkUrl, text)
    const attempts = async () =>
      (
        await world.db.query<{ payin_id: string }>({
          text: 'select payin_id from payins where payment_link_id = $1 order by created_at',
          values: [json.paymentLinkId],
        })
      ).rows.map((row) => row.payin_id)
    return { path: new URL(json.paymentLinkUrl).pathname, attempts }
  }
  const readPayin = async (payinId: string): Promise<Payin> => {
    const { organizationId } = world.organization
    return (await world.ctx.batched.getPayin({ organizationId, payinId })) as Payin
  }
  const deviceIn = async (payinId: string) =>
    deviceOf(await world.ctx.vault(world.organization.organizationId), await readPayin(payinId))

  describe('with a payin of the API', () => {
    it('reads both texts, accepts them and goes on to the bank; before that nothing is handed over', async () => {
      const { id, path } = await newPayin()
      await world.work()
      assert.equal(wompi.orders.length, 0, 'the merchant knew the payer, and that is not enough')
      const { status, text } = await payer.read(path)
      assert.equal(status, 200)
      assert.deepEqual(linksIn(text), urlsOf(wompi))
      assert.deepEqual(asksIn(text), ['terms'], 'the payer is known')
      assert.match(text, /Acepto los términos y condiciones de Wompi y autorizo el tratamiento de mis datos/)
      assert.match(text, /<button[^>]*>Continuar en Bancolombia<\/button>/)
      const english = (await payer.read(`${path}?lang=en`)).text
      assert.match(english, /I accept the terms and conditions of Wompi and authorize the processing/)
      assert.deepEqual(linksIn(english), urlsOf(wompi))

      const sent = await payer.send(path, { terms: digestIn(text) as string })
      assert.deepEqual([sent.status, sent.location], [303, `${path}?step=go`])
      const row = await rowOf(world, id)
      assert.deepEqual(row.accepted_terms, urlsOf(wompi))
      assert.deepEqual(await deviceIn(id), { ipAddress: ADDRESS, userAgent: BROWSER })
      assert.match((await payer.read(sent.location as string)).text, /Conectando con Bancolombia/)

      await world.work()
      const [order, ...others] = wompi.orders
      assert.deepEqual(others, [])
      assert.deepEqual(order?.acceptedTerms, urlsOf(wompi))
      assert.deepEqual(order?.device, { ipAddress: ADDRESS, userAgent: BROWSER })
      assert.deepEqual(order?.customer, CUSTOMER)
      assert.match((await payer.read(sent.location as string)).text, /https:\/\/bank\.example\/session/)
    })

    it('who does not check the box is asked for it, and nothing happens', async () => {
      const { id, path } = await newPayin()
      const { status, text } = await payer.send(path)
      assert.equal(status, 422)
      assert.match(text, /id="terms"[^>]* aria-invalid="true" autofocus/)
      assert.match(text, /id="terms-error">Marca la casilla/)
      const row = await rowOf(world, id)
      assert.deepEqual([row.accepted_terms, row.payer_device], [null, null])
      await world.work()
      assert.equal(wompi.orders.length, 0)
    })

    it('who was shown other terms than are in force is shown those', async () => {
      const { id, path } = await newPayin()
      const seen = digestIn((await payer.read(path)).text) as string
      wompi.terms = termsOf('wompi-2027')
      world.advance(5 * MINUTE_MS + 1)
      const again = await payer.send(path, { terms: seen })
      assert.equal(again.status, 422)
      assert.match(again.text, /Los términos cambiaron/)
      assert.deepEqual(linksIn(again.text), urlsOf(wompi))
      assert.doesNotMatch(again.text, / checked/, 'nobody has accepted these')
      assert.equal((await rowOf(world, id)).accepted_terms, null)
      assert.equal((await payer.send(path, { terms: digestIn(again.text) as string })).status, 303)
      assert.deepEqual((await rowOf(world, id)).accepted_terms, urlsOf(wompi))
    })

    it('sends nothing that becomes an accepted link: only what the provider told us does', async () => {
      const { id, path } = await newPayin()
      for (const terms of ['', 'yes', 'https://evil.example/', 'x'.repeat(22)])
        assert.equal((await payer.send(path, { terms, acceptedTerms: 'https://evil.example/' })).status, 422)
      assert.equal((await rowOf(world, id)).accepted_terms, null)
    })

    it('accepts only what the provider says now, whatever the page that asks believes', async () => {
      const { id, path } = await newPayin()
      const backend = liveBackend(world.ctx)
      const choice = { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: null, customer: null } as const
      const token = path.split('/')[2] as string
      assert.equal(await backend.begin(token, choice), 'terms-changed')
      assert.equal(await backend.begin(token, { ...choice, terms: 'x'.repeat(22) }), 'terms-changed')
      const link = await newLink()
      const attempt = { ...choice, customer: { ...CUSTOMER, idType: 'CO_CC' as const } }
      assert.equal(await backend.begin(link.path.split('/')[2] as string, attempt), 'terms-changed')
      assert.deepEqual([(await rowOf(world, id)).accepted_terms, await link.attempts()], [null, []])
    })

    it('whom the merchant did not know is asked for everything at once, stored at once, and found', async () => {
      const person = newPerson()
      const { id, path } = await newPayin({ inlineCustomer: undefined })
      const { text } = await payer.read(path)
      assert.deepEqual(asksIn(text), ['name', 'idType', 'idNumber', 'phone', 'email', 'terms'])
      const terms = digestIn(text) as string
      const wrong = await payer.send(path, { ...PAYER, email: 'ana@', terms })
      assert.equal(wrong.status, 422)
      assert.match(wrong.text, / name="terms" value="[^"]+" required checked/, 'what was accepted stays so')
      assert.equal((await rowOf(world, id)).accepted_terms, null, 'all or nothing')
      const fields = { ...person, phone: person.phone.slice(3), terms }
      assert.equal((await payer.send(path, fields)).status, 303)
      assert.deepEqual((await rowOf(world, id)).accepted_terms, urlsOf(wompi))
      assert.deepEqual((await world.client('GET', `/payins/${id}`)).json.inlineCustomer, person)
      assert.equal((await findCustomer(world.ctx, { email: person.email })).length, 1)
      await world.work()
      assert.deepEqual(wompi.orders[0]?.customer, person)
    })

    it('of a provider without terms only goes on', async () => {
      await connections.disconnect()
      const placetopay = await connections.connect('placetopay')
      const { id, path } = await newPayin()
      const { text } = await payer.read(path)
      assert.deepEqual([asksIn(text), linksIn(text), placetopay.termsAsked], [[], [], 0])
      await world.work()
      assert.equal(placetopay.orders.length, 0)
      assert.equal((await payer.send(path)).status, 303)
      assert.deepEqual((await rowOf(world, id)).accepted_terms, [])
      await world.work()
      assert.deepEqual(placetopay.orders[0]?.device, { ipAddress: ADDRESS, userAgent: BROWSER })
      assert.deepEqual(placetopay.orders[0]?.acceptedTerms, [])
    })

    it('is there once: a second form changes nothing', async () => {
      const { id } = await newPayin({ inlineCustomer: undefined })
      const payin = await readPayin(id)
      const first = { acceptedTerms: urlsOf(wompi), device: { ipAddress: ADDRESS, userAgent: 'first' } }
      const second = { acceptedTerms: ['https://other.example/'], device: { ipAddress: '', userAgent: 'x' } }
      await confirmPayer(world.ctx, payin, CUSTOMER, first)
      await confirmPayer(world.ctx, payin, { ...CUSTOMER, name: 'Otra Persona' }, second)
      assert.deepEqual((await rowOf(world, id)).accepted_terms, urlsOf(wompi))
      assert.deepEqual(await deviceIn(id), first.device)
      assert.deepEqual((await world.client('GET', `/payins/${id}`)).json.inlineCustomer, CUSTOMER)
    })

    it('who sends the form twice at once begins one payment', async () => {
      const { path } = await newPayin()
      const terms = digestIn((await payer.read(path)).text) as string
      const both = await Promise.all([payer.send(path, { terms }), payer.send(path, { terms })])
      assert.deepEqual(
        both.map(({ status, location }) => [status, location]),
        Array(2).fill([303, `${path}?step=go`]),
      )
      await world.work()
      assert.equal(wompi.orders.length, 1)
    })

    it('takes the lease from a worker that has read the payin without them', async () => {
      const { id, path } = await newPayin()
      const { organizationId } = world.organization
      const now = world.ctx.clock.now()
      await makePayinDue(world.db, { organizationId, payinId: id }, now)
      const lease = { token: world.ctx.ids.next(), until: now + MINUTE_MS }
      const claims = await claimDuePayins(world.db, organizationId, now, lease, 10)
      const claim = claims.find(({ payin }) => payin.payinId === id)
      assert.ok(claim)
      const terms = digestIn((await payer.read(path)).text) as string
      assert.equal((await payer.send(path, { terms })).status, 303)
      await advancePayin(world.ctx, claim, world.organization)
      assert.ok(((await rowOf(world, id)).due_at as number) < now + MINUTE_MS, 'it is still due')
      await world.work()
      assert.equal(wompi.orders.length, 1)
    })

    it('is recorded by the name of the browser, up to 250 characters that can be printed', async () => {
      const { id, path } = await newPayin()
      const terms = digestIn((await payer.read(path)).text) as string
      const long = payerOf(world, { 'user-agent': `\u00e9Mozilla\t5.0 ${'x'.repeat(300)}` })
      assert.equal((await long.send(path, { terms })).status, 303)
      const userAgent = `Mozilla5.0 ${'x'.repeat(300)}`.slice(0, 250)
      assert.deepEqual(await deviceIn(id), { ipAddress: ADDRESS, userAgent })
    })

    it('whom no proxy names is recorded by where the request came from', async () => {
      const { id, path } = await newPayin()
      const terms = digestIn((await payer.read(path)).text) as string
      const headers = { 'user-agent': BROWSER, 'content-type': 'application/x-www-form-urlencoded' }
      const sent = await world.anonymous('POST', path, `terms=${terms}`, headers)
      assert.equal(sent.status, 303)
      assert.equal((await deviceIn(id))?.ipAddress, '127.0.0.1')
    })
  })

  // The page has the terms for five minutes, and the provider has other ones when the order comes.
  describe('who accepted terms that were replaced meanwhile', () => {
    const CHANGED = /Los términos cambiaron después de que abriste esta página/
    const replaceTerms = (name: string) => {
      wompi.checksTerms = true
      wompi.terms = termsOf(name)
    }

    it('is shown the new ones, by a payin of the API that goes on waiting', async () => {
      const { id, path } = await newPayin({ inlineCustomer: undefined })
      const { text } = await payer.read(path)
      replaceTerms('newer')
      const { rail, bank, ...typed } = BY_PSE
      await payer.send(path, { ...typed, terms: digestIn(text) as string })
      const seen = await status(path)
      await world.work()
      assert.equal(wompi.orders.length, 1)
      const row = await rowOf(world, id)
      assert.deepEqual([row.status, row.rail_stage, row.accepted_terms], ['PENDING', 'TO_OPEN', null])
      assert.equal(row.payer_device, null)
      assert.notEqual(await status(path), seen, 'a page that waits is told')
      const { json } = await world.client('GET', `/payins/${id}`)
      assert.deepEqual([json.status, json.errorCode], ['PENDING', null])
      await world.work()
      assert.equal(wompi.orders.length, 1, 'nothing is sent before the payer has accepted')

      const again = await payer.read(`${path}?step=go`)
      assert.match(again.text, CHANGED)
      assert.match(again.text, /No se movió dinero/)
      assert.deepEqual(linksIn(again.text), urlsOf(wompi))
      assert.deepEqual(asksIn(again.text), ['terms'], 'who was typed is known')
      const sent = await payer.send(path, { terms: digestIn(again.text) as string })
      assert.equal(sent.status, 303)
      await world.work()
      assert.deepEqual(wompi.orders.at(-1)?.acceptedTerms, urlsOf(wompi))
      assert.match((await payer.read(sent.location as string)).text, /https:\/\/bank\.example\/session/)
      assert.ok(!CHANGED.test((await payer.read(path)).text))
    })

    it('is shown the new ones on the page of a link, and begins anew', async () => {
      const { path, attempts } = await newLink({ rail: 'PSE' })
      const { text } = await payer.read(path)
      replaceTerms('newer')
      const sent = await payer.send(path, { ...BY_PSE, terms: digestIn(text) as string })
      await world.work()
      const [first = ''] = await attempts()
      assert.equal((await rowOf(world, first)).status, 'DECLINED')
      const again = await payer.read(sent.location as string)
      assert.match(again.text, CHANGED)
      assert.match(again.text, /No se movió dinero/)
      assert.deepEqual(linksIn(again.text), urlsOf(wompi))
      const english = (await payer.read(`${path}?lang=en`)).text
      assert.match(english, /The terms changed after you opened this page/)
      assert.equal((await payer.send(path, { ...BY_PSE, terms: digestIn(again.text) as string })).status, 303)
      await world.work()
      const [, second = '', ...others] = await attempts()
      assert.deepEqual(others, [])
      assert.deepEqual((await rowOf(world, second)).rail_stage, 'OPEN')
    })

    it('spares others the same: whoever comes next is shown the new ones', async () => {
      const { path } = await newPayin()
      const { text } = await payer.read(path)
      replaceTerms('newer')
      await payer.send(path, { terms: digestIn(text) as string })
      await world.work()
      await payer.read(path)
      const other = await newPayin()
      assert.deepEqual(linksIn((await payer.read(other.path)).text), urlsOf(wompi))
    })

    it('and does not come back: the payin ends at its time, after the provider was asked', async () => {
      const { id, path } = await newPayin()
      const { text } = await payer.read(path)
      replaceTerms('newer')
      await payer.send(path, { terms: digestIn(text) as string })
      await world.work()
      await world.passTime(15 * MINUTE_MS)
      const { json } = await world.client('GET', `/payins/${id}`)
      assert.deepEqual([json.status, json.errorCode], ['CANCELED', 'EXPIRED'])
      assert.deepEqual(wompi.ended, [wompi.orders[0]?.reference])
    })

    const status = async (path: string): Promise<string> =>
      JSON.parse((await payer.read(`${path}/status`)).text).version
  })

  describe('the provider’s terms', () => {
    it('are those of the payment’s own connection', async () => {
      const other = await world.newMerchant()
      const theirs = await connections.connect('wompi', {}, other.organization)
      theirs.terms = termsOf('theirs')
      // Two merchants may have given their connections one id.
      const twin = await connections.connect('wompi', { connectionId: theirs.connectionId })
      twin.terms = termsOf('twin')
      const [mine, foreign] = [await newPayin(), await newPayin({}, other.client)]
      const texts = [await payer.read(mine.path), await payer.read(foreign.path)].map(({ text }) => text)
      assert.deepEqual(texts.map(linksIn), [urlsOf(wompi), urlsOf(theirs)])
      const [first, second] = texts.map((text) => digestIn(text) as string)
      assert.notEqual(first, second)
      assert.equal((await payer.send(mine.path, { terms: second as string })).status, 422)
      assert.equal((await payer.send(foreign.path, { terms: second as string })).status, 303)
      wompi.isAway = true
      const moved = await newPayin()
      assert.deepEqual(linksIn((await payer.read(moved.path)).text), urlsOf(twin))
      const { rows } = await world.db.query<{ accepted_terms: string[] }>({
        text: 'select accepted_terms from payins where payin_id = $1',
        values: [foreign.id],
      })
      assert.deepEqual(rows[0]?.accepted_terms, urlsOf(theirs))
    })

    it('are asked for once in five minutes, however many payers come, and by the form alone', async () => {
      const payins = [await newPayin(), await newPayin(), await newPayin()]
      await Promise.all(payins.map(({ path }) => payer.read(path)))
      for (const { path } of payins) await payer.read(path)
      assert.equal(wompi.termsAsked, 1)
      world.advance(5 * MINUTE_MS - 60_000)
      await payer.read(payins[0]?.path as string)
      assert.equal(wompi.termsAsked, 1)
      world.advance(60_000)
      for (const below of ['/status', '/qr']) await payer.read(`${payins[0]?.path}${below}`)
      assert.equal(wompi.termsAsked, 1)
      await payer.read(payins[0]?.path as string)
      assert.equal(wompi.termsAsked, 2)
    })

    for (const [what, terms] of Object.entries({
      'no answer': null,
      'one text only': termsOf('wompi').slice(0, 1),
      'an address that is none': [
        ...termsOf('wompi').slice(1),
        { kind: 'conditions', url: 'javascript:1' } as const,
      ],
    }))
      it(`that cannot be had (${what}) begin nothing: the page says so, and can be tried again`, async () => {
        wompi.terms = terms
        const { id, path } = await newPayin()
        const page = await payer.read(path)
        assert.equal(page.status, 200)
        for (const text of [page.text, (await payer.send(path, { terms: 'x'.repeat(22) })).text]) {
          assert.match(text, /<h1>La conexión con los bancos no está disponible en este momento<\/h1>/)
          assert.match(text, /No empezó ningún pago y no se perdió nada\. No se movió dinero\./)
          assert.ok(text.includes(`<a class="button" href="${path}">Intentar de nuevo</a>`))
          assert.doesNotMatch(text, /<form|javascript/)
        }
        const sent = await payer.send(path)
        assert.deepEqual([sent.status, sent.headers.get('retry-after')], [503, '5'])
        assert.equal((await rowOf(world, id)).accepted_terms, null)
        await world.work()
        assert.equal(wompi.orders.length, 0)

        wompi.terms = termsOf('wompi')
        world.advance(3_000)
        const again = digestIn((await payer.read(path)).text) as string
        assert.equal((await payer.send(path, { terms: again })).status, 303)
        await world.work()
        assert.equal(wompi.orders.length, 1)
      })

    it('of a connection that is gone cannot be had either', async () => {
      const { path } = await newPayin()
      const { organizationId } = world.organization
      await world.db.query({
        text: `update payins set connection_id = $2 where organization_id = $1 and status = 'PENDING'`,
        values: [organizationId, world.ctx.ids.next()],
      })
      assert.match((await payer.read(path)).text, /La conexión con los bancos no está disponible/)
    })
  })

  describe('on the page of a link', () => {
    it('accepts the terms with PSE, and is recorded with the attempt', async () => {
      const link = await newLink()
      const { text } = await payer.read(link.path)
      assert.deepEqual(linksIn(text), urlsOf(wompi))
      assert.match(text, /<div class="pse">[\s\S]*id="terms"[\s\S]*<\/div>/)
      const without = await payer.send(link.path, BY_PSE)
      assert.equal(without.status, 422)
      assert.match(without.text, /id="terms-error"/)
      assert.deepEqual(await link.attempts(), [])

      const terms = digestIn(text) as string
      const sent = await payer.send(link.path, { ...BY_PSE, terms })
      assert.deepEqual([sent.status, sent.location], [303, `${link.path}?step=go`])
      const [id, ...others] = await link.attempts()
      assert.deepEqual(others, [])
      assert.deepEqual((await rowOf(world, id as string)).accepted_terms, urlsOf(wompi))
      assert.deepEqual(await deviceIn(id as string), { ipAddress: ADDRESS, userAgent: BROWSER })
      await world.work()
      assert.equal(wompi.orders.length, 1)
      assert.equal(wompi.orders[0]?.customer?.name, PAYER.name)
      assert.match((await payer.read(sent.location as string)).text, /https:\/\/bank\.example\/session/)
    })

    it('pays by Bre-B without a word about them, even if they cannot be had', async () => {
      wompi.terms = null
      const link = await newLink()
      const { text } = await payer.read(link.path)
      assert.match(text, /<div class="pse"><p class="note">La conexión con los bancos no está disponible/)
      assert.equal(digestIn(text), undefined)
      const byPse = await payer.send(link.path, BY_PSE)
      assert.equal(byPse.status, 503)
      assert.match(byPse.text, /value="BRE_B"/)
      assert.deepEqual(await link.attempts(), [])
      const asked = wompi.termsAsked
      assert.equal((await payer.send(link.path, { rail: 'BRE_B' })).status, 303)
      assert.equal((await link.attempts()).length, 1)
      assert.equal(wompi.termsAsked, asked)
    })

    it('who was shown the terms of a connection that is away now is shown those of the next', async () => {
      const next = await connections.connect('wompi')
      next.terms = termsOf('next')
      const link = await newLink({ rail: 'PSE' })
      const terms = digestIn((await payer.read(link.path)).text) as string
      wompi.isAway = true
      const again = await payer.send(link.path, { ...BY_PSE, terms })
      assert.equal(again.status, 422)
      assert.deepEqual(linksIn(again.text), urlsOf(next))
      assert.deepEqual(await link.attempts(), [])
    })
  })

  it('is sealed, and is gone from the payin when the payer is erased', async () => {
    const person = newPerson()
    const { id, path } = await newPayin({ inlineCustomer: person })
    const browser = `Mozilla/5.0 (${person.idNumber})`
    const visitor = payerOf(world, { 'user-agent': browser, 'x-forwarded-for': '198.51.100.201' })
    const terms = digestIn((await visitor.read(path)).text) as string
    assert.equal((await visitor.send(path, { terms })).status, 303)
    assert.deepEqual(await deviceIn(id), { ipAddress: '198.51.100.201', userAgent: browser })
    assert.deepEqual(await columnsWith(world.db, [browser, '198.51.100.201']), [])
    await world.work()
    await world.client('POST', `/payins/${id}/cancel`)
    await world.work()
    const sealed = (await rowOf(world, id)).payer_device?.sealed as string
    await eraseCustomer(world.ctx, {
      org: world.organization.organizationId,
      email: person.email,
      yes: true,
    })
    const row = await rowOf(world, id)
    assert.deepEqual([row.customer, row.payer_device], [{ sealed: 'ERASED' }, null])
    assert.deepEqual(await columnsWith(world.db, [sealed]), [])
    assert.equal(await deviceIn(id), null)
  })
})
