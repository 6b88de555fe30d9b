// A successful call of each operation, built from its documentation: the first example of its body, and ids of existing
// objects. Tests that walk every operation pick up new ones automatically.

import { CONNECTION_EXAMPLES } from '../../../src/api/connections/examples.ts'
import type { Operation } from '../../../src/api/http/operation.ts'
import { operationsOf } from '../../../src/api/operations.ts'
import { bogotaDay, daysAfter } from '../../../src/core/bogota-day.ts'
import { DAY_MS, isoInstant } from '../../../src/core/instant.ts'
import type { ProviderRails } from '../../../src/rails/rail.ts'
import { insertAlarm } from '../../../src/store/ledger/alarms.ts'
import { updateRole } from '../../../src/store/team/members.ts'
import { insertMembership, insertUser } from '../../../src/store/team/users.ts'
import { lateMoney } from '../../late-money.ts'
import { insertReconciledDay } from '../../reconciled-day.ts'
import { brebPayin, type Client, CUSTOMER, endPayin, type World } from '../../world.ts'
import { csv, goodRow, person } from '../payout-batches/files.ts'
import { startVerifyingReceiver, type VerifyingReceiver } from '../webhooks/verifying-receiver.ts'

export type Call = { method: string; path: string; body: unknown }

export const STAGING_OPERATIONS = operationsOf('staging')
export const MERCHANT_OPERATIONS = STAGING_OPERATIONS.filter((operation) => operation.access !== 'public')
// Tests that walk over all operations would pass over none.
if (MERCHANT_OPERATIONS.length < 30) throw new Error(`only ${MERCHANT_OPERATIONS.length} merchant operations`)

let count = 0

export async function exampleCall(world: World, client: Client, operation: Operation): Promise<Call> {
  return callWith(operation, await makeSubjects(world, client, operation))
}

// The same call about objects with other ids.
export function callWith(operation: Operation, ids: Readonly<Record<string, string>>): Call {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] as string)
  // What is asked for is needed.
  const query = operation.operationId === 'search' ? '?q=order' : ''
  return { method: operation.method, path: path + query, body: exampleBody(operation, ids) }
}

export function exampleBody(operation: Operation, ids: Readonly<Record<string, string>> = {}): unknown {
  return exampleBodies(operation, ids)[0]
}

export function exampleBodies(
  operation: Operation,
  { endpointId, payinId }: Readonly<Record<string, string>> = {},
): unknown[] {
  return Object.values(operation.body?.examples ?? {}).map((example) => {
    const body = structuredClone(example.value) as Record<string, unknown>
    count += 1
    // A reference is used once, and the clock moves no further than a test can bear.
    if ('reference' in body) body.reference = `call-${process.pid}-${count}`
    if ('seconds' in body) body.seconds = 1
    // The same file is meant once more, whatever its rows warn of.
    if ('file' in body) body.repeat = true
    if ('acceptWarnings' in body) delete body.version
    if ('endpointIds' in body && endpointId !== undefined) body.endpointIds = [endpointId]
    if ('payinId' in body && payinId !== undefined) body.payinId = payinId
    return body
  })
}

export async function makeSubjects(
  world: World,
  client: Client,
  operation: Operation,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  // One in ten seconds.
  if (operation.operationId === 'verifyWebhookEndpoint') world.advance(10_000)
  if (operation.operationId === 'verifyWebhookEndpoint')
    return { endpointId: await newVerifiableEndpoint(client) }
  if (operation.operationId === 'submitPayoutBatch' || operation.operationId === 'retryPayoutBatch')
    return { batchId: await newCheckedBatch(world, client, operation.operationId === 'retryPayoutBatch') }
  for (const name of Object.keys(operation.params ?? {})) ids[name] = await makeSubject(world, client, name)
  if (operation.operationId === 'attachSuspense') ids.payinId = await makeSubject(world, client, 'payinId')
  if (operation.operationId === 'createWebhookPortalLink') ids.endpointId = await newEndpoint(client)
  // What is taken out of a provider was put there.
  if (operation.operationId === 'createConnectionWithdrawal')
    await client('POST', `/connections/${ids.connectionId}/deposits`, {
      amountInCents: 100_000_000,
      reference: 'd',
    })
  // The simulated network must have the payment before it can simulate an outcome.
  if (operation.tag === 'Sandbox' && operation.params !== undefined) await world.work()
  if (operation.operationId === 'replaceApprovalRules') await newApprovers(world, client)
  // Only what was paid has a receipt, and can be given back.
  if (operation.operationId === 'getReceipt' || operation.operationId === 'createRefund')
    await endPayin(world, client, ids.payinId as string, 'confirmed')
  return ids
}

// The simulated networks leave this customer's payments open until a simulation decides.
const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }

