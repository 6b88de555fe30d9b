// What was approved and is the maker's to do: a form with nothing to type, because what it sends is what was approved.

import { type Approval, documentOf } from '../../core/approvals/approval.ts'
import { isMaker } from '../../core/approvals/decide.ts'
import type { Html } from '../../core/html.ts'
import { html } from '../../core/html.ts'
import type { CredentialAct } from '../../flows/credentials/approval.ts'
import { formFrame } from '../form-frame.ts'
import type { FormCall, FormState } from '../form-state.ts'
import { timeText } from '../format.ts'
import { KIND_PLACES, type Kind } from '../settings/credential-kinds.ts'
import { panel, proofNote } from '../settings/frame.ts'
import type { Visit } from '../visit.ts'
import { actIn } from './change-subject.ts'
import { CHANGE_WORDS } from './change-words.ts'

export function operationOf(act: CredentialAct) {
  const { kind, step } = partsOf(act)
  return KIND_PLACES[kind].operations[step]
}

export function partsOf(act: CredentialAct): { kind: Kind; step: 'create' | 'roll' | 'change' } {
  const [object, step] = act.split('.') as ['apikey' | 'client', 'create' | 'roll' | 'change']
  return { kind: object === 'apikey' ? 'key' : 'client', step }
}

// Also after it was done: a reload sends the same again, and is shown the same secret.
export function isPerformer({ signedIn }: Visit, approval: Approval): boolean {
  const { kind, status } = approval
  return kind === 'credential' && status === 'APPROVED' && isMaker(approval, signedIn.user.userId)
}

export function performHtml(visit: Visit, approval: Approval, form: FormState): Html | false {
  const isOpen = approval.usedAt === null && visit.ctx.clock.now() < approval.lapsesAt
  if (!isOpen || !isPerformer(visit, approval)) return false
  const words = CHANGE_WORDS[visit.language].perform
  const act = actIn(approval)
  const drawn = formFrame(visit, form, {
    action: `/approvals/${approval.approvalId}/${act}`,
    operation: operationOf(act),
    fields: [],
    submit: words.submit[act],
    call: callOf(approval),
  })
  const until = timeText(approval.lapsesAt, visit.ctx.clock.now(), visit.language)
  return panel(words.title, words.text(until), html`${proofNote(visit)}${drawn}`, 'perform')
}

type Limits = Readonly<Record<string, unknown>>

// The call as it was made: anything else would be another request, and wait.
export function callOf(approval: Approval): FormCall {
  const document = documentOf(approval)
  const { kind, step } = partsOf(actIn(approval))
  const params = { [KIND_PLACES[kind].param]: String(document.id) }
  if (step === 'roll') return { params, body: { overlapHours: document.overlapHours } }
  if (step === 'change') return { params, body: limitsBody(document.changes as Limits) }
  const { name, scopes, expiresInDays = null, limits } = document
  return { body: { ...given({ name, scopes, expiresInDays }), ...given(limitsBody(limits as Limits)) } }
}

function given(fields: Limits): Limits {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

// As the operation names them.
function limitsBody({ payoutSumPerDay, ...others }: Limits): Limits {
  if (payoutSumPerDay === undefined) return others
  return {
    ...others,
    payoutSumPerDayInCents: payoutSumPerDay === null ? null : Number(payoutSumPerDay),
  }
}
