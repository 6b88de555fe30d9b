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
