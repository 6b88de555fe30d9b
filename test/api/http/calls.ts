// A successful call of each operation, built from its documentation: the first example of its body, and ids of existing
// objects. Tests that walk every operation pick up new ones automatically.

import { CONNECTION_EXAMPLES } from '../../../src/api/connections/examples.ts'
import type { Operation } from '../../../src/api/http/operation.ts'
import { operationsOf } from '../../../src/api/operations.ts'
import type { ProviderRails } from '../../../src/rails/rail.ts'
import { insertAlarm } from '../../../src/store/ledger/alarms.ts'
import { insertMembership, insertUser } from '../../../src/store/team/users.ts'
import { lateMoney } from '../../late-money.ts'
import { insertReconciledDay } from '../../reconciled-day.ts'
import { brebPayin, type Client, CUSTOMER, endPayin, type World } from '../../world.ts'
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
  for (const name of Object.keys(operation.params ?? {})) ids[name] = await makeSubject(world, client, name)
  if (operation.operationId === 'attachSuspense') ids.payinId = await makeSubject(world, client, 'payinId')
  if (operation.operationId === 'createWebhookPortalLink') ids.endpointId = await newEndpoint(client)
  // The simulated network must have the payment before it can simulate an outcome.
  if (operation.tag === 'Sandbox' && operation.params !== undefined) await world.work()
  // Only what was paid has a receipt.
  if (operation.operationId === 'getReceipt')
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
  if (parameter === 'suspenseId') return (await lateMoney(world, client)).suspenseId
  if (parameter === 'alarmId') return newAlarm(world, client)
  if (parameter === 'apiKeyId') return newCredential(client, '/api-keys')
  if (parameter === 'clientId') return newCredential(client, '/oauth-clients')
  if (parameter === 'userId') return newMember(world, client)
  if (parameter === 'invitationId')
    return (await client('POST', '/team/invitations', INVITATION)).json.invitationId
  throw new Error(`test/api/http/calls.ts must learn to make a ${parameter}`)
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
