// A search over everything of an organization with a million payins, or with ten million: BENCH_SCALE=10. Each question is asked as the
// API asks it, of payins from all of the time. People's digests are chance, as keyed digests look, but for those who are asked for.

import { randomBytes } from 'node:crypto'
import { deriveKeys } from '../src/core/seal.ts'
import { nameWords } from '../src/core/search/fact.ts'
import { readQuestion } from '../src/core/search/question.ts'
import { wordOf } from '../src/core/search/word.ts'
import { secretsKeyWrapper } from '../src/flows/people/key-wrapper.ts'
import { createVaults, sealCustomer, type Vault } from '../src/flows/people/vault.ts'
import { search as searchAll } from '../src/flows/search/search.ts'
import { type Db, openDb } from '../src/store/db.ts'
import { insertDigests } from '../src/store/people/digests.ts'
import { moveSearchMark } from '../src/store/search/objects.ts'
import { insertWords } from '../src/store/search/words.ts'
import { atMost, type Measurement, type Row } from './report.ts'
import type { Testbed } from './testbed.ts'

const PAYINS = 1_000_000 * Number(process.env.BENCH_SCALE ?? 1)
// The newest have no words yet, as in life.
const UNWORDED = 50
const LIMIT = 10
const TIMES = 15
const POOL_SIZE = 10
const BAR_MS = 100

// Of every twenty people one is a María, and three words of a name are in sixty or two hundred others each.
const FIRST = ['maria', ...Array.from({ length: 59 }, (_, at) => `nombre${at}`)]
const LAST = ['gomez', ...Array.from({ length: 199 }, (_, at) => `apellido${at}`)]
const SECOND = Array.from({ length: 200 }, (_, at) => `segundo${at}`)
const PERSON = {
  name: 'Zoraida Gómez',
  idType: 'CO_CC',
  idNumber: '1020304050',
  phone: '+573001234567',
  email: 'zoraida@example.com',
}

const OTHER = {
  ...PERSON,
  name: 'Otra Persona',
  idNumber: '1',
  phone: '+573110000000',
  email: 'otra@example.com',
}

// A payin in the middle of them.
const MIDDLE = Math.round(PAYINS / 2)
const QUESTIONS: Readonly<Record<string, string>> = {
  'a reference': `ref-${MIDDLE}`,
  'how a reference begins': `REF-${String(MIDDLE).slice(0, 4)}`,
  'a CUS': String(1_000_000_000 + MIDDLE),
  'an amount of two hundred payins': '$ 1.234.000',
  'an amount of a tenth of them': '50.000',
  'a document': PERSON.idNumber,
  'an e-mail address': PERSON.email,
  'a phone number': PERSON.phone,
  'a name that one has': 'zoraida gomez',
  'a name that many have': 'maria',
  'two words that many have': 'maria gomez',
  'four words that nobody has together': 'nombre1 nombre2 apellido1 segundo2',
  'nothing that there is': 'no-existe-999',
}

export async function search(testbed: Testbed): Promise<Row[]> {
  const { organizationId } = await testbed.newMerchant()
  const wrapper = secretsKeyWrapper(deriveKeys(testbed.secretsKey).rest, randomBytes)
  const vaults = createVaults({ db: testbed.db, wrapper, now: Date.now, randomBytes })
  const vault = await vaults(organizationId)
  testbed.reportProgress(`  writing ${PAYINS.toLocaleString('en')} payins`)
  await writePayins(testbed.db, organizationId)
  testbed.reportProgress('  writing their words')
  await writeWordsOfAll(testbed.db, organizationId, vault)
  await writePerson(testbed.db, organizationId, vault)
  await testbed.sampleBusyShare()
  const db = openDb({ url: testbed.databaseUrl, poolSize: POOL_SIZE })
  try {
    const ids = await testbed.db.query<{ id: string }>({
      text: 'select payin_id as id from payins where organization_id = $1 and reference = $2',
      values: [organizationId, `ref-${MIDDLE}`],
    })
    const rows: Row[] = []
    for (const [label, typed] of Object.entries({ 'an id': ids.rows[0]?.id ?? '', ...QUESTIONS })) {
      const { measured, found } = await timeQuestion({ db, vault: vaults }, organizationId, typed)
      rows.push({
        label: `search in ${PAYINS.toLocaleString('en')} payins by ${label}: ${found} found`,
        measured,
        bars: [atMost(measured.p50Ms, BAR_MS, 'ms')],
      })
    }
    return rows
  } finally {
    await db.close()
  }
}

