// The client covers every operation of openapi.json. A list is a page when awaited and everything when iterated.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { Administration } from '../../sdk/src/administration.ts'
import { Approvals } from '../../sdk/src/approvals.ts'
import { Audit } from '../../sdk/src/audit.ts'
import { Deposits } from '../../sdk/src/deposits.ts'
import { Beneficiaries, PayoutBatches } from '../../sdk/src/payout-batches.ts'
import { ApiError, type CreateConnection, Recaudo } from '../../sdk/src/recaudo.ts'
import { fetchReceiptKeys, Receipts } from '../../sdk/src/receipts.ts'
import { Refunds } from '../../sdk/src/refunds.ts'
import { Reports } from '../../sdk/src/reports.ts'
import { Suspense } from '../../sdk/src/suspense.ts'
import { Team } from '../../sdk/src/team.ts'
import { CONNECTION_EXAMPLES } from '../../src/api/connections/examples.ts'
import { newAlarm, newApproval, newConnection, newMember } from '../api/http/calls.ts'
import { csv, goodRow, person } from '../api/payout-batches/files.ts'
import { lateMoney } from '../late-money.ts'
import { insertReconciledDay } from '../reconciled-day.ts'
import { createWorld, type World } from '../world.ts'
import { newLink, newPayin, newPayout } from './bodies.ts'
import { type FaultyProxy, startProxy } from './proxy.ts'

type Methods = Record<string, { operationId: string }>

const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Methods>
}

