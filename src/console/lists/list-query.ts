// A list's address: everything that it is filtered by, its order and its page. Nothing of it is kept anywhere else, so an address
// shows the same to whoever may see it. What makes no sense is left out.

import { isUuid } from '../../core/ids.ts'
import type { PageStart } from '../../store/keyset-list.ts'
import { typedCents } from '../money-text.ts'
import type { ListDefinition, ListFilters, ListView } from './definition.ts'
import { idBoundsOf, type Period, periodOf } from './period.ts'

export const ORDERS = ['newest', 'oldest'] as const
export type Order = (typeof ORDERS)[number]

export type ListQuery = {
  readonly filters: ListFilters
  readonly period: Period
  readonly order: Order
  // Where the page starts: behind a row, or before one. Null: at the beginning.
  readonly position: { readonly side: 'after' | 'before'; readonly id: string } | null
  // What was understood, in the order of the filters, without the page.
  readonly address: URLSearchParams
}

const MAX_TEXT_LENGTH = 255

export function readQuery<Row>(
  definition: ListDefinition<Row>,
  query: URLSearchParams,
  view: Omit<ListView, 'eyes'>,
): ListQuery {
  const period = periodOf(query, view.now, definition.defaultPeriod)
  const tab = definition.tab.values.find((value) => value === query.get(definition.tab.name))
  const chosen: Record<string, string | undefined> = {}
  for (const { name, options } of definition.selects)
    chosen[name] = options(view).find(([value]) => value === query.get(name))?.[0]
  for (const { name } of definition.ids) chosen[name] = idIn(query.get(name))
  const text = definition.hasText ? sane(query.get('text')) : undefined
  const [minInCents, maxInCents] = ['min', 'max'].map((name) =>
    definition.hasAmount ? centsIn(query.get(name)) : undefined,
  )
  const order = ORDERS.find((one) => one === query.get('order')) ?? 'newest'
  const filters = { tab, chosen, text, minInCents, maxInCents, bounds: idBoundsOf(period) }
  return {
    filters,
    period,
    order,
    position: positionIn(query),
    address: addressOf(definition, filters, period, order),
  }
}

function positionIn(query: URLSearchParams): ListQuery['position'] {
  const [after, before] = [idIn(query.get('after')), idIn(query.get('before'))]
  if (after !== undefined) return { side: 'after', id: after }
  return before === undefined ? null : { side: 'before', id: before }
}

// Newest first reads older ids from page to page, oldest first newer ones. The page before is read the other way.
export function startOf({ order, position }: Pick<ListQuery, 'order' | 'position'>): PageStart {
  const onwards = order === 'newest' ? 'older' : 'newer'
  const back = order === 'newest' ? 'newer' : 'older'
  if (position === null) return { direction: onwards, from: null }
  return { direction: position.side === 'after' ? onwards : back, from: position.id }
}

function addressOf<Row>(
  definition: ListDefinition<Row>,
  filters: ListFilters,
  period: Period,
  order: Order,
): URLSearchParams {
  const address = new URLSearchParams()
  const put = (name: string, value: string | undefined | null): void => {
    if (value !== undefined && value !== null && value !== '') address.set(name, value)
  }
  put(definition.tab.name, filters.tab)
  put('text', filters.text)
  for (const [name, value] of Object.entries(filters.chosen)) put(name, value)
  put('min', pesosOf(filters.minInCents))
  put('max', pesosOf(filters.maxInCents))
  if (period.name === 'days') {
    put('from', period.days.from)
    put('to', period.days.to)
  } else put('period', period.name)
  if (order !== 'newest') put('order', order)
  return address
}

function pesosOf(cents: bigint | undefined): string | undefined {
  return cents
    ?.toString()
    .padStart(3, '0')
    .replace(/(\d\d)$/, '.$1')
    .replace(/\.00$/, '')
}

// Another address of the same list: with these changes, and from its beginning.
export function changed(address: URLSearchParams, changes: Record<string, string | null>): string {
  const next = new URLSearchParams(address)
  for (const [name, value] of Object.entries(changes))
    if (value === null) next.delete(name)
    else next.set(name, value)
  const text = next.toString()
  return text === '' ? '?' : `?${text}`
}

function sane(text: string | null): string | undefined {
  const trimmed = (text ?? '').trim().slice(0, MAX_TEXT_LENGTH)
  return trimmed === '' || /[\u0000-\u001f\u007f]/.test(trimmed) ? undefined : trimmed
}

function idIn(text: string | null): string | undefined {
  return text !== null && isUuid(text) ? text.toLowerCase() : undefined
}

function centsIn(text: string | null): bigint | undefined {
  const cents = text === null ? undefined : typedCents(text)
  return cents === undefined ? undefined : BigInt(cents)
}
