// The alarms of an organization: problems that only a person can solve, open and resolved.

import { ACTOR_KINDS } from '../../core/audit/actor.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { ALARM_KINDS } from '../../core/ledger/alarm.ts'
import { isRefusal } from '../../core/refusal.ts'
import { openText, type Vault } from '../../flows/people/vault.ts'
import { type AlarmFilters, alarmList, type ListedAlarm } from '../../store/ledger/alarms.ts'
import { json, type Operation } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, PageInfoObject, readPage, TIME_QUERY } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Uuid } from '../http/schema.ts'

const Status = (description: string) => OneOf(['OPEN', 'RESOLVED'] as const, { description })
const Kind = (description: string) => OneOf(ALARM_KINDS, { description })

const Holder = (description: string) =>
  Nullable(
    Type.Object(
      {
        kind: OneOf(ACTOR_KINDS),
        id: Nullable(Type.String({ description: 'The person, API key or client; null for an operator.' })),
        name: Nullable(Type.String({ description: 'As people call them.' })),
      },
      { description },
    ),
  )

export const AlarmObject = Type.Object({
  id: Uuid('Identifier of the alarm.'),
  kind: Kind('What it is about.'),
  status: Status(
    '`RESOLVED`: your staff or whoever runs the service has dealt with it, or it ended by itself.',
  ),
  subjectId: Uuid('The payin, payout or other object that it is about.'),
  detail: Type.String({ description: 'What is wrong, in words.' }),
  createdAt: DateTime('When it was raised.'),
  takenBy: Holder('Who looks after it, or null.'),
  takenAt: Nullable(DateTime('When they took it, or null.')),
  resolvedAt: Nullable(DateTime('When it was resolved, or null.')),
  resolvedBy: Holder('Who of your staff resolved it, or null.'),
  resolution: Nullable(Type.String({ description: 'Their word about it, or null.' })),
})
export const AlarmList = Type.Object({ data: Type.Array(AlarmObject), pageInfo: PageInfoObject })

export const ALARM_EXAMPLE = {
  id: '019a5c45-0000-7000-8000-000000000003',
  kind: 'payout-unresolved',
  status: 'OPEN',
  subjectId: '019a5c3f-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
  detail: 'The network has not said for a day what became of it.',
  createdAt: '2025-11-08T13:02:00.000Z',
  takenBy: null,
  takenAt: null,
  resolvedAt: null,
  resolvedBy: null,
  resolution: null,
}

const ListAlarmsQuery = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(Status('Only open ones, or only resolved ones.')),
  kind: Type.Optional(Kind('Only this kind.')),
  ...TIME_QUERY,
})

export const listAlarmsOperation: Operation = {
  method: 'GET',
  path: '/alarms',
  operationId: 'listAlarms',
  tag: 'Ledger',
  summary: 'List alarms',
  description:
    'Problems that only a person can solve, newest first: networks that contradict themselves or stay silent, differences between the books and a network’s record, and what looks like abuse of a credential. Your staff takes and resolves them, or whoever runs the service does.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  query: ListAlarmsQuery,
  success: {
    status: 200,
    description: 'A page of alarms.',
    schema: AlarmList,
    examples: {
      page: {
        summary: 'A page',
        value: {
          data: [ALARM_EXAMPLE],
          pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
        },
      },
    },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, status, kind, ...range } = query as Static<typeof ListAlarmsQuery>
    const { organizationId } = caller.organization
    const filters: AlarmFilters = {
      ...(status !== undefined && { isOpen: status === 'OPEN' }),
      ...(kind !== undefined && { kind }),
      ...idBounds(range),
    }
    const page = await readPage(
      {
        ...alarmList(ctx.db, organizationId, filters),
        idOf: ({ alarmId }: ListedAlarm) => alarmId,
      },
      { key: ctx.settings.keys.cursor, context: `alarms ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    const vault = await ctx.vault(organizationId)
    return json(200, {
      data: page.rows.map((alarm) => presentAlarm(alarm, vault)),
      pageInfo: page.pageInfo,
    })
  },
}

export function presentAlarm(alarm: ListedAlarm, vault: Vault): Record<string, unknown> {
  const { alarmId: id, kind, subjectId, detail, createdAt, resolvedAt, resolution } = alarm
  return {
    id,
    kind,
    status: resolvedAt === null ? 'OPEN' : 'RESOLVED',
    subjectId,
    detail,
    createdAt: isoInstant(createdAt),
    takenBy: alarm.takenBy,
    takenAt: isoOrNull(alarm.takenAt),
    resolvedAt: isoOrNull(resolvedAt),
    resolvedBy: alarm.resolvedBy,
    resolution: resolution === null ? null : openText(vault, id, resolution),
  }
}
