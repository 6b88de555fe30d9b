// The batch that an address names, and how its people are seen.

import { isUuid } from '../../core/ids.ts'
import { type BatchView, viewOf } from '../../flows/payout-batches/view.ts'
import { getBatch } from '../../store/payout-batches/batches.ts'
import { shownUntil } from '../objects/shown-person.ts'
import { eyesOf, type PeopleEyes } from '../people.ts'
import type { Visit } from '../visit.ts'

export function batchIdIn({ request }: Visit): string {
  const { batchId } = request.params as { batchId: string }
  return isUuid(batchId) ? batchId.toLowerCase() : ''
}

export async function viewIn(visit: Visit): Promise<BatchView | undefined> {
  const batchId = batchIdIn(visit)
  const { ctx, organization } = visit
  const batch = batchId === '' ? undefined : await getBatch(ctx.db, organization.organizationId, batchId)
  return batch && viewOf(ctx.db, batch)
}

// Whoever asked to see the people of the batch sees them in every row of it.
export async function batchEyes(visit: Visit): Promise<PeopleEyes> {
  return eyesOf(visit, shownUntil(visit, batchIdIn(visit)) !== null)
}

// Which rows are shown: all, or those with errors or warnings only.
export function onlyIn({ request }: Visit): 'errors' | 'warnings' | undefined {
  const { only } = request.query as { only?: unknown }
  return only === 'errors' || only === 'warnings' ? only : undefined
}

// Whoever corrects row after row goes on with those that are left.
export function withinShownRows(visit: Visit, address: string): string {
  const only = onlyIn(visit)
  return within(visit, only === undefined ? address : `${address}?only=${only}`)
}

// An address within the batch. What was asked for goes with whoever follows it.
export function within(visit: Visit, address: string): string {
  const { shown } = visit.request.query as { shown?: unknown }
  if (typeof shown !== 'string' || shownUntil(visit, batchIdIn(visit)) === null) return address
  return `${address}${address.includes('?') ? '&' : '?'}shown=${encodeURIComponent(shown)}`
}
