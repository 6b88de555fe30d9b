// Objects for the samples: every operation's sample gets ids that exist.

import { bogotaDay } from '../../src/core/bogota-day.ts'
import type { ApiOperation } from '../../src/docs/open-api.ts'
import { pathExample, pathNames } from '../../src/docs/samples/call.ts'
import { startSession } from '../../src/flows/team/sessions.ts'
import { insertAlarm } from '../../src/store/ledger/alarms.ts'
import {
  endedDay,
  newAlarm,
  newApproval,
  newApprovers,
  newBatch,
  newCheckedBatch,
  newConnection,
  newMember,
  newPayout,
  newRefund,
  newVerifiableEndpoint,
} from '../api/http/calls.ts'
import { goodRow, person } from '../api/payout-batches/files.ts'
import { lateMoney } from '../late-money.ts'
import { insertReconciledDay } from '../reconciled-day.ts'
import { brebPayin, CUSTOMER, endPayin, type World } from '../world.ts'

// The simulated networks leave this customer's payments open until a simulation decides.
const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }

const PAGE = { name: 'Coffee', amountType: 'FIXED', amountInCents: 100_000, reference: 'sample' }

// As many as the sample that leaves some out names.
const SAMPLE_ROWS = Array.from({ length: 12 }, (_, at) => at + 1)

export type Ids = (operation: ApiOperation) => Promise<Record<string, string>>

export async function makeIds(world: World): Promise<Ids> {
  const { client } = world
  const newEndpoint = async () =>
    (await client('POST', '/webhook-endpoints', { url: 'https://shop.example/events' })).json.id as string
  const endpointId = await newEndpoint()
  const connectionId = await newConnection(world, client)
  const eventId = (await client('POST', `/webhook-endpoints/${endpointId}/test`)).json.id as string
  // A sample that lists something prints it.
  const alarm = { alarmId: world.ctx.ids.next(), kind: 'orphan-notice', detail: 'Whose is it?' } as const
  const { organizationId } = world.organization
  await insertAlarm(world.db, organizationId, world.ctx.ids.next(), alarm, world.ctx.clock.now())
  const make: Readonly<Record<string, (operation: ApiOperation) => Promise<string>>> = {
    payinId: async ({ operationId }) => {
      const { id } = (await client('POST', '/payins', brebPayin({ inlineCustomer }))).json
      // Only what was paid has a receipt, and can be given back.
      if (operationId === 'getReceipt' || operationId === 'createRefund')
        await endPayin(world, client, id, 'confirmed')
      return id
    },
    payoutId: async () => (await client('POST', '/payouts', newPayout({ inlineCustomer }))).json.id,
    paymentLinkId: async () =>
      (
        await client('POST', '/payment-links', {
          amountType: 'FIXED',
          amountInCents: 100_000,
          reference: 'sample',
          callbackUrl: 'https://shop.example/return',
        })
      ).json.paymentLinkId,
    endpointId: async ({ method, operationId }) => {
      if (operationId === 'verifyWebhookEndpoint') world.advance(10_000)
      if (operationId === 'verifyWebhookEndpoint') return newVerifiableEndpoint(client)
      return method === 'DELETE' ? newEndpoint() : endpointId
    },
    connectionId: async ({ method }) => (method === 'DELETE' ? newConnection(world, client) : connectionId),
    approvalId: () => newApproval(world, client),
    apiKeyId: async () => (await client('POST', '/api-keys', { name: 'sample' })).json.id,
    clientId: async () => (await client('POST', '/oauth-clients', { name: 'sample' })).json.id,
    eventId: async () => eventId,
    suspenseId: async () => (await lateMoney(world, client)).suspenseId,
    alarmId: () => newAlarm(world, client),
    reconciliationId: () => insertReconciledDay(world),
    paymentPageId: async () => (await client('POST', '/payment-pages', PAGE)).json.paymentPageId,
    userId: async () => {
      const userId = await newMember(world, client)
      await startSession(world.ctx, userId, 'link', { address: '203.0.113.7', browser: null })
      return userId
    },
    invitationId: async () =>
      (await client('POST', '/team/invitations', { email: 'raul@example.com', role: 'support' })).json
        .invitationId,
    refundId: () => newRefund(world, client),
    batchId: async ({ operationId }) => {
      if (operationId === 'submitPayoutBatch') return newCheckedBatch(world, client, false)
      if (operationId === 'retryPayoutBatch') return newCheckedBatch(world, client, true)
      return newBatch(client, ...SAMPLE_ROWS.map((at) => goodRow(at, '1.000')))
    },
    row: async () => '2',
    beneficiaryId: async () => {
      const { idNumber, name } = person(1)
      return (await client('PUT', '/beneficiaries', { idType: 'CO_CC', idNumber, name, key: idNumber })).json
        .id
    },
    // Only a day that has ended can be closed; today has movements.
    day: async ({ operationId }) =>
      operationId === 'closeReportDay' ? endedDay(world, client) : bogotaDay(world.ctx.clock.now()),
    month: async () => bogotaDay(world.ctx.clock.now()).slice(0, 7),
    format: async () => 'svg',
    size: async () => 'a6',
    keyString: async ({ parameters }) => pathExample(parameters, 'keyString'),
  }
  return async (operation) => {
    const ids: Record<string, string> = {}
    for (const name of pathNames(operation)) ids[name] = (await make[name]?.(operation)) ?? ''
    if (operation.operationId === 'replaceApprovalRules') await newApprovers(world, client)
    if (operation.operationId === 'createWebhookPortalLink') ids.endpointIds = endpointId
    if (operation.operationId === 'attachSuspense') ids.payinId = (await make.payinId?.(operation)) ?? ''
    // The simulated network must have the payment before it can simulate an outcome.
    if (operation.tag === 'Sandbox' && pathNames(operation).length > 0) await world.work()
    return ids
  }
}

let count = 0

/** The sample with existing ids and an unused reference. */
export function fillIn(
  sample: string,
  operation: ApiOperation,
  body: unknown,
  ids: Record<string, string>,
): string {
  let filled = sample
  for (const name of pathNames(operation))
    filled = filled.replaceAll(pathExample(operation.parameters, name), ids[name] as string)
  const { reference, file, endpointIds, payinId } = (body ?? {}) as {
    reference?: string
    file?: string
    endpointIds?: string[]
    payinId?: string
  }
  if (payinId !== undefined && ids.payinId !== undefined) filled = filled.replaceAll(payinId, ids.payinId)
  if (endpointIds !== undefined)
    filled = filled.replaceAll(endpointIds[0] as string, ids.endpointIds as string)
  if (file !== undefined) filled = filled.replaceAll(file, unheardFile(file))
  count += 1
  return reference === undefined
    ? filled
    : filled.replaceAll(reference, `${reference}-${process.pid}-${count}`)
}

/** The same file of payouts with an unused reference: the same one twice is refused. */
export function unheardFile(file: string): string {
  count += 1
  const text = Buffer.from(file, 'base64').toString()
  return Buffer.from(text.replace('nomina-1', `nomina-${process.pid}-${count}`)).toString('base64')
}
