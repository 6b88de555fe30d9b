// Room on the disk, where it can be seen from here, and what fills it.

import { statfs } from 'node:fs/promises'
import { hostNames, isOnThisMachine } from '../../store/database-url.ts'
import type { Db } from '../../store/db.ts'
import { readSettings, readSizes } from '../../store/doctor/server-state.ts'
import { type DoctorFinding, type DoctorLimits, note, ok, problem, sizeText } from './finding.ts'

const MIB = 1024 ** 2

export async function examineDisk(
  db: Db,
  databaseUrl: string | null,
  limits: DoctorLimits,
): Promise<DoctorFinding[]> {
  const settings = await readSettings(db, ['data_directory', 'max_wal_size', 'wal_keep_size'])
  const { databaseBytes, logBytes } = await readSizes(db)
  const isHere = databaseUrl === null || hostNames(databaseUrl).every(isOnThisMachine)
  const meant = (Number(settings.get('max_wal_size')) + Number(settings.get('wal_keep_size'))) * MIB
  return [
    await examineRoom(isHere ? settings.get('data_directory') : undefined, limits),
    ok('database size', sizeText(databaseBytes)),
    examineLog(logBytes, meant, limits),
  ]
}

async function examineRoom(directory: string | undefined, limits: DoctorLimits): Promise<DoctorFinding> {
  const room = directory === undefined ? undefined : await statfs(directory).catch(() => undefined)
  if (directory === undefined || room === undefined)
    return note(
      'disk',
      'the room on the database’s disk cannot be seen from here',
      'watch it there, and have somebody told at 15 % free: a full disk stops every payment',
    )
  const free = room.bavail * room.bsize
  const share = free / (room.blocks * room.bsize)
  const text = `${sizeText(free)} free in ${directory}, ${Math.round(share * 100)} %`
  const remedy =
    'make room or a larger disk before it is full; the log, old backups and the server’s own log files are what grows. Never delete files in the data directory by hand'
  if (free < limits.freeBytes || share < limits.freeShare) return problem('disk', text, remedy)
  return share < limits.freeShareToNote ? note('disk', text, remedy) : ok('disk', text)
}

function examineLog(bytes: number | undefined, meant: number, limits: DoctorLimits): DoctorFinding {
  if (bytes === undefined)
    return note(
      'log',
      'its size may not be read by this role',
      '`grant pg_monitor to …` lets it; nothing else needs it',
    )
  const text = `${sizeText(bytes)} of write-ahead log, ${sizeText(meant)} are meant to be kept`
  return bytes > meant + limits.logBytes
    ? problem(
        'log',
        text,
        'something keeps it: a slot that nobody reads, or an archive_command that fails, which are named above',
      )
    : ok('log', text)
}
