// The PostgreSQL programs that come with `npm ci`. They normally run from where npm installed them. They run
// from a copy in two cases: as root, because the account that runs PostgreSQL may not be able to read npm's
// directory, and when npm skipped the package's install script, which makes the library symlinks. The copy is
// named after its version so that versions never mix.
import { constants } from 'node:fs'
import { cp, mkdtemp, open, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { EmbeddedPostgresFailure } from './failure.ts'
import { exists } from './location.ts'
import PLATFORMS from './platforms.json' with { type: 'json' }

export type BinaryPackage = { directory: string; version: string; majorVersion: string }

export type Binaries = { initdb: string; postgres: string }

export async function findBinaryPackage(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<BinaryPackage> {
  const packages: Readonly<Record<string, { postgres: string }>> = PLATFORMS
  const name = packages[`${platform}-${arch}`]?.postgres
  if (name === undefined)
    throw new EmbeddedPostgresFailure(
      `Recaudo brings no PostgreSQL for ${platform} ${arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    )
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new EmbeddedPostgresFailure(
      `The package ${name} is not installed: run npm ci without omitting optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.`,
      '',
      { cause: error },
    )
  }
  const directory = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as {
    version: string
  }
  return { directory, version, majorVersion: version.split('.', 1)[0] ?? version }
}

export async function provideBinaries(options: {
  package: BinaryPackage
  mustCopy: boolean
  copyInto: string
}): Promise<Binaries> {
  const original = join(options.package.directory, 'native')
  const missing = await findMissingSymlinks(options.package)
  if (!options.mustCopy && missing.length === 0) return programsIn(original)

  const copy = join(options.copyInto, `${COPY_PREFIX}${options.package.version}-${process.arch}`)
  if (!(await exists(copy))) await makeCopy(copy, original, missing)
  await removeOtherCopies(copy)
  return programsIn(copy)
}

function programsIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

async function makeCopy(copy: string, original: string, missing: Symlink[]): Promise<void> {
  const unfinished = await mkdtemp(`${copy}${UNFINISHED}`)
  try {
    await fill(unfinished, original, missing)
  } catch (error) {
    // Most likely the disk is full, and half a copy makes it fuller.
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
  try {
    await rename(unfinished, copy)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    // Another process has already made the same copy.
    await rm(unfinished, { recursive: true })
  }
}

async function fill(unfinished: string, original: string, missing: Symlink[]): Promise<void> {
  await cp(original, unfinished, {
    recursive: true,
    // Otherwise links between libraries would point into the original, which the account may not be able to read.
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  })
  for (const { source, target } of missing) {
    await symlink(relative(dirname(target), source), join(unfinished, relative('native', target)))
  }
  await openToAllAndSync(unfinished)
}

type Symlink = { source: string; target: string }

async function findMissingSymlinks(binaryPackage: BinaryPackage): Promise<Symlink[]> {
  const list = join(binaryPackage.directory, 'native', 'pg-symlinks.json')
  if (!(await exists(list))) return []
  const symlinks = JSON.parse(await readFile(list, 'utf8')) as Symlink[]
  const present = await Promise.all(
    symlinks.map(({ target }) => exists(join(binaryPackage.directory, target))),
  )
  return symlinks.filter((_, index) => !present[index])
}

// Without the sync, a power cut just after the rename could leave empty files under the final name.
async function openToAllAndSync(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(
    [directory, ...paths].map(async (path) => {
      await using file = await open(path, 'r')
      const status = await file.stat()
      await file.chmod(status.isDirectory() || (status.mode & 0o100) !== 0 ? 0o755 : 0o644)
      await file.sync()
    }),
  )
}

async function removeOtherCopies(copy: string): Promise<void> {
  const directory = dirname(copy)
  for (const name of await readdir(directory)) {
    if (!name.startsWith(COPY_PREFIX) || name === basename(copy)) continue
    const path = join(directory, name)
    // Another process may still be writing a recent unfinished copy.
    if (name.includes(UNFINISHED) && (await ageInMs(path)) < ABANDONED_AFTER_MS) continue
    await rm(path, { recursive: true, force: true })
  }
}

async function ageInMs(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs
  } catch {
    // The process that made it has just renamed or removed it.
    return 0
  }
}

const COPY_PREFIX = 'postgres-binaries-'
const UNFINISHED = '.unfinished-'

// Copying 60 MB takes well under a minute on any disk. After ten minutes the process that made it is gone.
const ABANDONED_AFTER_MS = 10 * 60 * 1000
