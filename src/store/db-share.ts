// A part of the connections, for those who must not have all of them: payers' pages and event streams. Whoever comes when the part
// is in use waits, in order, while the rest of the pool is there for what moves money.

import { type Db, StoreBusy } from './db.ts'

// With more of them, or after longer, an answer would come too late to be useful.
const MAX_WAITING = 1_000
const WAIT_MS = 2_000

/** At least one connection, however small the pool is. */
export function shareOf(db: Db, part: number): Db {
  const size = Math.max(1, Math.floor(db.pool.size * part))
  const waiting = new Set<() => void>()
  let inUse = 0

  const enter = (): Promise<void> | undefined => {
    if (inUse < size) {
      inUse += 1
      return undefined
    }
    if (waiting.size >= MAX_WAITING)
      throw new StoreBusy('too many callers wait for their part of the connections')
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(tooLate)
        resolve()
      }
      const tooLate = setTimeout(() => {
        waiting.delete(begin)
        reject(new StoreBusy('their part of the connections was in use for too long'))
      }, WAIT_MS)
      waiting.add(begin)
    })
  }
  // Whoever waits longest takes the place over.
  const leave = (): void => {
    const [next] = waiting
    if (next === undefined) inUse -= 1
    else {
      waiting.delete(next)
      next()
    }
  }
  const within = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }

  return {
    query: (config) => within(() => db.query(config)),
    inTransaction: (work, options) => within(() => db.inTransaction(work, options)),
    sendTransaction: (statements, options) => within(() => db.sendTransaction(statements, options)),
    sendTogether: (statements) => within(() => db.sendTogether(statements)),
    onOneConnection: (work) => within(() => db.onOneConnection(work)),
    // What is known of the database is known of all of it.
    database: db,
    get pool() {
      return { ...db.pool, total: inUse, idle: size - inUse, waiting: waiting.size, size }
    },
    close: () => db.close(),
  }
}
