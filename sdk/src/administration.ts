// What an administrator of a merchant sets up and looks after: API keys, OAuth clients, alarms, the search, links to the webhook
// portal. An entry of its own, so that whoever only collects and sends does not load it.

import { type Answer, type ClientOptions, type Connection, openConnection, type Route } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions } from './request.ts'
import type {
  Alarm,
  AlarmList,
  CreateWebhookPortalLink,
  ListAlarmsQuery,
  Operations,
  ResolveAlarm,
  SearchQuery,
  SearchResult,
} from './schema.ts'

export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type { List } from './list.ts'
export type {
  Alarm,
  AlarmList,
  ApiKey,
  ApiKeyWithSecret,
  CreateApiKey,
  CreateOAuthClient,
  CreateWebhookPortalLink,
  CredentialChanges,
  FoundObject,
  ListAlarmsQuery,
  OAuthClient,
  OAuthClientWithSecret,
  ResolveAlarm,
  RollCredential,
  RolledApiKey,
  SearchQuery,
  SearchResult,
  WebhookPortalLink,
} from './schema.ts'

type Body<R extends Route> = Operations[R] extends { body?: unknown } ? Operations[R]['body'] : never
type CredentialRoute<Path extends string, Id extends string> = {
  create: `POST ${Path}` & Route
  list: `GET ${Path}` & Route
  update: `PATCH ${Path}/{${Id}}` & Route
  roll: `POST ${Path}/{${Id}}/roll` & Route
  revoke: `DELETE ${Path}/{${Id}}` & Route
}

/** The keys, clients, alarms and portal links of one organization, and the search over everything it has. */
export class Administration {
  readonly #connection: Connection

  /** Takes an API key, or the id and secret of an OAuth client. They need the scopes of what is called. */
  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  readonly #credentials = <Path extends string, Id extends string>(path: Path, id: Id) => {
    type Routes = CredentialRoute<Path, Id>
    type Listed = Answer<Routes['list']> & { data: unknown[] }
    const one = `${path}/{${id}}`
    const call = <R extends Route>(
      route: string,
      sent: { id?: string; body?: unknown },
      options: CallOptions | undefined,
    ): Promise<Answer<R>> => this.#connection.call(route as R, sent, options)
    return {
      /** The answer holds the secret, this once. */
      create: (body: Body<Routes['create']>, options?: CallOptions) =>
        call<Routes['create']>(`POST ${path}`, { body }, options),
      /** Those that work, and the last that have ended. */
      list: (options?: CallOptions): List<Listed> =>
        listOf(() => call<Routes['list']>(`GET ${path}`, {}, options) as Promise<Listed>),
      /** Another name, or other limits. */
      update: (id: string, body: Body<Routes['update']>, options?: CallOptions) =>
        call<Routes['update']>(`PATCH ${one}`, { id, body }, options),
      /** A new secret. The one before works for a day, or as long as `overlapHours` says. */
      roll: (id: string, body?: Body<Routes['roll']>, options?: CallOptions) =>
        call<Routes['roll']>(`POST ${one}/roll`, { id, body }, options),
      /** Ends it at once and for good. */
      revoke: (id: string, options?: CallOptions) => call<Routes['revoke']>(`DELETE ${one}`, { id }, options),
    }
  }

  readonly apiKeys = this.#credentials('/api-keys', 'apiKeyId')

  readonly oauthClients = this.#credentials('/oauth-clients', 'clientId')

  /** Problems that only a person can solve. */
  readonly alarms = {
    list: (query?: ListAlarmsQuery, options?: CallOptions): List<AlarmList> =>
      listOf((page) => this.#connection.call('GET /alarms', { query: page }, options), query),
    /** You look after it. Somebody else who takes it is told who has it. */
    take: (id: string, options?: CallOptions): Promise<Alarm> =>
      this.#connection.call('POST /alarms/{alarmId}/take', { id }, options),
    /** With a word about what it was. */
    resolve: (id: string, body: ResolveAlarm, options?: CallOptions): Promise<Alarm> =>
      this.#connection.call('POST /alarms/{alarmId}/resolve', { id, body }, options),
  }
  /** Addresses that show how events were delivered, for somebody without an account. */
  readonly webhookPortalLinks = {
    /** Whoever has the address may open it until it expires. */
    create: (body: CreateWebhookPortalLink, options?: CallOptions) =>
      this.#connection.call('POST /webhook-portal-links', { body }, options),
  }

  /** Everything by whatever is known of it: an id, a reference, a CUS, a key, an amount, or who paid. */
  search(query: SearchQuery, options?: CallOptions): Promise<SearchResult> {
    return this.#connection.call('GET /search', { query }, options)
  }
}
