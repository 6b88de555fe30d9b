// Signing in to the console by a company's own accounts, in a real browser and without any script.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Approval, CLIENT, type OidcProvider, startOidcProvider } from '../flows/team/oidc-provider.ts'
import { type People, peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'
import { openConsole, type Visitor } from './console-visitor.ts'
import { closeBrowser } from './payer.ts'

describe('signing in by the company', () => {
  let provider: OidcProvider
  let world: World
  let people: People
  let visitor: Visitor
  before(async () => {
    provider = await startOidcProvider()
    const { issuer } = provider
    world = await createWorld({
      env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    })
    people = peopleIn(world)
    visitor = await openConsole(world, { javaScriptEnabled: false })
  })
  after(async () => {
    await visitor[Symbol.asyncDispose]()
    await closeBrowser()
    await world[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const goThere = async (path: string) => {
    const { page, at } = visitor
    await page.goto(at(path))
    await page.click('text=Usar la cuenta de tu empresa')
    await page.waitForURL(`${provider.issuer}/authorize**`)
  }
  // The company's page, of another site, where the person agrees.
  const agreeAs = async (approval: Approval) => {
    const { page } = visitor
    const asked = new URL(page.url())
    const answer = provider.approve(asked.href, approval).toString().replaceAll('&', '&amp;')
    const body = `<a href="${asked.searchParams.get('redirect_uri')}?${answer}">agree</a>`
    await page.route(`${provider.issuer}/agree`, (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(`${provider.issuer}/agree`)
    await page.click('text=agree')
    await page.unroute(`${provider.issuer}/agree`)
  }
  const forget = () => visitor.forgetSession()

  it('leads there and back, and to where the person wanted to go', async () => {
    const { page, at, context } = visitor
    const user = await people.newMember('owner')
    await goThere('/account/sessions')
    await agreeAs({ subject: 'known', email: user.email })
    assert.equal(page.url(), at('/account/sessions'))
    assert.match(await page.innerText('main'), /con la cuenta de tu empresa/)
    assert.deepEqual(
      (await context.cookies()).map(({ name }) => name),
      ['recaudo_session'],
    )
    await forget()
  })

  it('lets in nobody whom we do not know', async () => {
    const { page, context } = visitor
    await goThere('/sign-in')
    await agreeAs({ subject: 'unknown', email: 'stranger@example.com' })
    assert.match(await page.innerText('main'), /todavía no tiene acceso aquí/)
    assert.deepEqual(await context.cookies(), [])
    await forget()
  })

  it('takes the answer only from the browser that asked', async () => {
    const { page, context } = visitor
    const user = await people.newMember('owner')
    await goThere('/sign-in')
    await context.clearCookies()
    await agreeAs({ subject: 'another', email: user.email })
    assert.match(await page.innerText('main'), /Pasó demasiado tiempo/)
    assert.deepEqual(await context.cookies(), [])
    await forget()
  })

  it('says so if the company does not answer', async () => {
    const { page, at } = visitor
    provider.state = 'down'
    // What it said of itself before is still known for a while, so this is another process.
    await using other = await createWorld({
      env: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    })
    const { port } = new URL(other.baseUrl)
    const address = new URL(at('/sign-in/company/begin'))
    address.port = port
    assert.equal((await page.goto(address.href))?.status(), 503)
    assert.match(await page.innerText('main'), /no responde/)
    provider.state = 'up'
  })
})
