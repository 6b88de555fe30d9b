// Invitations by e-mail, through a real SMTP server: sent once, in the inviter's language, with a link that nobody else can read.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import pino from 'pino'
import { MINUTE_MS } from '../../../src/core/instant.ts'
import { MAIL_RETRY_AFTER_MS } from '../../../src/core/receipts/mail.ts'
import { INVITATION_LIFETIME_MS } from '../../../src/core/team/invitation.ts'
import type { UserLanguage } from '../../../src/core/team/user.ts'
import { acceptAsNewUser } from '../../../src/flows/team/accept-invitation.ts'
import { changeSettings } from '../../../src/flows/team/account.ts'
import { createInvitation, revokeOpenInvitation } from '../../../src/flows/team/invitations.ts'
import { createMailing } from '../../../src/service.ts'
import { invitationTurn } from '../../../src/workers/invitation-mails.ts'
import { startSmtpServer, type TestSmtpServer } from '../../mail/smtp-server.ts'
import { createWorld, type World } from '../../world.ts'
import { newOrigin, type People, peopleIn } from './people.ts'

describe('an invitation by e-mail', () => {
  let world: World
  let people: People
  let server: TestSmtpServer
  let turn: () => Promise<number>
  let logged: Record<string, unknown>[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => logged.push(JSON.parse(line)) })

  before(async () => {
    server = await startSmtpServer()
    world = await createWorld({
      env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, SMTP_FROM: 'Recaudo <equipo@palma.example>' },
    })
    people = peopleIn(world)
    const { send } = createMailing(world.config) ?? assert.fail('SMTP_URL is set')
    turn = invitationTurn(people.ctx, log, send)
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    server.received.length = 0
    logged = []
  })

  let count = 0
  const invite = async (language: UserLanguage = 'es', name: string | null = null) => {
    count += 1
    const email = `leo-${count}@example.com`
    const owner = await people.newMember('owner')
    await changeSettings(people.ctx, { user: owner }, { language, name: 'Ana Gómez' })
    const by = { kind: 'person', id: owner.userId, name: 'Ana Gómez' } as const
    const request = { email, role: 'accountant', name } as const
    const { organizationId } = world.organization
    const made = await createInvitation(people.ctx, organizationId, request, by, null)
    assert.ok('url' in made)
    return made
  }
  const stored = async (invitationId: string) => {
    const { rows } = await world.db.query<{ row: string; sealed: Buffer | null; due: number | null }>({
      text: `select i::text as row, sealed_token as sealed, mail_due_at as due from invitations i where invitation_id = $1`,
      values: [invitationId],
    })
    return rows[0] ?? assert.fail('it is there')
  }

  it('is sent once, with the link, and then nobody can read the link any more', async () => {
    const { invitation, url, isMailed } = await invite('es', 'Leo Díaz')
    assert.equal(isMailed, true)
    const token = url.split('/').at(-1) as string
    const waiting = await stored(invitation.invitationId)
    assert.ok(waiting.sealed !== null && !waiting.row.includes(Buffer.from(token).toString('hex')))
    assert.equal(await turn(), 1)
    assert.equal(await turn(), 0)
    const [mail, ...others] = server.received
    assert.deepEqual(others, [])
    assert.deepEqual([mail?.from, mail?.to], ['equipo@palma.example', [invitation.email]])
    const id = `<invitation.${invitation.invitationId}@palma.example>`
    assert.equal(mail?.headers.get('message-id'), id)
    assert.equal(mail?.headers.get('subject'), 'Ana Gómez te invita a Café La Palma')
    for (const part of ['Hola, Leo Díaz:', 'con el rol de contador', url, 'hora de Bogotá'])
      assert.ok(mail?.text.includes(part), `${part} in ${mail?.text}`)
    assert.deepEqual([(await stored(invitation.invitationId)).sealed], [null])
    assert.deepEqual(
      logged.map(({ msg, invitationId }) => [msg, invitationId]),
      [['invitation sent', invitation.invitationId]],
    )
    for (const secret of [token, invitation.email]) assert.ok(!JSON.stringify(logged).includes(secret))
    const person = { name: 'Leo', language: 'es', password: null } as const
    assert.ok('token' in (await acceptAsNewUser(people.ctx, token, person, newOrigin())))
  })

  it('is in the language of whoever invites', async () => {
    const { url } = await invite('en')
    await turn()
    const [mail] = server.received
    assert.equal(mail?.headers.get('subject'), 'Ana Gómez invites you to Café La Palma')
    for (const part of ['Hello,', 'as accountant', url]) assert.ok(mail?.text.includes(part), part)
  })

  it('is sent by one of several workers', async () => {
    const made = await Promise.all([invite(), invite(), invite()])
    await Promise.all([turn(), turn(), turn()])
    assert.equal(server.received.length, made.length)
  })

  it('is tried again while the server fails, and given up if it refuses', async () => {
    const first = await invite()
    server.refuseWith(451)
    await turn()
    assert.equal(logged.at(-1)?.msg, 'invitation not sent; it is tried again')
    assert.equal(await turn(), 0, 'not at once')
    server.refuseWith(null)
    people.pass((MAIL_RETRY_AFTER_MS[0] as number) + MINUTE_MS)
    await turn()
    assert.equal(server.received.length, 1)
    assert.equal((await stored(first.invitation.invitationId)).sealed, null)
    const second = await invite()
    server.refuseWith(550)
    await turn()
    server.refuseWith(null)
    assert.equal(logged.at(-1)?.msg, 'invitation not sent, and given up')
    assert.equal((await stored(second.invitation.invitationId)).sealed, null)
  })

  it('is not sent once it is revoked, accepted or too old', async () => {
    const { organizationId } = world.organization
    const operator = { kind: 'operator', id: null, name: 'root' } as const
    const revoked = await invite()
    await revokeOpenInvitation(people.ctx, organizationId, revoked.invitation.invitationId, operator)
    const accepted = await invite()
    const person = { name: 'Leo', language: 'es', password: null } as const
    await acceptAsNewUser(people.ctx, accepted.url.split('/').at(-1) as string, person, newOrigin())
    await invite()
    people.pass(INVITATION_LIFETIME_MS)
    while ((await turn()) > 0) {}
    assert.deepEqual(server.received, [])
  })
})
