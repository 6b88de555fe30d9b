// A backup on disk: a directory with one compressed file of rows for each table, and manifest.json, which is written last. It has
// another name until it is whole, so that what was interrupted never looks like a backup.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import {
  BACKUP_FORMAT,
  type BackedUpTable,
  type Manifest,
  parseManifest,
} from '../../core/backups/manifest.ts'
import { makeDirectory, syncDirectory } from '../../embedded/directory.ts'
import type { Snapshot } from '../../store/backups/snapshot.ts'
import { OperatorFailure } from '../failure.ts'

export type Backup = {
  readonly directory: string
  readonly manifest: Manifest
  // Of manifest.json, which names the digests of all other files.
  readonly digest: string
  readonly rowsOf: (table: BackedUpTable) => AsyncIterable<Uint8Array>
}

const MANIFEST = 'manifest.json'
const UNFINISHED = '.unfinished-'
const CHUNK_BYTES = 65_536
const NEWLINE = 0x0a

// Before the database is asked anything.
export async function assertFree(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined)
  if (found !== undefined)
    throw new OperatorFailure(
      `${directory} exists already: name a directory that does not, such as one with the date.`,
    )
}

export async function writeBackup(directory: string, snapshot: Snapshot): Promise<Backup> {
  const target = resolve(directory)
  makeDirectory(dirname(target), 0o700)
  // Only its owner may enter it: rows hold the digests of keys, and what merchants wrote.
  const unfinished = await mkdtemp(`${target}${UNFINISHED}`)
  try {
    const tables: BackedUpTable[] = []
    for (const table of snapshot.tables)
      tables.push({
        ...table,
        ...(await writeRows(join(unfinished, fileOf(table)), () => snapshot.rowsOf(table))),
      })
    const { rowsOf: _, leftOut: __, ...described } = snapshot
    const manifest: Manifest = { format: BACKUP_FORMAT, ...described, tables }
    const text = `${JSON.stringify(manifest, null, 2)}\n`
    await writeFile(join(unfinished, MANIFEST), text, { mode: 0o600, flush: true })
    await syncDirectory(unfinished)
    await rename(unfinished, target)
    await syncDirectory(dirname(target))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
  return openBackup(directory)
}

export async function openBackup(directory: string): Promise<Backup> {
  const unusable = (problem: string): OperatorFailure =>
    new OperatorFailure(`The backup in ${directory} cannot be used: ${problem}.`)
  if (basename(directory).includes(UNFINISHED))
    throw unusable('`recaudo backup create` was interrupted while it wrote it; delete it')
  let text: string
  try {
    text = await readFile(join(directory, MANIFEST), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    throw unusable(`there is no ${MANIFEST} in it; name the directory that \`recaudo backup create\` wrote`)
  }
  const manifest = parseManifest(text)
  if ('problem' in manifest) throw unusable(manifest.problem)
  return {
    directory,
    manifest,
    digest: createHash('sha256').update(text).digest('hex'),
    rowsOf: (table) => readRows(directory, table),
  }
}

function fileOf({ table }: { table: string }): string {
  return `${table}.copy.gz`
}

// In COPY's text form a row is a line, and a line feed within a row is written as two characters.
async function writeRows(
  path: string,
  // Begun when somebody hears of its failure.
  beginRows: () => Readable,
): Promise<Pick<BackedUpTable, 'rows' | 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  let counted = 0
  let bytes = 0
  await using file = await open(path, 'wx', 0o600)
  await pipeline(
    beginRows(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) counted += 1
        yield chunk
      }
    },
    createGzip({ level: 3, chunkSize: CHUNK_BYTES }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        await file.appendFile(chunk)
      }
    },
  )
  await file.sync()
  return { rows: counted, bytes, sha256: hash.digest('hex') }
}

async function* readRows(directory: string, table: BackedUpTable): AsyncIterable<Uint8Array> {
  const name = fileOf(table)
  const damaged = (cause?: unknown): OperatorFailure =>
    new OperatorFailure(
      `The backup in ${directory} cannot be used: ${name} is not as it was written. Use another backup.`,
      1,
      { cause },
    )
  const hash = createHash('sha256')
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  const reading = pipeline(
    createReadStream(join(directory, name), { highWaterMark: CHUNK_BYTES }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    gunzip,
  )
  reading.catch(() => {})
  try {
    yield* gunzip
    await reading
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' || code?.startsWith('Z_') ? damaged(error) : error
  }
  if (hash.digest('hex') !== table.sha256) throw damaged()
}
