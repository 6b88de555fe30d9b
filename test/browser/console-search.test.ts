// The search in a real browser: light and dark, narrow and wide, and without a script.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Person, signIn } from '../console/person.ts'
import { byDepth } from '../depth.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, psePayin, type World } from '../world.ts'
import { consolePageFaults } from './console-look.ts'
import { closeBrowser } from './payer.ts'
import { openStaff, pictures, type Staff } from './staff.ts'

let world: World
let owner: Person
let payinId: string
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
  const { client } = world
  const made = async (path: string, body: unknown) => (await client('POST', path, body)).json
  const ana = { ...CUSTOMER, name: 'Ana María Gómez Restrepo', email: 'ana@correo.co' }
  const confirmed = await made(
    '/payins',
    brebPayin({ reference: 'pedido-1042', amountInCents: 125_000_000, inlineCustomer: ana }),
  )
  payinId = confirmed.id
  await endPayin(world, client, payinId, 'confirmed')
  const declined = await made(
    '/payins',
    psePayin({ reference: 'pedido-1043', amountInCents: 48_990_050, inlineCustomer: ana }),
  )
  await endPayin(world, client, declined.id, 'declined')
  await made('/payins', brebPayin({ reference: 'pedido-1044-reserva-de-la-mesa-grande-del-segundo-piso' }))
  for (let count = 0; count < 9; count += 1)
    await made('/payins', brebPayin({ reference: `pedido-11${count}`, inlineCustomer: ana }))
  await made('/payment-links', {
    amountType: 'FIXED',
    amountInCents: 125_000_000,
    reference: 'pedido-1050',
    callbackUrl: 'https://shop.example/return',
    inlineCustomer: ana,
  })
  await made('/payment-pages', {
    name: 'Pedido de diciembre',
    reference: 'diciembre',
    amountType: 'FIXED',
    amountInCents: 9_000_000,
  })
  await made('/payouts', {
    amountInCents: 100_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'pedido-proveedor',
    inlineCustomer: ana,
    breb: { keyString: 'ana@correo.co' },
  })
  await made('/webhook-endpoints', { url: 'https://tienda.example/pedido', description: 'Bodega' })
  await world.work()
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

const PAGES: Readonly<Record<string, string>> = {
  results: '/search?q=pedido',
  none: '/search?q=no-existe',
  person: '/search?q=g%C3%B3mez%20ana',
  amount: '/search?q=%24%201.250.000',
  kind: '/search?q=pedido&kind=payin',
}

describe('the search', () => {
  let staff: Staff
  before(async () => {
    staff = await openStaff(world, owner)
  })
  after(() => staff.close())

  for (const [name, path] of Object.entries(PAGES).slice(0, byDepth(2, 5)))
    it(`${name} fits every width, and axe finds nothing`, async () => {
      const { page, complaints } = staff
      await staff.open(path)
      await pictures(page, `search-${name}`)
      // The others are made of the same parts.
      const look = ['results', 'none'].includes(name) ? 'content' : 'fit'
      assert.deepEqual(await consolePageFaults(page, look), [])
      assert.deepEqual(complaints, [])
    })
})

for (const javaScriptEnabled of [true, false])
  it(`is asked from the frame and opens what it finds, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
    const staff = await openStaff(world, owner, { javaScriptEnabled })
    const { page, complaints } = staff
    await staff.open('/payins')
    await page.getByRole('searchbox', { name: 'Buscar', exact: true }).fill('$ 1.250.000')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=/)
    await page.getByRole('link', { name: 'pedido-1042', exact: true }).click()
    await page.waitForURL(new RegExp(`/payins/${payinId}$`))
    await staff.open('/search')
    await page.getByRole('searchbox', { name: 'Buscar en todo' }).fill(payinId)
    await page.getByRole('button', { name: 'Buscar', exact: true }).click()
    await page.waitForURL(new RegExp(`/payins/${payinId}$`))
    assert.deepEqual(complaints, [])
    await staff.close()
  })
