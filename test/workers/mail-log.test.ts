// What the log says of each mail: which it was and for whom it was sent, what went wrong, and when it is tried again. Never an address.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import pino from 'pino'
import type { MailOutcome } from '../../src/core/receipts/mail.ts'
import { createInvitation } from '../../src/flows/team/invitations.ts'
import { createMailing } from '../../src/service.ts'
import { insertAlarm } from '../../src/store/ledger/alarms.ts'
import { alarmMailTurn } from '../../src/workers/alarm-mails.ts'
import { invitationTurn } from '../../src/workers/invitation-mails.ts'
import { mailTurn } from '../../src/workers/receipt-mails.ts'
import { brebPayin, createWorld, endPayin } from '../world.ts'

it('each mail says in the log what it is about, what was wrong, and when it is tried again', async () => {
  await using world = await createWorld({
    env: { SMTP_URL: 'smtp://127.0.0.1:1', SMTP_FROM: 'Recaudo <avisos@palma.example>' },
  })
  const { ctx, client, organization } = world
  const { organizationId } = organization
  const lines: Record<string, unknown>[] = []
  const log = pino(
    { level: 'info', base: null, timestamp: false },
    { write: (line: string) => lines.push(JSON.parse(line)) },
  )
  let outcome: MailOutcome = { outcome: 'sent' }
  const send = async () => outcome
  const { compose } = createMailing(world.config) ?? assert.fail('SMTP_URL is set')
  await client('PATCH', '/organization', { alarmEmails: ['caja@palma.example'] })
  const by = { kind: 'operator', id: null, name: 'root' } as const

  const kinds = {
    receipt: {
      job: 'receipt-mails',
      turn: mailTurn(ctx, log, { compose, send }),
      make: async () => {
        const { json } = await client('POST', '/payins', brebPayin())
        await endPayin(world, client, json.id, 'confirmed')
        return { payinId: json.id }
      },
    },
    invitation: {
      job: 'invitation-mails',
      turn: invitationTurn(ctx, log, send),
      make: async () => {
        const email = `${ctx.ids.next()}@palma.example`
        const request = { email, role: 'accountant', name: null } as const
        const made = await createInvitation(ctx, organizationId, request, by, null)
        assert.ok('url' in made)
        return { invitationId: made.invitation.invitationId }
      },
    },
    alarm: {
      job: 'alarm-mails',
      turn: alarmMailTurn(ctx, log, { send, post: () => assert.fail('nobody has a webhook') }),
      make: async () => {
        const alarm = {
          alarmId: ctx.ids.next(),
          kind: 'payout-unresolved',
          detail: 'it is not known',
        } as const
        await insertAlarm(world.db, organizationId, ctx.ids.next(), alarm, ctx.clock.now())
        return { alarms: 1 }
      },
    },
  }
  for (const [kind, { job, turn, make }] of Object.entries(kinds)) {
    const logged = async (next: MailOutcome) => {
      outcome = next
      lines.length = 0
      await turn()
      assert.equal(lines.length, 1, kind)
      // Nobody else knows the id of a mail about alarms.
      const { mailId: _, nextAt, ...line } = lines[0] as Record<string, unknown>
      return { line, nextAt }
    }
    const first = { job, organizationId, ...(await make()), attempts: 1 }
    const failed = await logged({ outcome: 'failed', reason: 'greylisted' })
    assert.deepEqual(failed.line, {
      level: 40,
      ...first,
      reason: 'greylisted',
      msg: `${kind} not sent; it is tried again`,
    })
    assert.ok(Date.parse(String(failed.nextAt)) > ctx.clock.wallClock(), String(failed.nextAt))
    const second = { job, organizationId, ...(await make()), attempts: 1 }
    const sent = await logged({ outcome: 'sent' })
    assert.deepEqual(sent.line, { level: 30, ...second, msg: `${kind} sent` })
    const another = { job, organizationId, ...(await make()), attempts: 1 }
    const refused = await logged({ outcome: 'refused', reason: 'no such box' })
    assert.deepEqual(refused, {
      line: { level: 50, ...another, reason: 'no such box', msg: `${kind} not sent, and given up` },
      nextAt: null,
    })
  }
})
