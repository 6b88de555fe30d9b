// How values of PostgreSQL become ours.

import pg from 'pg'
import type { Instant } from '../core/instant.ts'

const TIMESTAMPTZ = 1184
const DATE = 1082
const INT8 = 20

// Timestamps become milliseconds, dates stay text and int8 becomes bigint, the only forms core uses.
export function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary' && oid === TIMESTAMPTZ) return parseTimestamp
  if (format !== 'binary' && oid === DATE) return String
  if (format !== 'binary' && oid === INT8) return BigInt
  return pg.types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown
}

// '2026-11-15 02:34:12.12+00', as PostgreSQL writes it in UTC.
function parseTimestamp(text: string): Instant {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11)}:00`)
}
