// Walks through an organization's payins, payouts and links once, in the order of their ids: seals the people that are still plain,
// in their events too, and writes the digests by which people are found. New rows are sealed when they are made; their digests are
// written here a little later, off the way of money.

import { firstIdAt } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { customerOf, ERASED, isSealed } from '../../core/people/sealed.ts'
import { traitsOf } from '../../core/people/search.ts'
import { sqlState } from '../../store/db.ts'
import { deleteDigests, insertDigests, type PersonDigest } from '../../store/people/digests.ts'
import {
  getPeople,
  listPeople,
  moveMark,
  organizationsBehindMark,
  PERSON_RESOURCES,
  type PersonResource,
  readMark,
  replacePerson,
  type StoredPerson,
} from '../../store/people/people.ts'
import type { Needs } from '../context.ts'
import { copiesOf, fieldsOf, rewriteEvents, rewritten } from './stored-person.ts'
import type { Vault } from './vault.ts'

type SealingContext = Needs<'clock' | 'db' | 'vault'>

// Ids are made before their rows are committed. After this long none is on its way any more.
const COMMIT_WITHIN_MS = 60_000
const ORGANIZATIONS_PER_TURN = 100
// A page takes a few milliseconds, in which this process answers nobody.
const ROWS_PER_PAGE = 100
const INSUFFICIENT_PRIVILEGE = '42501'

// One page of each organization that is behind. Returns how many rows were looked at: there may be more. A service that does not own
// its tables may not rewrite events: an organization that has somebody plain is added to `refused` and left out, for its owner.
export async function sealStored(ctx: SealingContext, refused: Set<string> = new Set()): Promise<number> {
  const before = settledBefore(ctx.clock.now())
  let done = 0
  for (const resource of PERSON_RESOURCES) {
    const leftOut = [...refused]
    const behind = await organizationsBehindMark(ctx.db, resource, before, ORGANIZATIONS_PER_TURN, leftOut)
    for (const organizationId of behind) {
      const from = await readMark(ctx.db, organizationId, resource)
      const page = await sealPage(ctx, organizationId, resource, from, before).catch((error: unknown) => {
        if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error
        refused.add(organizationId)
        // There may be others behind it.
        return { size: 1, last: null }
      })
      if (page.last !== null) await moveMark(ctx.db, organizationId, resource, page.last)
      done += page.size
    }
  }
  return done
}

// Everything of one organization, also what is new or still open: whoever looks for a person misses nothing.
export async function sealAllOf(ctx: SealingContext, organizationId: string): Promise<void> {
  const now = ctx.clock.now()
  const settled = settledBefore(now)
  for (const resource of PERSON_RESOURCES) {
    let from: string | null = await readMark(ctx.db, organizationId, resource)
    while (from !== null) {
      const page = await sealPage(ctx, organizationId, resource, from, firstIdAt(now + COMMIT_WITHIN_MS))
      from = page.last
      if (from !== null && from < settled) await moveMark(ctx.db, organizationId, resource, from)
    }
  }
}

function settledBefore(now: Instant): string {
  return firstIdAt(Math.max(0, now - COMMIT_WITHIN_MS))
}

async function sealPage(
  ctx: SealingContext,
  organizationId: string,
  resource: PersonResource,
  afterId: string,
  beforeId: string,
): Promise<{ size: number; last: string | null }> {
  const people = await listPeople(ctx.db, resource, organizationId, afterId, beforeId, ROWS_PER_PAGE)
  const vault = await ctx.vault(organizationId)
  const digests: PersonDigest[] = []
  for (const person of people) {
    if (person.customer !== null && !isSealed(person.customer))
      await sealPlain(ctx, vault, organizationId, resource, person)
    digests.push(...digestsOf(vault, person))
  }
  if (digests.length > 0) {
    await insertDigests(ctx.db, organizationId, resource, digests)
    await removeErased(ctx, organizationId, resource, digests)
  }
  return { size: people.length, last: people.at(-1)?.objectId ?? null }
}

// Somebody may have been erased between our look and our digests. Whoever erases later finds the digests, and removes them.
async function removeErased(
  { db }: SealingContext,
  organizationId: string,
  resource: PersonResource,
  digests: readonly PersonDigest[],
): Promise<void> {
  const ids = [...new Set(digests.map(({ objectId }) => objectId))]
  const named = new Set(
    (await getPeople(db, resource, organizationId, ids))
      .filter(({ customer }) => customer !== null && !(isSealed(customer) && customer.sealed === ERASED))
      .map(({ objectId }) => objectId),
  )
  const gone = digests.filter(({ objectId }) => !named.has(objectId))
  if (gone.length > 0) await deleteDigests(db, organizationId, gone)
}

export function digestsOf(vault: Vault, person: StoredPerson): PersonDigest[] {
  const fields = fieldsOf(vault, person)
  if (typeof fields === 'string') return []
  const { objectId } = person
  return traitsOf(customerOf(fields)).map((trait) => ({ digest: vault.digest(trait), objectId }))
}

// The row and its events hold one and the same seal, or none does. Whoever comes first has the row; another who sealed it meanwhile
// has told the events too.
async function sealPlain(
  ctx: SealingContext,
  vault: Vault,
  organizationId: string,
  resource: PersonResource,
  person: StoredPerson,
): Promise<void> {
  const fields = fieldsOf(vault, person)
  if (typeof fields === 'string') return
  const sealed = vault.seal(person.objectId, fields)
  const copies = copiesOf(person, fields, sealed)
  await ctx.db.inTransaction(async (tx) => {
    if (await replacePerson(tx, resource, organizationId, person, sealed))
      await rewriteEvents(tx, organizationId, person.objectId, (text) => rewritten(text, copies))
  })
}
