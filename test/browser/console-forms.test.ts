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
  await signIn(world, 'accountant', { name: 'Óscar Díaz' })
  await signIn(world, 'administrator', { name: 'Marta Lucía Rincón' })
  const invited = { email: 'caja@example.com', name: 'Caja principal', role: 'support' }
  await world.client('POST', '/team/invitations', invited)
  await owner.post('/settings/business', { '/name': 'Café La Palma S.A.S.', '/taxId': '900123456-8' })
  await (await signIn(world, 'support')).post('/settings/team/invite')
  for (const document of ['1000000001', '1000000007'])
    await owner.post('/sandbox/samples/breb', {
      '/amountInCents': '50.000',
      '/inlineCustomer/idNumber': document,
      _key: `console-01900000-0000-7000-8000-00${document}`,
    })
  await world.work()
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

// CONSOLE_PAGES=team,audit looks at these alone.
const isWanted = (name: string) => process.env.CONSOLE_PAGES?.split(',').includes(name) ?? true

const PAGES: Readonly<Record<string, string>> = {
  'link-new': '/links/new',
  'page-new': '/pages/new',
  'payin-new': '/payins/new',
  'payout-new': '/payouts/new',
  team: '/settings/team',
  'team-invite': '/settings/team/invite',
  audit: '/settings/audit',
  sandbox: '/sandbox',
}

// Pages that stand behind a form.
const BEHIND: Readonly<Record<string, (staff: Staff) => Promise<void>>> = {
  'team-member': async ({ open, page }) => {
    await open('/settings/team')
    await page.getByRole('link', { name: /Óscar Díaz/ }).click()
    await page.getByRole('heading', { name: 'Óscar Díaz' }).waitFor()
  },
  'audit-entry': async ({ open, page }) => {
    await open('/settings/audit')
    await page.getByRole('link', { name: 'Cambió los datos del comercio' }).first().click()
    await page.getByRole('heading', { name: 'Qué cambió' }).waitFor()
  },
  'payin-made': async ({ open, page }) => {
    await open('/payins/new')
    await page.getByLabel('Valor').fill('12000')
    await page.getByRole('button', { name: 'Mostrar código' }).click()
    await page.getByText('Muéstraselo a quien paga').waitFor()
  },
  'payout-details': openDetails,
  'payout-review': async (staff) => {
    await openDetails(staff)
    await typePayout(staff)
    await staff.page.getByRole('button', { name: 'Revisar' }).click()
    await staff.page.getByRole('heading', { name: 'Revisa y envía' }).waitFor()
  },
}

async function openDetails({ open, page }: Staff): Promise<void> {
  await open('/payouts/new')
  await page.getByLabel('Llave Bre-B').fill('3001234567')
  await page.getByRole('button', { name: 'Buscar llave' }).click()
  await page.getByText('Va para').waitFor()
}

async function typePayout({ page }: Staff): Promise<void> {
  await page.getByLabel('Valor').fill('50.000')
  await page.getByLabel('Referencia').fill('Nómina noviembre')
  await page.getByLabel('Nombre completo').fill('Ana María Gómez')
  await page.getByLabel('Tipo de documento').selectOption('CO_CC')
  await page.getByLabel('Número de documento').fill('1000000001')
  await page.getByLabel('Celular').fill('300 123 4567')
  await page.getByLabel('Correo').fill('ana@example.com')
}

for (const colorScheme of ['light', 'dark'] as const)
  describe(`forms, ${colorScheme}`, () => {
    let staff: Staff
    before(async () => {
      staff = await openStaff(world, owner, { colorScheme })
    })
    after(() => staff.close())

    // test/browser/console-pages.test.ts looks at every route in the dark, but not at what is behind a form.
    const names = [...(colorScheme === 'light' ? Object.keys(PAGES) : []), ...Object.keys(BEHIND)]
    for (const name of names.filter(isWanted))
      it(`${name} fits every width, and axe finds nothing`, async () => {
        const { page, complaints } = staff
        await (BEHIND[name]?.(staff) ?? staff.open(PAGES[name] ?? ''))
        await pictures(page, `${name}-${colorScheme}`)
        for (const width of WIDTHS) assert.equal(await sidewaysScroll(page, width), 0, `${width}`)
        assert.deepEqual(await axeViolations(page, colorScheme === 'light' ? 'all' : 'colours'), [])
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
      assert.equal(await page.locator('.said').textContent(), 'El enlace está listo. Compártelo.')
      assert.ok(await page.locator('.share-qr svg').isVisible())
      assert.deepEqual(complaints, [])
    })

    it('a payout is looked up, typed, corrected, reviewed and sent', async () => {
      const { page, complaints } = staff
      await openDetails(staff)
      await typePayout(staff)
      await page.getByRole('button', { name: 'Revisar' }).click()
      await page.getByRole('button', { name: 'Corregir' }).click()
      await page.getByLabel('Valor').fill('50.100')
      await page.getByRole('button', { name: 'Revisar' }).click()
      await page.getByRole('button', { name: /^Enviar \$\s50\.100/ }).click()
      await page.waitForURL(/\/payouts\/[0-9a-f-]{36}/)
      assert.equal(await page.locator('.said').textContent(), 'El pago va en camino.')
      assert.deepEqual(complaints, [])
    })
  })
