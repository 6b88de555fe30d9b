// A database that says it is spread over many machines, and is one PostgreSQL: the service then takes each statement in the form that
// it has for many. Whether many machines take that form is in the tests on a cluster (TEST_CITUS_URL).

import pg from 'pg'

// Our tables hide those of PostgreSQL that have the same name, from whoever connects from now on.
const SAYS_SO = [
  `create table pg_extension as select 'citus'::name as extname`,
  `create table pg_dist_partition as select 'payins'::regclass as logicalrelid, 'h'::"char" as partmethod`,
]

export async function declareDistributed(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const text of SAYS_SO) await client.query(text)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    await client.query(`alter database ${rows[0]?.name} set search_path = public, pg_catalog`)
  } finally {
    await client.end()
  }
}
