// Asks for the banks, to learn whether the credentials work. It asks past the circuit breaker: whoever has just corrected the
// credentials wants to know now.

import type { Connection, Received } from '../connection.ts'
import type { Limits } from '../limits.ts'
import type { ConnectionCheck } from '../rail.ts'
import { readBanks } from './banks.ts'
import { AUTHENTICATION_FAILED, networkCodeOf } from './codes.ts'
import { readStatus } from './transaction.ts'
import { type Auth, type InformationRequest, RESOURCES } from './wire.ts'

export async function checkSite(
  connection: Connection,
  limits: Limits,
  request: InformationRequest,
  auth: () => { auth: Auth },
): Promise<readonly ConnectionCheck[]> {
  const answer = await connection.send(
    {
      method: 'POST',
      resource: RESOURCES.information,
      id: null,
      reference: '',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...auth(), ...request }),
      shown: request,
    },
    AbortSignal.timeout(limits.queryMs),
  )
  const problem =
    answer.outcome === 'unknown'
      ? answer.kind === 'unreadable'
        ? NOT_A_GATEWAY
        : `The gateway cannot be reached: ${answer.why}. Check its address.`
      : problemOf(answer)
  return [{ what: 'The banks of PSE, asked for with the login and the secret key', problem }]
}

const NOT_A_GATEWAY = 'What answers at this address is not a PlacetoPay gateway. Check the address.'

function problemOf({ status: httpStatus, json }: Received): string | null {
  if (httpStatus >= 200 && httpStatus < 300 && readBanks(json) !== undefined) return null
  if (httpStatus === 429 || httpStatus >= 500)
    return `The gateway has a problem of its own (HTTP ${httpStatus}). Try again later.`
  if (httpStatus === 403)
    return 'The gateway does not serve us (HTTP 403). Ask PlacetoPay whether it takes calls from this machine.'
  const status = readStatus(json)?.status
  if (status === undefined) return NOT_A_GATEWAY
  const code = networkCodeOf(status)
  if (httpStatus === 401 || code === AUTHENTICATION_FAILED) return authenticationProblem(json)
  if (status.status === 'OK') return 'The gateway names no banks. Ask PlacetoPay to enable PSE for this site.'
  return `The gateway does not name its banks (${code}). Ask PlacetoPay whether PSE is enabled for this site.`
}

// The code is in the message: "Authentication failed 102".
function authenticationProblem(json: unknown): string {
  const { message } = (json as { status: { message?: unknown } }).status
  const [, code = ''] = (typeof message === 'string' && /\b(10[0-7])\b/.exec(message)) || []
  return (
    AUTHENTICATION_PROBLEMS[code] ??
    'The gateway does not accept the login and the secret key. Check both, and that they are of this environment.'
  )
}

const NOT_READ =
  'The gateway cannot read how we authenticate. Check that its address is that of the Gateway API.'

const AUTHENTICATION_PROBLEMS: Readonly<Record<string, string>> = {
  '100': NOT_READ,
  '101': 'The gateway does not know this login. Check it, and that it is of this environment.',
  '102': 'The secret key does not belong to this login. Check it, and that it is of this environment.',
  '103': 'The gateway’s clock and ours differ by more than five minutes. Set the clock of this machine.',
  '104': 'The site is inactive. Ask PlacetoPay to activate it.',
  '105': 'The site has expired. Ask PlacetoPay to renew it.',
  '106': 'The credentials have expired. Get new ones from PlacetoPay.',
  '107': NOT_READ,
}
