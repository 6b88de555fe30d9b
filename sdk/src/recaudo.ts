// The client: every API operation, grouped by resource. schema.ts has the types of requests and answers, and connection.ts
// makes the calls.

import { type Answer, type ClientOptions, type Connection, openConnection, type Route } from './connection.ts'
import type { Credentials } from './credentials.ts'
import type { RecaudoEvent } from './event.ts'
import { type FollowOptions, followEvents } from './follow.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions } from './request.ts'
import type { CreatePayin, EventList, Operations, Payin } from './schema.ts'

export type { ClientOptions } from './connection.ts'
export type { Credentials } from './credentials.ts'
export {
  ApiError,
  ConnectionError,
  type FieldError,
  RecaudoError,
  TimeoutError,
  WebhookVerificationError,
} from './errors.ts'
export type * from './event.ts'
export type { FollowOptions } from './follow.ts'
export type { List } from './list.ts'
export type { CallOptions } from './request.ts'
export type * from './schema.ts'
export { type RawBody, type VerifyOptions, verifyWebhook, type WebhookHeaders } from './webhook.ts'

type Body<R extends Route> = Operations[R] extends { body?: unknown } ? Operations[R]['body'] : never
type BodyAndOptions<R extends Route> =
  undefined extends Body<R> ? [body?: Body<R>, options?: CallOptions] : [body: Body<R>, options?: CallOptions]
type Query<R extends Route> = Operations[R] extends { query?: unknown }
  ? NonNullable<Operations[R]['query']>
  : object
type PayinMethods = {
  create: (body: CreatePayin, options?: CallOptions) => Promise<Payin>
  get: (id: string, options?: CallOptions) => Promise<Payin>
  list: (query?: Query<'GET /payins'>, options?: CallOptions) => List<Answer<'GET /payins'>>
  cancel: (id: string, options?: CallOptions) => Promise<Payin>
}
type EventPage = Omit<EventList, 'data'> & { data: RecaudoEvent[] }
// What money and the ways to it have in common: they are created, read, listed, and ended early.
type Noun<Path extends string, Id extends string, End extends string> = {
  create: (
    body: Body<`POST ${Path}` & Route>,
    options?: CallOptions,
  ) => Promise<Answer<`POST ${Path}` & Route>>
  get: (id: string, options?: CallOptions) => Promise<Answer<`GET ${Path}/{${Id}}` & Route>>
  list: (
    query?: Query<`GET ${Path}` & ListRoute>,
    options?: CallOptions,
  ) => List<Answer<`GET ${Path}` & ListRoute>>
} & {
  [Name in End]: (
    id: string,
    options?: CallOptions,
  ) => Promise<Answer<`POST ${Path}/{${Id}}/${Name}` & Route>>
}
// The routes whose answer is an image.
type ImageRoute = { [R in Route]: Answer<R> extends Blob ? R : never }[Route]
// The routes whose answer is a list.
type ListRoute = { [R in Route]: Answer<R> extends { data: unknown[] } ? R : never }[Route]

/** A client of one organization. Make one and keep it. */
export class Recaudo {
  readonly #connection: Connection

  /** Takes an API key, or the id and secret of an OAuth client, whose access tokens it fetches and renews. */
  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  readonly #get =
    <R extends Route>(route: R) =>
    (options?: CallOptions): Promise<Answer<R>> =>
      this.#connection.call(route, {}, options)

  readonly #one =
    <R extends Route>(route: R) =>
    (id: string, options?: CallOptions): Promise<Answer<R>> =>
      this.#connection.call(route, { id }, options)

  readonly #send =
    <R extends Route>(route: R) =>
    (body: Body<R>, options?: CallOptions): Promise<Answer<R>> =>
      this.#connection.call(route, { body }, options)