async function makeSubject(world: World, client: Client, parameter: string): Promise<string> {
  if (parameter === 'keyString') return '%40ANAGOMEZ'
  if (parameter === 'format') return 'svg'
  if (parameter === 'size') return 'a6'
  if (parameter === 'payinId') return (await client('POST', '/payins', brebPayin({ inlineCustomer }))).json.id
  if (parameter === 'payoutId')
    return (await client('POST', '/payouts', newPayout({ inlineCustomer }))).json.id
  if (parameter === 'paymentLinkId') return (await client('POST', '/payment-links', LINK)).json.paymentLinkId
  if (parameter === 'paymentPageId') return (await client('POST', '/payment-pages', PAGE)).json.paymentPageId
  if (parameter === 'endpointId') return newEndpoint(client)
  if (parameter === 'connectionId') return newConnection(world, client)
  if (parameter === 'eventId')
    return (await client('POST', `/webhook-endpoints/${await newEndpoint(client)}/test`)).json.id
  if (parameter === 'reconciliationId') {
    const { organizationId } = (await client('GET', '/organization')).json
    return insertReconciledDay(world, '2026-11-14', organizationId)
  }
  if (parameter === 'approvalId') return newApproval(world, client)
  if (parameter === 'refundId') return newRefund(world, client)
  if (parameter === 'day') return endedDay(world, client)
  if (parameter === 'month') return bogotaDay(world.ctx.clock.now()).slice(0, 7)
  if (parameter === 'suspenseId') return (await lateMoney(world, client)).suspenseId
  if (parameter === 'alarmId') return newAlarm(world, client)
  if (parameter === 'apiKeyId') return newCredential(client, '/api-keys')
  if (parameter === 'clientId') return newCredential(client, '/oauth-clients')
  if (parameter === 'userId') return newMember(world, client)
  if (parameter === 'invitationId')
    return (await client('POST', '/team/invitations', INVITATION)).json.invitationId
  if (parameter === 'batchId') return newBatch(client)
  if (parameter === 'row') return '2'
  if (parameter === 'beneficiaryId') {
    const { idNumber, name } = person(1)
    return (await client('PUT', '/beneficiaries', { idType: 'CO_CC', idNumber, name, key: idNumber })).json.id
  }
  throw new Error(`test/api/http/calls.ts must learn to make a ${parameter}`)
}

export async function newBatch(client: Client, ...rows: string[]): Promise<string> {
  count += 1
  const file = csv(...(rows.length === 0 ? [goodRow(count, '1.000')] : rows))
  return (await client('POST', '/payout-batches', { file, repeat: true })).json.id
}

// One whose keys were looked up, or that was sent and has a failed row.
export async function newCheckedBatch(world: World, client: Client, hasFailed: boolean): Promise<string> {
  const failing = '1000000003;1000;call;Ana;CC;1000000003;'
  const batchId = await newBatch(client, ...(hasFailed ? [failing] : []))
  await world.work()
  if (!hasFailed) return batchId
  await client('POST', `/payout-batches/${batchId}/submit`, { acceptWarnings: true })
  for (let turn = 0; turn < 4; turn += 1) await world.passTime(2_000)
  return batchId
}

// Yesterday, which is over and not closed: the organization is made older than it is, each time by a day.
export async function endedDay(world: World, client: Client): Promise<string> {
  const { organizationId } = (await client('GET', '/organization')).json
  const yesterday = daysAfter(bogotaDay(world.ctx.clock.now()), -1)
  await world.db.query({
    text: `update organizations set created_at = $2 where organization_id = $1`,
    values: [organizationId, isoInstant(world.ctx.clock.now() - 2 * DAY_MS)],
  })
  await world.db.query({
    text: `update closing_marks
              set next_day = $2, open_from = '1970-01-01T00:00:00Z', first_open_id = '00000000-0000-0000-0000-000000000000'
            where organization_id = $1`,
    values: [organizationId, yesterday],
  })
  // Whoever remembers the organization forgets it.
  world.ctx.signals.workAdded('settings', organizationId)
  return yesterday
}

export async function newAlarm(world: World, client: Client): Promise<string> {
  const { ctx, db } = world
  const { organizationId } = (await client('GET', '/organization')).json
  const alarm = { alarmId: ctx.ids.next(), kind: 'orphan-notice', detail: 'Whose is it?' } as const
  await insertAlarm(db, organizationId, ctx.ids.next(), alarm, ctx.clock.now())
  return alarm.alarmId
}