describe('the client', () => {
  let world: World
  let proxy: FaultyProxy
  let recaudo: Recaudo
  before(async () => {
    world = await createWorld()
    proxy = await startProxy(world.baseUrl)
    recaudo = new Recaudo({ apiKey: world.apiKey }, { baseUrl: proxy.url })
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  it('covers every operation of openapi.json', async () => {
    const payin = await recaudo.payins.create(newPayin())
    assert.equal((await recaudo.payins.get(payin.id)).status, 'PROCESSING')
    assert.ok((await recaudo.payins.list({ pageSize: 1 })).data.length === 1)
    assert.match(await (await recaudo.payins.qr(payin.id)).text(), /^<svg /)
    assert.equal((await recaudo.payins.cancel(payin.id)).status, 'CANCELED')

    const link = await recaudo.paymentLinks.create(newLink())
    assert.equal((await recaudo.paymentLinks.get(link.paymentLinkId)).status, 'PENDING')
    assert.equal((await recaudo.paymentLinks.list({ status: 'PENDING' })).data.length, 1)
    assert.equal((await recaudo.paymentLinks.qr(link.paymentLinkId, 'png')).type, 'image/png')
    assert.equal((await recaudo.paymentLinks.expire(link.paymentLinkId)).status, 'EXPIRED')
    await assert.rejects(recaudo.paymentLinks.qr(link.paymentLinkId), { code: 'LINK_ALREADY_FINAL' })

    const { paymentPageId } = await recaudo.paymentPages.create({
      name: 'Tip jar',
      amountType: 'OPEN',
      reference: 'tips',
    })
    assert.equal((await recaudo.paymentPages.get(paymentPageId)).name, 'Tip jar')
    assert.equal((await recaudo.paymentPages.list({ status: 'OPEN' })).data.length, 1)
    assert.equal((await recaudo.paymentPages.update(paymentPageId, { maxPayments: 9 })).maxPayments, 9)
    const png = await recaudo.paymentPages.qr(paymentPageId, 'png')
    assert.deepEqual([...new Uint8Array(await png.slice(0, 4).arrayBuffer())], [0x89, 0x50, 0x4e, 0x47])
    const sheet = await (await recaudo.paymentPages.poster(paymentPageId, 'a6', { language: 'en' })).text()
    assert.match(sheet, /Scan to pay/)
    const usual = await (await recaudo.paymentPages.poster(paymentPageId)).text()
    assert.match(usual, /^<svg [^>]*width="210mm" height="297mm"/)
    assert.equal((await recaudo.paymentPages.close(paymentPageId)).status, 'CLOSED')

    const key = await recaudo.keys.lookUp('@ANAGOMEZ')
    assert.equal(key.keyString, '@ANAGOMEZ')
    const payout = await recaudo.payouts.create(newPayout())
    assert.equal((await recaudo.payouts.get(payout.id)).status, 'PROCESSING')
    assert.equal((await recaudo.payouts.list()).data[0]?.id, payout.id)
    const called = await recaudo.payouts.create(newPayout())
    assert.equal((await recaudo.payouts.cancel(called.id)).status, 'CANCELED')
    await world.work()

    const reconciliationId = await insertReconciledDay(world)
    assert.equal((await recaudo.reconciliations.list({ rail: 'PSE' })).data[0]?.id, reconciliationId)
    assert.deepEqual((await recaudo.reconciliations.get(reconciliationId)).findings, [])

    const open = await recaudo.payins.create(newPayin())
    await world.work()
    assert.deepEqual(await recaudo.sandbox.simulatePayin(open.id, { outcome: 'confirmed' }), { done: true })
    assert.deepEqual(await recaudo.sandbox.simulatePayout(payout.id, { outcome: 'confirmed' }), {
      done: true,
    })
    assert.match((await recaudo.sandbox.advanceClock({ seconds: 1 })).now, /Z$/)
    await world.work()
    assert.equal((await recaudo.payins.get(open.id)).status, 'CONFIRMED')

    const receipts = new Receipts({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    assert.equal((await receipts.ofPayin(open.id)).amountInCents, 5_000_000)
    assert.equal((await receipts.ofPayout(payout.id)).evidence.payoutId, payout.id)
    assert.ok((await fetchReceiptKeys({ baseUrl: proxy.url })).length > 0)

    const audit = new Audit({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const [canceled] = (await audit.entries({ objectId: payin.id })).data
    assert.deepEqual([canceled?.act, canceled?.outcome], ['payin.cancel', 'done'])
    await world.api.requestLog.flush()
    const [request] = (await audit.requests({ objectId: called.id, status: 200 })).data
    assert.equal(request?.path, `/payouts/${called.id}/cancel`)

    const reports = new Reports({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const [today] = (await reports.days()).data
    const { day = '' } = today ?? {}
    assert.equal((await reports.day(day)).columns.confirmed.amountInCents, 5_000_000)
    await assert.rejects(reports.close(day), { code: 'DAY_NOT_OVER' })
    assert.ok((await reports.movements(day, { column: 'confirmed' })).data.length === 1)
    const textOf = async (file: AsyncIterable<Uint8Array>) => {
      const parts = []
      for await (const part of file) parts.push(part)
      return Buffer.concat(parts).toString()
    }
    assert.match(await textOf(reports.movementsFile(day, { language: 'en' })), /Accounting day,Own date/)
    assert.equal((await reports.month(day.slice(0, 7))).days.at(-1)?.day, day)
    assert.match(await textOf(reports.monthFile(day.slice(0, 7))), /Saldo inicial/)
    assert.deepEqual(await reports.charges(), { fees: {}, payoutFees: {}, withholdings: [] })
    const { now: at } = await recaudo.sandbox.advanceClock({ seconds: 1 })
    assert.equal((await reports.balanceAt(at)).pendingSettlementInCents, 5_000_000)

    assert.equal((await recaudo.balance.get()).pendingSettlementInCents, 5_000_000)
    assert.ok((await recaudo.ledger.transfers({ subjectId: open.id })).data.length > 0)
    const { name } = await recaudo.organization.get()
    assert.equal((await recaudo.organization.update({ accentColor: '#0a7d4f' })).name, name)
    assert.ok((await recaudo.banks.list()).data.some((bank) => bank.code === 'CO_BANCOLOMBIA'))

    const { id: endpointId, secret } = await recaudo.webhookEndpoints.create({
      url: 'http://127.0.0.1:9/events',
    })
    assert.match(secret, /^whsec_/)
    assert.equal((await recaudo.webhookEndpoints.get(endpointId)).status, 'ENABLED')
    assert.equal((await recaudo.webhookEndpoints.list()).data.length, 1)
    await recaudo.webhookEndpoints.update(endpointId, { description: 'tests' })
    assert.notEqual((await recaudo.webhookEndpoints.rotateSecret(endpointId)).secret, secret)
    await assert.rejects(recaudo.webhookEndpoints.verify(endpointId), { code: 'ENDPOINT_NOT_VERIFIED' })
    const test = await recaudo.webhookEndpoints.test(endpointId)
    assert.equal(test.event, 'webhook.test')
    assert.deepEqual(await recaudo.events.redeliver(test.id), { scheduled: 1 })
    assert.deepEqual(await recaudo.events.redeliver(test.id, { endpointId }), { scheduled: 1 })
    assert.equal((await recaudo.events.deliveries(test.id)).data[0]?.endpointId, endpointId)
    await recaudo.webhookEndpoints.recover(endpointId, { since: new Date(0).toISOString() })
    assert.deepEqual(await recaudo.webhookEndpoints.delete(endpointId), { id: endpointId, deleted: true })

    assert.ok((await recaudo.providers.list()).data.some(({ provider }) => provider === 'wompi'))
    const connection = await recaudo.connections.create(CONNECTION_EXAMPLES.create as CreateConnection)
    assert.equal((await recaudo.connections.get(connection.id)).name, connection.name)
    assert.deepEqual((await recaudo.connections.list()).data, [connection])
    assert.equal((await recaudo.connections.update(connection.id, { priority: 5 })).priority, 5)
    const connectionId = await newConnection(world, world.client)
    assert.equal((await recaudo.connections.test(connectionId)).passed, true)
    assert.equal((await recaudo.connections.banks(connectionId)).banks[0]?.code, 'CO_BANCOLOMBIA')
    const batches = new PayoutBatches({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const file = csv(goodRow(1), goodRow(2), 'mal')
    const batch = await batches.create({ file, fileName: 'nomina.csv' })
    assert.equal((await batches.list({ status: 'CHECKING' })).data[0]?.id, batch.id)
    assert.equal((await batches.rows(batch.id)).data.length, 3)
    assert.equal((await batches.changeRow(batch.id, 4, { amount: '5000' })).amountInCents, 500_000)
    assert.equal((await batches.leaveOut(batch.id)).rowsLeftOut, 1)
    assert.equal((await batches.check(batch.id)).status, 'CHECKING')
    await world.work()
    assert.equal((await batches.submit(batch.id, { acceptWarnings: true })).status, 'PROCESSING')
    await assert.rejects(batches.cancel(batch.id), { code: 'BATCH_NOT_EDITABLE' })
    await assert.rejects(batches.retry(batch.id), { code: 'BATCH_NOT_READY' })
    assert.match(await (await batches.result(batch.id)).text(), /nomina-1/)
    assert.match(await (await batches.template()).text(), /llave;valor/)
    assert.equal((await batches.get(batch.id)).rows, 3)
    const book = new Beneficiaries({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const ana = person(1)
    const { idNumber } = ana
    const entry = await book.write({ idType: 'CO_CC', ...ana, key: idNumber })
    assert.equal((await book.get(entry.id)).key, idNumber)
    assert.equal((await book.list()).data.length, 1)
    assert.equal((await book.delete(entry.id)).deleted, true)

    const deposits = new Deposits({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const put = await deposits.create(connectionId, { amountInCents: 5_000, reference: 'in' })
    assert.equal(put.amount, 50)
    assert.deepEqual((await deposits.list(connectionId)).data, [put])
    assert.equal((await recaudo.balance.get()).depositedInCents, 5_000)
    const taken = await deposits.withdraw(connectionId, { amountInCents: 5_000, reference: 'out' })
    const listed = []
    for await (const one of deposits.withdrawals(connectionId)) listed.push(one)
    assert.deepEqual(listed, [taken])
    await assert.rejects(
      deposits.withdraw(connectionId, { amountInCents: 9_000_000_000_000, reference: 'too much' }),
      { code: 'BALANCE_TOO_LOW' },
    )
    const refunds = new Refunds({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const refund = await refunds.create(open.id, { amountInCents: 1_000, reason: 'OTHER', way: 'CLAIM' })
    assert.deepEqual(await refunds.get(refund.id), refund)
    assert.deepEqual((await refunds.list({ payinId: open.id })).data, [refund])
    assert.equal((await refunds.cancel(refund.id)).status, 'CANCELED')
    const gone = { id: connection.id, deleted: true }
    assert.deepEqual(await recaudo.connections.delete(connection.id), gone)

    const administration = new Administration({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    for (const kind of ['apiKeys', 'oauthClients'] as const) {
      const credentials = administration[kind]
      const made = await credentials.create({ name: 'Shop', scopes: ['payins:read'] })
      assert.equal((await credentials.list()).data[0]?.id, made.id)
      assert.equal((await credentials.update(made.id, { maxPerSecond: 5 })).maxPerSecond, 5)
      const rolled = await credentials.roll(made.id, { overlapHours: 1 })
      assert.notEqual(rolled.secret, made.secret)
      assert.notEqual((await credentials.roll(rolled.id)).secret, rolled.secret)
      assert.equal((await credentials.revoke(made.id)).status, 'REVOKED')
    }
    const alarmId = await newAlarm(world, world.client)
    assert.equal((await administration.alarms.list({ status: 'OPEN' })).data[0]?.id, alarmId)
    assert.equal((await administration.alarms.take(alarmId)).takenBy?.kind, 'key')
    assert.equal((await administration.alarms.resolve(alarmId, { word: 'Ours.' })).resolution, 'Ours.')
    const suspense = new Suspense({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const [back, kept] = [await lateMoney(world), await lateMoney(world)]
    assert.equal((await suspense.list({ state: 'OPEN' })).data.length, 2)
    assert.equal((await suspense.get(kept.suspenseId)).candidates[0]?.payinId, kept.payinId)
    assert.equal((await suspense.note(kept.suspenseId, { note: 'Whose?' })).note, 'Whose?')
    assert.equal((await suspense.return(back.suspenseId)).state, 'RETURNED')
    const attached = await suspense.attach(kept.suspenseId, { payinId: kept.payinId })
    assert.equal(attached.attachedTo, kept.payinId)
    const { found } = await administration.search({ q: open.id })
    assert.deepEqual([found[0]?.resource, found[0]?.foundBy], ['payin', ['id']])
    const shown = await recaudo.webhookEndpoints.create({ url: 'http://127.0.0.1:9/events' })
    const portal = await administration.webhookPortalLinks.create({ endpointIds: [shown.id] })
    assert.match(portal.url, /\/console\/portal\/[\w-]+$/)

    const approvals = new Approvals({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const approvalId = await newApproval(world, world.client)
    const { digest, status } = await approvals.get(approvalId)
    assert.equal(status, 'WAITING')
    assert.equal((await approvals.list({ status: 'WAITING' })).data[0]?.id, approvalId)
    for (const way of ['approve', 'refuse'] as const)
      await assert.rejects(approvals[way](approvalId, { digest }), { code: 'PERSON_REQUIRED' })
    assert.equal((await approvals.rules()).rules.length, 1)
    assert.deepEqual((await approvals.replaceRules({ rules: [] })).rules, [])

    const team = new Team({ apiKey: world.apiKey }, { baseUrl: proxy.url })
    const userId = await newMember(world, world.client)
    assert.deepEqual(
      (await team.members.list()).data.map((member) => member.userId).filter((id) => id === userId),
      [userId],
    )
    assert.equal((await team.members.update(userId, { role: 'accountant' })).role, 'accountant')
    assert.deepEqual((await team.members.sessions(userId)).data, [])
    assert.deepEqual(await team.members.endSessions(userId), { userId, ended: 0 })
    assert.deepEqual(await team.members.remove(userId), { userId, removed: true, remaining: [] })
    const invitation = await team.invitations.create({ email: 'leo@example.com', role: 'support' })
    assert.match(invitation.url, /\/console\/invite\/[\w-]{43}$/)
    const { invitationId } = invitation
    assert.equal((await team.invitations.list()).data[0]?.invitationId, invitationId)
    assert.deepEqual(await team.invitations.revoke(invitationId), { invitationId, revoked: true })

    const { data: events } = await recaudo.events.list({ objectId: payin.id })
    assert.deepEqual(await recaudo.events.get(events[0]?.id ?? ''), events[0])
    for await (const event of recaudo.events.follow({ after: 0 })) {
      assert.equal(event.sequence, 1)
      break
    }

    const { clientId, secret: clientSecret } = await world.oauthClient()
    const bearer = new Recaudo({ clientId, clientSecret }, { baseUrl: proxy.url })
    assert.equal((await bearer.organization.get()).name, name)
    assert.ok((await bearer.publicKeys.get()).keys.length > 0)

    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        operationId,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}(?:\\?|$)`),
        // A fixed segment matches before a parameter.
        fixed: !path.includes('{'),
      })),
    )
    const operationOf = (one: { method: string; path: string }) => {
      const fitting = all.filter(({ method, pattern }) => method === one.method && pattern.test(one.path))
      return (fitting.find((operation) => operation.fixed) ?? fitting[0])?.operationId
    }
    const done = new Set(proxy.seen.map(operationOf))
    assert.deepEqual(
      all.map(({ operationId }) => operationId).filter((operationId) => !done.has(operationId)),
      [],
      'the client must learn these operations',
    )
    for (const { method, path, headers } of proxy.seen) {
      if (method === 'POST') assert.match(headers['idempotency-key'] as string, /^[0-9a-f-]{36}$/, path)
    }
  })

  it('a list is its first page when awaited and every entry when iterated, fetched on demand', async () => {
    const { apiKey } = await world.newMerchant()
    const merchant = new Recaudo({ apiKey }, { baseUrl: proxy.url })
    const references: string[] = []
    for (let count = 0; count < 7; count += 1) {
      const { reference } = await merchant.payins.create(newPayin())
      references.unshift(reference)
    }
    proxy.seen.length = 0
    const list = merchant.payins.list({ pageSize: 3, rail: 'BRE_B' })
    assert.equal(proxy.seen.length, 0, 'nothing is asked before it is needed')
    const page = await list
    assert.deepEqual(
      page.data.map((payin) => payin.reference),
      references.slice(0, 3),
    )
    assert.equal(await list, page, 'awaited twice it is the same page')
    assert.equal(proxy.seen.length, 1)

    const seen: string[] = []
    for await (const payin of list) seen.push(payin.reference)
    assert.deepEqual(seen, references)
    assert.equal(proxy.seen.length, 4, 'three pages of three')
    assert.ok(
      proxy.seen.every(({ path }) => path.includes('rail=BRE_B')),
      'every page has the filters',
    )

    proxy.seen.length = 0
    for await (const _ of merchant.payins.list()) break
    assert.deepEqual(
      proxy.seen.map(({ path }) => path),
      ['/payins?pageSize=100'],
      'who stops early asks for no more pages',
    )
    const rest: string[] = []
    for await (const payin of merchant.payins.list({ rail: 'BRE_B', cursor: page.pageInfo.nextCursor ?? '' }))
      rest.push(payin.reference)
    assert.deepEqual(rest, references.slice(3), 'it goes on from a cursor')

    for await (const bank of merchant.banks.list()) assert.ok(bank.code.startsWith('CO_'))
    const [first] = await Promise.all([merchant.payouts.list(), merchant.balance.get()])
    assert.deepEqual(first.data, [])
  })

  it('the event log is iterated from the given position to its end', async () => {
    const { apiKey } = await world.newMerchant()
    const merchant = new Recaudo({ apiKey }, { baseUrl: proxy.url })
    for (let count = 0; count < 5; count += 1) {
      const { id } = await merchant.payins.create(newPayin())
      await merchant.payins.cancel(id)
    }
    await world.work()
    const sequences: number[] = []
    for await (const event of merchant.events.list({ after: 1, pageSize: 2 })) {
      sequences.push(event.sequence)
      assert.ok(event.resource === 'payin' && event.data.status === 'CANCELED')
    }
    assert.deepEqual(sequences, [2, 3, 4, 5])
  })

  it('an id is one segment of the address, whatever it contains', async () => {
    const refused = async (id: string) => {
      const error = await recaudo.payins.get(id).catch((thrown: unknown) => thrown)
      return error
    }
    proxy.seen.length = 0
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      const error = await refused(id)
      assert.equal((error as Error).message, 'payinId must be a text, and not empty.')
    }
    assert.equal(proxy.seen.length, 0)
    const error = await refused('../balance?x=1#y')
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 'NOT_FOUND')
    assert.equal(proxy.seen[0]?.path, '/payins/..%2Fbalance%3Fx%3D1%23y')
  })

  it('a method can be passed on by itself', async () => {
    const { create } = recaudo.payins
    assert.equal((await create(newPayin())).status, 'PROCESSING')
  })
})
