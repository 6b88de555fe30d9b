// Which locks a statement of a migration takes, and what it does to a table while it holds them, as PostgreSQL documents it. Pure:
// a test applies every migration to a real PostgreSQL and compares.

// From the weakest to the strongest.
export const LOCK_MODES = [
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const
export type LockMode = (typeof LOCK_MODES)[number]

export function isStronger(mode: LockMode, than: LockMode): boolean {
  return rank(mode) > rank(than)
}

// Whom it stops from now until the migration is committed.
export const STOPS: Readonly<Record<LockMode, string>> = {
  'ROW EXCLUSIVE': 'writers of the same rows',
  'SHARE UPDATE EXCLUSIVE': 'nobody',
  SHARE: 'writers',
  'SHARE ROW EXCLUSIVE': 'writers',
  'ACCESS EXCLUSIVE': 'readers and writers',
}

// How long that takes: no longer with more rows, or longer the more there are.
export type Work = 'a moment' | 'reads every row' | 'writes every row' | 'changes rows'

export type TableLock = { readonly table: string; readonly mode: LockMode; readonly work: Work }

// What the statements name, and the database knows.
export type Catalog = {
  readonly tableOfIndex: Readonly<Record<string, string>>
  readonly foreignKeys: readonly {
    readonly table: string
    readonly name: string
    readonly refersTo: string
  }[]
}

export function locksOf(statement: string, catalog: Catalog): TableLock[] {
  const text = statement.replaceAll(/\s+/g, ' ').trim().toLowerCase()
  for (const [form, locks] of FORMS) {
    const match = form.exec(text)
    if (match !== null) return strongest(locks(match, catalog))
  }
  throw new Error(`no rule says which locks this takes: ${text}`)
}

type Rule = (match: RegExpExecArray, catalog: Catalog) => TableLock[]

const FORMS: readonly (readonly [RegExp, Rule])[] = [
  [
    /^create table \w+ partition of (\w+)/,
    ([, parent]) => [lock(parent, 'ACCESS EXCLUSIVE', 'reads every row')],
  ],
  // A key to another table adds a trigger there.
  [/^create table (?:if not exists )?\w+ (.*)$/, ([, body]) => referencesIn(body)],
  [
    /^create (?:unique )?index (concurrently )?.*?\bon (?:only )?(\w+)/,
    ([, concurrently, table]) => [
      lock(table, concurrently === undefined ? 'SHARE' : 'SHARE UPDATE EXCLUSIVE', 'reads every row'),
    ],
  ],
  [
    /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/,
    ([, table = '', actions = ''], catalog) =>
      topLevelParts(actions).flatMap((action) => locksOfAction(table, action, catalog)),
  ],
  // The index itself is locked, and whoever uses it goes on.
  [/^alter index/, () => []],
  [
    /^drop index (concurrently )?(?:if exists )?(\w+)/,
    ([, concurrently, index = ''], { tableOfIndex }) =>
      tableOfIndex[index] === undefined
        ? []
        : [
            lock(
              tableOfIndex[index],
              concurrently === undefined ? 'ACCESS EXCLUSIVE' : 'SHARE UPDATE EXCLUSIVE',
            ),
          ],
  ],
  [
    /^drop table (?:if exists )?(\w+)/,
    ([, table = ''], { foreignKeys }) => [
      lock(table, 'ACCESS EXCLUSIVE'),
      ...foreignKeys
        .filter((key) => key.table === table)
        .map(({ refersTo }) => lock(refersTo, 'ACCESS EXCLUSIVE')),
    ],
  ],
  [
    /^(?:insert into|delete from|update) (\w+)/,
    ([, table]) => [lock(table, 'ROW EXCLUSIVE', 'changes rows')],
  ],
  [
    /^with .*$/,
    ([text]) =>
      [...text.matchAll(/\b(?:insert into|delete from|(?<!for )update) (\w+)/g)].map(([, table]) =>
        lock(table, 'ROW EXCLUSIVE', 'changes rows'),
      ),
  ],
]

const ACTIONS: readonly (readonly [RegExp, LockMode, Work])[] = [
  [/^validate constraint/, 'SHARE UPDATE EXCLUSIVE', 'reads every row'],
  [/^set \(|^alter column \w+ set statistics/, 'SHARE UPDATE EXCLUSIVE', 'a moment'],
  [/^add (?:constraint \w+ )?foreign key.* not valid$/, 'SHARE ROW EXCLUSIVE', 'a moment'],
  [/^add (?:constraint \w+ )?foreign key/, 'SHARE ROW EXCLUSIVE', 'reads every row'],
  [/^alter column \w+ (?:set data )?type/, 'ACCESS EXCLUSIVE', 'writes every row'],
  // What differs from row to row, such as a random value, is written into each.
  [
    /^add column .*(?:\bgenerated\b|default (?!current_timestamp\b|now\b)\w+ ?\()/,
    'ACCESS EXCLUSIVE',
    'writes every row',
  ],
  [/^add column .*\bcheck\b/, 'ACCESS EXCLUSIVE', 'reads every row'],
  [/^add constraint \w+ check.* not valid$/, 'ACCESS EXCLUSIVE', 'a moment'],
  [/^add .*\busing index\b/, 'ACCESS EXCLUSIVE', 'a moment'],
  [/^add (?:constraint|unique|primary key|check|exclude)/, 'ACCESS EXCLUSIVE', 'reads every row'],
  [/^alter column \w+ set not null/, 'ACCESS EXCLUSIVE', 'reads every row'],
]

function locksOfAction(table: string, action: string, { foreignKeys }: Catalog): TableLock[] {
  const [, partition] = /^attach partition (\w+)/.exec(action) ?? []
  if (partition !== undefined)
    return [lock(table, 'SHARE UPDATE EXCLUSIVE'), lock(partition, 'ACCESS EXCLUSIVE', 'reads every row')]
  const [, dropped] = /^drop constraint (?:if exists )?(\w+)/.exec(action) ?? []
  const key = foreignKeys.find((one) => one.table === table && one.name === dropped)
  if (key !== undefined) return [lock(table, 'ACCESS EXCLUSIVE'), lock(key.refersTo, 'ACCESS EXCLUSIVE')]
  const [, mode, work] = ACTIONS.find(([form]) => form.test(action)) ?? [null, 'ACCESS EXCLUSIVE', 'a moment']
  return [lock(table, mode as LockMode, work as Work), ...referencesIn(action)]
}

function referencesIn(text = ''): TableLock[] {
  return [...text.matchAll(/\breferences (\w+)/g)].map(([, table]) => lock(table, 'SHARE ROW EXCLUSIVE'))
}

function lock(table = '', mode: LockMode, work: Work = 'a moment'): TableLock {
  return { table, mode, work }
}

// One lock of each table: the strongest, with the longest work.
export function strongest(locks: readonly TableLock[]): TableLock[] {
  return [...Map.groupBy(locks, ({ table }) => table)].map(([table, own]) => ({
    table,
    mode: own.map(({ mode }) => mode).reduce((a, b) => (rank(a) >= rank(b) ? a : b)),
    work: own
      .map(({ work }) => work)
      .reduce((a, b) => (WORK_ORDER.indexOf(a) >= WORK_ORDER.indexOf(b) ? a : b)),
  }))
}

const WORK_ORDER: readonly Work[] = ['a moment', 'changes rows', 'reads every row', 'writes every row']

function rank(mode: LockMode): number {
  return LOCK_MODES.indexOf(mode)
}

// What stands between commas that are in no parentheses and no quotes.
export function topLevelParts(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of text.matchAll(/'[^']*'|[(),]|[^'(),]+/g)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts.map((part) => part.trim())
}
