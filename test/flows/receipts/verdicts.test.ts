// What the page of /verify shows to whoever has no script, and what its other answers carry. The page also holds all of its words for
// its script, so only what stands in the result counts.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { brebPayin, CUSTOMER, createWorld, endPayin, eventually, type World } from '../../world.ts'
import { chargeBackPayin } from './charge-back.ts'
import { shownVerdictOf } from './shown-verdict.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const SPANISH = { accept: 'text/html', 'accept-language': 'es-CO' }

const words = (text: string): string =>
  text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .trim()

describe('the page of /verify', () => {
  let world: World
  before(async () => {
    world = await createWorld()
    await world.client('PATCH', '/organization', { onAmountMismatch: 'accept' })
  })
  after(() => world[Symbol.asyncDispose]())

  const paid = async () => {
    const { json } = await world.client('POST', '/payins', brebPayin())
    await endPayin(world, world.client, json.id, 'confirmed')
    const { json: receipt } = await world.client('GET', `/payins/${json.id}/receipt`)
    return { payinId: json.id as string, url: receipt.url as string, statement: receipt.statement as string }
  }
  const shown = async (statement: string, headers: Record<string, string> = SPANISH) => {
    const { text } = await world.anonymous('POST', '/verify', `${new URLSearchParams({ statement })}`, {
      ...FORM,
      ...headers,
    })
    return words(shownVerdictOf(text))
  }

  it('shows the verdict, and of a genuine receipt what it says', async () => {
    const { statement } = await paid()
    const genuine = await shown(statement)
    assert.match(
      genuine,
      /^Comprobante auténtico Lo firmamos nosotros .* Verificado en línea: no se ha devuelto\. /,
    )
    assert.match(genuine, /Comercio Café La Palma .*Valor \$ 50\.000 /)
    assert.match(
      await shown(statement, { accept: 'text/html', 'accept-language': 'en' }),
      /^Genuine receipt /,
    )
    assert.match(await shown(statement.slice(0, -3)), /^Comprobante alterado /)
    assert.match(await shown('<script>'), /^Comprobante desconocido /)
    for (const nothing of ['', '   ']) assert.match(await shown(nothing), /^Pega el texto del comprobante/)
  })

  it('says whether all of a payment was charged back, or a part', async () => {
    for (const [amountInCents, title, amount] of [
      [5_000_000n, 'Auténtico, pero el pago fue devuelto', '50.000'],
      [1_000_000n, 'Auténtico, pero se devolvió una parte del pago', '10.000'],
    ] as const) {
      const { payinId, statement } = await paid()
      await chargeBackPayin(world, payinId, amountInCents)
      const text = await shown(statement)
      assert.ok(text.startsWith(`${title} Se devolvieron $ ${amount} el `), text)
    }
  })

  it('does not call a payout paid that is not, and says who sent it and how it stands', async () => {
    const newPayout = async (outcome: 'confirmed' | undefined) => {
      const { json } = await world.client('POST', '/payouts', {
        amountInCents: 100_000,
        currency: 'COP',
        rail: 'BRE_B',
        reference: randomUUID(),
        inlineCustomer: CUSTOMER,
        breb: { keyString: '@proveedor1' },
      })
      await world.work()
      if (outcome !== undefined) {
        await world.client('POST', `/sandbox/payouts/${json.id}/simulate`, { outcome })
        await eventually(
          async () => {
            await world.work()
            return (await world.client('GET', `/payouts/${json.id}`)).json.status
          },
          (status) => status === 'CONFIRMED',
        )
      }
      return (await world.client('GET', `/payouts/${json.id}/evidence`)).json.qrText as string
    }
    await paid()
    const open = await shown(await newPayout(undefined))
    assert.match(open, /^Constancia auténtica, pero la transferencia no está pagada /)
    assert.match(open, /Verificado en línea\. Estado ahora: En proceso\./)
    assert.match(open, /Envía Café La Palma /)
    const done = await shown(await newPayout('confirmed'))
    assert.match(done, /^Constancia auténtica Lo firmamos .* Estado ahora: Pagada\./)
  })

  it('may use the camera, which no other page may, and is shown in no other page', async () => {
    const { url, statement } = await paid()
    const answers = {
      verify: await world.anonymous('GET', '/verify', undefined, SPANISH),
      receipt: await world.anonymous('GET', new URL(url).pathname, undefined, SPANISH),
    }
    for (const [name, { headers }] of Object.entries(answers)) {
      const camera = name === 'verify' ? 'self' : ''
      const allowed = `camera=(${camera}), geolocation=(), microphone=(), payment=()`
      assert.equal(headers['permissions-policy'], allowed)
      assert.match(headers['content-security-policy'] ?? '', /default-src 'none'.*frame-ancestors 'none'/)
      // One address answers a browser and a program, in two languages.
      assert.equal(headers.vary, 'accept-encoding, accept-language, accept')
    }
    assert.ok(answers.receipt.text.includes(`href="/verify#${statement}"`), 'it opens with the receipt in it')
    const worker = await world.anonymous('GET', '/verify/worker.js')
    assert.equal(worker.headers['service-worker-allowed'], '/verify')
    assert.equal(worker.headers['cache-control'], 'no-cache')
  })
})

describe('a receipt', () => {
  it('is a page for a browser that would also take JSON', async () => {
    await using world = await createWorld()
    const { headers } = await world.anonymous('GET', '/receipts/nothing', undefined, {
      accept: 'text/html,application/xhtml+xml,application/json;q=0.9',
    })
    assert.match(headers['content-type'] ?? '', /^text\/html/)
  })
})