async function timeQuestion(
  ctx: { db: Db; vault: ReturnType<typeof createVaults> },
  organizationId: string,
  typed: string,
): Promise<{ measured: Measurement; found: number }> {
  const question = readQuestion(typed)
  if (question === undefined) throw new Error('nothing was asked')
  const times: number[] = []
  let found = 0
  for (let time = 0; time < TIMES; time += 1) {
    const startedMs = performance.now()
    const result = await searchAll(ctx, { organizationId, scopes: null, seesPeople: true }, question, LIMIT)
    times.push(performance.now() - startedMs)
    found = result.found.length
  }
  times.sort((a, b) => a - b)
  const p50Ms = times[TIMES >> 1] as number
  return {
    found,
    measured: {
      answered: TIMES,
      requestsPerSecond: 1_000 / p50Ms,
      p50Ms,
      p99Ms: times.at(-1) as number,
      cpuMicrosPerRequest: Number.NaN,
    },
  }
}

// A payin each three seconds, with a sealed payer of the usual length.
const NUMBERED = `
  select n, overlay(overlay(left(lpad(to_hex(1700000000000 + n * 3000), 12, '0') || md5(n::text), 32) placing '7' from 13)
                    placing '8' from 17)::uuid as id,
         case when n % 10 = 0 then 5000000 else ((n * 7919) % 50000 + 1) * 100000 end as cents
    from generate_series(1::bigint, $2::bigint) as n`

async function writePayins(db: Db, organizationId: string): Promise<void> {
  // Nothing that is written here must outlive a crash, and no question reads by status.
  for (const table of ['payins', 'search_words', 'people_digests'])
    await db.query({ text: `alter table ${table} set unlogged` })
  await db.query({ text: 'drop index payins_by_status, payins_by_reference' })
  await db.inTransaction(
    (tx) =>
      tx.query({
        text: `insert into payins (organization_id, payin_id, version, status, settlement_status, rail, amount_cents,
                                   confirmed_amount_cents, currency, reference, customer, key_type, key_string, trace_id,
                                   created_at, updated_at, expires_at, result_at, rail_stage)
               select $1, id, 2, 'CONFIRMED', 'SETTLED', 'BRE_B', cents, cents, 'COP', 'ref-' || n,
                      json_build_object('sealed', repeat('x', 180)), 'SINGLE_USE', '@RC' || upper(left(md5(n::text), 12)),
                      (1000000000 + n)::text, to_timestamp(1700000000 + n * 3), to_timestamp(1700000000 + n * 3),
                      to_timestamp(1700000000 + n * 3), to_timestamp(1700000000 + n * 3), 'DONE'
                 from (${NUMBERED}) as numbers`,
        values: [organizationId, PAYINS],
      }),
    { timeoutMs: 0 },
  )
  await db.query({
    text: `create unique index payins_by_reference on payins
             (organization_id, reference,
              (case when payment_link_id is null then '00000000-0000-0000-0000-000000000000'::uuid else payin_id end))`,
  })
  await db.query({ text: 'vacuum (analyze) payins' })
}

