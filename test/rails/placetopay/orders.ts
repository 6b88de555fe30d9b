// An order and its transaction at PlacetoPay, for tests to alter, and the adapter opened for them.

import { railReference } from '../../../src/core/connections/reference.ts'
import { openPlacetopay } from '../../../src/rails/placetopay/placetopay.ts'
import type { ProviderDependencies, ProviderSettings } from '../../../src/rails/provider.ts'
import type { PayinOrder, PayinRail, PaymentHandle, ProviderRails } from '../../../src/rails/rail.ts'

export const ORGANIZATION = '0198c0de-0000-7000-8000-00000000a001'
export const PAYIN = '0198c0de-0000-7000-8000-0000000000f1'
export const REFERENCE = railReference('payin', ORGANIZATION, PAYIN)
export const SHORT_REFERENCE = PAYIN.replaceAll('-', '')
export const NOW = Date.UTC(2026, 10, 15, 13)

export const customer = {
  name: 'Canaria María del Campo Ruiz',
  idType: 'CO_CC',
  idNumber: '1012345678',
  phone: '+573009998877',
  email: 'canaria@example.com',
}

export const order: PayinOrder = {
  reference: REFERENCE,
  amountInCents: 8_000_050n,
  merchantName: 'La "14" | Cali',
  expiresAt: Date.UTC(2026, 10, 15, 13, 15),
  customer,
  device: { ipAddress: '203.0.113.77', userAgent: 'CanaryBrowser/5.0' },
  acceptedTerms: [],
  returnUrl: 'https://pay.example.com/return?canary=1',
  source: { rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
}

export const handle = (providerId: string | null): PaymentHandle => ({
  reference: REFERENCE,
  providerId,
  amountInCents: order.amountInCents,
})

export const PAGE = 'https://bank.example.com/start?token=canary'

export const transaction = {
  status: {
    status: 'PENDING',
    reason: '?-',
    message: 'Canaria del Campo',
    date: '2026-11-15T08:00:00-05:00',
  },
  internalReference: 438072,
  reference: SHORT_REFERENCE,
  franchise: 'pse',
  issuerName: 'BANCOLOMBIA',
  amount: { currency: 'COP', total: 80_000.5 },
  authorization: null,
  receipt: null,
  type: 'AUTH_ONLY',
  refunded: false,
  provider: 'ACH',
  processorFields: {},
  additional: { trazabilyCode: '316158023' },
  redirection: { processURL: PAGE, returnURL: order.returnUrl },
}

export const inState = (status: string, reason: unknown = '00') => ({
  ...transaction,
  status: { ...transaction.status, status, reason },
  redirection: null,
})

export const bankList = {
  status: { status: 'OK', reason: '00', message: 'OK', date: '2026-11-15T08:00:00-05:00' },
  provider: 'ACH',
  serviceCode: '_PSE_',
  requireRedirection: true,
  bankList: [
    { code: '0', description: 'A continuación seleccione su banco' },
    { code: '1007', description: 'BANCOLOMBIA' },
    { code: '1022', description: 'BANCO UNION COLOMBIANO ' },
  ],
}

export const credentials = (url: string) => ({
  login: 'canary-site',
  secretKey: 'canary-secret-key',
  url,
})

let drawn = 0

/** Every call gets random bytes of its own. */
export function open(
  settings: Partial<ProviderSettings> & { credentials: ProviderSettings['credentials'] },
  dependencies: Partial<ProviderDependencies> = {},
): ProviderRails & AsyncDisposable & { pse: PayinRail } {
  const rails = openPlacetopay(
    {
      organizationId: ORGANIZATION,
      environment: 'test',
      uses: ['PSE_IN'],
      previousCredentials: null,
      notificationUrl: 'https://pay.example.com/notifications/connections/1',
      ...settings,
    },
    {
      now: () => NOW,
      wallClock: () => NOW,
      randomBytes: (count) => {
        drawn += 1
        return Buffer.from(String(drawn).padStart(count, '0'))
      },
      record: () => {},
      limits: { pauseFromMs: 1, pauseToMs: 2 },
      ...dependencies,
    },
  )
  return { ...rails, pse: rails.payins.PSE as PayinRail, [Symbol.asyncDispose]: rails.close }
}
