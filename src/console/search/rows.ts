// What was found, as rows of a table: the cells are those of each thing's own list, and one more says why it was found.

import { type Html, html } from '../../core/html.ts'
import type { FoundKind } from '../../core/search/result.ts'
import { idOf, type SearchHit } from '../../flows/search/search.ts'
import { eventsList } from '../events/list.ts'
import { shortTimeText } from '../format.ts'
import type { IconName } from '../icons.ts'
import { movementsList } from '../ledger/list.ts'
import type { Column, ListDefinition, ListView } from '../lists/definition.ts'
import { shortUrl } from '../objects/sources.ts'
import { payinsList } from '../payins/list.ts'
import { linksList } from '../payment-links/list.ts'
import { pagesList } from '../payment-pages/list.ts'
import { payoutsList } from '../payouts/list.ts'
import { stateOf } from '../webhooks/standing.ts'
import { WEBHOOK_WORDS } from '../webhooks/words.ts'
import { statusMark } from '../words/states.ts'
import { SEARCH_WORDS } from './words.ts'

export const KIND_ICONS: Readonly<Record<FoundKind, IconName>> = {
  payin: 'payins',
  payout: 'payouts',
  paymentlink: 'links',
  paymentpage: 'book',
  event: 'events',
  webhookendpoint: 'webhooks',
  transfer: 'bank',
}

type Cells = {
  readonly href: string
  readonly main: Html | string | null
  readonly status: Html | string | null
  readonly money: Html | string | null
  readonly who: Html | string | null
  readonly time: Html | string | null
}

// After `visit.home`.
export function hrefOf(found: SearchHit): string {
  switch (found.kind) {
    case 'payin':
      return payinsList.hrefOf(found.object)
    case 'payout':
      return payoutsList.hrefOf(found.object)
    case 'paymentlink':
      return linksList.hrefOf(found.object)
    case 'paymentpage':
      return pagesList.hrefOf(found.object)
    case 'event':
      return eventsList.hrefOf(found.object)
    case 'webhookendpoint':
      return `/webhooks/${found.object.endpointId}`
    case 'transfer':
      return movementsList.hrefOf(found.object)
  }
}

function cellsOf(view: ListView, found: SearchHit): Cells {
  switch (found.kind) {
    case 'payin':
      return listed(view, payinsList, found.object, 'payer')
    case 'payout':
      return listed(view, payoutsList, found.object, 'receiver')
    case 'paymentlink':
      return listed(view, linksList, found.object, 'payer')
    case 'paymentpage':
      return listed(view, pagesList, found.object, 'reference', 'amount')
    case 'event':
      return listed(view, eventsList, found.object, 'about')
    case 'transfer':
      return listed(view, movementsList, found.object, 'debit')
    case 'webhookendpoint': {
      const { visit, now } = view
      const { url, description, createdAt } = found.object
      const state = stateOf(found.object)
      const word = WEBHOOK_WORDS[visit.language].states[state]
      return {
        href: hrefOf(found),
        main: shortUrl(url),
        status: statusMark('', word, state === 'ENABLED' ? 'good' : 'bad'),
        money: null,
        who: description,
        time: shortTimeText(createdAt, now, visit.language),
      }
    }
  }
}

function listed<Row>(
  view: ListView,
  { columns, hrefOf: addressOf }: ListDefinition<Row>,
  row: Row,
  who: Column<Row>['name'],
  // The first that is money, unless it says otherwise.
  money?: Column<Row>['name'],
): Cells {
  const cell = (is: (column: Column<Row>) => boolean) => columns.find(is)?.cell(row, view) ?? null
  return {
    href: addressOf(row),
    main: cell(({ place }) => place === 'main'),
    status: cell(({ place }) => place === 'status'),
    money: cell(({ name, place }) => (money === undefined ? place === 'money' : name === money)),
    who: cell(({ name }) => name === who),
    time: cell(({ place }) => place === 'time'),
  }
}

export function foundTable(view: ListView, kind: FoundKind, found: readonly SearchHit[]): Html {
  const { columns, kinds } = SEARCH_WORDS[view.visit.language]
  const head = (place: string, name: string) =>
    html`<th scope="col" class="p-${place}"><span class="unseen">${name}</span></th>`
  const heads = [
    head('main', columns.name),
    head('status', columns.status),
    head('text', columns.who),
    head('why', columns.by),
    head('money', columns.amount),
    head('time', columns.time),
  ]
  return html`<div class="table"><table class="list found"><caption class="unseen">${kinds[kind]}</caption><thead><tr>${heads}</tr></thead><tbody>${found.map((one) => foundRow(view, one))}</tbody></table></div>`
}

function foundRow(view: ListView, found: SearchHit): Html {
  const { by } = SEARCH_WORDS[view.visit.language]
  const { href, main, status, money, who, time } = cellsOf(view, found)
  const why = found.by.map((one) => html`<span class="why">${by[one]}</span>`)
  return html`<tr id="row-${idOf(found)}"><th scope="row" class="p-main"><a href="${view.visit.home}${href}">${main}</a></th><td class="p-status">${status}</td><td class="p-text c-who">${who}</td><td class="p-why">${why}</td><td class="p-money">${money}</td><td class="p-time">${time}</td></tr>`
}
