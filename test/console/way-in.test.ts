// The way in, where it once ended: an invitation whose person left too early, a lock that says how long, the address of a session.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { accountSubject } from '../../src/core/team/lock.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { shows } from './typed.ts'

const PASSWORD = 'tres gatos azules 42'

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
})
after(() => world[Symbol.asyncDispose]())

async function invite(email: string): Promise<{ path: string; id: string }> {
  const { json } = await world.client('POST', '/team/invitations', { email, role: 'support' })
  return { path: new URL(json.url).pathname, id: json.invitationId }
}

async function send(path: string, typed?: Record<string, string>) {
  const response = await fetch(world.baseUrl + path, {
    redirect: 'manual',
    ...(typed && {
      method: 'POST',
      body: new URLSearchParams(typed),
      headers: { 'sec-fetch-site': 'same-origin' },
    }),
  })
  return {
    status: response.status,
    text: await response.text(),
    location: response.headers.get('location') ?? '',
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  }
}

const memberOf = async (email: string) =>
  (await world.client('GET', '/team/members')).json.data.find(
    (member: { email: string }) => member.email === email,
  )

describe('an invitation', () => {
  it('can be used again by whoever left before they had a way to sign in, until they have one', async () => {
    const { path } = await invite('temprano@example.com')
    const first = await send(path, { name: 'Temprano', way: 'passkey' })
    assert.match(first.location, /\/account\/welcome\?to=/)
    assert.equal((await send(path)).status, 200, 'the link works while they cannot sign in')
    const second = await send(path, { name: 'Temprano', way: 'password', password: PASSWORD })
    assert.equal(second.status, 303)
    assert.notEqual(second.cookie, '')
    const member = await memberOf('temprano@example.com')
    assert.equal(member.password, true)
    assert.equal((await send(path)).status, 410)
    assert.equal((await send(path, { name: 'Otro', way: 'password', password: `${PASSWORD}!` })).status, 410)
    const { json } = await world.client('GET', '/team/members')
    const same = json.data.filter((one: { email: string }) => one.email === 'temprano@example.com')
    assert.equal(same.length, 1)
  })

  it('cannot be used again by anybody else: not once it is revoked, too old, or its person was removed', async () => {
    const gone = await invite('salio@example.com')
    await send(gone.path, { name: 'Salió', way: 'passkey' })
    const { userId } = await memberOf('salio@example.com')
    await world.client('DELETE', `/team/members/${userId}`)
    assert.equal((await send(gone.path)).status, 410)
    assert.equal((await send(gone.path, { name: 'Salió', way: 'password', password: PASSWORD })).status, 410)

    const old = await invite('viejo@example.com')
    await send(old.path, { name: 'Viejo', way: 'passkey' })
    await world.db.query({
      text: "update invitations set expires_at = now() - interval '1 second' where invitation_id = $1",
      values: [old.id],
    })
    assert.equal((await send(old.path)).status, 410)
  })

  it('does not open an account that was there before it', async () => {
    const { path } = await invite('antes@example.com')
    await send(path, { name: 'Antes', way: 'passkey' })
    // As after a reset by the operator: no way in, and something has happened to the account since.
    await world.db.query({
      text: "update users set updated_at = updated_at + interval '1 minute' where email = $1",
      values: ['antes@example.com'],
    })
    assert.equal((await send(path)).status, 410)
    const taken = await send(path, { name: 'Antes', way: 'password', password: PASSWORD })
    assert.equal(taken.status, 410)
  })
})

describe('a lock', () => {
  it('says how long it still lasts', async () => {
    const typed = { email: 'nadie@example.com', password: 'no es esta' }
    for (let attempt = 0; attempt < 10; attempt += 1) await send('/console/sign-in', typed)
    const locked = await send('/console/sign-in', typed)
    assert.equal(locked.status, 429)
    shows(locked.text, /15 minutos/)
    await world.db.query({
      text: "update sign_in_failures set locked_until = now() + interval '3 minutes' where subject = $1",
      values: [accountSubject('nadie@example.com')],
    })
    shows((await send('/console/sign-in', typed)).text, /3 minutos/)
  })
})

describe('a session on this machine', () => {
  it('is shown as such, also where it was begun by a sign-in over HTTP', async () => {
    const { path } = await invite('aqui@example.com')
    const { cookie } = await send(path, { name: 'Aquí', way: 'password', password: PASSWORD })
    const page = await fetch(`${world.baseUrl}/console/account/sessions`, { headers: { cookie } })
    const text = await page.text()
    shows(text, 'este computador')
    assert.ok(!text.includes('dirección desconocida'))
    const { userId } = await memberOf('aqui@example.com')
    shows((await owner.get(`/settings/team/${userId}`)).text, 'este computador')
  })
})
