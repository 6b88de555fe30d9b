// The password of the embedded database, for every connection. It is in `postgres.password` in the data directory, readable
// by its owner alone. A cluster without one, made by initdb or by an older version, is opened once to set it: on a socket
// that only its account and root can enter.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { EmbeddedPostgresFailure } from './failure.ts'
import { type Account, type DataLocation, exists, isRoot, isServiceAccount } from './location.ts'

export type Password = {
  text: string
  // Called on a connection to a server that is ready. Nobody connects without the password from then on.
  establish: (client: Client) => Promise<void>
}

export async function providePassword(dataDir: string, place: DataLocation): Promise<Password> {
  const file = passwordFile(await realpath(dataDir))
  const isNew = (await readPassword(file)) === undefined
  if (isNew) await makePassword(file)
  // Lets an ordinary user whose cluster root has started start it later.
  if (place.runAs !== undefined && !isServiceAccount(place.runAs)) await giveTo(file, place.runAs)
  const text = (await readPassword(file)) as string
  const rules = join(place.cluster, 'pg_hba.conf')
  const isEstablished = !isNew && (await readFile(rules, 'utf8')) === WITH_PASSWORD
  if (!isEstablished) await overwrite(rules, WITHOUT_PASSWORD)
  return {
    text,
    async establish(client) {
      if (isEstablished) return
      // Many rounds protect a password that can be guessed. This one cannot, and every connection would pay for them.
      await client.query('set scram_iterations = 1')
      await client.query(`alter role recaudo password '${text}'`)
      await overwrite(rules, WITH_PASSWORD)
      await client.query('select pg_reload_conf()')
    },
  }
}

// Undefined: the server was started by a version without one.
export async function findPassword(dataDir: string): Promise<string | undefined> {
  return readPassword(passwordFile(await realpath(dataDir)))
}

// A file that a process left empty when it died is none.
async function readPassword(file: string): Promise<string | undefined> {
  if (!(await exists(file))) return undefined
  await using opened = await openOwn(file)
  const text = (await opened.readFile('utf8')).trim()
  return text === '' ? undefined : text
}

async function giveTo(file: string, { uid, gid }: Account): Promise<void> {
  await using opened = await openOwn(file)
  // With two names it may be somebody else's file.
  if ((await opened.stat()).nlink === 1) await opened.chown(uid, gid)
}

// Root may be working in another user's directory, and must not follow a link from there.
async function openOwn(file: string): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY | (isRoot() ? constants.O_NOFOLLOW : 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error
    throw new EmbeddedPostgresFailure(
      `${file} is a link: delete it, and the next start makes another password.`,
      '',
      { cause: error },
    )
  }
}

function passwordFile(realDataDir: string): string {
  return join(realDataDir, 'postgres.password')
}

async function makePassword(file: string): Promise<void> {
  await rm(file, { force: true })
  const { O_CREAT, O_EXCL, O_WRONLY } = constants
  await using created = await open(file, O_CREAT | O_EXCL | O_WRONLY, 0o600)
  await created.writeFile(`${randomBytes(32).toString('hex')}\n`)
  await created.sync()
}

// The file keeps its owner. Root must not follow a link that the account has put there.
async function overwrite(path: string, text: string): Promise<void> {
  const { O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants
  await using file = await open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW)
  await file.writeFile(text)
  await file.sync()
}

const rulesFor = (method: string): string =>
  `# Written by Recaudo.\nlocal all all ${method}\nlocal replication all ${method}\n`
const WITH_PASSWORD = rulesFor('scram-sha-256')
const WITHOUT_PASSWORD = rulesFor('trust')
