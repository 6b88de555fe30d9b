// What the tests of the Wompi adapter have in common: a connection to open, orders to hand over, and ways to read answers.

import assert from 'node:assert/strict'
import type { Credentials } from '../../../src/core/connections/connection.ts'
import type { ProviderEnvironment, Use } from '../../../src/core/connections/provider.ts'
import { railReference } from '../../../src/core/connections/reference.ts'
import { firstIdAt } from '../../../src/core/ids.ts'
import type { Limits } from '../../../src/rails/limits.ts'
import type {
  NetworkExchange,
  PayinOrder,
  PayinRail,
  PayoutOrder,
  ProviderRails,
  RailAnswer,
  UnknownKind,
} from '../../../src/rails/rail.ts'
import { openWompi } from '../../../src/rails/wompi/wompi.ts'
import { WOMPI, WOMPI_PAYOUTS } from '../../../src/sandbox/providers/wompi/credentials.ts'

// When the simulator's time begins.
export const NOW = Date.parse('2026-11-16T15:00:00.000Z')
export const ORGANIZATION = '01890a5d-ac96-774b-bcce-b302099a8057'
export const OTHER_ORGANIZATION = '01890a5d-ac96-774b-bcce-b302099a8058'

export const idAt = (instant: number, ordinal = 1): string =>
  firstIdAt(instant).replace(/0000-0000-0{12}$/, `7000-8000-${String(ordinal).padStart(12, '0')}`)
export const payinReference = (ordinal = 1) => railReference('payin', ORGANIZATION, idAt(NOW, ordinal))
export const payoutReference = (ordinal = 1, at = NOW) =>
  railReference('payout', ORGANIZATION, idAt(at, ordinal))

export const PAYMENTS: Credentials = WOMPI
export const PAYOUTS: Credentials = WOMPI_PAYOUTS

export type Opened = ProviderRails &
  AsyncDisposable & {
    exchanges: NetworkExchange[]
    pse: PayinRail
    out: NonNullable<ProviderRails['payouts']>
  }

export function open(
  addresses: { payments?: string; payouts?: string },
  changes: {
    environment?: ProviderEnvironment
    credentials?: Credentials
    previousCredentials?: Credentials
    limits?: Partial<Limits>
    now?: () => number
    record?: (exchange: NetworkExchange) => void
  } = {},
): Opened {
  const { payments, payouts } = addresses
  const exchanges: NetworkExchange[] = []
  const uses: Use[] = [
    ...(payments === undefined ? [] : ['PSE_IN' as const]),
    ...(payouts === undefined ? [] : ['BRE_B_OUT' as const]),
  ]
  const rails = openWompi(
    {
      organizationId: ORGANIZATION,
      environment: changes.environment ?? 'test',
      uses,
      credentials: {
        ...(payments !== undefined && { ...PAYMENTS, paymentsUrl: payments }),
        ...(payouts !== undefined && { ...PAYOUTS, payoutsUrl: payouts }),
        ...changes.credentials,
      },
      previousCredentials: changes.previousCredentials ?? null,
      notificationUrl: 'https://recaudo.example/notifications/1',
    },
    {
      now: changes.now ?? (() => NOW),
      wallClock: () => NOW,
      randomBytes: (count) => Buffer.alloc(count, 7),
      record: changes.record ?? ((exchange) => void exchanges.push(exchange)),
      limits: { pauseFromMs: 1, pauseToMs: 2, ...changes.limits },
    },
  )
  return {
    ...rails,
    exchanges,
    get pse() {
      return rails.payins.PSE as PayinRail
    },
    get out() {
      return rails.payouts as NonNullable<ProviderRails['payouts']>
    },
    [Symbol.asyncDispose]: rails.close,
  }
}

export const CUSTOMER = {
  name: 'Canaria del Campo',
  idType: 'CO_CC',
  idNumber: '1012345678',
  phone: '+573009998877',
  email: 'canaria@example.com',
}
// What no record, and no explanation, may show.
export const PERSONAL = [
  'Canaria',
  '1012345678',
  '3009998877',
  'canaria@example.com',
  '3001234567',
  'ecolon@wompi.com',
  '190.24.1.7',
]
export const SECRETS = [...Object.values(PAYMENTS), ...Object.values(PAYOUTS)].filter(
  (value) => value !== PAYOUTS.payoutsAccountId,
)

export const CONDITIONS = 'http://terms.example/conditions.pdf'
export const PERSONAL_DATA = 'http://terms.example/personal-data.pdf'

export const payinOrder = (changes: Partial<PayinOrder> = {}): PayinOrder => ({
  reference: payinReference(),
  amountInCents: 2_490_000n,
  merchantName: 'Café "La Palma" | Bogotá D.C. — Ñandú',
  expiresAt: NOW + 900_000,
  customer: CUSTOMER,
  device: { ipAddress: '190.24.1.7', userAgent: 'Mozilla/5.0' },
  acceptedTerms: [CONDITIONS, PERSONAL_DATA],
  returnUrl: 'https://pay.example.com/return?x=1',
  source: { rail: 'PSE', bank: 'CO_BANCO_DE_PRUEBAS', personType: 'INDIVIDUAL' },
  ...changes,
})

export const payoutOrder = (changes: Partial<PayoutOrder> = {}): PayoutOrder => ({
  reference: payoutReference(),
  amountInCents: 2_490_000n,
  keyString: '3001234567',
  keyType: 'PHONE',
  customer: CUSTOMER,
  ...changes,
})

export const handle = (
  { reference, amountInCents }: { reference: string; amountInCents: bigint },
  providerId: string | null = null,
) => ({ reference, amountInCents, providerId })

export function accepted<Value>(answer: RailAnswer<Value, string>): Value {
  assert.equal(answer.outcome, 'accepted', text(answer))
  return (answer as { value: Value }).value
}

export function assertUnknown(answer: RailAnswer<unknown, string>, kind: UnknownKind, what?: string): void {
  assert.equal(answer.outcome, 'unknown', `${what} ${text(answer)}`)
  assert.equal(answer.outcome === 'unknown' && answer.kind, kind, `${what} ${text(answer)}`)
  assertNothingPersonal(text(answer))
}

export const rejection = (reason: string, networkCode: string) => ({
  outcome: 'rejected',
  reason,
  networkCode,
})

export const text = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner))

export function assertNothingPersonal(shown: string): void {
  for (const secret of [...PERSONAL, ...SECRETS])
    assert.ok(!shown.includes(secret), `${secret} stands in ${shown}`)
}

// Every exchange is under our full reference, and shows neither a person nor a secret.
export function assertRecords(exchanges: readonly NetworkExchange[], reference: string): void {
  assert.ok(exchanges.length > 0)
  for (const exchange of exchanges) {
    assert.equal(exchange.reference, reference, exchange.operation)
    assertNothingPersonal(JSON.stringify(exchange))
  }
}
