// Lists: reads the requested number of entries, over as many pages as needed.

import { type Row, table } from './columns.ts'
import type { Flags, Shown } from './command.ts'
import { usageFailure } from './failure.ts'
import { dim } from './terminal.ts'

const DEFAULT_LIMIT = 10
// Reading more is a job for a program.
const MAX_LIMIT = 100_000
const PAGE_SIZE = 100

export function readLimit(flags: Flags): number {
  return readCount(flags, 'limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT
}

export function readCount(flags: Flags, flag: string, least: number, most: number): number | undefined {
  const text = flags[flag]
  if (typeof text !== 'string') return undefined
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= most) return count
  throw usageFailure(
    `--${flag} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`,
  )
}

export function pageSizeFor(limit: number): number {
  return Math.min(limit, PAGE_SIZE)
}

// Reads one entry more than requested, to know whether there are more.
export async function listed<Entry>(
  entries: AsyncIterable<Entry>,
  limit: number,
  titles: readonly string[],
  row: (entry: Entry) => Row,
): Promise<Shown> {
  const data: Entry[] = []
  let hasMore = false
  for await (const entry of entries) {
    hasMore = data.length === limit
    if (hasMore) break
    data.push(entry)
  }
  return {
    json: { data, hasMore },
    text: () =>
      table(titles, data.map(row)) +
      (hasMore ? `\n${dim(`There are more: --limit ${limit * 10} shows them.`)}` : ''),
  }
}

// Maps filter flags to the server's query parameters.
export function filters<Name extends string>(
  flags: Flags,
  names: Readonly<Record<string, Name>>,
): Partial<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {}
  for (const [flag, name] of Object.entries(names) as [string, Name][]) {
    const value = flags[flag]
    if (typeof value === 'string') given[name] = value
  }
  return given
}
