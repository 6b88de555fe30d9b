// The commands for API keys and OAuth clients.

import type { CommandTable } from './command.ts'

const IDEMPOTENCY = {
  'idempotency-key': { value: 'KEY', help: 'with the same key it is done once, however often you send it' },
} as const
const ID = { name: 'id' } as const
const NAME = { name: { value: 'NAME', help: 'a name for yourself' } } as const
const SCOPES = {
  scopes: {
    value: 'SCOPES',
    help: 'what it may do, separated by commas, such as payins:read,payins:write (default: everything)',
  },
} as const
const EXPIRY = {
  'expires-in-days': { value: 'DAYS', help: 'when it ends (default: not by itself)' },
} as const
const LIMITS = {
  'max-per-second': { value: 'N', help: 'the most requests a second; none takes it away' },
  'allow-from': {
    value: 'ADDRESSES',
    help: 'the only addresses and ranges it may be used from, separated by commas; none allows all',
  },
  'payouts-per-day': { value: 'N', help: 'the most payouts a day; none takes it away' },
  'payout-sum-per-day-in-cents': {
    value: 'CENTS',
    help: 'the most that may be paid out a day; none takes it away',
  },
} as const
const OVERLAP = {
  'overlap-hours': { value: 'HOURS', help: 'how long the one before still works (default 24)' },
} as const

const credentials = () => import('./merchant-credentials.ts')

export const CREDENTIAL_COMMANDS: CommandTable = {
  'api-keys create': {
    group: 'Credentials',
    help: 'make an API key; it is shown once',
    flags: { ...NAME, ...SCOPES, ...EXPIRY, ...LIMITS, ...IDEMPOTENCY },
    example: 'recaudo api-keys create --name "Web shop" --scopes payins:read,payins:write',
    load: async () => (await credentials()).createKey,
  },
  'api-keys list': {
    group: 'Credentials',
    help: 'list your API keys, and the last that have ended',
    flags: {},
    load: async () => (await credentials()).listKeys,
  },
  'api-keys update': {
    group: 'Credentials',
    help: 'change the name or the limits of an API key',
    argument: ID,
    flags: { ...NAME, ...LIMITS },
    load: async () => (await credentials()).updateKey,
  },
  'api-keys roll': {
    group: 'Credentials',
    help: 'replace an API key; both work for a while',
    argument: ID,
    flags: { ...OVERLAP, ...IDEMPOTENCY },
    load: async () => (await credentials()).rollKey,
  },
  'api-keys revoke': {
    group: 'Credentials',
    help: 'end an API key at once and for good',
    argument: ID,
    flags: {},
    load: async () => (await credentials()).revokeKey,
  },
  'oauth-clients create': {
    group: 'Credentials',
    help: 'make an OAuth client; its secret is shown once',
    flags: { ...NAME, ...SCOPES, ...LIMITS, ...IDEMPOTENCY },
    load: async () => (await credentials()).createClient,
  },
  'oauth-clients list': {
    group: 'Credentials',
    help: 'list your OAuth clients, and the last that have ended',
    flags: {},
    load: async () => (await credentials()).listClients,
  },
  'oauth-clients update': {
    group: 'Credentials',
    help: 'change the name or the limits of an OAuth client',
    argument: ID,
    flags: { ...NAME, ...LIMITS },
    load: async () => (await credentials()).updateClient,
  },
  'oauth-clients roll': {
    group: 'Credentials',
    help: 'give an OAuth client a new secret; both work for a while',
    argument: ID,
    flags: { ...OVERLAP, ...IDEMPOTENCY },
    load: async () => (await credentials()).rollClient,
  },
  'oauth-clients revoke': {
    group: 'Credentials',
    help: 'end an OAuth client at once and for good',
    argument: ID,
    flags: {},
    load: async () => (await credentials()).revokeClient,
  },
}
