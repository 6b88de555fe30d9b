// Where the embedded database is stored and which account runs it. PostgreSQL refuses to run as root, so root
// runs it as an account that nobody else uses, which must be able to reach the files. If that account cannot enter the
// data directory, the files are stored under /var/lib/recaudo, and `postgres.location` in the data directory
// says where. Only on Linux is there such an account: elsewhere root is refused.
import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lchown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory, syncDirectory } from './directory.ts'
import { EmbeddedPostgresFailure } from './failure.ts'

export type Account = { uid: number; gid: number }

export type DataLocation = {
  // Contains the cluster, the copied binaries and anything unfinished.
  directory: string
  cluster: string
  logFile: string
  // Undefined means our own user.
  runAs: Account | undefined
}

export async function chooseLocation(dataDir: string): Promise<DataLocation> {
  const realDataDir = await prepareDataDir(dataDir)
  const directory = await findDirectory(realDataDir)
  const cluster = join(directory, 'postgres')
  const runAs = await chooseAccount(cluster)
  const place = { directory, cluster, logFile: join(realDataDir, 'postgres.log'), runAs }
  if (runAs === undefined || (await canReach(runAs, directory))) return place

  // To the operator, a new and empty cluster elsewhere would look like lost data.
  if (directory !== realDataDir || (await exists(cluster))) {
    throw new EmbeddedPostgresFailure(
      `The database in ${cluster} is closed to uid ${runAs.uid}, which runs it: give every directory above it the permission o+x again.`,
    )
  }
  const elsewhere = await makeDirectoryElsewhere()
  await writeFile(join(elsewhere, OWNER_FILE), `${realDataDir}\n`, { flush: true, mode: 0o600 })
  const sentence = `The database of this data directory is kept there, because uid ${runAs.uid}, which runs it, cannot enter this one.`
  const begun = join(realDataDir, BEGUN_LOCATION_FILE)
  await rm(begun, { force: true })
  await writeFile(begun, `${elsewhere}\n${sentence}\n`, { flag: 'wx', flush: true, mode: 0o600 })
  return { ...place, directory: elsewhere, cluster: join(elsewhere, 'postgres') }
}

// Called once the cluster is complete. Until then the location file has another name, because a final location
// file that points to nothing means a lost database, not one that was never created.
export async function noteLocation(dataDir: string, place: DataLocation): Promise<void> {
  const realDataDir = await realpath(dataDir)
  if (place.directory === realDataDir) return
  const note = join(realDataDir, LOCATION_FILE)
  if (!(await exists(note))) {
    await rename(join(realDataDir, BEGUN_LOCATION_FILE), note)
    await syncDirectory(realDataDir)
  }
  await nameOwner(realDataDir, place.directory)
}

// Says at the other end whose files they are, at every start, because a data directory may be moved. The second name of the
// note tells by its number of links whether the note still exists anywhere; on another file system there is none.
async function nameOwner(realDataDir: string, directory: string): Promise<void> {
  const file = join(directory, OWNER_FILE)
  // Written only if it changes, so that a disk that has become full is not noticed here.
  if ((await readLocation(file)) !== realDataDir) await writeFile(file, `${realDataDir}\n`, { mode: 0o600 })
  const secondName = join(directory, LOCATION_FILE)
  await rm(secondName, { force: true })
  await link(join(realDataDir, LOCATION_FILE), secondName).catch(() => undefined)
}

// Returns the cluster of a data directory, if there is one. Creates and changes nothing.
export async function findCluster(dataDir: string): Promise<string | undefined> {
  if (!(await exists(dataDir))) return undefined
  const cluster = join(await findDirectory(await realpath(dataDir)), 'postgres')
  return (await exists(cluster)) ? cluster : undefined
}

// Creates the data directory if it is missing and returns its real path. A directory that is neither new nor
// empty keeps its permissions, because it may be somebody's home directory.
export async function prepareDataDir(dataDir: string): Promise<string> {
  if (isRoot()) refuseRoot(process.platform)
  try {
    return await prepare(dataDir)
  } catch (error) {
    throw unusable(dataDir, error)
  }
}

async function prepare(dataDir: string): Promise<string> {
  const mode = isRoot() ? 0o711 : 0o700
  const created = makeDirectory(dataDir, mode)
  const realDataDir = await realpath(dataDir)
  if (created) {
    await chmod(realDataDir, mode)
  } else if (isRoot() && (await readdir(realDataDir)).length === 0) {
    const existing = await stat(realDataDir)
    if (existing.uid === 0) await chmod(realDataDir, (existing.mode & 0o777) | 0o011)
  }
  await assertWritable(realDataDir)
  return realDataDir
}

// Tried, because permissions do not tell of a read-only file system.
async function assertWritable(directory: string): Promise<void> {
  const probe = join(directory, `.writable-${randomBytes(8).toString('hex')}`)
  // Root may be working in another user's directory, and must not follow a link from there.
  await writeFile(probe, '', { flag: 'wx' })
  await unlink(probe)
}

function unusable(dataDir: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  const reason = code === undefined ? undefined : UNWRITABLE[code]?.()
  if (reason === undefined) return error
  return new EmbeddedPostgresFailure(
    `Recaudo cannot write in its data directory ${dataDir}: ${reason}, or set DATA_DIR to another directory. Nothing was changed.`,
    '',
    { cause: error },
  )
}