// An organization may have only so many. Revoke those of earlier calls.
async function newCredential(client: Client, path: string): Promise<string> {
  const { json } = await client('GET', path)
  const earlier = (json.data as { id: string; name: string; status: string }[]).filter(
    ({ name, status }) => name === 'call' && status === 'ACTIVE',
  )
  if (earlier.length >= 40) for (const { id } of earlier) await client('DELETE', `${path}/${id}`)
  return (await client('POST', path, { name: 'call', scopes: ['payins:read'] })).json.id
}

const LINK = {
  amountType: 'FIXED',
  amountInCents: 100_000,
  reference: 'call',
  callbackUrl: 'https://shop.example/return',
}

const PAGE = { name: 'Coffee', amountType: 'FIXED', amountInCents: 100_000, reference: 'call' }

const INVITATION = { email: 'leo@example.com', role: 'support' }

export async function newMember(world: World, client: Client): Promise<string> {
  const { organizationId } = (await client('GET', '/organization')).json
  const [userId, at] = [world.ctx.ids.next(), Date.now()]
  const person = {
    email: `${userId}@example.com`,
    name: 'Eva Ruiz',
    language: 'es',
    singleKeys: true,
  } as const
  await insertUser(world.db, { userId, ...person, createdAt: at, updatedAt: at })
  await insertMembership(world.db, { organizationId, userId, role: 'support', at })
  return userId
}

// Above every other amount of these tests.
const ASKED_FROM = 1_000_000_000

// People who may approve: the rules may ask for no more than there are.
export async function newApprovers(world: World, client: Client): Promise<void> {
  const { organizationId } = (await client('GET', '/organization')).json
  for (let made = 0; made < 3; made += 1) {
    const userId = await newMember(world, client)
    await updateRole(world.db, organizationId, userId, 'approver', Date.now())
  }
}

// A payout that waits. Rules that wait for somebody themselves stay as they are.
export async function newApproval(world: World, client: Client): Promise<string> {
  await newApprovers(world, client)
  const tiers = [{ fromAmountInCents: ASKED_FROM, approvers: 1 }]
  await client('PUT', '/approval-rules', { rules: [{ kind: 'payout', tiers }] })
  const { id } = (await client('POST', '/payouts', newPayout({ amountInCents: ASKED_FROM }))).json
  return (await client('GET', `/approvals?subjectId=${id}`)).json.data[0].id
}

// Of a cent of some confirmed payin, for the payer to claim.
export async function newRefund(world: World, client: Client): Promise<string> {
  const [paid] = (await client('GET', '/payins?status=CONFIRMED&pageSize=1')).json.data
  const body = { amountInCents: 1, reason: 'OTHER', way: 'CLAIM' }
  const made = paid && (await client('POST', `/payins/${paid.id}/refunds`, body))
  if (made?.status === 201) return made.json.id
  const { id } = (await client('POST', '/payins', brebPayin())).json
  await endPayin(world, client, id, 'confirmed')
  return (await client('POST', `/payins/${id}/refunds`, body)).json.id
}

// An organization may have only so many. Delete those of earlier calls.
async function newEndpoint(client: Client): Promise<string> {
  const { json } = await client('GET', '/webhook-endpoints')
  if (json.data.length >= 10) {
    for (const { id } of json.data) await client('DELETE', `/webhook-endpoints/${id}`)
  }
  const made = await client('POST', '/webhook-endpoints', { url: 'https://shop.example/events' })
  return made.json.id
}

// An organization may have only so many. No payment goes there, and its provider answers without being called.
export async function newConnection(world: World, client: Client): Promise<string> {
  const { json } = await client('GET', '/connections')
  if (json.data.length >= 18) {
    for (const { id } of json.data) await client('DELETE', `/connections/${id}`)
  }
  const made = await client('POST', '/connections', CONNECTION_EXAMPLES.create)
  const { id } = made.json
  const { networks } = world.ctx
  const { connected } = networks
  const answering = {
    banks: async () => ({ outcome: 'accepted', value: [{ code: '1007', name: 'BANCOLOMBIA' }] }),
    check: async () => [{ what: 'public key', problem: null }],
  } as unknown as ProviderRails
  Object.assign(networks, {
    connected: async (address: Parameters<typeof connected>[0]) =>
      address.connectionId === id ? answering : connected(address),
  })
  return id
}

// One receiver for all of them. It ends with the process.
let receiver: Promise<VerifyingReceiver> | undefined

export async function newVerifiableEndpoint(client: Client): Promise<string> {
  receiver ??= startVerifyingReceiver()
  const { url, secrets } = await receiver
  const { json } = await client('POST', '/webhook-endpoints', { url })
  secrets.push(json.secret)
  return json.id
}

export function newPayout(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    amountInCents: 100_000,
    currency: 'COP',
    rail: 'BRE_B',
    reference: 'salary',
    inlineCustomer: CUSTOMER,
    breb: { keyString: '@ANAGOMEZ' },
    ...changes,
  }
}
