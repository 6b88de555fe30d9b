// Erases one person: makes their data unreadable in every payin, payout, link, row of a batch and the beneficiary book of an organization, in the events, in the kept
// answers and in what endpoints answered. What the merchant noted on these goes too, and what it noted on the links they paid by, and
// so does what is known of their browser. Amounts, references, numbers and the books stay. A row goes together with its events, after
// the kept answers, and rows are what a person is found by: what was interrupted is found and finished by the next run.

import { ID_TYPES } from '../../core/identity-document.ts'
import { customerOf, ERASED, isSealed } from '../../core/people/sealed.ts'
import type { PersonTrait } from '../../core/people/search.ts'
import { replaceSealedOf } from '../../core/people/shown.ts'
import { WORDED } from '../../core/search/fact.ts'
import type { Queryable } from '../../store/db.ts'
import {
  blankResponses,
  eventsOfObject,
  listKeptAnswers,
  replaceKeptAnswer,
} from '../../store/people/copies.ts'
import { deleteDigests, type Erasure, findByDigest, insertErasure } from '../../store/people/digests.ts'
import {
  getPeople,
  linksOfPayins,
  PERSON_RESOURCES,
  type PersonResource,
  replaceLinkNote,
  replacePerson,
  type StoredPerson,
} from '../../store/people/people.ts'
import { deleteWords } from '../../store/search/words.ts'
import type { Needs } from '../context.ts'
import { recordAct } from '../record-act.ts'
import { personWordsOf } from './person-words.ts'
import { digestsOf, sealAllOf } from './seal-stored.ts'
import { copiesOf, fieldsOf, rewriteEvents, rewritten, type TextReplacement } from './stored-person.ts'
import type { Vault } from './vault.ts'

export type FoundPerson = StoredPerson & { readonly resource: PersonResource }
export type SearchedTrait = Extract<PersonTrait, { by: 'document' | 'email' }>

const ANSWERS_PER_PAGE = 500
const GONE = { sealed: ERASED } as const

// Where the person is named.
export async function findPerson(
  ctx: Needs<'clock' | 'db' | 'vault'>,
  organizationId: string,
  trait: SearchedTrait,
): Promise<FoundPerson[]> {
  await sealAllOf(ctx, organizationId)
  const vault = await ctx.vault(organizationId)
  const digest = vault.digest(trait)
  const objects = await findByDigest(ctx.db, organizationId, digest)
  const found: FoundPerson[] = []
  for (const resource of PERSON_RESOURCES) {
    const ids = objects.filter((object) => object.resource === resource).map(({ objectId }) => objectId)
    if (ids.length === 0) continue
    for (const person of await getPeople(ctx.db, resource, organizationId, ids))
      if (hasTrait(vault, person, digest)) found.push({ ...person, resource })
  }
  return found
}

function hasTrait(vault: Vault, person: StoredPerson, digest: Buffer): boolean {
  return digestsOf(vault, person).some((one) => one.digest.equals(digest))
}

// Nothing is erased while a payment of the person is open: its network may have to be told again who pays.
export async function erasePerson(
  ctx: Needs<'actor' | 'clock' | 'ids' | 'db' | 'vault'>,
  organizationId: string,
  trait: SearchedTrait,
  erasedBy: string,
): Promise<Erasure | { readonly open: readonly FoundPerson[] } | undefined> {
  const found = await findPerson(ctx, organizationId, trait)
  const open = found.filter(({ isOpen }) => isOpen)
  if (open.length > 0) return { open }
  if (found.length === 0) return undefined
  const vault = await ctx.vault(organizationId)
  const countOf = (resource: PersonResource) => found.filter((one) => one.resource === resource).length
  const links = await linksPaidBy(ctx, organizationId, found)
  const answers = await eraseAnswers(ctx, organizationId, found, links, vault)
  let events = 0
  for (const linkId of links) events += await eraseLinkNote(ctx, organizationId, linkId)
  for (const person of found) events += await eraseObject(ctx, organizationId, person, vault)
  const erasure: Erasure = {
    organizationId,
    erasureId: ctx.ids.next(),
    erasedBy,
    foundBy: trait.by,
    payins: countOf('payin'),
    payouts: countOf('payout'),
    paymentLinks: countOf('paymentlink'),
    events,
    answers,
    erasedAt: ctx.clock.now(),
  }
  await ctx.db.inTransaction(async (tx) => {
    await insertErasure(tx, erasure)
    const act = { act: 'customer.erase', before: null, after: erasure } as const
    await recordAct(ctx, tx, { ...act, organizationId, objectId: erasure.erasureId })
  })
  return erasure
}

