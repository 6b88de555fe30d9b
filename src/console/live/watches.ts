// What a page watches: a noun, such as `payins`, or one object, such as `payins/{id}`. Whoever may not read a noun is told nothing
// of it.

import { isUuid } from '../../core/ids.ts'
import type { Scope } from '../../core/organizations/scope.ts'
import type { WorkKind } from '../../flows/context.ts'
import { MARKED_OBJECTS, type MarkedObject, type MarkedSet } from '../../store/shown-marks.ts'

export type Noun = MarkedObject | MarkedSet | 'movements' | 'webhooks'

// As a page names it.
export type WatchName = Noun | `${MarkedObject}/${string}`

export type Watch =
  | { readonly noun: Noun; readonly id?: undefined }
  | { readonly noun: MarkedObject; readonly id: string }

export const NOUN_SCOPES: Readonly<Record<Noun, Scope>> = {
  payins: 'payins:read',
  payouts: 'payouts:read',
  refunds: 'payins:read',
  links: 'links:read',
  pages: 'links:read',
  events: 'events:read',
  movements: 'ledger:read',
  webhooks: 'webhooks:read',
  alarms: 'ledger:read',
  suspense: 'ledger:read',
  days: 'ledger:read',
}

export const NOUNS = Object.keys(NOUN_SCOPES) as Noun[]

// The nouns that may have changed when there is work of a kind. What is not here changes nothing that a page shows.
export const HEARD: Readonly<Partial<Record<WorkKind, readonly Noun[]>>> = {
  payins: ['payins', 'links'],
  payouts: ['payouts', 'movements'],
  refunds: ['refunds', 'payins'],
  batches: ['payouts'],
  links: ['links', 'pages'],
  events: ['payins', 'payouts', 'refunds', 'links', 'pages', 'movements'],
  streams: ['events'],
  deliveries: ['webhooks'],
  shown: ['links', 'pages', 'webhooks'],
}

// More than any page has.
const MAX_WATCHES = 40

export function readWatches(text: string): Watch[] {
  return text
    .split(' ', MAX_WATCHES)
    .map(readWatch)
    .filter((watch) => watch !== undefined)
}

function readWatch(text: string): Watch | undefined {
  const [name = '', id] = text.split('/')
  if (id === undefined) return isNoun(name) ? { noun: name } : undefined
  const noun = MARKED_OBJECTS.find((one) => one === name)
  return noun !== undefined && isUuid(id) ? { noun, id: id.toLowerCase() } : undefined
}

function isNoun(name: string): name is Noun {
  return Object.hasOwn(NOUN_SCOPES, name)
}