// Eight words and two digests each, as the workers write them. The index is made afterwards, which is faster.
async function writeWordsOfAll(db: Db, organizationId: string, vault: Vault): Promise<void> {
  const words = (texts: readonly string[]) =>
    texts.map((text) => wordOf('payin', { trait: 'name', text }, vault.digest))
  const chance = (salt: string) => `encode(substring(sha256(('${salt}' || n)::bytea) for 9), 'base64')`
  const pick = (from: string, salt: number) =>
    `(${from}::text[])[1 + (hashint8(n * 31 + ${salt})::bigint & 2147483647) % cardinality(${from}::text[])]`
  const named = `case when n % 20 = 0 then ($3::text[])[1] else ${pick('$3', 1)} end`
  await db.query({ text: 'alter table search_words drop constraint search_words_pkey' })
  await db.query({ text: 'alter table people_digests drop constraint people_digests_pkey' })
  await db.inTransaction(
    async (tx) => {
      await tx.query({
        text: `insert into search_words (organization_id, word, object_id)
               select $1::uuid, w.word, id
                 from (${NUMBERED}) as numbers
                cross join lateral (values ('irref-' || n), ('ia' || cents), ('ik@RC' || upper(left(md5(n::text), 12))),
                                           ('it' || 1000000000 + n), ('ip' || ${chance('phone')}), (${named}),
                                           (${pick('$4', 3)}), (${pick('$5', 4)})) as w (word)
                where n <= $2::bigint - ${UNWORDED}`,
        values: [organizationId, PAYINS, words(FIRST), words(LAST), words(SECOND)],
      })
      await tx.query({
        text: `insert into people_digests (organization_id, digest, object_id, resource)
               select $1, d.digest, id, 'payin'
                 from (${NUMBERED}) as numbers
                cross join lateral (values (substring(sha256(('document' || n)::bytea) for 16)),
                                           (substring(sha256(('email' || n)::bytea) for 16))) as d (digest)`,
        values: [organizationId, PAYINS],
      })
    },
    { timeoutMs: 0 },
  )
  await db.inTransaction(
    async (tx) => {
      await tx.query({ text: `set local maintenance_work_mem = '512MB'` })
      await tx.query({ text: 'alter table search_words add primary key (organization_id, word, object_id)' })
      await tx.query({
        text: 'alter table people_digests add primary key (organization_id, digest, object_id)',
      })
    },
    { timeoutMs: 0 },
  )
  await db.query({ text: 'vacuum (analyze) search_words, people_digests' })
  const last = await db.query<{ id: string }>({
    text: 'select payin_id as id from payins where organization_id = $1 order by payin_id desc offset $2 limit 1',
    values: [organizationId, UNWORDED],
  })
  await moveSearchMark(db, organizationId, 'payin', last.rows[0]?.id as string)
  await sealNewest(db, organizationId, vault)
}

async function sealNewest(db: Db, organizationId: string, vault: Vault): Promise<void> {
  const { rows } = await db.query<{ id: string }>({
    text: 'select payin_id as id from payins where organization_id = $1 order by payin_id desc limit $2',
    values: [organizationId, UNWORDED],
  })
  for (const { id } of rows)
    await db.query({
      text: 'update payins set customer = $3 where organization_id = $1 and payin_id = $2',
      values: [organizationId, id, sealCustomer(vault, id, OTHER)],
    })
}

// Who is asked for has paid twice.
async function writePerson(db: Db, organizationId: string, vault: Vault): Promise<void> {
  const { rows } = await db.query<{ id: string }>({
    text: 'select payin_id as id from payins where organization_id = $1 and reference = any($2)',
    values: [organizationId, [`ref-${MIDDLE}`, `ref-${Math.round(MIDDLE / 3)}`]],
  })
  for (const { id: objectId } of rows) {
    const facts = [
      ...nameWords(PERSON.name).map((text) => ({ trait: 'name', text }) as const),
      { trait: 'phone', text: PERSON.phone.slice(3) } as const,
    ]
    const words = facts.map((fact) => ({ word: wordOf('payin', fact, vault.digest), objectId }))
    await insertWords(db, organizationId, words)
    await insertDigests(db, organizationId, 'payin', [
      { digest: vault.digest({ by: 'document', ...PERSON }), objectId },
      { digest: vault.digest({ by: 'email', ...PERSON }), objectId },
    ])
  }
}
