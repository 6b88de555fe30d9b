// Receipts of payins, evidence of payouts, and the check of what anybody shows as one. An entry of its own, so that whoever only
// collects and sends does not load it.

import { type CheckedStatement, checkStatement, type StatementKey } from './check-statement.ts'
import { type ClientOptions, type Connection, openConnection } from './connection.ts'
import { type Credentials, readBaseUrl } from './credentials.ts'
import { ConnectionError } from './errors.ts'
import type { CallOptions } from './request.ts'
import type { PayoutEvidence, Receipt } from './schema.ts'

export {
  type CheckedStatement,
  checkStatement,
  type StatementFacts,
  type StatementKey,
} from './check-statement.ts'
export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type { PayoutEvidence, Receipt } from './schema.ts'

/** What changed since the statement was signed. */
export type SinceThen = {
  readonly chargebackAt: string | null
  readonly chargebackAmountInCents: number | null
  /** Of a payout. */
  readonly statusNow: string | null
}

/** `since` is null if the server could not be asked: the signature was checked, and nothing else. */
export type VerifiedStatement = CheckedStatement & { readonly since?: SinceThen | null }

/** The receipts of one organization. */
export class Receipts {
  readonly #connection: Connection

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  /** The receipt of a confirmed payin. */
  ofPayin(payinId: string, options?: CallOptions): Promise<Receipt> {
    return this.#connection.call('GET /payins/{payinId}/receipt', { id: payinId }, options)
  }

  /** What was asked and what the network answered, signed. */
  ofPayout(payoutId: string, options?: CallOptions): Promise<PayoutEvidence> {
    return this.#connection.call('GET /payouts/{payoutId}/evidence', { id: payoutId }, options)
  }
}

/** Every key that has ever signed a receipt. Keep them, and `checkStatement` needs no network. */
export async function fetchReceiptKeys(options: ClientOptions = {}): Promise<StatementKey[]> {
  const { keys } = (await ask(options, '/.well-known/receipt-keys.json', {})) as { keys: StatementKey[] }
  return keys
}

/**
 * Whether a statement is genuine, altered or unknown, and whether it was charged back since. Takes the text of a QR code, an
 * address or the statement itself. With `keys` it also answers while the server is away.
 */
export async function verifyReceipt(
  text: string,
  { keys, ...options }: ClientOptions & { keys?: readonly StatementKey[] } = {},
): Promise<VerifiedStatement> {
  try {
    const body = new URLSearchParams({ statement: text })
    return (await ask(options, '/verify', { method: 'POST', body })) as VerifiedStatement
  } catch (error) {
    if (keys === undefined || !(error instanceof ConnectionError)) throw error
    return { ...(await checkStatement(text, keys)), since: null }
  }
}

async function ask(options: ClientOptions, path: string, init: RequestInit): Promise<unknown> {
  const { timeoutMs = 20_000, fetch: send = fetch } = options
  const baseUrl = readBaseUrl(options.baseUrl)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await send(baseUrl + path, {
      ...init,
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal,
    })
    if (answer.ok) return await answer.json()
    throw new Error(`it answered with status ${answer.status}`)
  } catch (error) {
    const message = `${baseUrl}${path} could not be asked: ${(error as Error).message}.`
    throw new ConnectionError(message, { cause: error })
  }
}