const UNWRITABLE: Readonly<Record<string, () => string>> = {
  EROFS: () => 'it is on a read-only file system; mount it for writing',
  EACCES: () => `its owner does not let uid ${process.geteuid?.()} do so; give that user the permission`,
  EPERM: () =>
    process.platform === 'darwin'
      ? 'macOS does not allow it; let your terminal reach this folder (System Settings, Privacy & Security), or look at its flags (ls -lO)'
      : 'the system does not allow it; look at its attributes (lsattr) and mount options',
  ENOSPC: () => 'the disk is full; make room',
  EDQUOT: () => 'the quota of this user is used up; make room',
  EEXIST: () => 'it is a file; move that away',
  ENOTDIR: () => 'a part of this path is a file; move that away',
  ENOENT: () => 'it does not exist, and the system lets nobody make it; make it yourself',
}

export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

export function refuseRoot(platform: string): void {
  if (platform === 'linux') return
  throw new EmbeddedPostgresFailure(
    'PostgreSQL does not run as root, and only on Linux does Recaudo have another account for it: start Recaudo without sudo, or set DATABASE_URL to a PostgreSQL of your own. Nothing was changed.',
  )
}

export async function canReach(account: Account, directory: string): Promise<boolean> {
  for (let at = directory; ; at = dirname(at)) {
    const { uid, gid, mode } = await stat(at)
    const searchBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & searchBit) === 0) return false
    if (at === dirname(at)) return true
  }
}

export async function handOver(path: string, { uid, gid }: Account): Promise<void> {
  try {
    await chown(path, uid, gid)
  } catch (error) {
    throw new EmbeddedPostgresFailure(
      `PostgreSQL does not run as root, and ${path} could not be given to uid ${uid} (${(error as Error).message}): start Recaudo as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`,
      '',
      { cause: error },
    )
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

// The directory that contains the cluster, or that would contain it if its account can enter every directory.
async function findDirectory(realDataDir: string): Promise<string> {
  if (await exists(join(realDataDir, 'postgres'))) return realDataDir
  const note = join(realDataDir, LOCATION_FILE)
  const noted = await readLocation(note)
  if (noted === undefined) {
    // A process died while creating the database there, or just before it renamed the location file.
    const begun = await readLocation(join(realDataDir, BEGUN_LOCATION_FILE))
    return begun !== undefined && (await exists(begun)) ? begun : realDataDir
  }
  const cluster = join(noted, 'postgres')
  if (noted !== '' && (await exists(cluster))) return noted
  throw new EmbeddedPostgresFailure(
    `The database that ${note} points to is gone: bring ${cluster} back, or delete the note to start with an empty database.`,
  )
}

export async function readLocation(file: string): Promise<string | undefined> {
  if (!(await exists(file))) return undefined
  return (await readFile(file, 'utf8')).split('\n', 1)[0]?.trim()
}

// The name is unique. An earlier data directory at the same path may have had a database, and this one must not
// reuse it.
async function makeDirectoryElsewhere(): Promise<string> {
  await mkdir(ROOT_DATA_HOME, { recursive: true })
  await chmod(ROOT_DATA_HOME, 0o711)
  const directory = await mkdtemp(`${ROOT_DATA_HOME}/`)
  await chmod(directory, 0o711)
  return directory
}

// An existing cluster is run by its owner, so that a start as root does not lock out an ordinary user.
async function chooseAccount(cluster: string): Promise<Account | undefined> {
  const owner = (await exists(cluster)) ? await stat(cluster) : undefined
  if (isRoot()) {
    // Older versions ran it as `nobody`, which other programs use too.
    const isOrdinary = owner !== undefined && owner.uid !== 0 && owner.uid !== NOBODY.uid
    return isOrdinary ? { uid: owner.uid, gid: owner.gid } : await freeAccount()
  }
  if (owner !== undefined && owner.uid !== process.geteuid?.()) {
    throw new EmbeddedPostgresFailure(
      `The database in ${cluster} belongs to uid ${owner.uid}: start Recaudo as that user or as root, or give it another DATA_DIR.`,
    )
  }
  return undefined
}

export const LOCATION_FILE = 'postgres.location'
export const BEGUN_LOCATION_FILE = 'postgres.location.new'
export const ROOT_DATA_HOME = '/var/lib/recaudo'
// In the directory of the files: the data directory that they belong to.
export const OWNER_FILE = 'data-directory'

// The account `nobody` on every Linux, by number because minimal systems may lack the name.
export const NOBODY: Account = { uid: 65534, gid: 65534 }

// Numbers that neither distributions nor systemd give away. Whoever has one of them would own the database, so a number that
// somebody on this machine has is left out.
const SERVICE_UIDS = [65521, 65522, 65523, 65524, 65525, 65526, 65527, 65528, 65529, 65530]

async function freeAccount(): Promise<Account> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const taken = new Set(passwd.split('\n').map((line) => line.split(':')[2]))
  const uid = SERVICE_UIDS.find((one) => !taken.has(String(one)))
  return uid === undefined ? NOBODY : { uid, gid: uid }
}

export function isServiceAccount({ uid }: Account): boolean {
  return SERVICE_UIDS.includes(uid) || uid === NOBODY.uid
}

// Gives a whole tree to the account. Its old owner is shut out first and the new one let in last, so that nobody changes
// what is below meanwhile, and a start that was interrupted begins again.
export async function handOverTree(path: string, account: Account): Promise<void> {
  await handOver(path, { uid: 0, gid: 0 })
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), account.uid, account.gid)
  await handOver(path, account)
}
