// The pages about the team: who belongs to it, who is invited, and the audit log of what they did.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { assertHarmless, formAt, HOSTILE, listedRowIds, shows, wrongAt } from './typed.ts'

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
})
after(() => world[Symbol.asyncDispose]())

const roleOf = async (userId: string) =>
  (await world.client('GET', '/team/members')).json.data.find(
    (member: { userId: string }) => member.userId === userId,
  )?.role
const forgetProof = (person: Person) =>
  world.db.query({
    text: "update sessions set proved_at = proved_at - interval '6 minutes' where user_id = $1",
    values: [person.userId],
  })
const prove = (person: Person) =>
  world.db.query({
    text: 'update sessions set proved_at = now() where user_id = $1',
    values: [person.userId],
  })

describe('the team', () => {
  it('shows everybody with role, way in and last visit, and what each role may do', async () => {
    await signIn(world, 'accountant', { name: 'Óscar Díaz' })
    const { text } = await owner.get('/settings/team')
    shows(text, 'Óscar Díaz')
    shows(text, 'Contador')
    shows(text, /Activa \d/)
    shows(text, /<table>[\s\S]*administrar el equipo/)
    shows(text, 'Ninguna. Quien invites')
  })

  it('invites: the link is shown once, works, and can be revoked', async () => {
    const form = formAt((await owner.get('/settings/team/invite')).text, '/settings/team/invite')
    const typed = { ...form, '/email': 'Nueva@Example.com', '/name': 'Nueva', '/role': 'support' }
    const made = await owner.post('/settings/team/invite', typed)
    assert.equal(made.status, 200)
    const [, link = ''] = /<code>(http[^<]*\/console\/invite\/[^<]*)<\/code>/.exec(made.text) ?? []
    assert.notEqual(link, '')
    const again = await owner.post('/settings/team/invite', typed)
    shows(again.text, link)
    const page = await fetch(world.baseUrl + new URL(link).pathname)
    assert.equal(page.status, 200)
    const { text } = await owner.get('/settings/team')
    assert.ok(!text.includes(link), 'the link is shown no more')
    const [, revoke = ''] = /action="[^"]*(\/settings\/team\/invitations\/[^"]*\/revoke)"/.exec(text) ?? []
    const revoked = await owner.post(revoke, formAt(text, revoke))
    assert.equal(revoked.location, `${owner.home}/settings/team?done=revokeTeamInvitation`)
    assert.equal((await world.client('GET', '/team/invitations')).json.data.length, 0)
    const gone = await owner.post(revoke)
    assert.equal(gone.status, 404)
  })

  it('says at the field who belongs to the team already, and what no address is', async () => {
    const form = formAt((await owner.get('/settings/team/invite')).text, '/settings/team/invite')
    const { email } = (await world.client('GET', '/team/members')).json.data[0]
    const known = await owner.post('/settings/team/invite', { ...form, '/email': email, '/role': 'support' })
    assert.equal(wrongAt(known.text, '/email'), 'Ya hace parte del equipo.')
    const wrong = await owner.post('/settings/team/invite', { ...form, '/email': HOSTILE })
    assert.equal(wrong.status, 400)
    assert.ok(wrongAt(wrong.text, '/email'))
    assert.ok(wrongAt(wrong.text, '/role'))
    assertHarmless(wrong.text)
  })

  it('lets nobody grant what they do not hold: closed with the reason, and refused by the operation', async () => {
    const administrator = await signIn(world, 'administrator')
    const page = (await administrator.get('/settings/team/invite')).text
    shows(page, /value="owner"[^>]* disabled/)
    shows(page, 'No puedes dar este rol')
    const form = formAt(page, '/settings/team/invite')
    const forged = await administrator.post('/settings/team/invite', {
      ...form,
      '/email': 'dueno@example.com',
      '/role': 'owner',
    })
    assert.equal(forged.status, 403)
    assert.equal(wrongAt(forged.text, '/role'), 'Elige un rol que puedas dar.')
    const theirs = (await administrator.get(`/settings/team/${owner.userId}`)).text
    shows(theirs, 'hace más que el tuyo')
    const demoted = await administrator.post(`/settings/team/${owner.userId}/role`, { '/role': 'support' })
    assert.equal(demoted.status, 403)
    const removed = await administrator.post(`/settings/team/${owner.userId}/remove`)
    assert.equal(removed.status, 403)
    assert.equal(await roleOf(owner.userId), 'owner')
  })

  it('changes a role, and tells if somebody else has changed it meanwhile', async () => {
    const member = await signIn(world, 'support')
    const path = `/settings/team/${member.userId}`
    const form = formAt((await owner.get(path)).text, `${path}/role`)
    await world.client('PATCH', `/team/members/${member.userId}`, { role: 'preparer' })
    const stale = await owner.post(`${path}/role`, { ...form, '/role': 'accountant' })
    assert.equal(stale.status, 409)
    shows(stale.text, /<b>Rol<\/b>: Soporte → Preparador/)
    assert.equal(await roleOf(member.userId), 'preparer')
    const sent = await owner.post(`${path}/role`, formAt(stale.text, `${path}/role`))
    assert.equal(sent.status, 303)
    assert.equal(await roleOf(member.userId), 'accountant')
    assert.equal((await member.get('/webhooks')).status, 403, 'it counts from the next click on')
  })

  it('asks for a proof before the team is changed, and keeps what was typed', async () => {
    const form = formAt((await owner.get('/settings/team/invite')).text, '/settings/team/invite')
    await forgetProof(owner)
    const asked = await owner.post('/settings/team/invite', {
      ...form,
      '/email': 'pronto@example.com',
      '/role': 'support',
    })
    assert.equal(asked.status, 403)
    const kept = formAt(asked.text, '/settings/team/invite')
    assert.deepEqual([kept['/email'], kept['/role']], ['pronto@example.com', 'support'])
    const member = await signIn(world, 'support')
    const removal = await owner.post(`/settings/team/${member.userId}/remove`)
    assert.match(removal.location ?? '', /^\/console\/prove\?to=/)
    assert.equal(await roleOf(member.userId), 'support')
    await prove(owner)
  })

  it('ends somebody’s sessions, and takes them out', async () => {
    const member = await signIn(world, 'support')
    const path = `/settings/team/${member.userId}`
    shows((await owner.get(path)).text, 'Cerrar todas sus sesiones')
    assert.equal((await owner.post(`${path}/sessions`)).status, 303)
    assert.equal((await member.get('')).status, 303, 'they must sign in again')
    const removed = await owner.post(`${path}/remove`)
    assert.equal(removed.location, `${owner.home}/settings/team?done=removeTeamMember`)
    assert.equal((await owner.get(path)).status, 404)
  })

  it('keeps one owner, and lets anybody else leave', async () => {
    const last = await owner.post(`/settings/team/${owner.userId}/remove`)
    assert.equal(last.status, 409)
    const administrator = await signIn(world, 'administrator')
    const left = await administrator.post(`/settings/team/${administrator.userId}/remove`)
    shows(left.text, 'Saliste del equipo')
    assert.equal((await administrator.get('')).status, 404)
  })

  it('is closed to roles without the right, and says nothing of other organizations’ people', async () => {
    const support = await signIn(world, 'support')
    assert.equal((await support.get('/settings/team')).status, 403)
    assert.equal((await support.post('/settings/team/invite', { '/email': 'a@b.co' })).status, 403)
    const { json } = await world.client('GET', `/audit?actorId=${support.userId}&outcome=refused`)
    assert.deepEqual(
      json.data.map((entry: { act: string; refusal: string; object: { id: string | null } }) => [
        entry.act,
        entry.refusal,
        entry.object.id,
      ]),
      [['invitation.create', 'INSUFFICIENT_SCOPE', null]],
      'what was refused is written down',
    )
    const other = await world.newMerchant()
    const theirs = await signIn(world, 'owner', { organization: other.organization })
    for (const path of [`/settings/team/${theirs.userId}`, '/settings/team/nobody'])
      assert.equal((await owner.get(path)).status, 404)
    const foreign = await owner.post(`/settings/team/${theirs.userId}/role`, { '/role': 'support' })
    assert.equal(foreign.status, 404)
    assert.equal((await owner.post(`/settings/team/${theirs.userId}/sessions`)).status, 404)
    assert.equal((await theirs.get('')).status, 200)
  })

  it('shows names that are markup as text', async () => {
    const hostile = await signIn(world, 'support', { name: HOSTILE })
    assertHarmless((await owner.get('/settings/team')).text)
    assertHarmless((await owner.get(`/settings/team/${hostile.userId}`)).text)
  })
})

describe('the audit log', () => {
  const entries = async () => (await world.client('GET', '/audit')).json.data

  it('lists who did what, filters by the address, and shows an entry with what changed', async () => {
    await owner.post('/settings/business', { '/name': 'Café Nuevo' })
    const { text } = await owner.get('/settings/audit?act=organization.change&outcome=done')
    shows(text, 'Cambió los datos del comercio')
    shows(text, 'c-who">Lucía Peña')
    // In the reader's language, as everything else.
    shows(text, 'c-object">Comercio <code')
    const [entry] = await entries()
    const page = await owner.get(`/settings/audit/${entry.id}`)
    shows(page.text, /<code>name<\/code>[\s\S]*Café La Palma[\s\S]*Café Nuevo/)
    shows(page.text, '127.0.0.1')
    shows(page.text, '<dt>Sobre</dt><dd>Comercio ')
    shows(page.text, entry.requestId)
    const { organizationId } = world.organization
    const links = [...page.text.matchAll(/href="([^"]*\/settings\/audit\?[^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&').replace(/.*\?/, ''),
    )
    assert.deepEqual(links, [`actor=${owner.userId}&period=all`, `object=${organizationId}&period=all`])
    // What is shown of one thing, and counted, is of that thing alone.
    const all = (await world.client('GET', `/audit?objectId=${organizationId}`)).json.data
    const ofThing = (await owner.get(`/settings/audit?${links[1]}`)).text
    const shownRows = listedRowIds(ofThing).length
    const counts = [...ofThing.matchAll(/class="tab-count">(\d+)/g)].map(([, count]) => Number(count))
    assert.equal(shownRows, all.length)
    assert.deepEqual(counts, [all.length, all.length, 0])
    assert.ok(!ofThing.includes('Entró'))
    shows(ofThing, /class="status good">Hecho/)
    const none = await owner.get('/settings/audit?act=organization.change&outcome=refused')
    shows(none.text, 'Nada con estos filtros')
    const ofKey = await owner.get('/settings/audit?kind=key')
    assert.ok(!ofKey.text.includes('c-who">Lucía Peña'))
  })

  it('is exported as it is shown', async () => {
    const file = await owner.get('/settings/audit.csv?act=organization.change&period=all')
    assert.equal(file.status, 200)
    shows(file.text, /organization\.change;Hecho;Lucía Peña/)
    shows(file.text, /""name"":\{""before"":""Café La Palma""/)
  })

  it('says that its chain is whole, and where it is not', async () => {
    await world.work()
    shows((await owner.get('/settings/audit')).text, /Acabamos de comprobar la cadena entera, de \d+ líneas/)
    const [entry] = await entries()
    shows((await owner.get(`/settings/audit/${entry.id}`)).text, `#${entry.sequence}`)
    await world.db.query({
      text: "update audit_entries set actor_name = 'otro' where organization_id = $1 and entry_id = $2",
      values: [world.organization.organizationId, entry.id],
    })
    shows((await owner.get('/settings/audit')).text, `La cadena se rompe en la línea ${entry.sequence}`)
  })

  it('is for those who may read it, and for their own organization', async () => {
    const support = await signIn(world, 'support')
    assert.equal((await support.get('/settings/audit')).status, 403)
    const [entry] = await entries()
    assert.equal((await support.get(`/settings/audit/${entry.id}`)).status, 403)
    const other = await world.newMerchant()
    const theirs = await signIn(world, 'owner', { organization: other.organization, name: 'Otra Dueña' })
    assert.equal((await theirs.get(`/settings/audit/${entry.id}`)).status, 404)
    assert.equal((await theirs.get('/settings/audit/nothing')).status, 404)
    assert.ok(!(await theirs.get('/settings/audit?period=all')).text.includes('c-who">Lucía Peña'))
  })
})
