// Passkeys and the account in a real browser, with an authenticator that Chromium simulates.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { totpCode } from '../../src/core/team/totp.ts'
import { STEP_UP_MS, type User } from '../../src/core/team/user.ts'
import { createInvitation } from '../../src/flows/team/invitations.ts'
import { createSignInLink } from '../../src/flows/team/sign-in-links.ts'
import { byDepth } from '../depth.ts'
import { PASSWORD, type People, peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'
import { consolePageFaults } from './console-look.ts'
import { type Authenticator, openConsole, type Visitor, withAuthenticator } from './console-visitor.ts'
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

const home = () => `/${world.organization.organizationId}`
const text = (page: Page): Promise<string> => page.innerText('main')

async function linkFor(user: User): Promise<string> {
  const { url } = await createSignInLink(people.ctx, user.userId, 60_000)
  return new URL(url).pathname.slice('/console'.length)
}

async function enterByLink({ page, at }: Visitor, user: User): Promise<void> {
  await page.goto(at(await linkFor(user)))
  await page.click('main button')
  await page.waitForURL(at(home()))
}

async function forgetProof(user: User): Promise<void> {
  await world.db.query({
    text: `update sessions set proved_at = proved_at - make_interval(secs => $2) where user_id = $1`,
    values: [user.userId, STEP_UP_MS / 1_000],
  })
}

function codeOf(typed: string, stepsAhead = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...typed.replaceAll(/\s/g, '')].map((letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const secret = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return totpCode(secret, Math.floor(Date.now() / 30_000) + stepsAhead)
}

describe('passkeys', () => {
  let visitor: Visitor
  let device: Authenticator
  let user: User
  before(async () => {
    visitor = await openConsole(world)
    device = await withAuthenticator(visitor)
    user = await people.newMember('owner')
    // The simulated browser does not wait for anybody to choose what it offers, so most tests have it offer nothing.
    await visitor.page.addInitScript(
      "if (location.protocol !== 'about:' && sessionStorage.getItem('offers') !== 'yes') PublicKeyCredential.isConditionalMediationAvailable = undefined",
    )
  })
  after(() => visitor[Symbol.asyncDispose]())

  const offer = (is: 'yes' | 'no') => visitor.page.evaluate(`sessionStorage.setItem('offers', '${is}')`)
  const signIn = async () => {
    await visitor.page.goto(visitor.at('/sign-in'))
    await visitor.page.click('text=Ingresar con llave de acceso')
  }
  type Sent = { response: { clientDataJSON: string; signature: string } }
  // What the script would send, changed on its way.
  const changeAnswer = async (change: (answer: Sent) => void) => {
    await visitor.page.route('**/sign-in/passkey', async (route) => {
      const form = new URLSearchParams(route.request().postData() ?? '')
      const answer = JSON.parse(form.get('passkey') ?? '{}')
      change(answer)
      form.set('passkey', JSON.stringify(answer))
      await route.continue({ postData: form.toString() })
    })
  }
  const withClientData = ({ response }: Sent, changes: object) => {
    const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    response.clientDataJSON = Buffer.from(JSON.stringify({ ...data, ...changes })).toString('base64url')
  }

  it('is made in the account, and named by its browser', async () => {
    const { page, at } = visitor
    await enterByLink(visitor, user)
    await page.goto(at('/account/access'))
    assert.match(await text(page), /Todavía no tienes cómo ingresar otra vez/)
    await page.click('text=Agregar una llave de acceso')
    await page.waitForURL(/done=passkey-added/)
    assert.match(await text(page), /La llave de acceso quedó lista/)
    assert.match(await text(page), /Chrome en Linux/)
    assert.equal((await device.credentials()).length, 1)
  })

  it('signs in with nothing typed, by the button or as the browser offers it', async () => {
    const { page, at } = visitor
    await visitor.forgetSession()
    await signIn()
    await page.waitForURL(at(home()))
    await offer('yes')
    await visitor.forgetSession()
    // It chooses before the page has loaded, so nothing waits for that.
    await page.goto(at(`/sign-in?to=${encodeURIComponent('/console/account/sessions')}`), {
      waitUntil: 'commit',
    })
    await page.waitForURL(at('/account/sessions'))
    await offer('no')
    assert.match(await text(page), /con llave de acceso/)
  })

  it('is refused for another challenge, another origin, a frame, or a changed signature', async () => {
    const { page } = visitor
    const changes = [
      (answer: Sent) => withClientData(answer, { challenge: 'A'.repeat(43) }),
      ({ response }: Sent) => {
        response.signature = Buffer.alloc(70).toString('base64url')
      },
      (answer: Sent) => withClientData(answer, { origin: 'http://localhost:1' }),
      (answer: Sent) => withClientData(answer, { crossOrigin: true }),
    ]
    // test/core/team/webauthn.test.ts has every one.
    for (const change of changes.slice(0, byDepth(1, 4))) {
      await visitor.forgetSession()
      await changeAnswer(change)
      const [answer] = await Promise.all([page.waitForResponse(/sign-in\/passkey$/), signIn()])
      assert.equal(answer.status(), 422)
      await page.waitForSelector('[role=alert]')
      await page.unroute('**/sign-in/passkey')
    }
    assert.deepEqual(
      (await visitor.context.cookies()).filter(({ name }) => name === 'recaudo_session'),
      [],
    )
  })

  it('says so if the browser finds none', async () => {
    const { page } = visitor
    await device.cdp.send('WebAuthn.setUserVerified', {
      authenticatorId: device.authenticatorId,
      isUserVerified: false,
    })
    await signIn()
    await page.waitForSelector('text=No se usó ninguna llave de acceso')
    await device.cdp.send('WebAuthn.setUserVerified', {
      authenticatorId: device.authenticatorId,
      isUserVerified: true,
    })
  })

  it('shows again that it is them, and another passkey needs that', async () => {
    const { page, at } = visitor
    await signIn()
    await page.waitForURL(at(home()))
    await forgetProof(user)
    await page.goto(at('/account/access'))
    await page.click('text=Agregar una llave de acceso')
    await page.waitForURL(/\/console\/prove\?to=/)
    await page.click('text=Confirmar con llave de acceso')
    await page.waitForURL(at('/account/access'))
    // The device has one, and says so.
    await page.click('text=Agregar una llave de acceso')
    await page.waitForSelector('text=Este equipo ya tiene una llave de acceso tuya')
  })

  it('is renamed, and the last way in is not removed', async () => {
    const { page } = visitor
    await page.click('summary:has-text("Cambiar el nombre")')
    await page.fill('[name=name]', 'Portátil <b>de la oficina</b>')
    await page.press('[name=name]', 'Enter')
    await page.waitForURL(/done=passkey-renamed/)
    assert.match(await text(page), /Portátil <b>de la oficina<\/b>/)
    await page.click('summary:has-text("Quitar")')
    await page.click('text=Sí, quitarla')
    await page.waitForSelector('[role=alert]')
    assert.match(await text(page), /Es tu única forma de ingresar/)
    assert.deepEqual(visitor.complaints, [])
  })

  it('is how somebody who was invited begins', async () => {
    await using invited = await openConsole(world, { locale: 'en' })
    await withAuthenticator(invited)
    const { page, at } = invited
    const by = { kind: 'operator', id: null, name: 'Operator' } as const
    const made = await createInvitation(
      people.ctx,
      world.organization.organizationId,
      { email: 'passkey-person@example.com', role: 'support', name: 'Ana' },
      by,
      null,
    )
    assert.ok('url' in made)
    await page.goto(at(new URL(made.url).pathname.slice('/console'.length)))
    assert.equal(await page.locator('[name=password]').isVisible(), false)
    await page.click('text=Accept the invitation')
    await page.waitForURL(/\/account\/welcome/)
    await page.click('text=Create a passkey')
    await page.waitForURL(at(home()))
    await invited.forgetSession()
    await page.goto(at('/sign-in'), { waitUntil: 'commit' })
    await page.waitForURL(at(home()))
    assert.deepEqual(invited.complaints, [])
  })
})

describe('the account without any script', () => {
  let visitor: Visitor
  before(async () => {
    visitor = await openConsole(world, { javaScriptEnabled: false })
  })
  after(() => visitor[Symbol.asyncDispose]())

  it('gets a password and an app, whose codes and recovery codes sign in', async () => {
    const { page, at } = visitor
    const user = await people.newMember('developer')
    await enterByLink(visitor, user)
    await page.goto(at('/account/access'))
    assert.equal(await page.locator('[data-passkey]').isVisible(), false)
    await page.fill('[name=next]', user.email)
    await page.press('[name=next]', 'Enter')
    assert.match(await text(page), /No puede ser tu correo/)
    await page.fill('[name=next]', PASSWORD)
    await page.press('[name=next]', 'Enter')
    assert.match(page.url(), /done=password/)
    await page.click('text=Configurar la aplicación')
    const secret = await page.innerText('.secret')
    assert.equal(await page.locator('.qr svg').count(), 1)
    await page.fill('[name=code]', '000000')
    await page.press('[name=code]', 'Enter')
    assert.match(await text(page), /Ese código no es correcto/)
    assert.equal(await page.innerText('.secret'), secret)
    await page.fill('[name=code]', codeOf(secret))
    await page.press('[name=code]', 'Enter')
    const codes = (await page.innerText('.codes ol')).match(/\w{4}(?:-\w{4}){3}/g) ?? []
    assert.equal(codes.length, 10)
    await page.click('text=Ya los guardé')
    assert.match(await text(page), /Te quedan 10 códigos/)
    await visitor.forgetSession()
    await page.goto(at('/sign-in'))
    await page.fill('[name=email]', user.email)
    await page.fill('[name=password]', PASSWORD)
    await page.press('[name=password]', 'Enter')
    await page.fill('[name=code]', codeOf(secret, 1))
    await page.press('[name=code]', 'Enter')
    assert.equal(page.url(), at(home()))
    await forgetProof(user)
    await page.goto(at('/account/access'))
    await page.click('summary:has-text("Desactivar")')
    await page.click('text=Sí, desactivarla')
    assert.match(page.url(), /\/console\/prove\?to=/)
    await page.fill('[name=typed]', codes[0] ?? '')
    await page.press('[name=typed]', 'Enter')
    assert.equal(page.url(), at('/account/access'))
    await page.click('summary:has-text("Desactivar")')
    await page.click('text=Sí, desactivarla')
    assert.match(page.url(), /done=app-off/)
    await visitor.forgetSession()
  })

  it('changes name, language and shortcuts', async () => {
    const { page, at } = visitor
    const user = await people.newMember('support')
    await enterByLink(visitor, user)
    await page.goto(at('/account'))
    assert.match(await text(page), new RegExp(world.organization.name))
    await page.fill('[name=name]', 'Ana <i>Gómez</i>')
    await page.selectOption('[name=language]', 'en')
    await page.uncheck('[name=singleKeys]')
    await page.click('text=Guardar')
    assert.match(await text(page), /Your details are saved/)
    assert.equal(await page.inputValue('[name=name]'), 'Ana <i>Gómez</i>')
    assert.equal(await page.isChecked('[name=singleKeys]'), false)
    await page.click('button:has-text("Dark")')
    assert.equal(page.url(), at('/account'))
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark')
    await visitor.forgetSession()
  })

  it('shows where one is signed in, and ends it', async () => {
    const { page, at } = visitor
    const user = await people.newMember('owner')
    await enterByLink(visitor, user)
    await people.signedIn(user)
    await people.signedIn(user)
    await page.goto(at('/account/sessions'))
    assert.equal(await page.locator('.rows > li').count(), 3)
    assert.match(await page.innerText('.rows > li:first-child'), /Esta sesión/)
    assert.match(await page.innerText('.rows > li:first-child'), /Chrome en Linux[\s\S]*con un enlace/)
    await page.click('.rows > li:last-child button')
    assert.equal(await page.locator('.rows > li').count(), 2)
    await page.click('text=Cerrar las demás')
    assert.equal(await page.locator('.rows > li').count(), 1)
    await page.click('.rows button')
    assert.match(page.url(), /\/console\/sign-in\?done=out/)
    assert.match((await page.goto(at('/account')))?.url() ?? '', /sign-in\?to=/)
    await visitor.forgetSession()
  })
})

describe('the pages of the account', () => {
  const inSpanish = ['es', 'content'] as const
  for (const [language, seen] of byDepth([inSpanish], [inSpanish, ['en', 'fit'] as const]))
    it(`${seen === 'fit' ? '' : 'have no fault that axe finds, and '}have no sideways scroll: ${language}`, async () => {
      await using visitor = await openConsole(world)
      await withAuthenticator(visitor)
      const { page, at, complaints } = visitor
      const user = await people.newUser(language)
      await people.join(user, 'owner')
      const look = async () => assert.deepEqual(await consolePageFaults(page, seen), [], page.url())
      await enterByLink(visitor, user)
      await page.goto(at('/account/welcome'))
      await look()
      await page.goto(at('/account/access'))
      await page.click('[data-passkey] button')
      await page.waitForURL(/done=/)
      await page.fill('[name=next]', PASSWORD)
      await page.press('[name=next]', 'Enter')
      await page.waitForURL(/done=password/)
      await page.click('summary')
      await look()
      for (const path of ['/account', '/account/sessions', '/account/app']) {
        await page.goto(at(path))
        await look()
      }
      await page.click('main .button')
      await page.waitForSelector('.qr')
      await look()
      await page.fill('[name=code]', codeOf(await page.innerText('.secret')))
      await page.press('[name=code]', 'Enter')
      await page.waitForSelector('.codes')
      await look()
      await page.goto(at('/account/access'))
      await look()
      assert.deepEqual(complaints, [])
    })
})
