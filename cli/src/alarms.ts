// recaudo alarms: problems that only a person can solve.

import type { ListAlarmsQuery } from '@recaudo/sdk/administration'
import { openAdministration } from './client.ts'
import type { Call, Shown } from './command.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { shownTime } from './time.ts'

export async function listAlarms({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const names = {
    status: 'status',
    kind: 'kind',
    'created-from': 'createdFrom',
    'created-to': 'createdTo',
  } as const
  const query = filters(flags, names) as ListAlarmsQuery
  const administration = await openAdministration()
  return listed(
    administration.alarms.list({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'raised', 'kind', 'status', 'subject', 'what'],
    ({ id, createdAt, kind, status, subjectId, detail }) => [
      id,
      shownTime(createdAt),
      kind,
      status,
      subjectId,
      detail,
    ],
  )
}
