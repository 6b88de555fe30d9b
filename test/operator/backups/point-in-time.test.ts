// The drill with PostgreSQL's own base backup and WAL, by the commands of the guide: back to a second between the backup and the
// crash. Needs the server and the client programs of a PostgreSQL; where they are missing, the log says so.

import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { verifyApprovalsCommand } from '../../../src/operator/approvals/commands.ts'
import { verifyAudit } from '../../../src/operator/audit/commands.ts'
import { verifyClosesCommand, verifyLedgerCommand } from '../../../src/operator/ledger.ts'
import { openDb } from '../../../src/store/db.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { openDay } from '../../flows/ledger/reconciling.ts'
import { ask } from '../../process/standby.ts'
import { eventually, type World } from '../../world.ts'
import { type Drill, drillIn } from './drill.ts'

// Debian's place. They run as nobody if we are root, since PostgreSQL does not run as root.
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin')
  .filter((bin) => ['initdb', 'postgres', 'pg_basebackup'].every((program) => existsSync(join(bin, program))))
  .sort((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b)))
  .at(-1)
const ACCOUNT = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const skip =
  PROGRAMS === undefined &&
  'No PostgreSQL programs (Debian: postgresql): going back to a second by base backup and WAL was not tried.'

describe('going back to a second by base backup and WAL', { skip }, () => {
  const programs = PROGRAMS ?? ''
  let world: World
  let drill: Drill
  let directory: string
  let server: ChildProcess
  let target: string
  const place = (name: string): string => join(directory, name)
  const url = (): string => `postgresql://recaudo@/postgres?host=${encodeURIComponent(directory)}&port=5432`
  const run = (program: string, args: string[]) =>
    promisify(execFile)(join(programs, program), args, { ...ACCOUNT, cwd: '/' })

  const start = async (cluster: string): Promise<void> => {
    const settings = { listen_addresses: '', unix_socket_directories: directory, fsync: 'off' }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server = spawn(join(programs, 'postgres'), ['-D', cluster, ...flags], {
      ...ACCOUNT,
      cwd: '/',
      stdio: 'ignore',
    })
    await eventually(
      () => ask(url(), 'select not pg_is_in_recovery() as ready').catch(() => []),
      ([row]) => row?.ready === true,
    )
  }
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await ended
  }

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'recaudo-wal-'))
    await chmod(directory, 0o755)
    if (ACCOUNT.uid !== undefined) await chown(directory, ACCOUNT.uid, ACCOUNT.gid)
    await mkdir(place('wal'), { mode: 0o777 })
    if (ACCOUNT.uid !== undefined) await chown(place('wal'), ACCOUNT.uid, ACCOUNT.gid)
    await run('initdb', [
      ...['--pgdata', place('cluster'), '--username', 'recaudo', '--encoding', 'UTF8', '--locale', 'C'],
      '--no-sync',
    ])
    const settings = [
      'archive_mode = on',
      `archive_command = 'test ! -f ${place('wal')}/%f && cp %p ${place('wal')}/%f'`,
    ]
    await appendFile(join(place('cluster'), 'postgresql.conf'), settings.join('\n'))
    await start(place('cluster'))
    const db = openDb({ url: url(), poolSize: 2, statementTimeoutMs: 20_000 })
    await migrate(db).finally(() => db.close())
    world = await openDay({ databaseVia: async () => url() })
    drill = drillIn(world)
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    server?.kill('SIGKILL')
    await rm(directory, { recursive: true, force: true })
  })

  it('takes a base backup, loads, notes a moment, loads more, and crashes', async () => {
    await run('pg_basebackup', ['--pgdata', place('base'), '--checkpoint', 'fast', '--dbname', url()])
    await drill.loadBefore()
    const [now] = await ask(url(), 'select now()::text as now')
    target = now?.now
    await drill.loadAfter()
    // As archive_timeout does every minute.
    const [last] = await ask(url(), 'select pg_walfile_name(pg_switch_wal()) as file')
    await eventually(async () => existsSync(join(place('wal'), last?.file)), Boolean)
    await kill()
  })

  it('restores the base backup, and the WAL up to that moment', async () => {
    const cluster = place('base')
    await writeFile(join(cluster, 'recovery.signal'), '')
    await appendFile(
      join(cluster, 'postgresql.auto.conf'),
      [
        `restore_command = 'cp ${place('wal')}/%f %p'`,
        `recovery_target_time = '${target}'`,
        `recovery_target_action = 'promote'`,
        '',
      ].join('\n'),
    )
    await start(cluster)
    await drill.assertRestored()
    const { ctx } = world
    await verifyLedgerCommand(ctx)
    for (const proof of [verifyAudit, verifyClosesCommand, verifyApprovalsCommand])
      assert.ok((await proof(ctx, {})).length > 0)
  })

  it('pays nothing a second time', () => drill.assertPaidOnce())

  it('finds by reconciliation exactly what lies between', () => drill.assertFound())
})
