// The workers of an installation with a mail server send all that it sends, and leave nothing running when they stop.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import pino from 'pino'
import { createInvitation } from '../../src/flows/team/invitations.ts'
import { createDeliveryWorkerOptions, createMailing, startWorkers } from '../../src/service.ts'
import { insertAlarm } from '../../src/store/ledger/alarms.ts'
import { startSmtpServer } from '../mail/smtp-server.ts'
import { brebPayin, CUSTOMER, createWorld, endPayin, eventually } from '../world.ts'

const log = pino({ level: 'silent' })
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

it('receipts, invitations and alarms are sent, and nothing is left when the workers have stopped', async () => {
  await using server = await startSmtpServer()
  await using world = await createWorld({
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, SMTP_FROM: 'avisos@palma.example' },
  })
  const { ctx, client, organization } = world
  const { organizationId } = organization
  const { json } = await client('POST', '/payins', brebPayin())
  await endPayin(world, client, json.id, 'confirmed')
  await client('PATCH', '/organization', { alarmEmails: ['caja@palma.example'] })
  const alarm = { alarmId: ctx.ids.next(), kind: 'payout-unresolved', detail: 'it is not known' } as const
  await insertAlarm(world.db, organizationId, ctx.ids.next(), alarm, ctx.clock.now())
  const by = { kind: 'operator', id: null, name: 'root' } as const
  const request = { email: 'leo@palma.example', role: 'accountant', name: null } as const
  assert.ok('url' in (await createInvitation(ctx, organizationId, request, by, null)))

  const before = timers()
  const delivering = createDeliveryWorkerOptions(world.config)
  const workers = startWorkers(ctx, log, delivering, createMailing(world.config))
  try {
    const to = await eventually(
      async () => server.received.flatMap((mail) => mail.to),
      ({ length }) => length === 3,
    )
    assert.deepEqual(to.sort(), [CUSTOMER.email, 'caja@palma.example', 'leo@palma.example'].sort())
  } finally {
    await workers.stop()
    await delivering.sender.close()
  }
  // What rests would look again. A pool closes its idle connections by and by.
  await eventually(
    async () => timers(),
    (count) => count <= before,
  )
})
