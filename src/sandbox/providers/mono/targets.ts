// Resolutions: who is behind a key. The answer may come at once or later, and then only a notice tells it: no path to read a resolution is
// known. Its target serves one transfer.

import type { Instant } from '../../../core/instant.ts'
import { type Answer, readObject } from '../../http.ts'
import type { ProviderContext, ProviderRequest } from '../provider.ts'
import { MONO } from './credentials.ts'
import { invalid, notAuthorized, notJson } from './errors.ts'
import { tell } from './events.ts'
import { problemsIn, type Rules, rule } from './fields.ts'
import { newId } from './ids.ts'
import { type KeyType, readKey } from './keys.ts'
import { type Account, accountBehind, type Person, personBehind } from './people.ts'

type ResolutionState = 'created' | 'retrying' | 'resolved' | 'failed'

export type Target = {
  readonly id: string
  readonly creditor: Person
  readonly creditor_account: Account
  readonly key_type: KeyType
  readonly key_value: string
  readonly participant_nit: string
  readonly spbvi: 'CRB'
  readonly payment_id: string | null
  readonly resolution_type: string
  readonly transaction_amount: null
}

type Resolution = {
  readonly id: string
  readonly format: string
  readonly value: string
  readonly state: ResolutionState
  readonly stateReason: string | null
  readonly target: Target | null
}

const SENT: Rules = {
  tenant_account_id: rule.id('bbtacc'),
  format: rule.oneOf('plain_key', 'image', 'emvco', 'emvco_b64'),
  value: rule.keyValue,
  user_requested_at: rule.instant,
}
// How often Mono answers later is not published.
const LATER_SHARE = 0.4
const RETRYING_SHARE = 0.2

export function resolveTarget(context: ProviderContext, { body }: ProviderRequest): Answer {
  const sent = readObject(body)
  if (sent === undefined) return notJson(context)
  const problems = problemsIn(sent, SENT, ['tenant_account_id', 'format', 'value'])
  if (problems.length > 0) return invalid(context, problems)
  if (sent.tenant_account_id !== MONO.accountId) return notAuthorized(context)
  const value = sent.value as string
  const id = newId(context, 'bbtgr', value)
  const asked: Resolution = {
    id,
    format: sent.format as string,
    value,
    state: 'created',
    stateReason: null,
    target: null,
  }
  const now = context.clock.now()
  const share = context.faults.number(id, 'mono resolution')
  const isLater = share < LATER_SHARE
  if (isLater) {
    if (share < RETRYING_SHARE) context.later(now + Math.floor(context.delayMs / 2), 'retry', id)
    context.later(now + context.delayMs, 'resolve', id)
  }
  const resolution = isLater ? asked : resolved(context, asked)
  save(context, resolution, now)
  return { status: isLater ? 202 : 200, json: presentResolution(resolution) }
}

export function continueResolution(context: ProviderContext, task: string, id: string, at: Instant): void {
  const resolution = context.storage.get<Resolution>('resolution', id)
  if (resolution === undefined) return
  save(context, task === 'retry' ? { ...resolution, state: 'retrying' } : resolved(context, resolution), at)
}

// A QR is longer than the 92 characters that a value may have, so this simulator reads none: any other format fails.
function resolved(context: ProviderContext, resolution: Resolution): Resolution {
  const { format, value } = resolution
  const key = format === 'plain_key' ? readKey(value) : ({ failure: 'invalid_key_format' } as const)
  if ('failure' in key) return { ...resolution, state: 'failed', stateReason: key.failure }
  const target: Target = {
    id: newId(context, 'bbtgt', value),
    creditor: personBehind(context, value),
    creditor_account: accountBehind(context, value),
    key_type: key.type,
    key_value: value,
    participant_nit: '900406150',
    spbvi: 'CRB',
    payment_id: null,
    resolution_type: 'plain_key',
    transaction_amount: null,
  }
  context.storage.put('target', target.id, '', target)
  return { ...resolution, state: 'resolved', target }
}

function save(context: ProviderContext, resolution: Resolution, at: Instant): void {
  context.storage.put('resolution', resolution.id, resolution.value, resolution)
  const { value, state } = resolution
  tell(context, value, `target_resolution.${state}`, presentResolution(resolution), at)
}

const presentResolution = ({ id, state, stateReason, target }: Resolution) => ({
  id,
  state,
  state_reason: stateReason,
  target,
})
