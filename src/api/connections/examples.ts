// The connections that the documentation shows.

import { presentProvider } from './schema.ts'

const create = {
  name: 'Wompi, main account',
  provider: 'wompi',
  environment: 'test',
  uses: ['PSE_IN'],
  credentials: {
    publicKey: 'pub_test_example',
    privateKey: 'prv_test_example',
    eventsSecret: 'test_events_example',
    integritySecret: 'test_integrity_example',
  },
  enabled: false,
}

const createMono = {
  name: 'Mono',
  provider: 'mono',
  environment: 'test',
  uses: ['BRE_B_IN', 'BRE_B_OUT'],
  credentials: {
    clientId: 'example-client',
    clientSecret: 'example-secret',
    webhookSecret: 'whsec_example',
    accountId: 'bbtacc_0123456789abcdefghijkl',
    keys: 'theirs',
  },
  priority: 10,
  maximumInCents: 500_000_000,
  enabled: false,
}

const id = '019a5c45-6f70-7b92-9da4-0e1f2a3b4c5d'

const connection = {
  id,
  name: create.name,
  provider: create.provider,
  environment: create.environment,
  uses: create.uses,
  priority: 100,
  minimumInCents: null,
  maximumInCents: null,
  enabled: false,
  credentials: [
    { name: 'publicKey', isSet: true, value: 'pub_test_example' },
    { name: 'privateKey', isSet: true, value: null },
    { name: 'eventsSecret', isSet: true, value: null },
    { name: 'integritySecret', isSet: true, value: null },
    { name: 'payoutsApiKey', isSet: false, value: null },
    { name: 'payoutsUserPrincipalId', isSet: false, value: null },
    { name: 'payoutsAccountId', isSet: false, value: null },
    { name: 'payoutsEventsSecret', isSet: false, value: null },
    { name: 'paymentsUrl', isSet: false, value: 'https://sandbox.wompi.co/v1' },
    { name: 'payoutsUrl', isSet: false, value: 'https://api.sandbox.payouts.wompi.co' },
  ],
  notificationUrl: `http://127.0.0.1:4000/notifications/019a5c3e-0000-7000-8000-000000000001/${id}`,
  previousCredentialsUntil: null,
  createdAt: '2025-11-07T13:00:00.000Z',
  updatedAt: '2025-11-07T13:00:00.000Z',
}

export const CONNECTION_EXAMPLES = {
  create,
  createMono,
  connection,
  tested: { passed: true, checks: [{ what: 'public key', problem: null }] },
  failed: {
    passed: false,
    checks: [
      { what: 'public key', problem: null },
      { what: 'private key', problem: 'Wompi refuses it' },
    ],
  },
  banks: {
    banks: [{ code: 'CO_BANCOLOMBIA', name: 'Bancolombia', providerCode: '1007' }],
    unmapped: [{ providerCode: '1', name: 'Banco que aprueba' }],
  },
  providers: { data: [presentProvider('placetopay')] },
}
