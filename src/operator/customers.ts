// recaudo customer: finds where a person is named, erases them, and seals who is still plain.

import { isoInstant } from '../core/instant.ts'
import type { Context } from '../flows/context.ts'
import {
  erasePerson,
  type FoundPerson,
  findPerson,
  type SearchedTrait,
  traitOf,
} from '../flows/people/erase.ts'
import { sealStored } from '../flows/people/seal-stored.ts'
import { type Erasure, listErasures } from '../store/people/digests.ts'
import { readClockOffset } from '../store/staging-clock.ts'
import { organizationOf } from './credentials.ts'
import { requireOwner } from './database.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from './failure.ts'
import type { Flags, Row } from './flags.ts'
import { operatorName } from './operator-name.ts'
import { takeSecretsKey } from './secrets.ts'

export async function findCustomer(ctx: Context, flags: Flags): Promise<Row[]> {
  await takeSecretsKey(ctx)
  return (await findPerson(ctx, await organizationOf(ctx, flags), searchedOf(flags))).map(foundRow)
}

// Without --yes nothing is changed: what would be erased is shown.
export async function eraseCustomer(ctx: Context, flags: Flags): Promise<Row | Row[]> {
  const trait = searchedOf(flags)
  if (flags.yes !== true) return findCustomer(ctx, flags)
  await requireOwner(ctx.db, 'customer erase')
  await takeSecretsKey(ctx)
  const organizationId = await organizationOf(ctx, flags)
  const by = typeof flags.by === 'string' ? flags.by : operatorName()
  const erased = await erasePerson(ctx, organizationId, trait, by)
  if (erased === undefined) return { erased: 'nothing: nobody is named so' }
  if ('open' in erased) {
    const ids = erased.open.map(({ resource, objectId }) => `${resource} ${objectId}`)
    throw new OperatorFailure(
      `Nothing was erased: the person has open payments (${ids.join(', ')}). Wait for them to end, or cancel them.`,
    )
  }
  return erasureRow(erased)
}

// What the workers do in the background, for every organization. A service that does not own its tables leaves it to their owner.
export async function sealCustomers(ctx: Context): Promise<Row> {
  await requireOwner(ctx.db, 'customer seal')
  await takeSecretsKey(ctx)
  if (ctx.settings.environment === 'staging') ctx.clock.setOffset(await readClockOffset(ctx.db))
  const refused = new Set<string>()
  let rows = 0
  for (let page = 1; page > 0; rows += page) page = await sealStored(ctx, refused)
  return { rows }
}

export async function showErasures(ctx: Context, flags: Flags): Promise<Row[]> {
  return (await listErasures(ctx.db, await organizationOf(ctx, flags))).map(erasureRow)
}

function foundRow({ resource, objectId, isOpen }: FoundPerson): Row {
  return { resource, id: objectId, open: isOpen }
}

function erasureRow({ organizationId: _, erasedAt, ...erasure }: Erasure): Row {
  return { ...erasure, erasedAt: isoInstant(erasedAt) }
}

function searchedOf({ document, email }: Flags): SearchedTrait {
  const trait = traitOf({
    ...(typeof document === 'string' && { document }),
    ...(typeof email === 'string' && { email }),
  })
  if (trait !== undefined) return trait
  throw new OperatorFailure(
    'Name the person by --document TYPE:NUMBER, such as CO_CC:1000000001, or by --email, and not by both.',
    USAGE_EXIT_CODE,
  )
}
