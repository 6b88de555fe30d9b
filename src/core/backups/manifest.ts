// What a backup says about itself: the schema its rows belong to, each table with its number of rows and the digest of its file, and
// where every organization's events and audit log end. Restoring and verifying go by it.

import type { Bounds } from '../partitions.ts'

export const BACKUP_FORMAT = 1

export type BackedUpTable = {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: number
  // Of the file as it is stored.
  readonly bytes: number
  readonly sha256: string
}

export type AppliedMigration = {
  readonly version: number
  readonly name: string
  readonly checksum: string
  // How many of its online steps had not been done. Not there: none.
  readonly stepsLeft?: number
}

// Where an organization's events and its chain of audit entries end.
export type OrganizationEnds = {
  readonly organizationId: string
  readonly lastEvent: number
  // As `recaudo audit verify` prints it. Null if there is no entry in the chain yet.
  readonly auditHead: string | null
}

export type Manifest = {
  readonly format: typeof BACKUP_FORMAT
  readonly takenAt: string
  readonly postgresql: string
  readonly schema: readonly AppliedMigration[]
  // In an order in which each table comes after those that it refers to.
  readonly tables: readonly BackedUpTable[]
  // By the first table of each group that is split by time.
  readonly partitions: Readonly<Record<string, readonly Bounds[]>>
  readonly organizations: readonly OrganizationEnds[]
  // Of the SECRETS_KEY that seals. Null if nothing says yet which one does.
  readonly secretsKeyId: string | null
  // It was being changed: some secrets are sealed under the one before.
  readonly isKeyHalfChanged?: true
}

// A problem ends the sentence "The backup in … cannot be used: …".
export function parseManifest(text: string): Manifest | { readonly problem: string } {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return { problem: 'its manifest.json is cut off or was changed' }
  }
  const { format } = (read ?? {}) as Partial<Manifest>
  if (format !== BACKUP_FORMAT)
    return {
      problem: `it has format ${JSON.stringify(format)}, and this version of Recaudo reads format ${BACKUP_FORMAT}`,
    }
  return isWhole(read as Partial<Manifest>)
    ? (read as Manifest)
    : { problem: 'its manifest.json is not as it was written' }
}

function isWhole(read: Partial<Manifest>): boolean {
  const { takenAt, tables, schema, partitions, organizations, secretsKeyId } = read
  return (
    typeof takenAt === 'string' &&
    (secretsKeyId === null || typeof secretsKeyId === 'string') &&
    isListOf(
      tables,
      ({ table, columns, rows, sha256 }) =>
        isName(table) &&
        Array.isArray(columns) &&
        columns.every(isName) &&
        isCount(rows) &&
        typeof sha256 === 'string',
    ) &&
    isListOf(
      schema,
      ({ version, name, checksum, stepsLeft = 0 }) =>
        isCount(version) && [name, checksum].every((text) => typeof text === 'string') && isCount(stepsLeft),
    ) &&
    isListOf(
      organizations,
      ({ organizationId, lastEvent, auditHead }) =>
        isId(organizationId) && isCount(lastEvent) && (auditHead === null || typeof auditHead === 'string'),
    ) &&
    typeof partitions === 'object' &&
    partitions !== null &&
    Object.values(partitions).every((bounds) =>
      isListOf(bounds, ({ from, to }) => (from === null || isId(from)) && isId(to)),
    )
  )
}

function isListOf<One>(list: readonly One[] | undefined, isOne: (one: Partial<One>) => boolean): boolean {
  return (
    Array.isArray(list) && list.every((one) => typeof one === 'object' && one !== null && isOne(one as One))
  )
}

function isCount(number: unknown): boolean {
  return Number.isSafeInteger(number) && (number as number) >= 0
}

// Names and bounds become parts of statements.
function isName(text: unknown): boolean {
  return typeof text === 'string' && /^[a-z_][a-z0-9_]*$/.test(text)
}

function isId(text: unknown): boolean {
  return typeof text === 'string' && /^[0-9a-f-]{36}$/.test(text)
}

// A table comes after those that it refers to. A table may refer to itself: its keys are checked when all its rows are in.
export function inLoadOrder<Table extends { readonly table: string; readonly refersTo: readonly string[] }>(
  tables: readonly Table[],
): Table[] {
  const ordered: Table[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ table }) => table))
    const ready = [...waiting].filter(({ table, refersTo }) =>
      refersTo.every((other) => other === table || !names.has(other)),
    )
    if (ready.length === 0)
      throw new Error(`tables refer to each other in a circle: ${[...names].join(', ')}`)
    for (const one of ready) waiting.delete(one)
    ordered.push(...ready)
  }
  return ordered
}
