// Examples of API keys and OAuth clients for the documentation.

const NO_LIMITS = {
  maxPerSecond: null,
  allowedAddresses: null,
  payoutsPerDay: null,
  payoutSumPerDayInCents: null,
}
const TIMES = {
  createdAt: '2025-11-07T13:00:00.000Z',
  revokedAt: null,
  lastUsedAt: '2025-11-07T15:20:00.000Z',
}
const create = { name: 'Web shop', scopes: ['payins:read', 'payins:write'], expiresInDays: 365 }
const createLimited = {
  name: 'Payroll',
  scopes: ['payouts:read', 'payouts:write', 'keys:read'],
  allowedAddresses: ['203.0.113.7/32'],
  payoutSumPerDayInCents: 5_000_000_000,
}
const { expiresInDays: _, ...createClient } = create
const secret = 'rk_stg_3fK9xQv1mZ7pT2sW8yB4nC6dE0gH5jL3aR9uI1oX2kM'
const clientSecret = 'rs_stg_7hG2fD9sA4kJ1lP6oI3uY8tR5eW0qZ2xC7vB4nM1bVa'
const key = {
  id: '019a5c50-2b3c-7d4e-8f5a-6b7c8d9e0f1a',
  prefix: 'rk_stg_3fK9xQ…',
  status: 'ACTIVE',
  name: create.name,
  scopes: create.scopes,
  ...NO_LIMITS,
  ...TIMES,
  expiresAt: '2026-11-07T13:00:00.000Z',
}
const client = {
  id: 'rc_stg_9Xk2mQ7vTzLw3bNa',
  status: 'ACTIVE',
  name: create.name,
  scopes: create.scopes,
  ...NO_LIMITS,
  ...TIMES,
  previousSecretUntil: null,
}

export const CREDENTIAL_EXAMPLES = {
  create,
  createLimited,
  createClient,
  key,
  createdKey: { ...key, lastUsedAt: null, secret },
  rolledKey: {
    ...key,
    lastUsedAt: null,
    secret,
    previousKeyId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
    previousKeyUntil: '2025-11-08T13:00:00.000Z',
  },
  revokedKey: { ...key, status: 'REVOKED', revokedAt: '2025-11-07T16:00:00.000Z' },
  client,
  createdClient: { ...client, lastUsedAt: null, secret: clientSecret },
  rolledClient: { ...client, previousSecretUntil: '2025-11-08T13:00:00.000Z', secret: clientSecret },
  revokedClient: { ...client, status: 'REVOKED', revokedAt: '2025-11-07T16:00:00.000Z' },
}
