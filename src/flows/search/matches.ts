// Which payins, payouts and links a question is about. All that it may mean is asked at once; what has no words yet is compared row by
// row, so that what was made a moment ago is found too.

import type { PersonTrait } from '../../core/people/search.ts'
import type { SearchField, Worded } from '../../core/search/fact.ts'
import { isAnswered, type Question, type Reading } from '../../core/search/question.ts'
import { isIndexedSearchText, isPersonal, wordOf } from '../../core/search/word.ts'
import { newestUnworded, objectsWithReference } from '../../store/search/objects.ts'
import {
  countWords,
  objectsWithAllWords,
  objectsWithBeginning,
  objectsWithDigest,
  objectsWithWord,
} from '../../store/search/words.ts'
import type { Needs } from '../context.ts'
import { personFactsOf } from '../people/person-words.ts'
import type { Vault } from '../people/vault.ts'
import { plainFactsOf } from './write-words.ts'

// `isWhole`: it is the fact, not only how it begins.
export type Match = {
  readonly resource: Worded
  readonly objectId: string
  readonly trait: SearchField
  readonly isWhole: boolean
}

export type SearchRequest = {
  readonly organizationId: string
  readonly question: Question
  // What may be searched.
  readonly resources: readonly Worded[]
  // Whether by what a person can be found by.
  readonly byPeople: boolean
  // Of each resource and reading.
  readonly limit: number
}

// So many objects that have the rarest word of a name are compared with its other words. That takes some ten milliseconds.
export const NAMES_LOOKED_AT = 2_000
// Of each resource. To open so many people takes a millisecond or two.
const UNWORDED_LOOKED_AT = 50

// `isPartial`: a name was looked for in the newest objects only.
export async function findMatches(
  ctx: Needs<'db' | 'vault'>,
  asked: SearchRequest,
): Promise<{ matches: Match[]; isPartial: boolean }> {
  const vault = await ctx.vault(asked.organizationId)
  const [references, words, beginnings, digests, unworded, names] = await Promise.all([
    byReference(ctx, asked),
    byWord(ctx, vault, asked),
    byBeginning(ctx, vault, asked),
    byDigest(ctx, vault, asked),
    amongUnworded(ctx, vault, asked),
    byName(ctx, vault, asked),
  ])
  return {
    matches: [...references, ...words, ...beginnings, ...digests, ...unworded, ...names.matches],
    isPartial: names.isPartial,
  }
}

type Readable = Reading & { readonly resource: Worded }

// What may be asked, of each resource.
function readable({ question, resources, byPeople }: SearchRequest, match: Reading['match']): Readable[] {
  return resources.flatMap((resource) =>
    question.readings
      .filter((reading) => reading.match === match && (byPeople || !isPersonal(resource, reading.trait)))
      .map((reading) => ({ ...reading, resource })),
  )
}

async function byReference({ db }: Needs<'db'>, asked: SearchRequest): Promise<Match[]> {
  const { organizationId, question, resources, limit } = asked
  const found = await Promise.all(
    resources.map(async (resource) =>
      (await objectsWithReference(db, resource, organizationId, question.text, limit)).map(
        (objectId): Match => ({ resource, objectId, trait: 'reference', isWhole: true }),
      ),
    ),
  )
  return found.flat()
}

type Wording = { readonly word: string; readonly match: Omit<Match, 'objectId'> }

function wordingsOf(vault: Vault, readings: readonly Readable[], isWhole: boolean): Wording[] {
  return readings.flatMap(({ resource, trait, texts }) =>
    texts
      .map((text) => ({ trait, text }))
      .filter(isIndexedSearchText)
      .map((fact) => ({ word: wordOf(resource, fact, vault.digest), match: { resource, trait, isWhole } })),
  )
}

function matchesOf(
  wordings: readonly Wording[],
  found: readonly { readonly word: string; readonly objectId: string }[],
): Match[] {
  const known = new Map(wordings.map(({ word, match }) => [word, match]))
  return found.flatMap(({ word, objectId }) => {
    const match = known.get(word)
    return match === undefined ? [] : [{ ...match, objectId }]
  })
}

async function byWord({ db }: Needs<'db'>, vault: Vault, asked: SearchRequest): Promise<Match[]> {
  const wordings = wordingsOf(vault, readable(asked, 'any'), true)
  if (wordings.length === 0) return []
  const words = wordings.map(({ word }) => word)
  return matchesOf(wordings, await objectsWithWord(db, asked.organizationId, words, asked.limit))
}

