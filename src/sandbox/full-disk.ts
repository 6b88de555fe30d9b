// A full disk ends neither the networks nor the service that shares a process with them: what is due stays due, and is done once
// there is room.

import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

export const RETRY_FULL_DISK_MS = 1_000

// SQLite's own numbers. The file system may say that it is full while a page is written, which is an error of reading or writing.
const IO_ERROR = 10
const FULL = 13

export function isFullDisk(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: unknown }
  // The lower byte is the kind of error, the rest its detail.
  return typeof errcode === 'number' && [IO_ERROR, FULL].includes(errcode & 0xff)
}

/** All or nothing. A nested transaction is part of the outer one. */
export function transactionOf(db: DatabaseSync) {
  return <Value>(work: () => Value): Value => {
    if (db.isTransaction) return work()
    db.exec('begin immediate')
    try {
      const value = work()
      db.exec('commit')
      return value
    } catch (error) {
      // When the disk is full, SQLite has rolled back by itself.
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  }
}

/** False if the disk was full, and the work has to be done later. */
export function runUnlessDiskFull(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (!isFullDisk(error)) throw error
    return false
  }
}

/** Tries until there is room, or until it is too late. */
export async function retryUntilDiskHasRoom(work: () => void, { signal }: AbortController): Promise<void> {
  while (!(signal.aborted || runUnlessDiskFull(work)))
    await sleep(RETRY_FULL_DISK_MS, undefined, { signal }).catch(() => {})
}
