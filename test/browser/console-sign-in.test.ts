// Signing in to the console in a real browser: with passkeys, and without any script.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { accountSubject, LOCK_AFTER, LOCK_MS, LOCK_WINDOW_MS } from '../../src/core/team/lock.ts'
import { STEP_UP_MS, type User } from '../../src/core/team/user.ts'
import { createInvitation } from '../../src/flows/team/invitations.ts'
import { createSignInLink } from '../../src/flows/team/sign-in-links.ts'
import { countAttempt } from '../../src/store/team/sign-in-failures.ts'
import { byDepth } from '../depth.ts'
import { PASSWORD, type People, peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'
import { consolePageFaults } from './console-look.ts'
import { openConsole, type Visitor } from './console-visitor.ts'
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

// The tests share this machine's address, and each begins with a clean one.
const forgetFailures = () => world.db.query({ text: 'delete from sign_in_failures', values: [] })

// As somebody who was wrong so often.
async function failAs(email: string, times: number): Promise<void> {
  const rule = { after: LOCK_AFTER, windowMs: LOCK_WINDOW_MS, lockMs: LOCK_MS }
  for (let count = 0; count < times; count += 1)
    await countAttempt(world.db, accountSubject(email), Date.now(), rule)
}

const newMember = async (): Promise<User> => {
  const user = await people.withPassword()
  await people.join(user, 'owner')
  return user
}
const home = () => `/${world.organization.organizationId}`

async function typePassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', password)
  await page.press('[name=password]', 'Enter')
}

// As after five minutes.
async function forgetProof(user: User): Promise<void> {
  await world.db.query({
    text: `update sessions set proved_at = proved_at - make_interval(secs => $2) where user_id = $1`,
    values: [user.userId, STEP_UP_MS / 1_000],
  })
}

const text = (page: Page): Promise<string> => page.innerText('main')

async function newInvitation(email: string): Promise<string> {
  const by = { kind: 'operator', id: null, name: 'Operator' } as const
  const made = await createInvitation(
    people.ctx,
    world.organization.organizationId,
    { email, role: 'support', name: null },
    by,
    null,
  )
  assert.ok('url' in made, JSON.stringify(made))
  return new URL(made.url).pathname.slice('/console'.length)
}

