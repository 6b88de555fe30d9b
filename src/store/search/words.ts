// The words that payins, payouts and links are found by: written after the rows, read newest first. Every read takes its rows from one
// end of the primary key, so it costs the same however many there are.

import type { Queryable } from '../db.ts'

export type ObjectWord = { readonly word: string; readonly objectId: string }

export async function insertWords(
  db: Queryable,
  organizationId: string,
  words: readonly ObjectWord[],
): Promise<void> {
  await db.query({
    name: 'insert-search-words',
    text: `insert into search_words (organization_id, word, object_id)
           select $1, word, object_id
             from unnest($2::text[], $3::uuid[]) as w (word, object_id)
               on conflict (organization_id, word, object_id) do nothing`,
    values: [organizationId, ...columnsOf(words)],
  })
}

export async function deleteWords(
  db: Queryable,
  organizationId: string,
  words: readonly ObjectWord[],
): Promise<void> {
  await db.query({
    text: `delete from search_words s
            using unnest($2::text[], $3::uuid[]) as w (word, object_id)
            where s.organization_id = $1 and s.word = w.word and s.object_id = w.object_id`,
    values: [organizationId, ...columnsOf(words)],
  })
}

function columnsOf(words: readonly ObjectWord[]): [string[], string[]] {
  return [words.map(({ word }) => word), words.map(({ objectId }) => objectId)]
}

// Of each word so many, newest first.
export async function objectsWithWord(
  db: Queryable,
  organizationId: string,
  words: readonly string[],
  limit: number,
): Promise<ObjectWord[]> {
  const result = await db.query<ObjectWord>({
    name: 'objects-with-search-word',
    text: `select asked.word, found.object_id as "objectId"
             from unnest($2::text[]) as asked (word)
            cross join lateral (select object_id
                                  from search_words
                                 where organization_id = $1 and word = asked.word
                                 order by word desc, object_id desc
                                 limit $3) found`,
    values: [organizationId, words, limit],
  })
  return result.rows
}

// Of each beginning so many, in the order of their words. No text goes beyond the last of all characters.
export async function objectsWithBeginning(
  db: Queryable,
  organizationId: string,
  beginnings: readonly string[],
  limit: number,
): Promise<ObjectWord[]> {
  const result = await db.query<ObjectWord>({
    name: 'objects-with-search-beginning',
    text: `select asked.beginning as word, found.object_id as "objectId"
             from unnest($2::text[], $3::text[]) as asked (beginning, beyond)
            cross join lateral (select object_id
                                  from search_words
                                 where organization_id = $1
                                   and word >= asked.beginning collate "C" and word < asked.beyond collate "C"
                                 order by word, object_id
                                 limit $4) found`,
    values: [organizationId, beginnings, beginnings.map((one) => `${one}\u{10ffff}`), limit],
  })
  return result.rows
}

// How often each word occurs, counted up to a limit: the rarest is where to begin.
export async function countWords(
  db: Queryable,
  organizationId: string,
  words: readonly string[],
  limit: number,
): Promise<number[]> {
  const result = await db.query<{ word: string; count: number }>({
    name: 'count-search-words',
    text: `select asked.word, (select count(*)::integer
                                 from (select
                                         from search_words
                                        where organization_id = $1 and word = asked.word
                                        limit $3) counted) as count
             from unnest($2::text[]) as asked (word)`,
    values: [organizationId, words, limit],
  })
  const counts = new Map(result.rows.map(({ word, count }) => [word, count]))
  return words.map((word) => counts.get(word) ?? 0)
}

// Of the newest objects that have the first word, those that have all others too, newest first. The rarest words come first: most
// objects are out after one look.
export async function objectsWithAllWords(
  db: Queryable,
  organizationId: string,
  [first, ...others]: readonly string[],
  looked: number,
  limit: number,
): Promise<string[]> {
  const result = await db.query<{ object_id: string }>({
    name: 'objects-with-all-search-words',
    text: `select newest.object_id
             from (select object_id
                     from search_words
                    where organization_id = $1 and word = $2
                    order by word desc, object_id desc
                    limit $4) newest
            where not exists (select
                                from unnest($3::text[]) as other (word)
                               where not exists (select
                                                   from search_words s
                                                  where s.organization_id = $1 and s.word = other.word
                                                    and s.object_id = newest.object_id))
            order by newest.object_id desc
            limit $5`,
    values: [organizationId, first, others, looked, limit],
  })
  return result.rows.map((row) => row.object_id)
}

// A shop may have put its own document in for everybody.
const MAX_OF_ONE_PERSON = 2_000

// Whose document or e-mail address has one of these digests, of each resource the newest. See people/digests.ts.
export async function objectsWithDigest(
  db: Queryable,
  organizationId: string,
  digests: readonly Buffer[],
  resources: readonly string[],
  limit: number,
): Promise<{ readonly digest: Buffer; readonly resource: string; readonly objectId: string }[]> {
  const result = await db.query<{ digest: Buffer; resource: string; objectId: string }>({
    name: 'objects-with-people-digest',
    text: `select digest, resource, object_id as "objectId"
             from (select asked.digest, newest.resource, newest.object_id,
                          row_number() over (partition by asked.digest, newest.resource order by newest.object_id desc) as place
                     from unnest($2::bytea[]) as asked (digest)
                    cross join lateral (select resource, object_id
                                          from people_digests
                                         where organization_id = $1 and digest = asked.digest
                                         order by digest desc, object_id desc
                                         limit ${MAX_OF_ONE_PERSON}) newest
                    where newest.resource = any($3::text[])) found
            where place <= $4`,
    values: [organizationId, digests, resources, limit],
  })
  return result.rows
}
