// A notice whose time cannot be is about money all the same: it is stored, applied and said.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { RailNotice } from '../../../src/core/connections/notice.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../../src/core/organizations/organization.ts'
import { receiveNotice } from '../../../src/flows/connections/receive-notice.ts'
import type { CrashPoint } from '../../../src/flows/context.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../../src/rails/signature.ts'
import { listOpenAlarms } from '../../../src/store/ledger/alarms.ts'
import { brebPayin, CUSTOMER, createWorld } from '../../world.ts'

test('a payment that is dated in the year 0, or thousands of years ahead, confirms its payin', async () => {
  await using world = await createWorld()
  for (const occurredAt of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-02-30T25:00:00Z']) {
    const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }
    const { json: payin } = await world.client('POST', '/payins', brebPayin({ inlineCustomer }))
    const body = JSON.stringify({
      id: `ntf_${payin.id}`,
      type: 'collection.paid',
      reference: railReference('payin', payin.organizationId, payin.id),
      occurredAt,
      paymentId: `PAY-${payin.id}`,
      amount: '50000.00',
      endToEndId: null,
      reasonCode: null,
    })
    const timestamp = Math.floor(world.ctx.clock.now() / 1_000)
    const answer = await world.anonymous('POST', '/notifications/breb', body, {
      'content-type': 'application/json',
      [ID_HEADER]: `ntf_${payin.id}`,
      [TIMESTAMP_HEADER]: String(timestamp),
      [SIGNATURE_HEADER]: signNotice(
        world.config.breb.notificationKey,
        `ntf_${payin.id}`,
        timestamp,
        Buffer.from(body),
      ),
    })
    assert.equal(answer.status, 200, answer.text)
    await world.work()
    assert.equal((await world.client('GET', `/payins/${payin.id}`)).json.status, 'CONFIRMED')
    const alarms = (await listOpenAlarms(world.db)).filter(({ subjectId }) => subjectId === payin.id)
    assert.match(alarms[0]?.detail ?? '', /at an impossible time/)
  }
})

test('the alarm comes with the notice: a process that dies right after it stored one has raised it', async () => {
  await using world = await createWorld()
  const crashPoint = (point: CrashPoint): void => {
    if (point === 'receipt-after-commit') throw new Error('the process died')
  }
  const dying = { ...world.ctx, signals: { ...world.ctx.signals, crashPoint } }
  const payinId = randomUUID()
  const [ours, nobodys] = [world.organization.organizationId, randomUUID()].map(
    (organizationId): RailNotice => ({
      rail: 'BRE_B',
      noticeId: `ntf_${randomUUID()}`,
      reference: railReference('payin', organizationId, payinId),
      update: { kind: 'payin.canceled', reason: 'EXPIRED' },
      networkCode: 'X',
      occurredAt: world.ctx.clock.now(),
      timeIsImpossible: true,
    }),
  ) as [RailNotice, RailNotice]
  const alarmsAbout = async ({ noticeId }: RailNotice) =>
    (await listOpenAlarms(world.db))
      .filter(({ detail }) => detail.includes(noticeId))
      .map(({ organizationId, kind, subjectId }) => [organizationId, kind, subjectId])
  for (const notice of [ours, nobodys]) {
    await assert.rejects(receiveNotice(dying, notice), /died/)
    // The network got no answer, and sends it again.
    assert.equal(await receiveNotice(world.ctx, notice), false)
  }
  const { organizationId } = world.organization
  assert.deepEqual(await alarmsAbout(ours), [[organizationId, 'payin-contradiction', payinId]])
  // It is kept where its notice is kept.
  assert.deepEqual(await alarmsAbout(nobodys), [[UNATTRIBUTED_ORGANIZATION, 'payin-contradiction', payinId]])
})
