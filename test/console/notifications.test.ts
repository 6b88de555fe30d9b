// The page of notifications: whom alarms are told to, by the operation of the API, and what an e-mail leads to.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertAlarm, resolveAlarm } from '../../src/store/ledger/alarms.ts'
import { getOrganization } from '../../src/store/organizations/organizations.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { seenFieldOf } from './typed.ts'

const PATH = '/settings/notifications'
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'avisos@palma.example' }

describe('notifications', () => {
  let world: World
  let owner: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
  })
  after(() => world[Symbol.asyncDispose]())

  const typed = async (emails: string, language = 'es') => ({
    '/alarmEmails': emails,
    '/alarmLanguage': language,
    _seen: seenFieldOf((await owner.get(PATH)).text),
  })
  const settings = async () => {
    const { alarmEmails, alarmLanguage } = (await world.client('GET', '/organization')).json
    return { alarmEmails, alarmLanguage }
  }

  it('are in the settings, saved by a form without a script, and emptied again', async () => {
    assert.ok((await owner.get('/settings')).text.includes(`href="${owner.home}${PATH}"`))
    const saved = await owner.post(
      PATH,
      await typed('ana@cafe.example\r\nleo@cafe.example, ANA@cafe.example', 'en'),
    )
    assert.deepEqual([saved.status, saved.location?.split('?')[0]], [303, owner.home + PATH])
    const kept = { alarmEmails: ['ana@cafe.example', 'leo@cafe.example'], alarmLanguage: 'en' }
    assert.deepEqual(await settings(), kept)
    const { text } = await owner.get(PATH)
    assert.match(text, />ana@cafe\.example\nleo@cafe\.example<\/textarea>/)
    assert.match(text, /curl[\s\S]*PATCH[\s\S]*\/organization[\s\S]*alarmEmails/)
    assert.equal((await owner.post(PATH, await typed('', 'en'))).status, 303)
    assert.deepEqual(await settings(), { alarmEmails: [], alarmLanguage: 'en' })
    await owner.post(PATH, await typed('', 'es'))
  })

  it('show no more of a chat’s address than its host and end, and keep it while it is not typed anew', async () => {
    const address = 'https://hooks.chat.example/services/T0/secret-9f3k'
    await world.client('PATCH', '/organization', { alarmWebhookUrl: address })
    const masked = 'https://hooks.chat.example/…9f3k'
    const { text } = await owner.get(PATH)
    assert.ok(text.includes(`value="${masked}"`))
    assert.ok(!text.includes('secret'))
    const fields = { ...(await typed('')), '/alarmWebhookUrl': masked }
    assert.equal((await owner.post(PATH, fields)).status, 303)
    const { organizationId } = world.organization
    assert.equal((await getOrganization(world.db, organizationId))?.alarmWebhookUrl, address)
    const none = { ...(await typed('')), '/alarmWebhookUrl': '' }
    assert.equal((await owner.post(PATH, none)).status, 303)
    assert.equal((await getOrganization(world.db, organizationId))?.alarmWebhookUrl, null)
  })

  it('say which address is wrong, and that there are too many', async () => {
    const wrong = await owner.post(PATH, await typed('ana@cafe.example\nleo'))
    assert.equal(wrong.status, 400)
    assert.ok(wrong.text.includes('El correo 2 de la lista no está bien escrito.'))
    assert.ok(wrong.text.includes('ana@cafe.example\nleo</textarea>'))
    const eleven = Array.from({ length: 11 }, (_, at) => `caja-${at}@cafe.example`).join('\n')
    const many = await owner.post(PATH, await typed(eleven))
    assert.ok(many.text.includes('Pon máximo 10 correos.'))
    assert.deepEqual((await settings()).alarmEmails, [])
  })

  it('that somebody else changed meanwhile are not overwritten unseen', async () => {
    const stale = await typed('ana@cafe.example')
    await world.client('PATCH', '/organization', { alarmEmails: ['leo@cafe.example'] })
    const { status, text } = await owner.post(PATH, stale)
    assert.notEqual(status, 303)
    assert.ok(text.includes('nada → leo@cafe.example'))
    assert.deepEqual((await settings()).alarmEmails, ['leo@cafe.example'])
  })

  it('are seen and not changed by whoever may not', async () => {
    const accountant = await signIn(world, 'accountant')
    const { status, text } = await accountant.get(PATH)
    assert.equal(status, 200)
    assert.ok(text.includes('leo@cafe.example') && text.includes('lock-note'))
    const refused = await accountant.post(PATH, await typed('eva@cafe.example'))
    assert.equal(refused.status, 403)
    assert.deepEqual((await settings()).alarmEmails, ['leo@cafe.example'])
  })

  it('say that no mail goes out where no server is set, and what to ask for', async () => {
    const { text } = await owner.get(PATH)
    assert.match(
      text,
      /Por ahora no sale ningún correo\.[\s\S]*<code>SMTP_URL<\/code> y <code>SMTP_FROM<\/code>/,
    )
    await using other = await createWorld({ env: MAIL })
    const theirs = await (await signIn(other, 'owner')).get(PATH)
    assert.equal(theirs.status, 200)
    assert.ok(!theirs.text.includes('SMTP_URL'))
  })

  it('lead to the alarm, also when it is resolved, and to no other organization’s', async () => {
    const { ctx, db } = world
    const raise = async (organizationId: string, detail: string) => {
      const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail } as const
      await insertAlarm(db, organizationId, ctx.ids.next(), alarm, ctx.clock.now())
      return alarm.alarmId
    }
    const { organizationId } = world.organization
    const nobodys = ctx.ids.next()
    const one = await raise(organizationId, 'the one')
    await raise(organizationId, 'another')
    const foreign = await raise((await world.newMerchant()).organization.organizationId, 'foreign')
    await resolveAlarm(db, one, ctx.clock.now())
    const shown = async (id: string) => {
      const { text } = await owner.get(`/alarms?alarm=${id}`)
      return ['the one', 'another', 'foreign'].filter((detail) => text.includes(detail))
    }
    assert.deepEqual(await shown(one), ['the one'])
    assert.deepEqual(await shown(foreign), ['another'])
    for (const none of [nobodys, 'nothing']) assert.deepEqual(await shown(none), ['another'], none)
    const all = (await owner.get('/alarms?show=all')).text
    for (const detail of ['the one', 'another']) assert.ok(all.includes(detail), detail)
    assert.ok(!all.includes('foreign'))
  })
})