// The whole reference too, which may be written in other letters.
async function byBeginning({ db }: Needs<'db'>, vault: Vault, asked: SearchRequest): Promise<Match[]> {
  const wordings = wordingsOf(vault, readable(asked, 'begin'), false)
  if (wordings.length === 0) return []
  const words = wordings.map(({ word }) => word)
  const { organizationId, limit } = asked
  const [begun, whole] = await Promise.all([
    objectsWithBeginning(db, organizationId, words, limit),
    objectsWithWord(db, organizationId, words, limit),
  ])
  return [
    ...matchesOf(wordings, whole).map((match) => ({ ...match, isWhole: true })),
    ...matchesOf(wordings, begun),
  ]
}

async function byDigest({ db }: Needs<'db'>, vault: Vault, asked: SearchRequest): Promise<Match[]> {
  const { question, organizationId, resources, byPeople, limit } = asked
  const digests = question.readings.flatMap(({ trait, texts }) =>
    trait === 'document' || trait === 'email'
      ? texts.map((text) => ({ trait, digest: vault.digest(traitOfText(trait, text)) }))
      : [],
  )
  if (!byPeople || digests.length === 0) return []
  const found = await objectsWithDigest(
    db,
    organizationId,
    digests.map(({ digest }) => digest),
    resources,
    limit,
  )
  return found.flatMap(({ digest, resource, objectId }) => {
    const trait = digests.find((one) => one.digest.equals(digest))?.trait
    return trait === undefined ? [] : [{ resource: resource as Worded, objectId, trait, isWhole: true }]
  })
}

// A document stands behind its type.
function traitOfText(trait: 'document' | 'email', text: string): PersonTrait {
  if (trait === 'email') return { by: trait, email: text }
  const [idType = '', idNumber = ''] = text.split(' ')
  return { by: trait, idType, idNumber }
}

async function byName(
  { db }: Needs<'db'>,
  vault: Vault,
  asked: SearchRequest,
): Promise<{ matches: Match[]; isPartial: boolean }> {
  const { organizationId, limit } = asked
  const found = await Promise.all(
    readable(asked, 'all').map(async (reading) => {
      const words = wordingsOf(vault, [reading], true).map(({ word }) => word)
      const counts = await countWords(db, organizationId, words, NAMES_LOOKED_AT + 1)
      const rarest = words
        .map((word, at) => ({ word, count: counts[at] ?? 0 }))
        .sort((a, b) => a.count - b.count)
      const ordered = rarest.map(({ word }) => word)
      const ids = await objectsWithAllWords(db, organizationId, ordered, NAMES_LOOKED_AT, limit)
      const { resource, trait } = reading
      return {
        matches: ids.map((objectId): Match => ({ resource, objectId, trait, isWhole: true })),
        isPartial: words.length > 1 && ids.length < limit && (rarest[0]?.count ?? 0) > NAMES_LOOKED_AT,
      }
    }),
  )
  return {
    matches: found.flatMap(({ matches }) => matches),
    isPartial: found.some(({ isPartial }) => isPartial),
  }
}

async function amongUnworded({ db }: Needs<'db'>, vault: Vault, asked: SearchRequest): Promise<Match[]> {
  const { organizationId, question, resources, byPeople } = asked
  const found = await Promise.all(
    resources.map(async (resource) => {
      const readings = question.readings.filter(({ trait }) => byPeople || !isPersonal(resource, trait))
      const isAboutPeople = readings.some(({ trait }) => isPersonal(resource, trait))
      const rows = await newestUnworded(db, resource, organizationId, UNWORDED_LOOKED_AT)
      return rows.flatMap((row) => {
        const facts = [...plainFactsOf(row), ...(isAboutPeople ? personFactsOf(vault, resource, row) : [])]
        return readings.flatMap((reading): Match[] => {
          const texts = facts.filter(({ trait }) => trait === reading.trait).map(({ text }) => text)
          const isWhole = isAnswered(reading, texts)
          if (!isWhole && !isBegun(reading, texts)) return []
          return [{ resource, objectId: row.objectId, trait: reading.trait, isWhole }]
        })
      })
    }),
  )
  return found.flat()
}

function isBegun({ match, texts }: Reading, facts: readonly string[]): boolean {
  return match === 'begin' && facts.some((fact) => texts.some((text) => fact.startsWith(text)))
}