  readonly #sendTo: <R extends Route>(
    route: R,
  ) => (id: string, ...sent: BodyAndOptions<R>) => Promise<Answer<R>> =
    (route: Route) =>
    (id: string, body?: unknown, options?: CallOptions): Promise<never> =>
      this.#connection.call(route, { id, body }, options) as Promise<never>

  readonly #list =
    <R extends ListRoute>(route: R) =>
    (query?: Query<R>, options?: CallOptions): List<Answer<R>> =>
      listOf((page) => this.#connection.call(route, { query: page }, options), query)

  readonly #noun = <Path extends string, Id extends string, End extends string>(
    path: Path,
    id: Id,
    end: End,
  ) => {
    const one = `${path}/{${id}}`
    return {
      create: this.#send(`POST ${path}` as Route),
      get: this.#one(`GET ${one}` as Route),
      list: this.#list(`GET ${path}` as ListRoute),
      [end]: this.#one(`POST ${one}/${end}` as Route),
    } as unknown as Noun<Path, Id, End>
  }

  readonly #qr = (one: string) => ({
    /** The QR code as an image: `svg` if nothing is said, or `png`. */
    qr: (id: string, format: 'svg' | 'png' = 'svg', options?: CallOptions): Promise<Blob> =>
      this.#connection.call(`GET ${one}/qr.${format}` as ImageRoute, { id }, options),
  })

  // For lists without pages.
  readonly #all = <Path extends string>(path: Path) => ({
    list: (options?: CallOptions): List<Answer<`GET ${Path}` & ListRoute>> =>
      listOf(() => this.#get(`GET ${path}` as `GET ${Path}` & ListRoute)(options)),
  })

  // What is set up, tested, changed and deleted.
  readonly #kept = <Path extends string, Id extends string>(path: Path, id: Id) => {
    type One = `${Path}/{${Id}}`
    const one = `${path}/{${id}}`
    return {
      ...this.#noun(path, id, 'test'),
      ...this.#all(path),
      update: this.#sendTo(`PATCH ${one}` as `PATCH ${One}` & Route),
      delete: (id: string, options?: CallOptions) =>
        this.#one(`DELETE ${one}` as `DELETE ${One}` & Route)(id, options).catch((error) => {
          // An earlier attempt deleted it, but its response was lost.
          if (error.status === 404 && error.tries > 1) return { id, deleted: true }
          throw error
        }),
    }
  }

  /** Money coming in. */
  readonly payins = {
    // The cast makes editors show the type's name instead of its full definition.
    ...(this.#noun('/payins', 'payinId', 'cancel') as PayinMethods),
    ...this.#qr('/payins/{payinId}'),
  }

  /** Money going out. */
  readonly payouts = this.#noun('/payouts', 'payoutId', 'cancel')

  /** Hosted pages on which a payer pays. */
  readonly paymentLinks = {
    ...this.#noun('/payment-links', 'paymentLinkId', 'expire'),
    ...this.#qr('/payment-links/{paymentLinkId}'),
  }

  /** Pages to sell by, each of which makes a link for every payer. */
  readonly paymentPages = {
    ...this.#noun('/payment-pages', 'paymentPageId', 'close'),
    ...this.#qr('/payment-pages/{paymentPageId}'),
    update: this.#sendTo('PATCH /payment-pages/{paymentPageId}'),
    /** A sheet to print, as an SVG: `a4` if nothing is said, or `a6`. */
    poster: (
      id: string,
      size: 'a4' | 'a6' = 'a4',
      query?: Query<'GET /payment-pages/{paymentPageId}/poster/{size}'>,
      options?: CallOptions,
    ): Promise<Blob> =>
      this.#connection.call(
        `GET /payment-pages/{paymentPageId}/poster/${size}` as ImageRoute,
        { id, query },
        options,
      ),
  }

  /** Who owns a Bre-B key. */
  readonly keys = { lookUp: this.#one('GET /breb/keys/{keyString}') }

  /** What happened, in order. */
  readonly events = {
    list: this.#list('GET /events') as (
      query?: Query<'GET /events'>,
      options?: CallOptions,
    ) => List<EventPage>,
    get: this.#one('GET /events/{eventId}') as (id: string, options?: CallOptions) => Promise<RecaudoEvent>,
    deliveries: (id: string, options?: CallOptions) =>
      listOf(() => this.#one('GET /events/{eventId}/deliveries')(id, options)),
    redeliver: this.#sendTo('POST /events/{eventId}/redeliver'),
    /**
     * Every event once and in order, as it happens, across restarts and broken connections. `signal` ends the loop. Save the
     * `sequence` of the last event you have processed, and pass it as `after` the next time.
     */
    follow: (options: FollowOptions = {}) => followEvents(this.#connection, options),
  }

  /** Where events are sent. */
  readonly webhookEndpoints = {
    ...this.#kept('/webhook-endpoints', 'endpointId'),
    rotateSecret: this.#one('POST /webhook-endpoints/{endpointId}/rotate-secret'),
    verify: this.#one('POST /webhook-endpoints/{endpointId}/verify'),
    recover: this.#sendTo('POST /webhook-endpoints/{endpointId}/recover'),
  }

  /** The organization's accounts at providers. */
  readonly connections = {
    ...this.#kept('/connections', 'connectionId'),
    /** The banks that the provider offers for PSE. */
    banks: this.#one('GET /connections/{connectionId}/banks'),
  }

  /** What can be connected. */
  readonly providers = this.#all('/providers')

  /** The organization's balance. */
  readonly balance = { get: this.#get('GET /balance') }

  /** The bookings behind the balance. */
  readonly ledger = { transfers: this.#list('GET /ledger/transfers') }

  /** The books against the networks' own record, day by day. */
  readonly reconciliations = {
    list: this.#list('GET /reconciliations'),
    /** With a page of what does not agree. */
    get: (id: string, query?: Query<'GET /reconciliations/{reconciliationId}'>, options?: CallOptions) =>
      this.#connection.call('GET /reconciliations/{reconciliationId}', { id, query }, options),
  }

  /** The merchant and its settings. */
  readonly organization = {
    get: this.#get('GET /organization'),
    update: this.#send('PATCH /organization'),
  }

  /** The banks available in PSE. */
  readonly banks = this.#all('/pse/banks')

  /** The public keys to verify access tokens with. */
  readonly publicKeys = { get: this.#get('GET /.well-known/jwks.json') }

  /** Staging only: decides how simulated payments end, and moves the clock. */
  readonly sandbox = {
    simulatePayin: this.#sendTo('POST /sandbox/payins/{payinId}/simulate'),
    simulatePayout: this.#sendTo('POST /sandbox/payouts/{payoutId}/simulate'),
    advanceClock: this.#send('POST /sandbox/clock/advance'),
  }
}
