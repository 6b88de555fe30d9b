// A merchant decides about its own money in suspense. Another organization's item does not exist for it, and no answer says where else
// a payment is counted. An unknown answer of the network is told as it is: the item is RETURNING, and asking again uses the same reference.

import { isRefusal, type Refusal, refuse, refuseFields } from '../../core/refusal.ts'
import { sqlState, UNIQUE_VIOLATION } from '../../store/db.ts'
import {
  getSuspenseItem,
  lockSuspenseItem,
  type SuspenseAddress,
  type SuspenseItem,
  setSuspenseNote,
} from '../../store/ledger/suspense.ts'
import { recordAnswer } from '../change-once.ts'
import { AnsweredBefore, type Idempotency, type Needs } from '../context.ts'
import { sealText } from '../people/vault.ts'
import { refuseUnapprovedReturn } from './approval.ts'
import {
  attachSuspense,
  type Clearing,
  type OnDecided,
  recordClearing,
  returnSuspense,
} from './clear-suspense.ts'

type DecisionContext = Needs<
  'actor' | 'clock' | 'ids' | 'db' | 'batched' | 'networks' | 'settings' | 'signals'
>
type ItemIdempotency = (Idempotency<SuspenseItem> & { secret?: boolean }) | null

export function refuseUnknownSuspense(suspenseId: string): Refusal {
  return refuse('NOT_FOUND', `No money in suspense has the id ${suspenseId}.`)
}

// Where the rules say so, once other people have approved it. The operator's own command (`recaudo suspense return`) asks nobody.
export async function returnOwnSuspense(
  ctx: DecisionContext & Needs<'signals'>,
  address: SuspenseAddress,
  idempotency: ItemIdempotency,
): Promise<SuspenseItem | Refusal> {
  const outcome = await decide(ctx, address, idempotency, (onDecided) =>
    returnSuspense(ctx, address, onDecided, (tx, item) => refuseUnapprovedReturn(ctx, tx, item)),
  )
  if (isRefusal(outcome)) ctx.signals.workAdded('events', address.organizationId)
  return outcome
}

export function attachOwnSuspense(
  ctx: DecisionContext,
  address: SuspenseAddress,
  payinId: string,
  idempotency: ItemIdempotency,
): Promise<SuspenseItem | Refusal> {
  return decide(ctx, address, idempotency, (onDecided) => attachSuspense(ctx, address, payinId, onDecided))
}

async function decide(
  ctx: DecisionContext,
  address: SuspenseAddress,
  idempotency: ItemIdempotency,
  clear: (onDecided: OnDecided | undefined) => Promise<Clearing>,
): Promise<SuspenseItem | Refusal> {
  const { organizationId } = address
  // A key that another request has used must be found before any money leaves, not after.
  if (idempotency !== null && (await ctx.batched.getRecord({ organizationId, key: idempotency.key })))
    throw new AnsweredBefore()
  const onDecided: OnDecided | undefined =
    idempotency === null ? undefined : (tx, item) => recordAnswer(ctx, tx, organizationId, idempotency, item)
  try {
    const clearing = await clear(onDecided)
    ctx.signals.workAdded('shown', organizationId)
    if (!('problem' in clearing)) return clearing.item
    return clearing.why === 'UNANSWERED' && clearing.item !== undefined
      ? ((await getSuspenseItem(ctx.db, address)) ?? clearing.item)
      : refusalOf(address, clearing)
  } catch (error) {
    if (idempotency !== null && sqlState(error) === UNIQUE_VIOLATION) throw new AnsweredBefore()
    throw error
  }
}

function refusalOf(
  { suspenseId }: SuspenseAddress,
  { why, problem, item, refusal }: Extract<Clearing, { problem: string }>,
): Refusal {
  if (refusal !== undefined) return refusal
  if (item === undefined || why === 'NO_SUCH_ITEM') return refuseUnknownSuspense(suspenseId)
  if (why === 'NO_SUCH_PAYIN') {
    const message = 'must be the id of a payin of the organization'
    return refuseFields([{ path: '/payinId', code: 'NOT_ALLOWED', message }])
  }
  if (why === 'CANNOT_RETURN')
    return refuse(
      'RETURN_REFUSED',
      'The provider that took the money cannot send it back: pay the payer yourself, or attach it.',
    )
  if (why === 'NOT_RETURNED') return refuse('RETURN_REFUSED', asSentence(problem))
  if (why === 'ELSEWHERE')
    return refuse(
      'SUSPENSE_DECIDED',
      'The payment is counted in another place as well. Whoever runs the service has an alarm about it, and releases one of them first.',
    )
  return refuse('SUSPENSE_DECIDED', `The money is ${item.state}: nothing was done.`)
}

function asSentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`
}

// Null takes the note away.
export async function noteSuspense(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'vault'>,
  address: SuspenseAddress,
  text: string | null,
): Promise<SuspenseItem | Refusal> {
  const { organizationId, suspenseId } = address
  const vault = await ctx.vault(organizationId)
  const note = text === null ? null : sealText(vault, suspenseId, text)
  return ctx.db.inTransaction(async (tx) => {
    const item = await lockSuspenseItem(tx, address)
    if (item === undefined) return refuseUnknownSuspense(suspenseId)
    const after = { ...item, note, updatedAt: ctx.clock.now() }
    await setSuspenseNote(tx, address, note, after.updatedAt)
    await recordClearing(ctx, tx, 'suspense.note', item, after)
    return after
  })
}
