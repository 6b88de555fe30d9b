// Databases that root keeps under /var/lib/recaudo for data directories that only root can enter. They stay when such a data
// directory is deleted, because nothing tells us. Here they are listed, and those whose data directory is gone are removed. In
// doubt a database is kept.
import { lstat, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresFailure } from './failure.ts'
import {
  BEGUN_LOCATION_FILE,
  exists,
  LOCATION_FILE,
  OWNER_FILE,
  ROOT_DATA_HOME,
  readLocation,
} from './location.ts'
import { findPostmaster } from './postmaster.ts'
import { processTable } from './process-table.ts'

type State =
  | 'in use'
  | 'running'
  | 'moved'
  | 'not stopped'
  | 'on another disk'
  | 'unknown'
  | 'gone'
  | 'replaced'

export type LeftoverDatabase = {
  directory: string
  // Null: its version wrote none down.
  dataDirectory: string | null
  megabytes: number
  state: State
  // What `recaudo data clean` does with it, and why.
  clean: string
}

export async function listKeptElsewhere(locations = ROOT_DATA_HOME): Promise<LeftoverDatabase[]> {
  return Promise.all((await directoriesIn(locations)).map(describe))
}

// Without `isSure` nothing is removed: what would be is returned.
export async function cleanLeftovers(
  isSure: boolean,
  locations = ROOT_DATA_HOME,
): Promise<LeftoverDatabase[]> {
  const leftovers = (await listKeptElsewhere(locations)).filter(({ state }) => isLeftover(state))
  if (!isSure) return leftovers
  const removed: LeftoverDatabase[] = []
  for (const leftover of leftovers) {
    // Measuring them all took a while.
    if (!isLeftover(await stateOf(leftover.directory))) continue
    await rm(leftover.directory, { recursive: true, force: true })
    removed.push({ ...leftover, clean: 'removed' })
  }
  return removed
}

// Never fails: it is only a remark at the start.
export async function countLeftovers(locations = ROOT_DATA_HOME): Promise<number> {
  try {
    const states = await Promise.all((await directoriesIn(locations)).map(stateOf))
    return states.filter(isLeftover).length
  } catch {
    return 0
  }
}

const CLEAN: Readonly<Record<State, string>> = {
  'in use': 'kept: its data directory is there',
  running: 'kept: a PostgreSQL runs in it',
  moved: 'kept: its data directory was moved; the next start there says where it is',
  'not stopped':
    'kept: its PostgreSQL did not stop in order, or runs where we do not see it; if none runs, delete postgres/postmaster.pid in it',
  'on another disk':
    'kept: its data directory was on another disk, which may not be mounted here; if you know that it is gone, delete it yourself',
  unknown:
    'kept: it names no data directory that can be looked at; if you know that there is none, delete it yourself',
  gone: 'removed with --yes: its data directory is gone',
  replaced: 'removed with --yes: its data directory has another database now',
}

function isLeftover(state: State): boolean {
  return state === 'gone' || state === 'replaced'
}

async function directoriesIn(locations: string): Promise<string[]> {
  try {
    const entries = await readdir(locations, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(locations, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code !== 'EACCES') throw error
    throw new EmbeddedPostgresFailure(
      `Only root can look into ${locations}, where root's databases are kept: run this as root.`,
      '',
      { cause: error },
    )
  }
}

async function describe(directory: string): Promise<LeftoverDatabase> {
  const state = await stateOf(directory)
  return {
    directory,
    // One that cannot be read is no reason not to tell of the others.
    dataDirectory: (await readLocation(join(directory, OWNER_FILE)).catch(() => undefined)) || null,
    megabytes: Math.ceil((await bytesIn(directory)) / 1_000_000),
    state,
    clean: CLEAN[state],
  }
}

async function stateOf(directory: string): Promise<State> {
  try {
    return await lookAt(directory)
  } catch {
    return 'unknown'
  }
}

async function lookAt(directory: string): Promise<State> {
  const cluster = join(directory, 'postgres')
  if ((await findPostmaster(cluster)) !== undefined) return 'running'
  if ((await exists(cluster)) && (await processTable.isWorkingDirectory(cluster))) return 'running'
  const dataDirectory = await readLocation(join(directory, OWNER_FILE))
  if (!dataDirectory) return 'unknown'
  const isThere = await exists(dataDirectory)
  if (isThere && !(await hasAnotherDatabase(dataDirectory, directory))) return 'in use'
  const names = await namesOfNote(directory)
  if (names > 1) return 'moved'
  if (await exists(join(cluster, 'postmaster.pid'))) return 'not stopped'
  // Nothing tells whether its note is still somewhere. What was never made is no loss.
  if (names === 0 && (await exists(cluster))) return 'on another disk'
  return isThere ? 'replaced' : 'gone'
}

async function hasAnotherDatabase(dataDirectory: string, directory: string): Promise<boolean> {
  const notes = await Promise.all(
    [LOCATION_FILE, BEGUN_LOCATION_FILE].map((name) => readLocation(join(dataDirectory, name))),
  )
  if (notes.includes(directory)) return false
  return notes.some((note) => note !== undefined) || (await exists(join(dataDirectory, 'postgres')))
}

// The second name is one of them. None: the note was on another disk, or an older version wrote it.
async function namesOfNote(directory: string): Promise<number> {
  const secondName = join(directory, LOCATION_FILE)
  return (await exists(secondName)) ? (await stat(secondName)).nlink : 0
}

async function bytesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    // A server that runs removes files at any time.
    entries.map(async ({ parentPath, name }) =>
      lstat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
