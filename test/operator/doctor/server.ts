// A PostgreSQL of a test's own, whose settings may be spoiled, with the schema in it. And what the doctor says of it.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../../../src/config.ts'
import { startEmbeddedPostgres } from '../../../src/embedded/postgres.ts'
import { diagnose } from '../../../src/operator/doctor/doctor.ts'
import { DOCTOR_LIMITS, type DoctorFinding, type DoctorLimits } from '../../../src/operator/doctor/finding.ts'
import type { Flags } from '../../../src/operator/flags.ts'
import { openDb } from '../../../src/store/db.ts'
import { migrate } from '../../../src/store/migrate.ts'

export type OwnServer = AsyncDisposable & {
  url: string
  // As its superuser, one statement.
  sql: (text: string) => Promise<pg.QueryResultRow[]>
  // Until the server is told otherwise; whoever connects next has it.
  set: (name: string, value: string | null) => Promise<void>
}

export async function startOwnServer(settings: Record<string, string> = {}): Promise<OwnServer> {
  await using onFailure = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-doctor-'))
  onFailure.defer(() => rmSync(directory, { recursive: true, force: true }))
  // As root the server runs under another account, which needs access.
  chmodSync(directory, 0o755)
  const server = onFailure.use(await startEmbeddedPostgres({ dataDir: directory, settings }))
  const db = openDb({ url: server.url, poolSize: 1 })
  await migrate(db).finally(() => db.close())
  const sql = (text: string) => ask(server.url, text)
  const onStop = onFailure.move()
  return {
    url: server.url,
    sql,
    set: async (name, value) => {
      await sql(value === null ? `alter system reset ${name}` : `alter system set ${name} = '${value}'`)
      await sql('select pg_reload_conf()')
    },
    [Symbol.asyncDispose]: () => onStop.disposeAsync(),
  }
}

export async function ask(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export type Told = {
  ok: boolean
  findings: readonly DoctorFinding[]
  problems: string[]
  of: (about: string) => DoctorFinding | undefined
}

type Asked = {
  env?: Record<string, string>
  flags?: Flags
  limits?: Partial<DoctorLimits>
  now?: () => number
}

export async function examined(url: string, { env, flags, limits, now }: Asked = {}): Promise<Told> {
  const config = readConfig({ DATABASE_URL: url, ...env })
  const diagnosis = await diagnose(config, flags, {
    limits: { ...DOCTOR_LIMITS, ...limits },
    ...(now && { now }),
  })
  for (const { level, about, remedy } of diagnosis.findings)
    if (level !== 'ok' && !remedy) throw new Error(`${about} does not say what to do`)
  return {
    ...diagnosis,
    problems: diagnosis.findings.filter(({ level }) => level === 'problem').map(({ about }) => about),
    of: (about) => diagnosis.findings.find((finding) => finding.about === about),
  }
}
