// The Mono adapter, opened for one test: to the simulated Mono, to a scripted one, or to any address.

import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { Use } from '../../../src/core/connections/provider.ts'
import { type ReferenceKind, railReference } from '../../../src/core/connections/reference.ts'
import type { KeyType } from '../../../src/core/directory/breb-key.ts'
import type { Limits } from '../../../src/rails/limits.ts'
import { openMono } from '../../../src/rails/mono/mono.ts'
import type {
  Directory,
  NetworkExchange,
  PayinOrder,
  PayinRail,
  PaymentHandle,
  PayoutOrder,
  PayoutRail,
  ProviderRails,
  RailAnswer,
  UnknownKind,
} from '../../../src/rails/rail.ts'
import {
  clientId,
  clientSecret,
  tenantAccountId,
  webhookSecret,
} from '../../sandbox/providers/mono-caller.ts'

export const ORGANIZATION = '019a8f3e-0000-7000-8000-00000000000a'
export const NOW = Date.parse('2026-11-16T15:00:00.000Z')
export const AMOUNT = 2_490_000n

export const referenceOf = (kind: ReferenceKind, ordinal = 1): string =>
  railReference(kind, ORGANIZATION, `019a8f3e-1111-7000-8000-${String(ordinal).padStart(12, '0')}`)
export const PAYIN = referenceOf('payin')
export const PAYOUT = referenceOf('payout')
export const OUR_KEY = '@RC0123456789AB'

export const customer = {
  name: 'Canaria del Campo',
  idType: 'CO_CC',
  idNumber: '1.012.345.678',
  phone: '+573009998877',
  email: 'canaria@example.com',
}

export const payinOrder = (changes: Partial<PayinOrder> = {}): PayinOrder => ({
  reference: PAYIN,
  amountInCents: AMOUNT,
  merchantName: 'Panadería La 14',
  expiresAt: NOW + 900_000,
  customer,
  device: null,
  acceptedTerms: [],
  returnUrl: 'https://pay.example.com/return',
  source: { rail: 'BRE_B', keyString: OUR_KEY },
  ...changes,
})

export const payoutOrder = (changes: Partial<PayoutOrder> = {}): PayoutOrder => ({
  reference: PAYOUT,
  amountInCents: AMOUNT,
  keyString: '3001234567',
  keyType: 'PHONE',
  // A passport is not sent along, so the drawn holder of any key is the right one.
  customer: { ...customer, idType: 'PASSPORT', idNumber: 'AB123456' },
  ...changes,
})

export const handle = (reference: string, providerId: string | null = null): PaymentHandle => ({
  reference,
  providerId,
  amountInCents: AMOUNT,
})

export type OpenedMono = ProviderRails &
  AsyncDisposable & {
    readonly payin: PayinRail
    readonly payout: PayoutRail
    readonly exchanges: NetworkExchange[]
  }

export type OpenChanges = {
  readonly uses?: readonly Use[]
  readonly credentials?: Readonly<Record<string, string>>
  readonly previousCredentials?: Readonly<Record<string, string>> | null
  readonly limits?: Partial<Limits>
  readonly now?: () => number
  readonly record?: (exchange: NetworkExchange) => void
}

export function openAt(url: string, changes: OpenChanges = {}): OpenedMono {
  const exchanges: NetworkExchange[] = []
  const { now = () => NOW } = changes
  const rails = openMono(
    {
      organizationId: ORGANIZATION,
      environment: 'test',
      uses: changes.uses ?? ['BRE_B_IN', 'BRE_B_OUT'],
      credentials: {
        clientId,
        clientSecret,
        webhookSecret,
        accountId: tenantAccountId,
        keys: 'ours',
        url,
        ...changes.credentials,
      },
      previousCredentials: changes.previousCredentials ?? null,
      notificationUrl: 'https://recaudo.example.com/notifications',
    },
    {
      now,
      wallClock: now,
      randomBytes: (count) => Buffer.alloc(count),
      record: changes.record ?? ((exchange) => void exchanges.push(exchange)),
      limits: { pauseFromMs: 1, pauseToMs: 2, ...changes.limits },
    },
  )
  return Object.assign(rails, {
    payin: rails.payins.BRE_B as PayinRail,
    payout: rails.payouts as PayoutRail,
    exchanges,
    [Symbol.asyncDispose]: () => rails.close(),
  })
}

// Everything that must not be in a record or in words.
export const PERSONAL = [
  'Canaria',
  '1012345678',
  '1.012.345.678',
  'AB123456',
  '3009998877',
  'canaria@example.com',
  '3001234567',
  clientSecret,
  webhookSecret,
]

export const recorded = ({ exchanges }: OpenedMono): string[] =>
  exchanges.filter(({ operation }) => !operation.endsWith('/oauth/token')).map(({ operation }) => operation)

export function acceptedValue<Value>(answer: RailAnswer<Value, string>): Value {
  assert.ok(answer.outcome === 'accepted', inspect(answer))
  return answer.value
}

export function assertUnknown(answer: RailAnswer<unknown, string>, kind: UnknownKind, what?: string): void {
  assert.ok(answer.outcome === 'unknown', `${what}: ${inspect(answer)}`)
  assert.equal(answer.kind, kind, `${what}: ${answer.why}`)
  for (const secret of PERSONAL) assert.ok(!answer.why.includes(secret), answer.why)
}

// Mono may answer later, and each call is drawn anew.
export async function lookUpUntilAnswered(directory: Directory, keyString: string, keyType: KeyType) {
  for (let calls = 1; ; calls += 1) {
    const answer = await directory.lookUp(keyString, keyType)
    if (answer.outcome !== 'unknown' || calls === 20) return answer
    assertUnknown(answer, 'timeout')
  }
}