describe('signing in without any script', () => {
  let visitor: Visitor
  before(async () => {
    visitor = await openConsole(world, { javaScriptEnabled: false })
  })
  after(() => visitor[Symbol.asyncDispose]())

  it('takes password and code, and leads where the person wanted to go', async () => {
    const { page, at, context } = visitor
    const user = await newMember()
    const { codeAt } = await people.withApp(user)
    await page.goto(at(`${home()}?from=mail`))
    assert.match(page.url(), /\/console\/sign-in\?to=/)
    assert.equal(await page.locator('[data-passkey]').isVisible(), false)
    await typePassword(page, user.email.toUpperCase())
    assert.match(page.url(), /\/console\/sign-in\/code\?to=/)
    await page.fill('[name=code]', '000000')
    await page.press('[name=code]', 'Enter')
    assert.match(await text(page), /no es correcto/)
    await page.fill('[name=code]', codeAt(Date.now() + 30_000))
    await page.press('[name=code]', 'Enter')
    assert.equal(page.url(), at(`${home()}?from=mail`))
    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'recaudo_session')
    assert.equal(cookie?.httpOnly, true)
    assert.equal(cookie?.sameSite, 'Lax')
    assert.ok(!(await context.cookies()).some(({ name }) => name === 'recaudo_step'))
    await visitor.forgetSession()
  })

  it('takes a recovery code in place of the app, once', async () => {
    const { page, at } = visitor
    const user = await newMember()
    const { recoveryCodes } = await people.withApp(user)
    const [code = ''] = recoveryCodes
    for (const expected of [at(home()), at('/sign-in/code')]) {
      await page.goto(at('/sign-in'))
      await typePassword(page, user.email)
      await page.click('text=usar un código de recuperación')
      await page.fill('[name=code]', code.toLowerCase().replaceAll('-', ' '))
      await page.press('[name=code]', 'Enter')
      assert.equal(page.url(), expected)
      await visitor.forgetSession()
    }
    await forgetFailures()
  })

  it('says the same of an unknown account and of a wrong password', async () => {
    const { page, at } = visitor
    const user = await newMember()
    const answers: string[] = []
    for (const email of [user.email, 'nobody@example.com']) {
      await page.goto(at('/sign-in'))
      await typePassword(page, email, 'not the password')
      assert.equal(await page.inputValue('[name=password]'), '')
      answers.push((await text(page)).replaceAll(email, ''))
    }
    assert.match(answers[0] ?? '', /no son correctos/)
    assert.equal(answers[0], answers[1])
    await forgetFailures()
  })

  it('locks an account after failures, and says for how long, whether it exists or not', async () => {
    const { page, at } = visitor
    const user = await newMember()
    for (const email of [user.email, 'nobody-at-all@example.com']) {
      await failAs(email, LOCK_AFTER - 1)
      await page.goto(at('/sign-in'))
      await typePassword(page, email, 'not the password')
      assert.match(await text(page), /no son correctos/)
      const [answer] = await Promise.all([page.waitForResponse(/sign-in/), typePassword(page, email)])
      assert.equal(answer.status(), 429)
      assert.match(await text(page), /Espera 15 minutos/)
      await forgetFailures()
    }
    await page.goto(at('/sign-in'))
    await typePassword(page, user.email)
    assert.equal(page.url(), at(home()))
    await visitor.forgetSession()
  })

  it('gives a new token at each sign-in, and ends the session that the browser had', async () => {
    const { page, at, context } = visitor
    const user = await newMember()
    const token = async () => (await context.cookies()).find(({ name }) => name === 'recaudo_session')?.value
    await page.goto(at('/sign-in'))
    await typePassword(page, user.email)
    const first = await token()
    const { url } = await createSignInLink(people.ctx, user.userId, 60_000)
    await page.goto(at(new URL(url).pathname.slice('/console'.length)))
    await page.click('main button')
    assert.equal(page.url(), at(home()))
    assert.notEqual(await token(), first)
    const { rows } = await world.db.query<{ count: bigint }>({
      text: 'select count(*) from sessions where user_id = $1 and ended_at is null',
      values: [user.userId],
    })
    assert.equal(Number(rows[0]?.count), 1)
    await visitor.forgetSession()
  })

  it('uses a link up by its button, and not by opening it', async () => {
    const { page, at } = visitor
    const user = await newMember()
    const { url } = await createSignInLink(people.ctx, user.userId, 60_000)
    const link = at(new URL(url).pathname.slice('/console'.length))
    for (let times = 0; times < 3; times += 1) await page.goto(link)
    assert.match(await text(page), new RegExp(user.email))
    await page.click('main button')
    assert.equal(page.url(), at(home()))
    await visitor.forgetSession()
    assert.equal((await page.goto(link))?.status(), 410)
    assert.match(await text(page), /ya no sirve/)
  })

  it('accepts an invitation with a password, and then offers the app', async () => {
    const { page, at } = visitor
    const path = await newInvitation('new-person@example.com')
    await page.goto(at(path))
    assert.match(await text(page), /Soporte/)
    await page.fill('[name=name]', 'Ana <b>Gómez</b>')
    await page.fill('[name=password]', 'short')
    await page.press('[name=password]', 'Enter')
    assert.match(await text(page), /al menos 12 caracteres/)
    assert.equal(await page.inputValue('[name=name]'), 'Ana <b>Gómez</b>')
    await page.fill('[name=password]', 'una frase que recuerdo')
    await page.press('[name=password]', 'Enter')
    assert.match(page.url(), /\/console\/account\/app\?to=/)
    await page.goto(at(home()))
    assert.equal(page.url(), at(home()))
    await visitor.forgetSession()
    assert.equal((await page.goto(at(path)))?.status(), 410)
  })

  it('accepts an invitation of somebody who is signed in with one press, if it is theirs', async () => {
    const { page, at } = visitor
    const user = await people.withPassword()
    const path = await newInvitation(user.email)
    const other = await newInvitation('somebody-else@example.com')
    await page.goto(at(path))
    await page.click('text=Ingresar y aceptar')
    await typePassword(page, user.email)
    assert.equal(page.url(), at(path))
    await page.click('text=Aceptar la invitación')
    assert.equal(page.url(), at(home()))
    await page.goto(at(other))
    assert.match(await text(page), /para otra persona/)
    await page.click('text=Salir de mi cuenta')
    assert.equal(page.url(), at(other))
    assert.equal(await page.locator('[name=name]').count(), 1)
    await visitor.forgetSession()
  })

  it('asks again who it is after five minutes, and leads back', async () => {
    const { page, at } = visitor
    const user = await newMember()
    await page.goto(at('/sign-in'))
    await typePassword(page, user.email)
    await page.goto(at(`/prove?to=${encodeURIComponent(`/console${home()}?then`)}`))
    assert.equal(page.url(), at(`${home()}?then`))
    await forgetProof(user)
    await page.goto(at(`/prove?to=${encodeURIComponent(`/console${home()}?then`)}`))
    await page.fill('[name=typed]', 'not the password')
    await page.press('[name=typed]', 'Enter')
    assert.match(await text(page), /no es correcta/)
    await page.fill('[name=typed]', PASSWORD)
    await page.press('[name=typed]', 'Enter')
    assert.equal(page.url(), at(`${home()}?then`))
    await visitor.forgetSession()
    await forgetFailures()
  })

  it('leads to pages of ours only', async () => {
    const { page, at } = visitor
    const user = await newMember()
    const foreign = ['//elsewhere.example', 'https://elsewhere.example/', '/console/\\elsewhere.example']
    for (const to of foreign.slice(0, byDepth(1, 3))) {
      await page.goto(at(`/sign-in?to=${encodeURIComponent(to)}`))
      await typePassword(page, user.email)
      assert.equal(page.url(), at(home()))
      await visitor.forgetSession()
    }
  })

  it('signs out, and shows nothing by going back', async () => {
    const { page, at, context } = visitor
    const user = await newMember()
    await page.goto(at('/sign-in'))
    await typePassword(page, user.email)
    await page.goto(at(`${home()}?second`))
    await page.evaluate("document.querySelector('form[action$=sign-out] button').click()")
    await page.waitForURL(/sign-in/)
    assert.match(await text(page), /Saliste/)
    assert.deepEqual(
      (await context.cookies()).filter(({ name }) => name === 'recaudo_session'),
      [],
    )
    await page.goBack()
    assert.match(page.url(), /\/console\/sign-in\?to=/)
    assert.ok(!(await page.content()).includes(world.organization.name))
  })

  it('asks to sign in at the next click of a session that was ended elsewhere', async () => {
    const { page, at } = visitor
    const user = await newMember()
    await page.goto(at('/sign-in'))
    await typePassword(page, user.email)
    await world.db.query({
      text: 'update sessions set ended_at = now() where user_id = $1',
      values: [user.userId],
    })
    await page.click('.organization')
    assert.match(page.url(), /\/console\/sign-in/)
    await page.goBack()
    assert.match(page.url(), /\/console\/sign-in/)
    await visitor.forgetSession()
  })

  it('refuses forms of other sites', async () => {
    const { page, at } = visitor
    const user = await newMember()
    // Another port is another origin.
    await page.route('http://localhost:1/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${at('/sign-in')}"><input name="email" value="${user.email}"><input name="password" value="${PASSWORD}"><button>go</button></form>`,
      }),
    )
    await page.goto('http://localhost:1/')
    const [answer] = await Promise.all([page.waitForResponse(/sign-in/), page.click('button')])
    assert.equal(answer.status(), 403)
    assert.equal(answer.headers()['set-cookie'], undefined)
    await page.unroute('http://localhost:1/')
  })
})

