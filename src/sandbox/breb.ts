// The simulated Bre-B gateway: collections under single-use keys, transfers, returns and the directory, each by the wire
// format. A reference always names the same thing, so repeating a request changes nothing.

import { maximumInCents } from '../core/connections/rail.ts'
import { parseBrebKey } from '../core/directory/breb-key.ts'
import { isoInstant } from '../core/instant.ts'
import { centsToDecimal } from '../core/money.ts'
import {
  type Collection,
  type CollectionRequest,
  type CollectionStatus,
  DIRECTORY_CODES,
  type Return,
  type ReturnRequest,
  TRANSFER_CODES,
  type Transfer,
  type TransferRequest,
  type TransferStatus,
  type WireKeyType,
} from '../rails/breb/wire.ts'
import {
  canonicalKey,
  isSlow,
  keyRecord,
  keyRefusal,
  merchantRecord,
  participantIsDown,
  SLOW_LOOKUP_MS,
} from './directory.ts'
import { drawnHex } from './faults.ts'
import { type Answer, asCents, asInstant, asObject, asText, failure, notFound, readObject } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import { begin, close } from './outcomes.ts'
import type { Payment, PaymentState } from './records.ts'
import { malformed, newPayment, returnPayment, reused } from './requests.ts'

export function putCollection(context: NetworkContext, reference: string, body: string): Answer {
  const request = readCollectionRequest(body)
  if (request === undefined) return malformed
  const known = context.storage.payment('collection', reference)
  if (known !== undefined)
    return known.request === JSON.stringify(request)
      ? { status: 200, json: collectionOf(context, known) }
      : reused
  const now = context.clock.now()
  const amountInCents = asCents(request.amount) as bigint
  if (amountInCents > maximumInCents('BRE_B', now, 0n)) return failure(422, 'B108', TRANSFER_CODES.B108)
  if (context.storage.collectionOfKey(request.key)?.state === 'open')
    return failure(409, 'KEY_IN_USE', 'another open collection has this key')
  const payment = newPayment('collection', reference, request, now, {
    amountInCents,
    idNumber: request.payer?.idNumber,
    key: request.key,
    expiresAt: asInstant(request.expiresAt) as number,
  })
  begin(context, payment)
  return { status: 201, json: collectionOf(context, payment) }
}

export function getCollection(context: NetworkContext, reference: string): Answer {
  const collection = context.storage.payment('collection', reference)
  return collection === undefined ? notFound() : { status: 200, json: collectionOf(context, collection) }
}

export function deleteCollection(context: NetworkContext, reference: string): Answer {
  const collection = context.storage.payment('collection', reference)
  if (collection === undefined) return notFound()
  return { status: 200, json: collectionOf(context, close(context, collection)) }
}

export function putTransfer(context: NetworkContext, reference: string, body: string): Answer {
  const request = readTransferRequest(body)
  if (request === undefined) return malformed
  const known = context.storage.payment('transfer', reference)
  if (known !== undefined)
    return known.request === JSON.stringify(request) ? { status: 200, json: transferOf(known) } : reused
  const now = context.clock.now()
  const amountInCents = asCents(request.amount) as bigint
  // This node refuses with 200 and an error inside, as some do. It stores nothing of a refused transfer.
  if (amountInCents > maximumInCents('BRE_B', now, 0n)) return failure(200, 'B108', TRANSFER_CODES.B108)
  const refusal = keyRefusal(request.keyType, request.key) ?? ownKeyRefusal(context, request.key)
  if (refusal !== undefined) return failure(200, refusal, DIRECTORY_CODES[refusal])
  const payment = newPayment('transfer', reference, request, now, {
    amountInCents,
    idNumber: request.beneficiary.idNumber,
    key: request.key,
  })
  begin(context, payment)
  return { status: 202, json: transferOf(payment) }
}

export function getTransfer(context: NetworkContext, reference: string): Answer {
  const transfer = context.storage.payment('transfer', reference)
  return transfer === undefined ? notFound() : { status: 200, json: transferOf(transfer) }
}

export function putReturn(context: NetworkContext, reference: string, body: string): Answer {
  const request = readReturnRequest(body)
  if (request === undefined) return malformed
  const traceId = `E2E${drawnHex(context.faults.seed, 'return', reference).slice(0, 24).toUpperCase()}`
  const amountInCents = asCents(request.amount) as bigint
  const order = { reference, paymentId: request.paymentId, amountInCents, traceId }
  const answer = returnPayment(context, 'collection', order)
  if ('refusal' in answer) return answer.refusal
  const json: Return = { reference, status: 'COMPLETED', endToEndId: answer.returned.traceId }
  return { status: answer.isNew ? 201 : 200, json }
}

