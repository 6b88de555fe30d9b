// What staff do with an alarm: take it, and resolve it with a word.

import { isUuid } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { refuseUnknownAlarm, resolveOwnAlarm, takeAlarm } from '../../flows/ledger/take-alarm.ts'
import type { AlarmAddress, ListedAlarm } from '../../store/ledger/alarms.ts'
import { type ApiAnswer, type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { Text } from '../http/schema.ts'
import { ALARM_EXAMPLE, AlarmObject, presentAlarm } from './alarms.ts'

export const RESOLUTION_MAX_LENGTH = 1_000

const WRITE = { scope: 'alarms:write', shown: 'apiKey' } as const
const ALARM_ID = { alarmId: { description: 'Identifier of the alarm.', example: ALARM_EXAMPLE.id } }

const TAKEN = {
  ...ALARM_EXAMPLE,
  takenBy: { kind: 'person', id: '019a5c3e-0000-7000-8000-0000000000aa', name: 'Ana Gómez' },
  takenAt: '2025-11-08T13:10:00.000Z',
}
const RESOLVED = {
  ...TAKEN,
  status: 'RESOLVED',
  resolvedAt: '2025-11-08T14:00:00.000Z',
  resolvedBy: TAKEN.takenBy,
  resolution: 'The bank confirmed that it was paid.',
}

export const ResolveAlarm = Type.Object({
  word: Text(RESOLUTION_MAX_LENGTH, {
    description: 'What it was and what was done, for whoever looks later. It is kept sealed.',
    examples: [RESOLVED.resolution],
  }),
})

export const takeAlarmOperation: Operation = {
  method: 'POST',
  path: '/alarms/{alarmId}/take',
  operationId: 'takeAlarm',
  tag: 'Ledger',
  summary: 'Take an alarm',
  description:
    'Says that you look after it, so that nobody else does the same. Taking it twice changes nothing; somebody else is told who has it.',
  access: WRITE,
  act: 'alarm.take',
  params: ALARM_ID,
  success: {
    status: 200,
    description: 'The alarm, with whoever has it.',
    schema: AlarmObject,
    examples: { taken: { summary: 'Taken', value: TAKEN } },
  },
  refusals: ['NOT_FOUND', 'ALARM_TAKEN', 'ALARM_RESOLVED'],
  idempotent: true,
  handle: (request) =>
    changed(request, (address, idempotency) => takeAlarm(request.ctx, address, idempotency)),
}

export const resolveAlarmOperation: Operation = {
  method: 'POST',
  path: '/alarms/{alarmId}/resolve',
  operationId: 'resolveAlarm',
  tag: 'Ledger',
  summary: 'Resolve an alarm',
  description:
    'Says what it was, and that nobody needs to look any more. Whoever has taken it, anybody with the scope resolves it. It moves no money and changes no payment.',
  access: WRITE,
  act: 'alarm.resolve',
  params: ALARM_ID,
  body: {
    schema: ResolveAlarm,
    required: true,
    examples: { word: { summary: 'With a word', value: { word: RESOLVED.resolution } } },
  },
  success: {
    status: 200,
    description: 'The alarm, resolved.',
    schema: AlarmObject,
    examples: { resolved: { summary: 'Resolved', value: RESOLVED } },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'ALARM_RESOLVED'],
  idempotent: true,
  handle: (request) => {
    const { word } = request.body as Static<typeof ResolveAlarm>
    return changed(request, (address, idempotency) =>
      resolveOwnAlarm(request.ctx, address, word, idempotency),
    )
  },
}

type Change = (
  address: AlarmAddress,
  idempotency: Parameters<typeof takeAlarm>[2],
) => Promise<ListedAlarm | Refusal>

async function changed(request: ApiRequest, change: Change): Promise<ApiAnswer | Refusal> {
  const { ctx, caller, params } = request
  const alarmId = (params.alarmId ?? '').toLowerCase()
  if (!isUuid(alarmId)) return refuseUnknownAlarm(params.alarmId ?? '')
  const { organizationId } = caller.organization
  const vault = await ctx.vault(organizationId)
  const answer = renderOnce((alarm: ListedAlarm) => json(200, presentAlarm(alarm, vault)))
  // A recorded answer holds the word, which is kept sealed.
  const idempotency = request.idempotency && { ...request.idempotency, answer, secret: true }
  const alarm = await change({ organizationId, alarmId }, idempotency)
  return isRefusal(alarm) ? alarm : answer(alarm)
}
