// The commands for the audit log and the request log.

import type { CommandTable } from './command.ts'

const LIMIT = { limit: { value: 'N', help: 'how many at most (default 10)' } } as const
const SINCE = {
  since: { value: 'TIME', help: 'only since then: 10m, 2d, 2026-11-15T08:00:00-05:00' },
} as const
const FILTERS = {
  actor: { value: 'ID', help: 'only by this person, API key or client' },
  act: { value: 'NAME', help: 'only this act, such as webhook.change' },
  object: { value: 'ID', help: 'only about the thing with this id' },
  outcome: { value: 'OUTCOME', values: ['done', 'refused'], help: 'done or refused' },
  ...SINCE,
} as const

const audit = () => import('./audit.ts')

export const AUDIT_COMMANDS: CommandTable = {
  'audit list': {
    group: 'Audit',
    help: 'show who did what, newest first',
    flags: { ...FILTERS, ...LIMIT },
    example: 'recaudo audit list --outcome refused --since 1d',
    load: async () => (await audit()).listAudit,
  },
  'audit export': {
    group: 'Audit',
    help: 'print all entries, one JSON object a line',
    flags: FILTERS,
    example: 'recaudo audit export --since 30d > audit.jsonl',
    load: async () => (await audit()).exportAudit,
  },
  'requests list': {
    group: 'Audit',
    help: 'show what was asked of the API, newest first',
    flags: {
      status: { value: 'CODE', help: 'only with this answer, such as 422' },
      method: {
        value: 'METHOD',
        values: ['POST', 'PATCH', 'PUT', 'DELETE', 'GET'],
        help: 'only this method',
      },
      object: { value: 'ID', help: 'only about the thing with this id' },
      key: { value: 'ID', help: 'only with this API key or client' },
      ...SINCE,
      ...LIMIT,
    },
    load: async () => (await audit()).listRequests,
  },
}
