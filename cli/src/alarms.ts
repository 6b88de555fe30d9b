// recaudo alarms: problems that only a person can solve, who looks after each, and how it ended.

import type { Alarm, ListAlarmsQuery } from '@recaudo/sdk/administration'
import { callOptions, openAdministration } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { textFlag } from './suspense.ts'
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
    ['id', 'raised', 'kind', 'status', 'taken by', 'subject', 'what'],
    ({ id, createdAt, kind, status, takenBy, subjectId, detail }) => [
      id,
      shownTime(createdAt),
      kind,
      status,
      holderOf(takenBy),
      subjectId,
      detail,
    ],
  )
}

export async function takeAlarm(call: Call): Promise<Shown> {
  return shown(await (await openAdministration()).alarms.take(call.argument, callOptions(call)))
}

export async function resolveAlarm(call: Call): Promise<Shown> {
  const word = textFlag(call, 'word')
  return shown(await (await openAdministration()).alarms.resolve(call.argument, { word }, callOptions(call)))
}

function shown(alarm: Alarm): Shown {
  return {
    json: alarm,
    text: () =>
      fields([
        ['id', alarm.id],
        ['kind', alarm.kind],
        ['status', alarm.status],
        ['what', alarm.detail],
        ['raised', shownTime(alarm.createdAt)],
        ['taken by', holderOf(alarm.takenBy)],
        ['resolved by', holderOf(alarm.resolvedBy)],
        ['resolution', alarm.resolution],
      ]),
  }
}

function holderOf(holder: Alarm['takenBy']): string | null {
  return holder === null ? null : (holder.name ?? holder.id ?? holder.kind)
}
