// A list, declared once: what it is filtered by, what its rows show, and what its files hold. From this its page, its filters and
// its files are made.

import type { FileValue } from '../../api/export/file-value.ts'
import type { Html } from '../../core/html.ts'
import type { Instant } from '../../core/instant.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import type { ViewedList } from '../../core/team/saved-view.ts'
import type { BoundedList, Totals } from '../../store/bounded-list.ts'
import type { Db } from '../../store/db.ts'
import type { IdBounds } from '../../store/keyset-list.ts'
import type { PeopleEyes } from '../people.ts'
import type { Section } from '../sections.ts'
import type { Visit } from '../visit.ts'
import type { StateWords } from '../words/states.ts'
import type { Period, PeriodName } from './period.ts'
import type { ListWords } from './words.ts'

export type ListName = ViewedList | 'audit'

// What cells are made with.
export type ListView = {
  readonly visit: Visit
  readonly words: ListWords
  readonly states: StateWords
  readonly eyes: PeopleEyes
  readonly now: Instant
  // The tab that is open.
  readonly tab?: string | undefined
}

export type Column<Row> = {
  readonly name: keyof ListWords['columns']
  // Where it stands in a row: `main` leads to the object. On a small screen a row is a card, and what is `aside` is left out.
  readonly place: 'main' | 'status' | 'money' | 'text' | 'time' | 'aside'
  readonly cell: (row: Row, view: ListView) => Html | string | null
  readonly value: (row: Row, view: ListView) => FileValue
}

// A column of files only.
export function inFile<Row>(name: Column<Row>['name'], value: Column<Row>['value']): Column<Row> {
  return { name, place: 'aside', cell: () => null, value }
}

// A filter with a list of values.
export type Select = {
  readonly name: string
  readonly label: (words: ListWords) => string
  readonly any: (words: ListWords) => string
  readonly options: (
    view: Pick<ListView, 'visit' | 'states' | 'words'>,
  ) => readonly (readonly [value: string, label: string])[]
}

export type ListFilters = {
  // The tab that is open, such as a status.
  readonly tab: string | undefined
  // Values of selects, and of filters that only links set.
  readonly chosen: Readonly<Record<string, string | undefined>>
  readonly text: string | undefined
  readonly minInCents: bigint | undefined
  readonly maxInCents: bigint | undefined
  readonly bounds: IdBounds
}

export type ListDefinition<Row> = {
  readonly name: ListName
  // That of its section, unless it says otherwise.
  readonly title?: (visit: Visit) => string
  readonly section: Section
  readonly path: string
  readonly scope: Scope
  readonly hasText: boolean
  readonly hasAmount: boolean
  readonly tab: {
    readonly name: string
    readonly values: readonly string[]
    readonly label: (states: StateWords, value: string) => string
    // Whether the sum of a tab is money.
    readonly hasSum: boolean
    readonly hasNoCounts?: true
  }
  // What the rows of the open tab come to, where their sum alone would not say it.
  readonly sums?: (
    view: ListView,
    query: { readonly filters: ListFilters; readonly period: Period },
    totals: Totals,
  ) => readonly (readonly [name: string, cents: bigint])[]
  readonly selects: readonly Select[]
  // Ids that only links set, such as the payment link whose payins are shown.
  readonly ids: readonly { readonly name: string; readonly label: (words: ListWords) => string }[]
  // The usual one is so short that no list can take long.
  readonly defaultPeriod?: PeriodName
  readonly open: (db: Db, organizationId: string, filters: ListFilters) => BoundedList<Row>
  readonly idOf: (row: Row) => string
  // After `visit.home`.
  readonly hrefOf: (row: Row) => string
  readonly columns: readonly Column<Row>[]
  // What files hold besides.
  readonly alsoInFiles: readonly Column<Row>[]
  readonly create?: { readonly path: string; readonly scope: Scope; readonly label: (visit: Visit) => string }
  // For an organization that never had one: what will be here, and how to make one.
  readonly teach: (visit: Visit) => { readonly title: string; readonly text: string; readonly curl?: string }
  // Above the list: how all of it stands.
  readonly above?: (visit: Visit) => Promise<Html | false>
  // Other lists of the same section, as tabs above.
  readonly siblings?: (visit: Visit) => readonly { readonly path: string; readonly label: string }[]
}