describe('the pages of a sign-in', () => {
  const inSpanish = ['es-CO', 'content'] as const
  for (const [locale, seen] of byDepth([inSpanish], [inSpanish, ['en', 'fit'] as const]))
    it(`${seen === 'fit' ? '' : 'have no fault that axe finds, and '}have no sideways scroll: ${locale}`, async () => {
      await using visitor = await openConsole(world, { locale })
      const { page, at, complaints } = visitor
      const user = await newMember()
      await people.withApp(user)
      const look = async () => assert.deepEqual(await consolePageFaults(page, seen), [], page.url())
      await page.goto(at('/sign-in'))
      await look()
      await typePassword(page, user.email, 'not the password')
      await page.waitForSelector('[role=alert]')
      await look()
      await typePassword(page, user.email)
      await page.waitForURL(/code/)
      await look()
      await page.goto(at('/sign-in/code?way=recovery'))
      await look()
      await page.goto(at(await newInvitation(`axe-${seen}@example.com`)))
      await look()
      await page.goto(at('/invite/none'))
      await look()
      const { url } = await createSignInLink(people.ctx, user.userId, 60_000)
      await page.goto(at(new URL(url).pathname.slice('/console'.length)))
      await look()
      await page.click('main button')
      await forgetProof(user)
      await page.goto(at('/prove'))
      await look()
      assert.deepEqual(complaints, [])
      await forgetFailures()
    })
})
