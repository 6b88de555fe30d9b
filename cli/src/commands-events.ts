// The commands for events, webhooks and the sandbox, and for setting up the command line.

import type { CommandTable } from './command.ts'
import { DOCUMENT_NAMES, EVENT_NAMES } from './scenario-names.ts'

const IDEMPOTENCY = {
  'idempotency-key': { value: 'KEY', help: 'with the same key it is done once, however often you send it' },
} as const
const EVENTS = { value: 'NAMES', values: EVENT_NAMES, help: 'only these events, separated by commas' }
const LIMIT = { limit: { value: 'N', help: 'how many at most (default 10)' } } as const
const ID = { name: 'id' } as const

const events = () => import('./events.ts')
const webhooks = () => import('./webhooks.ts')
const login = () => import('./login.ts')

export const EVENT_COMMANDS: CommandTable = {
  listen: {
    group: 'Events and webhooks',
    help: 'show events as they happen, and forward them to your address',
    flags: {
      'forward-to': { value: 'URL', help: 'send each event there as a signed webhook' },
      events: EVENTS,
      since: {
        value: 'SEQUENCE|TIME',
        help: 'start after this event, or at this time: 42, 10m, 2026-11-15T08:00:00-05:00',
      },
      secret: { value: 'SECRET', help: 'sign with this secret (default: your own, shown at the start)' },
    },
    example: 'recaudo listen --forward-to http://localhost:3000/webhooks',
    load: async () => (await import('./listen.ts')).listen,
  },
  'events list': {
    group: 'Events and webhooks',
    help: 'read the event log, oldest first',
    flags: {
      after: { value: 'SEQUENCE', help: 'only after this event' },
      type: { value: 'NAME', values: EVENT_NAMES, help: 'only events with this name' },
      'object-id': { value: 'ID', help: 'only about this payin, payout or payment link' },
      ...LIMIT,
    },
    load: async () => (await events()).listEvents,
  },
  'events get': {
    group: 'Events and webhooks',
    help: 'show an event as it was sent',
    argument: ID,
    flags: {},
    load: async () => (await events()).getEvent,
  },
  'events deliveries': {
    group: 'Events and webhooks',
    help: 'show every attempt to deliver an event',
    argument: ID,
    flags: {},
    load: async () => (await events()).listDeliveries,
  },
  'events replay': {
    group: 'Events and webhooks',
    help: 'send an event again, or everything that an endpoint missed',
    argument: { name: 'id', isOptional: true },
    flags: {
      endpoint: { value: 'ID', help: 'only to this webhook endpoint' },
      since: { value: 'TIME', help: 'without an event: what the endpoint missed since then' },
    },
    example: 'recaudo events replay --endpoint 019a… --since 2h',
    load: async () => (await events()).replayEvent,
  },
  'webhooks create': {
    group: 'Events and webhooks',
    help: 'send events to an address; its secret is shown once',
    flags: {
      url: { value: 'URL', help: 'where events are sent' },
      events: { ...EVENTS, help: 'only these events, separated by commas (default: the eight outcomes)' },
      description: { value: 'TEXT', help: 'a note for yourself' },
      'max-per-second': { value: 'NUMBER', help: 'send at most this many events a second' },
      ed25519: { help: 'also sign with Ed25519; the public key is shown' },
      ...IDEMPOTENCY,
    },
    load: async () => (await webhooks()).createEndpoint,
  },
  'webhooks list': {
    group: 'Events and webhooks',
    help: 'list your webhook endpoints',
    flags: {},
    load: async () => (await webhooks()).listEndpoints,
  },
  'webhooks get': {
    group: 'Events and webhooks',
    help: 'show a webhook endpoint',
    argument: ID,
    flags: {},
    load: async () => (await webhooks()).getEndpoint,
  },
  'webhooks update': {
    group: 'Events and webhooks',
    help: 'change a webhook endpoint',
    argument: ID,
    flags: {
      url: { value: 'URL', help: 'the new address' },
      events: { ...EVENTS, help: 'the new events, separated by commas, or `usual` for the default' },
      description: { value: 'TEXT', help: 'the new note' },
      enable: { help: 'send to it again' },
      disable: { help: 'send nothing to it' },
      'max-per-second': { value: 'NUMBER', help: 'send at most this many events a second, or `none`' },
      ed25519: { value: 'ON', values: ['on', 'off'], help: 'also sign with Ed25519, or stop doing so' },
    },
    load: async () => (await webhooks()).updateEndpoint,
  },
  'webhooks delete': {
    group: 'Events and webhooks',
    help: 'delete a webhook endpoint',
    argument: ID,
    flags: {},
    load: async () => (await webhooks()).deleteEndpoint,
  },
  'webhooks verify': {
    group: 'Events and webhooks',
    help: 'check that the receiver holds the secret',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await webhooks()).verifyEndpoint,
  },
  'webhooks test': {
    group: 'Events and webhooks',
    help: 'send a test event to a webhook endpoint',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await webhooks()).testEndpoint,
  },
  'webhooks rotate-secret': {
    group: 'Events and webhooks',
    help: 'replace the secret; both work for a day',
    argument: ID,
    flags: IDEMPOTENCY,
    load: async () => (await webhooks()).rotateSecret,
  },
  'webhooks portal': {
    group: 'Events and webhooks',
    help: 'make an address that shows how events were delivered',
    argument: { name: 'ids' },
    flags: {
      'can-send': { help: 'whoever has it may also test, send again and recover' },
      'expires-in-minutes': { value: 'N', help: 'how long it works (default 60, at most 1440)' },
      'frame-ancestors': { value: 'ORIGINS', help: 'the pages that may frame it, separated by commas' },
      language: { value: 'LANGUAGE', values: ['es', 'en'], help: 'es or en (default: the browser’s)' },
      ...IDEMPOTENCY,
    },
    example: 'recaudo webhooks portal 019a… --frame-ancestors https://app.shop.example',
    load: async () => (await import('./webhook-portal.ts')).createPortalLink,
  },
  trigger: {
    group: 'Sandbox',
    help: 'make an event happen, or see what a document number does',
    argument: { name: 'scenario', values: [...EVENT_NAMES, ...DOCUMENT_NAMES], isOptional: true },
    flags: {
      list: { help: 'list the scenarios' },
      rail: { value: 'RAIL', values: ['BRE_B', 'PSE'], help: 'BRE_B (default) or PSE' },
      payout: { help: 'with a document number: a payout instead of a payin' },
      'amount-in-cents': { value: 'CENTS', help: 'the amount (default 5000000, $ 50.000,00)' },
      timeout: { value: 'SECONDS', help: 'how long to wait for the event (default 60)' },
    },
    example: 'recaudo trigger payin.confirmed --rail PSE',
    load: async () => (await import('./trigger.ts')).trigger,
  },
  'clock advance': {
    group: 'Sandbox',
    help: 'move staging’s clock forward',
    argument: { name: 'span' },
    flags: {},
    example: 'recaudo clock advance 2h',
    load: async () => (await import('./clock.ts')).advanceClock,
  },
  login: {
    group: 'Set-up',
    help: 'store your credentials in a file that only you can read',
    flags: {
      'api-key': { value: 'KEY', help: 'an API key; - reads it from standard input' },
      'client-id': { value: 'ID', help: 'id of an OAuth client, instead of a key' },
      'client-secret': { value: 'SECRET', help: 'its secret; - reads it from standard input' },
      'base-url': { value: 'URL', help: 'the server (default http://127.0.0.1:4000)' },
    },
    load: async () => (await login()).login,
  },
  logout: {
    group: 'Set-up',
    help: 'delete your stored credentials',
    flags: {},
    load: async () => (await login()).logout,
  },
  doctor: {
    group: 'Set-up',
    help: 'check the set-up, and say what is wrong and what to do',
    flags: {
      operator: { help: 'check the service itself instead: for whoever runs it, in the server’s folder' },
    },
    load: async () => (await import('./doctor.ts')).doctor,
  },
}