async function eraseObject(
  ctx: Needs<'db'>,
  organizationId: string,
  person: FoundPerson,
  vault: Vault,
): Promise<number> {
  const { resource, objectId } = person
  const digests = digestsOf(vault, person)
  const worded = WORDED.find((one) => one === resource)
  const words = worded === undefined ? [] : personWordsOf(vault, worded, person)
  const events = await ctx.db.inTransaction(async (tx) => {
    // The row first: from here on nobody writes an event with the person as they were.
    await replacePerson(tx, resource, organizationId, person, GONE, GONE)
    const changed = await rewriteEvents(tx, organizationId, objectId, erasing(vault, [person]))
    await eraseResponses(tx, organizationId, objectId)
    await deleteDigests(tx, organizationId, digests)
    await deleteWords(tx, organizationId, words)
    return changed
  })
  // Once more, for workers that read the row before and wrote meanwhile: from here on they see that the person is gone.
  await deleteDigests(ctx.db, organizationId, digests)
  await deleteWords(ctx.db, organizationId, words)
  return events
}

// An endpoint may have repeated what it was told.
async function eraseResponses(tx: Queryable, organizationId: string, objectId: string): Promise<void> {
  const told = await eventsOfObject(tx, organizationId, objectId)
  await blankResponses(
    tx,
    organizationId,
    told.map(({ eventId }) => eventId),
  )
}

// A link that names nobody may have been paid by somebody: who pays types who they are, and that is in the payin.
async function linksPaidBy(
  { db }: Needs<'db'>,
  organizationId: string,
  found: readonly FoundPerson[],
): Promise<string[]> {
  const payins = found.filter(({ resource }) => resource === 'payin').map(({ objectId }) => objectId)
  return payins.length === 0 ? [] : linksOfPayins(db, organizationId, payins)
}

// Before the payins by which the link is found: what is interrupted here is found again.
async function eraseLinkNote(ctx: Needs<'db'>, organizationId: string, linkId: string): Promise<number> {
  return ctx.db.inTransaction(async (tx) => {
    await replaceLinkNote(tx, organizationId, linkId, GONE)
    const ids = new Set([linkId])
    const events = await rewriteEvents(tx, organizationId, linkId, (text) => replaceSealedOf(text, ids, GONE))
    await eraseResponses(tx, organizationId, linkId)
    return events
  })
}

// What is sealed is known by the object that it was sealed for: an object may have been sealed more than once.
function erasing(
  vault: Vault,
  people: readonly FoundPerson[],
  links: readonly string[] = [],
): (text: string) => string {
  const objectIds = new Set([...people.map(({ objectId }) => objectId), ...links])
  const copies = people.flatMap((person) => [...copiesOf(person, [], GONE), ...plainCopiesOf(vault, person)])
  return (text) => rewritten(replaceSealedOf(text, objectIds, GONE), copies)
}

// Answers are kept by key, so all of the organization's are looked through. One from before people were sealed holds them plain.
async function eraseAnswers(
  { db }: Needs<'db'>,
  organizationId: string,
  found: readonly FoundPerson[],
  links: readonly string[],
  vault: Vault,
): Promise<number> {
  const erase = erasing(vault, found, links)
  let changed = 0
  for (let after = ''; ; ) {
    const page = await listKeptAnswers(db, organizationId, after, ANSWERS_PER_PAGE)
    for (const answer of page) {
      const body = erase(answer.body)
      if (body !== answer.body && (await replaceKeptAnswer(db, organizationId, answer, body))) changed += 1
    }
    if (page.length < ANSWERS_PER_PAGE) return changed
    after = page.at(-1)?.key ?? after
  }
}

function plainCopiesOf(vault: Vault, person: FoundPerson): TextReplacement[] {
  const fields = fieldsOf(vault, person)
  if (typeof fields === 'string' || !isSealed(person.customer)) return []
  const keyString = person.resource === 'payout' ? (fields[5] ?? null) : null
  return copiesOf({ ...person, customer: customerOf(fields), keyString }, fields, GONE)
}

// TYPE:NUMBER of a document, or an e-mail address. Undefined if it is neither, or both.
export function traitOf({
  document,
  email,
}: {
  document?: string
  email?: string
}): SearchedTrait | undefined {
  if ((document === undefined) === (email === undefined)) return undefined
  if (email !== undefined) return { by: 'email', email }
  const [, idType = '', idNumber = ''] = /^([A-Z_]+):(.+)$/.exec(document ?? '') ?? []
  return ID_TYPES.some((known) => known === idType) ? { by: 'document', idType, idNumber } : undefined
}
