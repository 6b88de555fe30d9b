// Bold's PSE payments behind the port: the example of the guide "Writing an adapter". The service does not use it, and it was never
// tried on Bold's own machines.

import { timingSafeEqual } from 'node:crypto'
import type { PayinErrorCode } from '../../src/core/payins/payin.ts'
import { byHeaders } from '../../src/rails/authorization.ts'
import type { Refused } from '../../src/rails/gateway.ts'
import { isOwnReference, type OpenProvider, openGateway, paymentIdOf } from '../../src/rails/provider.ts'
import type * as port from '../../src/rails/rail.ts'
import * as format from '../../src/rails/wire-format.ts'
import * as wire from './wire.ts'

type Submitted = port.RailAnswer<port.OpenedPayin, PayinErrorCode>
type Standing = port.Accepted<port.RailPayinStatus> | port.Unknown

export const openBold: OpenProvider = (settings, dependencies) => {
  const { organizationId, uses, credentials, previousCredentials } = settings
  const { identityKey = '', url = wire.BOLD_URL } = credentials
  const proof = byHeaders({ authorization: `x-api-key ${identityKey}` })
  const { gateway, connection, limits } = openGateway('PSE', url, proof, wire.readRefusal, dependencies)

  const get = (resource: string, id: string | null) =>
    gateway.ask({ method: 'GET', resource, id, deadlineMs: limits.queryMs, mayAskAgain: true })
  // Never repeated by itself: a second order may be a second payment.
  const post = (resource: string, reference: string, body: object) => {
    const call = { method: 'POST', resource, id: null, reference, body } as const
    return gateway.ask({ ...call, deadlineMs: limits.submitMs, mayAskAgain: false })
  }

  // Asks by our own reference, so it also finds an order whose answer was lost.
  const query = async ({ reference, providerId, amountInCents }: port.PaymentHandle): Promise<Standing> => {
    const reply = await get('/v1/payment', reference)
    if (reply.outcome === 'unknown') return reply
    // Once Bold has given us an id, "not found" settles nothing.
    if (reply.outcome === 'refused')
      return reply.httpStatus === 404 && providerId === null ? NOT_FOUND : format.undecided(reply)
    const payment = wire.readPayment(reply.body)?.payload
    if (payment?.reference_id !== reference) return format.unreadable('the answer is about another payment')
    return statusOf(payment, amountInCents)
  }

  // What an earlier order of this payin has become. Undefined: a search found none.
  const madeBefore = async (order: port.PayinOrder): Promise<Submitted | undefined> => {
    const found = await query({ ...order, providerId: null })
    if (found.outcome === 'unknown') return found
    const status = found.value
    if (status.state === 'ended')
      return status.how === 'not-found' ? undefined : rejected(status.reason, status.networkCode)
    if (status.state === 'open' && status.opened !== undefined) return accepted(status.opened)
    // A paid one was taken too. The next query tells that it is paid.
    return format.opened({ isReady: false })
  }

  const submit = async (order: port.PayinOrder): Promise<Submitted> => {
    const requests = wire.requestsOf(order)
    if (typeof requests === 'string') return rejected('RAIL_ERROR', requests)
    const intent = await post('/v1/payment-intent', order.reference, requests.intent)
    if (intent.outcome === 'unknown') return intent
    if (intent.outcome === 'refused') {
      const before = await madeBefore(order)
      // 409: an earlier try used the reference. If it came no further, nobody has a page to pay on, and we go on.
      if (before !== undefined || intent.httpStatus !== 409) return before ?? refused(intent)
    }
    const reply = await post('/v1/payment', order.reference, requests.payment)
    if (reply.outcome === 'unknown') return reply
    if (reply.outcome === 'refused') return (await madeBefore(order)) ?? refused(reply)
    const made = wire.readMade(reply.body)?.payload
    return made === undefined ? format.unreadable('the answer is not a payment') : openedBy(made, url)
  }

  const banks = async (): Promise<port.Accepted<readonly port.ProviderBank[]> | port.Unknown> => {
    const reply = await get('/v1/payment/pse/banks', null)
    if (reply.outcome === 'unknown') return reply
    if (reply.outcome === 'refused') return format.undecided(reply)
    const list = wire.readBanks(reply.body)?.payload.banks
    if (list === undefined) return format.unreadable('the answer is not a list of banks')
    return accepted(list.map((bank) => ({ code: String(bank.bank_code), name: bank.bank_name })))
  }

  const check = async (): Promise<port.ConnectionCheck[]> => {
    const answer = await banks()
    const problem = answer.outcome === 'unknown' ? `Bold does not name its banks: ${answer.why}.` : null
    return [{ what: 'identity key', problem }]
  }

  const isUsed = uses.includes('PSE_IN')
  const secrets = [credentials, previousCredentials ?? {}].flatMap(({ secretKey }) => secretKey ?? [])
  return {
    payins: isUsed ? { PSE: { submit, query, cancel: query, returnPayment: null } } : {},
    payouts: null,
    directory: null,
    banks: isUsed ? banks : null,
    terms: null,
    statement: {},
    isAway: (use) => use === 'PSE_IN' && gateway.isAway(),
    check: isUsed ? check : async () => [],
    readHint: boldHints(organizationId, secrets),
    close: connection.close,
  }
}

