// Payins near money in suspense, by index: so many before it and so many after it, whatever the organization has.

import type { Queryable } from '../db.ts'

// `at` is the id of the money, which contains its time. Ids from (inclusive) and before (exclusive).
export type Neighborhood = {
  readonly at: string
  readonly fromId: string
  readonly beforeId: string
  readonly limit: number
}

// Of each word so many on either side.
export async function payinsWithWordNear(
  db: Queryable,
  organizationId: string,
  words: readonly string[],
  { at, fromId, beforeId, limit }: Neighborhood,
): Promise<string[]> {
  const result = await db.query<{ payinId: string }>({
    name: 'payins-with-word-near',
    text: `select near.object_id as "payinId"
             from unnest($2::text[]) as asked (word)
            cross join lateral (
                    (select object_id
                       from search_words
                      where organization_id = $1 and word = asked.word and object_id >= $4 and object_id <= $3
                      order by object_id desc
                      limit $6)
                  union all
                    (select object_id
                       from search_words
                      where organization_id = $1 and word = asked.word and object_id > $3 and object_id < $5
                      order by object_id
                      limit $6)) as near`,
    values: [organizationId, words, at, fromId, beforeId, limit],
  })
  return result.rows.map(({ payinId }) => payinId)
}

export async function payinsOfPersonNear(
  db: Queryable,
  organizationId: string,
  digest: Buffer,
  { at, fromId, beforeId, limit }: Neighborhood,
): Promise<string[]> {
  const result = await db.query<{ payinId: string }>({
    name: 'payins-of-person-near',
    text: `(select object_id as "payinId"
              from people_digests
             where organization_id = $1 and digest = $2 and object_id >= $4 and object_id <= $3 and resource = 'payin'
             order by object_id desc
             limit $6)
         union all
           (select object_id
              from people_digests
             where organization_id = $1 and digest = $2 and object_id > $3 and object_id < $5 and resource = 'payin'
             order by object_id
             limit $6)`,
    values: [organizationId, digest, at, fromId, beforeId, limit],
  })
  return result.rows.map(({ payinId }) => payinId)
}
