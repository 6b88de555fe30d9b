// A day at the console from the sign-in page on, in a real browser: with the script off, and with the keyboard alone.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { STEP_UP_MS, type User } from '../../src/core/team/user.ts'
import { PASSWORD, type People, peopleIn } from '../flows/team/people.ts'
import { brebPayin, CUSTOMER, createWorld, type World } from '../world.ts'
import { openConsole } from './console-visitor.ts'
import { keysOf, memberWithApp, STOP, type Stop, tabTo } from './keyboard.ts'
import { closeBrowser } from './payer.ts'

let world: World
let people: People
before(async () => {
  world = await createWorld()
  people = peopleIn(world)
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

// As after five minutes.
async function forgetProof(user: User): Promise<void> {
  await world.db.query({
    text: 'update sessions set proved_at = proved_at - make_interval(secs => $2) where user_id = $1',
    values: [user.userId, STEP_UP_MS / 1_000],
  })
}

// The simulated network leaves it open.
const openPayin = (reference: string) =>
  world.client(
    'POST',
    '/payins',
    brebPayin({ reference, inlineCustomer: { ...CUSTOMER, idNumber: '1000000007' } }),
  )

const payoutsOf = async (reference: string): Promise<{ amountInCents: number }[]> =>
  (await world.client('GET', `/payouts?reference=${encodeURIComponent(reference)}`)).json.data

describe('with the script off', () => {
  it('somebody signs in, finds a payin and cancels it, makes a link, and sends a payout with a new proof', async () => {
    await openPayin('Pedido 101')
    await openPayin('Pedido 102')
    await using visitor = await openConsole(world, { javaScriptEnabled: false })
    const { page, at, complaints, context } = visitor
    const { user, codes } = await memberWithApp(people)

    await page.goto(at(''))
    await page.getByLabel('Correo').fill(user.email)
    await page.getByLabel('Contraseña').fill(PASSWORD)
    await page.getByRole('button', { name: 'Ingresar', exact: true }).click()
    await page.getByLabel('Código de 6 dígitos').fill(codes[0])
    await page.getByRole('button', { name: 'Continuar' }).click()

    await page.getByRole('link', { name: 'Cobros', exact: true }).click()
    await page.waitForURL(/\/payins$/)
    assert.equal(await page.locator('#rows tr').count(), 2)
    await page.getByRole('searchbox', { name: 'Referencia' }).fill('pedido 102')
    await page.getByLabel('Periodo').selectOption('7d')
    await page.getByRole('button', { name: 'Filtrar' }).first().click()
    await page.waitForURL(/\/payins\?text=pedido\+102&period=7d$/)
    assert.equal(await page.locator('#rows tr').count(), 1)
    await page.getByRole('link', { name: 'Pedido 102', exact: true }).click()
    await page.getByRole('button', { name: 'Cancelar cobro' }).click()
    await page.getByText('Lo cancelaron desde el comercio').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Cancelar cobro' }).count(), 0)

    await page.getByRole('link', { name: 'Enlaces', exact: true }).click()
    await page
      .getByRole('link', { name: /^Crear/ })
      .first()
      .click()
    await page.getByLabel('Valor').fill('128.500')
    await page.getByLabel('Referencia').fill('Pedido 103')
    await page.getByLabel('A dónde vuelve').fill('https://tienda.example')
    await page.getByRole('button', { name: 'Crear enlace' }).click()
    await page.waitForURL(/\/links\/[0-9a-f-]{36}/)
    assert.equal(await page.locator('.said').textContent(), 'El enlace está listo. Compártelo.')

    await forgetProof(user)
    await page.getByRole('link', { name: 'Pagos', exact: true }).click()
    await page.getByRole('link', { name: 'Hacer un pago' }).first().click()
    await page.getByLabel('Llave Bre-B').fill('@ANAGOMEZ')
    await page.getByRole('button', { name: 'Buscar llave' }).click()
    await page.getByLabel('Valor').fill('50.000')
    await page.getByLabel('Referencia').fill('Nómina 1')
    await page.getByLabel('Nombre completo').fill('Ana María Gómez')
    await page.getByLabel('Tipo de documento').selectOption('CO_CC')
    await page.getByLabel('Número de documento').fill('1000000001')
    await page.getByLabel('Celular').fill('300 123 4567')
    await page.getByLabel('Correo').fill('ana@example.com')
    await page.getByRole('button', { name: 'Revisar' }).click()
    const send = page.getByRole('button', { name: /^Enviar \$\s50\.000/ })
    await send.click()
    assert.match(await page.innerText('[role=alert]'), /Falta confirmar que eres tú/)
    assert.deepEqual(await payoutsOf('Nómina 1'), [], 'nothing is sent without the proof')
    const [proof] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Confirmar que soy yo' }).first().click(),
    ])
    await proof.locator('[name=typed]').fill(codes[1])
    await proof.getByRole('button', { name: 'Confirmar' }).click()
    await proof.getByText('Ya sabemos que eres tú').waitFor()
    await proof.close()
    await send.click()
    await page.waitForURL(/\/payouts\/[0-9a-f-]{36}/)
    assert.equal(await page.locator('.said').textContent(), 'El pago va en camino.')
    assert.deepEqual(
      (await payoutsOf('Nómina 1')).map(({ amountInCents }) => amountInCents),
      [5_000_000],
    )
    assert.deepEqual(complaints, [])
  })
})

