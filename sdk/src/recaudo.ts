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

  readonly #sendTo =
    <R extends Route>(route: R) =>
    (id: string, ...[body, options]: BodyAndOptions<R>): Promise<Answer<R>> =>
      this.#connection.call(route, { id, body }, options)

  readonly #list =
    <R extends ListRoute>(route: R) =>
    (query: Query<R> = {} as Query<R>, options?: CallOptions): List<Answer<R>> =>
      listOf((page) => this.#connection.call(route, { query: page }, options), query)

  // What money and the ways to it have in common: they are created, read, listed, and ended early.
  readonly #noun = <Path extends string, Id extends string, End extends string>(
    path: Path,
    id: Id,
    end: End,
  ) => {
    type One = `${Path}/{${Id}}`
    const one = `${path}/{${id}}`
    return {
      create: this.#send(`POST ${path}` as `POST ${Path}` & Route),
      get: this.#one(`GET ${one}` as `GET ${One}` & Route),
      list: this.#list(`GET ${path}` as `GET ${Path}` & ListRoute),
      ...({ [end]: this.#one(`POST ${one}/${end}` as Route) } as {
        [Name in End]: (id: string, options?: CallOptions) => Promise<Answer<`POST ${One}/${Name}` & Route>>
      }),
    }
  }

  readonly #qr = (one: string) => ({
    /** The QR code as an image: `svg` if nothing is said, or `png`. */
    qr: (id: string, format: 'svg' | 'png' = 'svg', options?: CallOptions): Promise<Blob> =>
      this.#connection.call(`GET ${one}/qr.${format}` as ImageRoute, { id }, options),
  })

  // For lists without pages, optionally those of one object.
  readonly #listAll =
    <R extends ListRoute>(route: R) =>
    (id: string | undefined, options?: CallOptions): List<Answer<R>> =>
      listOf(() => this.#connection.call(route, { id }, options), {})

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
      this.#listAll('GET /events/{eventId}/deliveries')(id, options),
    redeliver: this.#sendTo('POST /events/{eventId}/redeliver'),
    /**
     * Every event once and in order, as it happens, across restarts and broken connections. `signal` ends the loop. Save the
     * `sequence` of the last event you have processed, and pass it as `after` the next time.
     */
    follow: (options: FollowOptions = {}) => followEvents(this.#connection, options),
  }

  /** Where events are sent. */
  readonly webhookEndpoints = {
    create: this.#send('POST /webhook-endpoints'),
    list: (options?: CallOptions) => this.#listAll('GET /webhook-endpoints')(undefined, options),
    get: this.#one('GET /webhook-endpoints/{endpointId}'),
    update: this.#sendTo('PATCH /webhook-endpoints/{endpointId}'),
    delete: (id: string, options?: CallOptions) =>
      this.#one('DELETE /webhook-endpoints/{endpointId}')(id, options).catch((error) => {
        // An earlier attempt deleted it, but its response was lost.
        if (error.status === 404 && error.tries > 1) return { id, deleted: true }
        throw error
      }),
    rotateSecret: this.#one('POST /webhook-endpoints/{endpointId}/rotate-secret'),
    verify: this.#one('POST /webhook-endpoints/{endpointId}/verify'),
    test: this.#one('POST /webhook-endpoints/{endpointId}/test'),
    recover: this.#sendTo('POST /webhook-endpoints/{endpointId}/recover'),
  }

  /** The organization's balance. */
  readonly balance = { get: this.#get('GET /balance') }

  /** The bookings behind the balance. */
  readonly ledger = { transfers: this.#list('GET /ledger/transfers') }

  /** The books against the networks' own record, day by day. */
  readonly reconciliations = {
    list: this.#list('GET /reconciliations'),
    /** With a page of what does not agree. */
    get: (id: string, query: Query<'GET /reconciliations/{reconciliationId}'> = {}, options?: CallOptions) =>
      this.#connection.call('GET /reconciliations/{reconciliationId}', { id, query }, options),
  }

  /** The merchant and its settings. */
  readonly organization = {
    get: this.#get('GET /organization'),
    update: this.#send('PATCH /organization'),
  }

  /** The banks available in PSE. */
  readonly banks = {
    list: (options?: CallOptions) => this.#listAll('GET /pse/banks')(undefined, options),
  }

  /** The public keys to verify access tokens with. */
  readonly publicKeys = { get: this.#get('GET /.well-known/jwks.json') }

  /** Staging only: decides how simulated payments end, and moves the clock. */
  readonly sandbox = {
    simulatePayin: this.#sendTo('POST /sandbox/payins/{payinId}/simulate'),
    simulatePayout: this.#sendTo('POST /sandbox/payouts/{payoutId}/simulate'),
    advanceClock: this.#send('POST /sandbox/clock/advance'),
  }
}
