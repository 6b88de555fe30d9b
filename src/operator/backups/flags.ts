// The flags of recaudo backup, apart from what it does, which is loaded only when it runs.

import type { FlagSpec } from '../usage.ts'

export const VERIFY_FLAGS: FlagSpec = {
  scratch: {
    type: 'string',
    help: 'the address of an empty database to restore into (default: an embedded PostgreSQL, removed afterwards)',
  },
  'without-secrets-key': { type: 'boolean', help: 'SECRETS_KEY is not on this machine: prove the rest' },
}

export const RESTORE_FLAGS: FlagSpec = {
  stopped: {
    type: 'boolean',
    help: 'the service was stopped before the backup was made, and nothing was paid since: hold nothing back',
  },
}

export const HELD_FLAGS: FlagSpec = {
  payments: { type: 'boolean', help: 'one line for each payment, also of batches: its amount and its key' },
}

export const RELEASE_FLAGS: FlagSpec = {
  all: { type: 'boolean', help: 'everything that is held back, instead of a kind and an id' },
}

export const HOLD_FLAGS: FlagSpec = {
  'as-of': {
    type: 'string',
    help: 'the moment that the database went back to, such as 2026-11-17T13:20:00-05:00 (default: long ago)',
  },
}