// A notification only makes us ask. In test mode Bold signs with an empty key, as anybody could: that proves nothing.
export function boldHints(organizationId: string, secrets: readonly string[]): port.ReadHint {
  return (headers, body) => {
    const signature = headers['x-bold-signature']
    if (typeof signature !== 'string' || !secrets.some((secret) => isSigned(secret, body, signature)))
      return undefined
    const event = wire.readEvent(body)
    if (event === undefined) return { fault: 'the notification is not about a sale' }
    const reference = event.data.metadata?.reference ?? ''
    return isOwnReference('payin', organizationId, reference)
      ? { ask: [{ kind: 'payin', reference }], kind: event.type }
      : { ignored: `${event.type} is about a sale that was made elsewhere` }
  }
}

function isSigned(secret: string, body: Buffer, signature: string): boolean {
  const expected = Buffer.from(wire.boldSignature(secret, body))
  const presented = Buffer.from(signature)
  return secret !== '' && presented.length === expected.length && timingSafeEqual(presented, expected)
}

function openedBy(made: wire.Made, baseUrl: string): Submitted {
  const meaning = wire.meaningOfStatus(made.status)
  if (meaning === undefined) return doubt(made.status)
  if (meaning === 'declined') return rejected('BANK_DECLINED', made.status)
  const pageUrl = made.next_actions?.redirect_url ?? null
  if (pageUrl !== null && !format.isSafePageUrl(pageUrl, baseUrl))
    return format.unreadable('the bank’s page has no address a payer may be sent to')
  return format.opened({ ...idsOf(made), pageUrl, isReady: pageUrl !== null })
}

function statusOf(payment: wire.Payment, expectedInCents: bigint): Standing {
  const { status: networkCode } = payment
  const meaning = wire.meaningOfStatus(networkCode)
  const amountInCents = BigInt(payment.amount.total_amount) * 100n
  const paid = { amountInCents, paymentId: idsOf(payment).traceId }
  // Whatever was paid counts. Our books compare it with what was asked for.
  if (meaning === 'paid') return accepted({ state: 'paid', payments: [paid], networkCode })
  if (amountInCents !== expectedInCents) return format.unreadable('the payment has another amount')
  if (meaning === undefined) return doubt(networkCode)
  if (meaning === 'declined')
    return accepted({ state: 'ended', how: 'declined', reason: 'BANK_DECLINED', networkCode })
  // Only the first answer names the bank's page. If that was lost, nobody can pay, and the payin expires.
  return accepted({ state: 'open', opened: format.opened({ ...idsOf(payment), isReady: false }).value })
}

const idsOf = ({ transaction_id: id }: { transaction_id: string }) => ({
  providerId: id,
  traceId: paymentIdOf('bold', id),
})

const accepted = <Value>(value: Value): port.Accepted<Value> => ({ outcome: 'accepted', value })
const NOT_FOUND: Standing = accepted({
  state: 'ended',
  how: 'not-found',
  reason: 'EXPIRED',
  networkCode: 'NOT_FOUND',
})

function rejected(reason: PayinErrorCode, networkCode: string): port.Rejected<PayinErrorCode> {
  return { outcome: 'rejected', reason, networkCode }
}

// Final only with a status that leaves no doubt, and only after a search.
function refused(reply: Refused): Submitted {
  return format.refusedOrder<PayinErrorCode>(reply, undefined, 'RAIL_ERROR', format.ORDER_REFUSED)
}

function doubt(status: string): port.Unknown {
  return { outcome: 'unknown', kind: 'undecided', why: `${status} does not say whether money moved` }
}