export async function getKey(context: NetworkContext, keyType: string, text: string): Promise<Answer> {
  const key = canonicalKey(keyType, text)
  if (participantIsDown(key)) return failure(503, 'DIFE-9999', DIRECTORY_CODES['DIFE-9999'])
  if (isSlow(key)) await context.clock.sleep(SLOW_LOOKUP_MS)
  const refusal = keyRefusal(keyType, key) ?? ownKeyRefusal(context, key)
  if (refusal !== undefined) return failure(STATUS[refusal] ?? 400, refusal, DIRECTORY_CODES[refusal])
  const collection = context.storage.collectionOfKey(key)
  if (collection === undefined) return { status: 200, json: keyRecord(keyType as WireKeyType, key) }
  const { merchantName } = JSON.parse(collection.request) as CollectionRequest
  return { status: 200, json: merchantRecord(key, merchantName) }
}

const STATUS: Readonly<Partial<Record<string, number>>> = { 'DIFE-0004': 404, 'DIFE-0005': 422 }

// A single-use key is canceled when its collection ends.
function ownKeyRefusal(context: NetworkContext, key: string): 'DIFE-0004' | undefined {
  const collection = context.storage.collectionOfKey(key)
  return collection === undefined || collection.state === 'open' ? undefined : 'DIFE-0004'
}

function collectionOf(context: NetworkContext, payment: Payment): Collection {
  const arrivals = context.storage.arrivals('collection', payment.reference)
  return {
    reference: payment.reference,
    key: payment.key as string,
    status: COLLECTION_STATUS[payment.state],
    amount: centsToDecimal(payment.amountInCents),
    payments: arrivals.map(({ paymentId, amountInCents, paidAt }) => {
      return { paymentId, amount: centsToDecimal(amountInCents), paidAt: isoInstant(paidAt) }
    }),
    reasonCode: payment.code,
  }
}

function transferOf(payment: Payment): Transfer {
  return {
    reference: payment.reference,
    status: TRANSFER_STATUS[payment.state],
    amount: centsToDecimal(payment.amountInCents),
    endToEndId: payment.traceId,
    reasonCode: payment.code,
  }
}

const COLLECTION_STATUS: Readonly<Record<PaymentState, CollectionStatus>> = {
  open: 'READY',
  paid: 'PAID',
  rejected: 'REJECTED',
  canceled: 'CANCELED',
  expired: 'EXPIRED',
}
const TRANSFER_STATUS: Readonly<Record<PaymentState, TransferStatus>> = {
  open: 'PROCESSING',
  paid: 'COMPLETED',
  rejected: 'REJECTED',
  canceled: 'REJECTED',
  expired: 'REJECTED',
}

function readCollectionRequest(body: string): CollectionRequest | undefined {
  const { key, amount, currency, merchantName, expiresAt, payer } = readObject(body) ?? {}
  const canonical = parseBrebKey(asText(key) ?? '')
  const party = payer === null ? null : readParty(payer)
  if (canonical?.keyType !== 'ALPHANUMERIC' || asCents(amount) === undefined || currency !== 'COP')
    return undefined
  if (asText(merchantName) === undefined || asInstant(expiresAt) === undefined || party === undefined)
    return undefined
  return {
    key: canonical.keyString,
    amount: amount as string,
    currency,
    merchantName: merchantName as string,
    expiresAt: expiresAt as string,
    payer: party,
  }
}

function readTransferRequest(body: string): TransferRequest | undefined {
  const { key, keyType, amount, currency, beneficiary } = readObject(body) ?? {}
  const party = readParty(beneficiary)
  if (asText(key) === undefined || asText(keyType) === undefined || party === undefined) return undefined
  if (asCents(amount) === undefined || currency !== 'COP') return undefined
  return {
    key: canonicalKey(keyType as string, key as string),
    keyType: keyType as WireKeyType,
    amount: amount as string,
    currency,
    beneficiary: party,
  }
}

function readReturnRequest(body: string): ReturnRequest | undefined {
  const { paymentId, amount, currency } = readObject(body) ?? {}
  if (asText(paymentId) === undefined || asCents(amount) === undefined || currency !== 'COP') return undefined
  return { paymentId: paymentId as string, amount: amount as string, currency }
}

function readParty(value: unknown): { idType: string; idNumber: string; name: string } | undefined {
  const { idType, idNumber, name } = asObject(value) ?? {}
  if (asText(idType) === undefined || asText(idNumber) === undefined || asText(name) === undefined)
    return undefined
  return { idType: idType as string, idNumber: idNumber as string, name: name as string }
}
