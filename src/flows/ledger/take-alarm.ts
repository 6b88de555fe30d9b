// Somebody of the organization's staff takes an alarm, so that others know who looks after it, and resolves it with a word about what
// it was. Whoever has taken it may be away, so anybody with the right resolves it.

import { isoInstant } from '../../core/instant.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Queryable } from '../../store/db.ts'
import {
  type AlarmAddress,
  type AlarmHolder,
  type ListedAlarm,
  lockAlarm,
  updateAlarm,
} from '../../store/ledger/alarms.ts'
import { changeOnce } from '../change-once.ts'
import type { Idempotency, Needs } from '../context.ts'
import { sealText } from '../people/vault.ts'
import { recordAct } from '../record-act.ts'

type AlarmContext = Needs<'actor' | 'clock' | 'ids' | 'db' | 'settings' | 'vault'>
type AlarmIdempotency = (Idempotency<ListedAlarm> & { secret?: boolean }) | null

export function refuseUnknownAlarm(alarmId: string): Refusal {
  return refuse('NOT_FOUND', `No alarm has the id ${alarmId}.`)
}

// Taking twice changes nothing. Somebody else is told who has it.
export function takeAlarm(
  ctx: AlarmContext,
  address: AlarmAddress,
  idempotency: AlarmIdempotency,
): Promise<ListedAlarm | Refusal> {
  return change(ctx, address, idempotency, async (tx, alarm) => {
    const holder = holderOf(ctx)
    if (alarm.takenBy !== null && alarm.takenAt !== null) {
      if (isSame(alarm.takenBy, holder)) return alarm
      const since = isoInstant(alarm.takenAt)
      return refuse('ALARM_TAKEN', `${nameOf(alarm.takenBy)} took the alarm at ${since}.`)
    }
    const taken = { ...alarm, takenBy: holder, takenAt: ctx.clock.now() }
    await write(ctx, tx, address, 'alarm.take', alarm, taken)
    return taken
  })
}

export async function resolveOwnAlarm(
  ctx: AlarmContext,
  address: AlarmAddress,
  word: string,
  idempotency: AlarmIdempotency,
): Promise<ListedAlarm | Refusal> {
  const resolution = sealText(await ctx.vault(address.organizationId), address.alarmId, word)
  return change(ctx, address, idempotency, async (tx, alarm) => {
    const resolved = { ...alarm, resolvedBy: holderOf(ctx), resolvedAt: ctx.clock.now(), resolution }
    await write(ctx, tx, address, 'alarm.resolve', alarm, resolved)
    return resolved
  })
}

async function change(
  ctx: AlarmContext,
  address: AlarmAddress,
  idempotency: AlarmIdempotency,
  changed: (tx: Queryable, alarm: ListedAlarm) => Promise<ListedAlarm | Refusal>,
): Promise<ListedAlarm | Refusal> {
  const { organizationId, alarmId } = address
  return changeOnce(ctx, organizationId, idempotency, async (tx) => {
    const alarm = await lockAlarm(tx, address)
    if (alarm === undefined) return refuseUnknownAlarm(alarmId)
    if (alarm.resolvedAt !== null)
      return refuse('ALARM_RESOLVED', `The alarm was resolved at ${isoInstant(alarm.resolvedAt)}.`)
    return changed(tx, alarm)
  })
}

async function write(
  ctx: AlarmContext,
  tx: Queryable,
  { organizationId, alarmId }: AlarmAddress,
  act: 'alarm.take' | 'alarm.resolve',
  before: ListedAlarm,
  after: ListedAlarm,
): Promise<void> {
  await updateAlarm(tx, organizationId, after)
  await recordAct(ctx, tx, { organizationId, act, objectId: alarmId, before, after })
}

function holderOf({ actor: { kind, id, name } }: Needs<'actor'>): AlarmHolder {
  return { kind, id, name }
}

function isSame(one: AlarmHolder, other: AlarmHolder): boolean {
  return one.kind === other.kind && one.id === other.id
}

export function nameOf({ kind, id, name }: AlarmHolder): string {
  return name ?? id ?? kind
}
