// Why a program of PostgreSQL ended, in a sentence that says what to do. Its own words are in its log, unless the disk was too
// full to write them; and a process that was killed has none.
import { statfs } from 'node:fs/promises'
import { EmbeddedPostgresFailure } from './failure.ts'
import type { Log } from './log.ts'

type Ended = { directory: string; log: Log }

export async function describeEnd(
  end: string,
  { directory, log }: Ended,
  cause?: unknown,
): Promise<EmbeddedPostgresFailure> {
  const advice = (await fullDisk(directory)) ?? killed(end) ?? 'remove the cause named below and start again.'
  return new EmbeddedPostgresFailure(
    `PostgreSQL ended by itself (${end}): ${advice}`,
    await log.lastLines().catch(() => ''),
    { cause },
  )
}

// Undefined if there is room on the disk.
export async function fullDisk(directory: string): Promise<string | undefined> {
  const disk = await statfs(directory).catch(() => undefined)
  if (disk === undefined) return undefined
  const freeBytes = disk.bavail * disk.bsize
  if (freeBytes >= LOG_SEGMENT_BYTES) return undefined
  return `the disk of ${directory} is full (${Math.floor(freeBytes / 1_000_000)} MB are left). Make room there, ${ROOM_TO_START_MB} MB at least, and start again: nothing that was answered is lost.`
}

function killed(end: string): string | undefined {
  if (end !== 'signal SIGKILL') return undefined
  return 'somebody killed it, or the system did for lack of memory, which its log says (dmesg). Start again: nothing that was answered is lost.'
}

// PostgreSQL writes its log in files of this size, and ends if it cannot make the next one.
const LOG_SEGMENT_BYTES = 16 * 1024 * 1024
// Two such files, and something to work with.
const ROOM_TO_START_MB = 64
