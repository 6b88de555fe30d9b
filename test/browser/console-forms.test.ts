// The forms of the console in a real browser: what stands behind them looks right in each language, theme and width, and they work
// with a script and without.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertMembership } from '../../src/store/team/users.ts'
import { type Person, signIn } from '../console/person.ts'
import { byDepth, isDeep } from '../depth.ts'
import { createWorld, type World } from '../world.ts'
import { consolePageFaults } from './console-look.ts'
import { closeBrowser } from './payer.ts'
import { openStaff, pictures, type Staff } from './staff.ts'

let world: World
let owner: Person
let endedKeyId: string
let newcomersHome: string
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
  await signIn(world, 'accountant', { name: 'Óscar Díaz' })
  await signIn(world, 'administrator', { name: 'Marta Lucía Rincón' })
  endedKeyId = (await world.client('POST', '/api-keys', { name: 'Prueba vieja' })).json.id
  await world.client('DELETE', `/api-keys/${endedKeyId}`)
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

const field = (path: string) => `[name="${path}"]`

// Pages that stand behind a form, or at an address that no route says. test/browser/console-pages.test.ts looks at every route.
const BEHIND: Readonly<Record<string, (staff: Staff) => Promise<void>>> = {
  // Of whoever has no payin yet: each card's button is in it.
  'home-new': async ({ open, page }) => {
    await open(newcomersHome)
    await page.locator('.start-steps').waitFor()
  },
  'connection-new': ({ open }) => open('/settings/connections/new?provider=wompi'),
  'key-ended': ({ open }) => open(`/settings/keys/${endedKeyId}`),
  'key-made': async ({ open, page }) => {
    await open('/settings/keys/new')
    await page.locator(field('/name')).fill('Tienda web')
    await page.locator(`${field('/scopes')}[value="payins:read"]`).check()
    await page.locator('.form button.main').click()
    await page.locator('.secret-card').waitFor()
  },
  'key-wrong': async ({ open, page }) => {
    await open('/settings/keys/new')
    await page.locator(field('/name')).fill('Sin alcances')
    await page.locator('.form button.main').click()
    await page.locator('.problems').waitFor()
  },
  'team-member': async ({ open, page }) => {
    await open('/settings/team')
    await page.getByRole('link', { name: /Óscar Díaz/ }).click()
    await page.getByRole('heading', { name: 'Óscar Díaz' }).waitFor()
  },
  'audit-entry': async ({ open, page }) => {
    await open('/settings/audit?act=organization.change')
    await page.locator('#rows a').first().click()
    await page.waitForURL(/audit\/[0-9a-f-]{36}$/)
  },
  'payin-made': async ({ open, page }) => {
    await open('/payins/new')
    await page.locator(field('/amountInCents')).fill('12000')
    await page.locator('.form button.main').click()
    await page.waitForURL(/\/payins\/[0-9a-f-]{36}/)
  },
  'payout-details': openDetails,
  'payout-review': async (staff) => {
    await openDetails(staff)
    await typePayout(staff)
    await staff.page.locator('.form button.main').click()
    await staff.page.locator('.review-amount').waitFor()
  },
}

async function openDetails({ open, page }: Staff): Promise<void> {
  await open('/payouts/new')
  await page.locator(field('/breb/keyString')).fill('3001234567')
  await page.locator('.form button.main').click()
  await page.locator('.receiver').waitFor()
}

async function typePayout({ page }: Staff): Promise<void> {
  await page.locator(field('/amountInCents')).fill('50.000')
  await page.locator(field('/reference')).fill('Nómina noviembre')
  await page.locator(field('/inlineCustomer/name')).fill('Ana María Gómez')
  await page.locator(field('/inlineCustomer/idType')).selectOption('CO_CC')
  await page.locator(field('/inlineCustomer/idNumber')).fill('1000000001')
  await page.locator(field('/inlineCustomer/phone')).fill('300 123 4567')
  await page.locator(field('/inlineCustomer/email')).fill('ana@example.com')
}

for (const language of byDepth(['es'] as const, ['es', 'en'] as const))
  describe(`behind a form, ${language}`, () => {
    let staff: Staff
    before(async () => {
      const person = await signIn(world, 'owner', { language })
      const { organizationId } = (await world.newMerchant()).organization
      await insertMembership(world.db, {
        organizationId,
        userId: person.userId,
        role: 'owner',
        at: world.ctx.clock.wallClock(),
      })
      newcomersHome = `/console/${organizationId}`
      staff = await openStaff(world, person)
    })
    after(() => staff.close())

    for (const [name, go] of Object.entries(BEHIND))
      it(`${name} fits every width, axe finds nothing, and zoom loses nothing`, async () => {
        const { page, complaints } = staff
        await page.setViewportSize({ width: 1280, height: 900 })
        await go(staff)
        await pictures(page, `${name}-${language}`)
        assert.deepEqual(await consolePageFaults(page, language === 'es' ? 'content' : 'fit'), [])
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

    // Without a script, test/browser/console-walks.test.ts sends one.
    if (!javaScriptEnabled && !isDeep) return
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
