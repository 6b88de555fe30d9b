// The forms of the console in a real browser: light and dark, narrow and wide, with a script and without.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Person, signIn } from '../console/person.ts'
import { createWorld, type World } from '../world.ts'
import { axeViolations, closeBrowser, sidewaysScroll } from './payer.ts'
import { openStaff, pictures, type Staff, WIDTHS } from './staff.ts'

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

const PAGES: Readonly<Record<string, string>> = {
  'link-new': '/links/new',
  'page-new': '/pages/new',
}

for (const colorScheme of ['light', 'dark'] as const)
  describe(`forms, ${colorScheme}`, () => {
    let staff: Staff
    before(async () => {
      staff = await openStaff(world, owner, { colorScheme })
    })
    after(() => staff.close())

    for (const [name, path] of Object.entries(PAGES))
      it(`${name} fits every width, and axe finds nothing`, async () => {
        const { page, complaints } = staff
        await staff.open(path)
        await pictures(page, `${name}-${colorScheme}`)
        for (const width of WIDTHS) {
          assert.equal(await sidewaysScroll(page, width), 0, `${width}`)
          assert.deepEqual(await axeViolations(page, colorScheme === 'light' ? 'all' : 'colours'), [])
        }
        assert.deepEqual(complaints, [])
      })
  })

for (const javaScriptEnabled of [true, false])
  describe(`forms, with the script ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    let staff: Staff
    before(async () => {
      staff = await openStaff(world, owner, { javaScriptEnabled })
    })
    after(() => staff.close())

    it('a link is typed, seen, made and shared', async () => {
      const { page, complaints } = staff
      await staff.open('/links/new')
      await page.getByLabel('Valor').fill('128500')
      await page.getByLabel('Referencia').fill('Pedido 2001')
      await page.getByLabel('Descripción').fill('Dos bolsas de café')
      await page.getByLabel('A dónde vuelve').fill('https://tienda.example')
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Ver cómo queda' }).click()
      const drawn = page.locator('.phone')
      assert.match((await drawn.textContent()) ?? '', /\$\s128\.500/)
      assert.match((await drawn.textContent()) ?? '', /Dos bolsas de café/)
      await page.getByRole('button', { name: 'Crear enlace' }).click()
      await page.waitForURL(/\/links\/[0-9a-f-]{36}/)
      assert.equal(await page.getByRole('status').textContent(), 'El enlace está listo. Compártelo.')
      assert.ok(await page.locator('.share-qr svg').isVisible())
      assert.deepEqual(complaints, [])
    })
  })
