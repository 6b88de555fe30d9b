// What other programs on the machine can see of a service and its embedded database: nothing. Looked at with other accounts'
// eyes, which only root can borrow.

import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { findCluster, isRoot } from '../../src/embedded/location.ts'
import { findRunningEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { clientOf } from '../world.ts'
import { dataDirectory, type Running, readGreeting, start, stop } from './process.ts'

// A service lives through several tests, and is gone before its data directory.
const opened = new AsyncDisposableStack()
const owner = { after: (clean: () => void | Promise<void>) => opened.defer(clean) }
after(() => opened.disposeAsync())
const dataDir = dataDirectory({ after })
const env = { DATA_DIR: dataDir }
const NOBODY = 65534
const asRoot = { skip: isRoot() ? false : 'only root can look with the eyes of another account' }

// What a program of that account gets: the result, or the code of the error.
async function as(uid: number, program: string): Promise<string> {
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      ['-e', `(async () => { ${program} })().then(console.log, (error) => console.log(error.code))`],
      { uid, gid: uid, cwd: '/', env: {} },
      (error, stdout, stderr) => resolve(error === null ? stdout.trim() : `${error.message} ${stderr}`),
    )
  })
}
const reading = (path: string) => `return require('node:fs').readFileSync(${JSON.stringify(path)}).length`
const listing = (path: string) => `return require('node:fs').readdirSync(${JSON.stringify(path)}).length`
const connecting = (path: string) =>
  `return await new Promise((resolve, reject) => {
     const socket = require('node:net').connect(${JSON.stringify(path)}, () => resolve('connected'))
     socket.on('error', reject)
   })`

// One service for all of them, the second in its data directory.
let running: Promise<Running> | undefined
function started(): Promise<Running> {
  running ??= (async () => {
    await stop(await start(owner, { env }))
    // As an older version left them.
    for (const name of ['demo-credentials.json', 'sandbox.sqlite', 'postgres.log'])
      chmodSync(join(dataDir, name), 0o644)
    return start(owner, { env })
  })()
  return running
}

test('another account reads no file, enters no directory and reaches no database', asRoot, async () => {
  const server = await started()
  const cluster = (await findCluster(dataDir)) as string
  const { uid: account } = lstatSync(cluster)
  assert.ok(![0, NOBODY].includes(account), 'the database has an account that nobody else has')

  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    // Copies of public programs, which the account must be able to run.
    .filter(({ path }) => !path.startsWith(join(dataDir, 'postgres-binaries-')))
  assert.ok(files.some(({ path }) => path.endsWith('sandbox.sqlite-wal')))
  for (const { entry, path } of files) {
    if (entry.isSymbolicLink()) continue
    // PostgreSQL has removed a file of its own meanwhile.
    const { mode = 0 } = lstatSync(path, { throwIfNoEntry: false }) ?? {}
    assert.equal(mode & 0o077, 0, `${path} is open to others`)
  }
  assert.equal(lstatSync(dataDir).mode & 0o066, 0, 'others may pass through the directory at most')

  assert.equal(await as(NOBODY, listing('/')), String(readdirSync('/').length), 'the account can look')
  const secret = [
    'secrets.key',
    'postgres.password',
    'demo-credentials.json',
    'sandbox.sqlite',
    'postgres.log',
  ]
  for (const name of secret) assert.equal(await as(NOBODY, reading(join(dataDir, name))), 'EACCES', name)
  assert.equal(await as(NOBODY, listing(dataDir)), 'EACCES')
  assert.equal(await as(NOBODY, listing(cluster)), 'EACCES')
  assert.equal(await as(NOBODY, reading(join(cluster, 'PG_VERSION'))), 'EACCES')
  assert.equal(await as(NOBODY, connecting(join(cluster, '.s.PGSQL.5432'))), 'EACCES')
  assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200, 'it runs all the while')
})

test('whoever reaches the socket needs the password', async () => {
  await started()
  const { url } = (await findRunningEmbeddedPostgres(dataDir)) as { url: string }
  assert.match(url, /^postgresql:\/\/recaudo:[0-9a-f]{64}@/)
  await assertRefused(url.replace(/:[0-9a-f]{64}@/, '@'))
  await assertRefused(url.replace(/:[0-9a-f]{64}@/, `:${'0'.repeat(64)}@`))
})

test(
  'a database that older versions ran as nobody, without a password, is taken over with what is in it',
  asRoot,
  async (t) => {
    const first = await started()
    const { apiKey } = readGreeting(first.stdout())
    await stop(first)
    const cluster = (await findCluster(dataDir)) as string
    rmSync(join(dataDir, 'postgres.password'))
    writeFileSync(join(cluster, 'pg_hba.conf'), 'local all all trust\nhost all all 127.0.0.1/32 reject\n')
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, cluster])

    const server = await start(t, { env })
    assert.equal(readGreeting(server.stdout()).apiKey, apiKey)
    assert.equal(
      (await clientOf(server.baseUrl, { 'x-api-key': apiKey })('GET', '/organization')).status,
      200,
    )
    assert.ok(![0, NOBODY].includes(lstatSync(cluster).uid))
    assert.equal(lstatSync(join(cluster, 'PG_VERSION')).uid, lstatSync(cluster).uid)
    const { url } = (await findRunningEmbeddedPostgres(dataDir)) as { url: string }
    await assertRefused(url.replace(/:[0-9a-f]{64}@/, '@'))
    assert.doesNotMatch(readFileSync(join(cluster, 'pg_hba.conf'), 'utf8'), /trust/)
    await stop(server)
  },
)

async function assertRefused(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await assert.rejects(client.connect(), /password/)
}