describe('with the keyboard alone', () => {
  it('somebody signs in and sends a payout, and always sees where they are', async () => {
    await using visitor = await openConsole(world)
    const { page, at, complaints, context } = visitor
    const { user, codes } = await memberWithApp(people)
    const { keyboard } = page
    const { typeInto, press } = keysOf(page)

    await page.goto(at('/sign-in'))
    // Where the browser has passkeys, their button comes first.
    await page.evaluate('document.activeElement.blur()')
    await typeInto(/^Correo/, user.email)
    await typeInto(/^Contraseña/, PASSWORD)
    await press(/^Ingresar$/)
    await page.waitForURL(/\/sign-in\/code/)
    await page.locator('[name=code]:focus').waitFor()
    await keyboard.type(codes[0])
    await keyboard.press('Enter')
    await page.waitForURL(at(`/${world.organization.organizationId}`))

    // The first stop leads past everything else.
    await keyboard.press('Tab')
    assert.equal((await page.evaluate<Stop>(STOP)).name, 'Ir al contenido')
    await keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
    await page.reload()
    await press(/^Pagos$/)
    await page.waitForURL(/\/payouts$/)

    await forgetProof(user)
    await press(/^Hacer un pago$/)
    await page.waitForURL(/\/payouts\/new$/)
    await typeInto(/^Llave Bre-B/, '@ANAGOMEZ')
    await press(/^Buscar llave$/)
    await page.getByText('Va para').waitFor()
    await typeInto(/^Valor/, '50.000')
    await typeInto(/^Referencia/, 'Nómina 2')
    await typeInto(/^Nombre completo/, 'Ana María Gómez')
    await tabTo(page, /^Tipo de documento/)
    await keyboard.type('Cédula de ciu')
    await typeInto(/^Número de documento/, '1000000001')
    await typeInto(/^Celular/, '300 123 4567')
    await typeInto(/^Correo/, 'ana@example.com')
    await press(/^Revisar$/)
    await page.getByRole('heading', { name: 'Revisa y envía' }).waitFor()
    await press(/^Enviar \$\s50\.000/)
    // What is missing has the focus.
    await page.locator('[role=alert]:focus').waitFor()
    const [proof] = await Promise.all([context.waitForEvent('page'), press(/^Confirmar que soy yo$/)])
    await proof.locator('[name=typed]:focus').waitFor()
    await proof.keyboard.type(codes[1])
    await proof.keyboard.press('Enter')
    await proof.getByText('Ya sabemos que eres tú').waitFor()
    await proof.close()
    await press(/^Enviar \$\s50\.000/)
    await page.waitForURL(/\/payouts\/[0-9a-f-]{36}/)
    assert.equal((await payoutsOf('Nómina 2')).length, 1)
    assert.deepEqual(complaints, [])
  })

  it('the focus comes back from menus, panels and dialogs to where it was', async () => {
    await openPayin('Pedido 201')
    await using visitor = await openConsole(world)
    const { page, at, complaints, context } = visitor
    const { keyboard } = page
    const { token } = await people.signedIn(await people.newMember('owner'))
    await context.addCookies([{ name: 'recaudo_session', value: token, url: at('') }])
    await page.goto(at(`/${world.organization.organizationId}/payins?period=7d`))
    const focused = async () => (await page.evaluate<Stop>(STOP)).name

    // The person's menu, and the list of keys that it opens.
    await tabTo(page, /^Person \d/)
    const person = await focused()
    await keyboard.press('Enter')
    await page.locator('#person:popover-open').waitFor()
    await tabTo(page, /^Oscuro$/)
    await keyboard.press('Escape')
    assert.equal(await focused(), person)
    await keyboard.press('Enter')
    await tabTo(page, /^Atajos de teclado$/)
    await keyboard.press('Enter')
    await page.locator('#keys[open]').waitFor()
    await tabTo(page, /^Cerrar$/)
    await keyboard.press('Enter')
    assert.equal(await page.locator('#keys[open]').count(), 0)
    assert.equal(await focused(), person)

    // Panels that drop down.
    for (const [summary, inside] of [
      [/^Exportar$/, /Excel|CSV/],
      [/^Más filtros$/, /^Hasta/],
      [/^Guardar/, /^Nombre/],
    ] as const) {
      await tabTo(page, summary)
      const before = await focused()
      await keyboard.press('Enter')
      await tabTo(page, inside)
      await keyboard.press('Escape')
      assert.equal(await focused(), before)
      assert.equal(await page.locator('.drop[open]').count(), 0)
    }

    // The question before a grave step.
    await tabTo(page, /^Pedido 201$/)
    await keyboard.press('Enter')
    await page.waitForURL(/\/payins\/[0-9a-f-]{36}$/)
    await tabTo(page, /^Cancelar cobro$/)
    await keyboard.press('Enter')
    await page.locator('#sure[open]').waitFor()
    await tabTo(page, /^Cancelar$/)
    await keyboard.press('Enter')
    assert.equal(await page.locator('#sure[open]').count(), 0)
    assert.equal(await focused(), 'Cancelar cobro')
    assert.deepEqual(complaints, [])
  })
})
