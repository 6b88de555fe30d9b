// Search over everything of an organization: what was typed may be an id, or any of the facts of core/search/fact.ts. Each kind is only
// searched for whoever may read it, and people only for whoever may see them.

import { refuseUnreadable } from '../../core/events/read-scopes.ts'
import type { Transfer } from '../../core/ledger/bookings.ts'
import { isScopeGranted, type Scope } from '../../core/organizations/scope.ts'
import type { Payin } from '../../core/payins/payin.ts'
import type { PaymentLink } from '../../core/payment-links/payment-link.ts'
import type { PaymentPage } from '../../core/payment-pages/payment-page.ts'
import type { Payout } from '../../core/payouts/payout.ts'
import { WORDED, type Worded } from '../../core/search/fact.ts'
import type { Question } from '../../core/search/question.ts'
import { FOUND_KINDS, type FoundBy, type FoundKind, KIND_SCOPES, rankOf } from '../../core/search/result.ts'
import type { Db } from '../../store/db.ts'
import { getEvent, type StoredEvent } from '../../store/events/events.ts'
import { transferList } from '../../store/ledger/transfers.ts'
import { getPayins } from '../../store/payins/payins.ts'
import { getLinks } from '../../store/payment-links/payment-links.ts'
import { filteredPages } from '../../store/payment-pages/filtered.ts'
import { getPage, pageList } from '../../store/payment-pages/payment-pages.ts'
import { getPayouts } from '../../store/payouts/payouts.ts'
import { getEndpoint, listEndpoints, type WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import type { Needs } from '../context.ts'
import { findMatches, type Match } from './matches.ts'

type Objects = {
  payin: Payin
  payout: Payout
  paymentlink: PaymentLink
  paymentpage: PaymentPage
  event: StoredEvent
  webhookendpoint: WebhookEndpoint
  transfer: Transfer
}

export type SearchHit = {
  [Kind in FoundKind]: {
    readonly kind: Kind
    readonly object: Objects[Kind]
    readonly by: readonly FoundBy[]
  }
}[FoundKind]

export type SearchResult = {
  // In the order of the kinds; within a kind what names it before what many share, and the newest first.
  readonly found: readonly SearchHit[]
  // Kinds of which there is more.
  readonly more: readonly FoundKind[]
  // A name that many have was looked for among the newest only.
  readonly isPartial: boolean
}

export type Searcher = {
  readonly organizationId: string
  readonly scopes: readonly Scope[] | null
  // Whether they may see people.
  readonly seesPeople: boolean
  // Null: all kinds.
  readonly kinds?: readonly FoundKind[] | null | undefined
}

export async function search(
  ctx: Needs<'db' | 'vault'>,
  searcher: Searcher,
  question: Question,
  limit: number,
): Promise<SearchResult> {
  const { organizationId, seesPeople, kinds } = searcher
  const open = FOUND_KINDS.filter(
    (kind) => (kinds ?? FOUND_KINDS).includes(kind) && isScopeGranted(searcher.scopes, KIND_SCOPES[kind]),
  )
  const resources = WORDED.filter((resource) => open.includes(resource))
  const asked = { organizationId, question, resources, byPeople: seesPeople, limit: limit + 1 }
  const [exact, { matches, isPartial }, others] = await Promise.all([
    question.id === null ? [] : byId(ctx.db, searcher, question.id, open),
    findMatches(ctx, asked),
    byName(ctx.db, organizationId, question, open, limit + 1),
  ])
  const ranked = rank(matches, limit)
  const loaded = await load(ctx.db, organizationId, ranked.matches)
  const all = [...exact, ...loaded, ...others]
  const grouped = open.map((kind) => ({ kind, found: unique(all.filter((one) => one.kind === kind)) }))
  return {
    found: grouped.flatMap(({ found }) => found.slice(0, limit)),
    more: grouped
      .filter(({ kind, found }) => found.length > limit || ranked.more.includes(kind))
      .map(({ kind }) => kind),
    isPartial,
  }
}

type Hit = { readonly resource: Worded; readonly objectId: string; readonly by: readonly FoundBy[] }

function rank(matches: readonly Match[], limit: number): { matches: Hit[]; more: FoundKind[] } {
  const more: FoundKind[] = []
  const hits = WORDED.flatMap((resource) => {
    const ranks = new Map<string, number>()
    const traits = new Map<string, Set<FoundBy>>()
    for (const { objectId, trait, isWhole } of matches.filter((match) => match.resource === resource)) {
      ranks.set(objectId, Math.min(ranks.get(objectId) ?? Number.POSITIVE_INFINITY, rankOf(trait, isWhole)))
      traits.set(objectId, (traits.get(objectId) ?? new Set()).add(trait))
    }
    const ordered = [...ranks].sort(([a, rankOfA], [b, rankOfB]) =>
      rankOfA === rankOfB ? (a < b ? 1 : -1) : rankOfA - rankOfB,
    )
    if (ordered.length > limit) more.push(resource)
    return ordered
      .slice(0, limit)
      .map(([objectId]): Hit => ({ resource, objectId, by: [...(traits.get(objectId) ?? [])] }))
  })
  return { matches: hits, more }
}

async function load(db: Db, organizationId: string, hits: readonly Hit[]): Promise<SearchHit[]> {
  const idsOf = (resource: Worded) =>
    hits.filter((hit) => hit.resource === resource).map(({ objectId }) => objectId)
  const [payinIds, payoutIds, linkIds] = [idsOf('payin'), idsOf('payout'), idsOf('paymentlink')]
  const [payins, payouts, links] = await Promise.all([
    payinIds.length === 0
      ? []
      : getPayins(
          db,
          payinIds.map((payinId) => ({ organizationId, payinId })),
        ),
    payoutIds.length === 0
      ? []
      : getPayouts(
          db,
          payoutIds.map((payoutId) => ({ organizationId, payoutId })),
        ),
    linkIds.length === 0 ? [] : getLinks(db, organizationId, linkIds),
  ])
  return hits.flatMap(({ resource, objectId, by }): SearchHit[] => {
    const object =
      resource === 'payin'
        ? payins.find((payin) => payin?.payinId === objectId)
        : resource === 'payout'
          ? payouts.find((payout) => payout?.payoutId === objectId)
          : links.find(({ paymentLinkId }) => paymentLinkId === objectId)
    return object === undefined ? [] : [{ kind: resource, object, by } as SearchHit]
  })
}

async function byId(
  db: Db,
  { organizationId, scopes }: Searcher,
  id: string,
  open: readonly FoundKind[],
): Promise<SearchHit[]> {
  const readers: Readonly<Record<FoundKind, () => Promise<object | undefined>>> = {
    payin: async () => (await getPayins(db, [{ organizationId, payinId: id }]))[0],
    payout: async () => (await getPayouts(db, [{ organizationId, payoutId: id }]))[0],
    paymentlink: async () => (await getLinks(db, organizationId, [id]))[0],
    paymentpage: () => getPage(db, organizationId, id),
    event: async () => {
      const event = await getEvent(db, organizationId, id)
      return event && refuseUnreadable(scopes, [event.type]) === undefined ? event : undefined
    },
    webhookendpoint: () => getEndpoint(db, organizationId, id),
    transfer: async () => {
      const [first] = await transferList(db, organizationId, { fromId: id }).seek(
        { direction: 'newer', from: null },
        1,
      )
      return first?.transferId === id ? first : undefined
    },
  }
  const found = await Promise.all(
    open.map(async (kind) => ({ kind, object: await readers[kind](), by: ['id'] as const })),
  )
  return found.filter(({ object }) => object !== undefined) as SearchHit[]
}

// Pages and endpoints are few: their names and addresses are looked through.
async function byName(
  db: Db,
  organizationId: string,
  { text }: Question,
  open: readonly FoundKind[],
  limit: number,
): Promise<SearchHit[]> {
  const newest = { direction: 'older', from: null } as const
  const [named, referred, endpoints] = await Promise.all([
    open.includes('paymentpage')
      ? filteredPages(db, organizationId, { text })
          .page(newest, limit)
          .then(({ rows }) => rows)
      : [],
    open.includes('paymentpage') ? pageList(db, organizationId, { reference: text }).seek(newest, limit) : [],
    open.includes('webhookendpoint') ? listEndpoints(db, organizationId) : [],
  ])
  const asked = text.toLowerCase()
  const isAsked = (words: string | null) => words?.toLowerCase().includes(asked) ?? false
  return [
    ...referred.map((object): SearchHit => ({ kind: 'paymentpage', object, by: ['reference'] })),
    ...named.map((object): SearchHit => ({ kind: 'paymentpage', object, by: ['name'] })),
    ...endpoints
      .filter(({ url }) => isAsked(url))
      .map((object): SearchHit => ({ kind: 'webhookendpoint', object, by: ['url'] })),
    ...endpoints
      .filter(({ description }) => isAsked(description))
      .map((object): SearchHit => ({ kind: 'webhookendpoint', object, by: ['name'] })),
  ]
}

export function idOf(found: SearchHit): string {
  switch (found.kind) {
    case 'payin':
      return found.object.payinId
    case 'payout':
      return found.object.payoutId
    case 'paymentlink':
      return found.object.paymentLinkId
    case 'paymentpage':
      return found.object.paymentPageId
    case 'event':
      return found.object.eventId
    case 'webhookendpoint':
      return found.object.endpointId
    case 'transfer':
      return found.object.transferId
  }
}

// One that is found in several ways is one.
function unique(found: readonly SearchHit[]): SearchHit[] {
  const kept = new Map<string, SearchHit>()
  for (const one of found) {
    const before = kept.get(idOf(one))
    const by = [...new Set([...(before?.by ?? []), ...one.by])]
    kept.set(idOf(one), { ...one, by } as SearchHit)
  }
  return [...kept.values()]
}
