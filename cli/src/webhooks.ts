// recaudo webhooks: manages the endpoints that events are sent to.

import type { WebhookEndpoint, WebhookEndpointChanges } from '@recaudo/sdk'
import { callOptions, openClient } from './client.ts'
import { fields, table } from './columns.ts'
import type { Call, Flags, Shown } from './command.ts'
import { readEventNames } from './event-names.ts'
import { usageFailure } from './failure.ts'
import { shownTime } from './time.ts'

type Events = WebhookEndpoint['events']

// Used in place of event names: the events that an endpoint gets by default.
const USUAL = 'usual'
const KEEP_SECRET = 'Keep the secret now: it is not shown again.'

export async function createEndpoint(call: Call): Promise<Shown> {
  const { url, description, ed25519 } = call.flags
  if (typeof url !== 'string') throw usageFailure('--url is required.')
  const { recaudo } = await openClient()
  const endpoint = await recaudo.webhookEndpoints.create(
    {
      url,
      ...eventsIn(call.flags),
      ...(typeof description === 'string' && { description }),
      ...maxPerSecondIn(call.flags),
      ...(ed25519 === true && { ed25519 }),
    },
    callOptions(call),
  )
  return {
    json: endpoint,
    text: () => {
      const isWaiting = endpoint.disabledReason === 'UNVERIFIED'
      const next = isWaiting
        ? `\nGive it to your receiver, then \`recaudo webhooks verify ${endpoint.id}\`: nothing is sent before.`
        : ''
      return `${endpointText(endpoint, endpoint.secret)}\n${KEEP_SECRET}${next}`
    },
  }
}

export async function listEndpoints(): Promise<Shown> {
  const { recaudo } = await openClient()
  const { data } = await recaudo.webhookEndpoints.list()
  return {
    json: { data, hasMore: false },
    text: () =>
      table(
        ['id', 'url', 'events', 'status', 'failing since'],
        data.map((endpoint) => [
          endpoint.id,
          endpoint.url,
          endpoint.events?.join(',') ?? USUAL,
          statusOf(endpoint),
          shownTime(endpoint.failingSince),
        ]),
      ),
  }
}

export async function getEndpoint({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return shownEndpoint(await recaudo.webhookEndpoints.get(argument))
}

export async function updateEndpoint({ argument, flags }: Call): Promise<Shown> {
  const { url, description, enable, disable, ed25519 } = flags
  if (enable === true && disable === true) throw usageFailure('Say --enable or --disable, not both.')
  const changes: WebhookEndpointChanges = {
    ...(typeof url === 'string' && { url }),
    ...eventsIn(flags),
    ...(typeof description === 'string' && { description }),
    ...(enable === true && { status: 'ENABLED' as const }),
    ...(disable === true && { status: 'DISABLED' as const }),
    ...maxPerSecondIn(flags),
    ...(typeof ed25519 === 'string' && { ed25519: ed25519 === 'on' }),
  }
  if (Object.keys(changes).length === 0)
    throw usageFailure(
      'Say what to change: --url, --events, --description, --enable, --disable, --max-per-second or --ed25519.',
    )
  const { recaudo } = await openClient()
  return shownEndpoint(await recaudo.webhookEndpoints.update(argument, changes))
}

export async function deleteEndpoint({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const deleted = await recaudo.webhookEndpoints.delete(argument)
  return { json: deleted, text: () => `Deleted ${deleted.id}.` }
}

export async function verifyEndpoint(call: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  return shownEndpoint(await recaudo.webhookEndpoints.verify(call.argument, callOptions(call)))
}

export async function testEndpoint(call: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const event = await recaudo.webhookEndpoints.test(call.argument, callOptions(call))
  return {
    json: event,
    text: () =>
      `Event ${event.id} is on its way: \`recaudo events deliveries ${event.id}\` tells how it went.`,
  }
}

export async function rotateSecret(call: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const rotated = await recaudo.webhookEndpoints.rotateSecret(call.argument, callOptions(call))
  return {
    json: rotated,
    text: () =>
      `${fields([
        ['secret', rotated.secret],
        ['public key', rotated.publicKey],
      ])}\n${KEEP_SECRET}\nThe one before signs too until ${shownTime(rotated.previousSecretUntil)}.`,
  }
}

function eventsIn({ events }: Flags): { events?: Events } {
  if (typeof events !== 'string') return {}
  return { events: events === USUAL ? null : (readEventNames('--events', events) as Events) }
}

function maxPerSecondIn({ 'max-per-second': most }: Flags): { maxPerSecond?: number | null } {
  if (typeof most !== 'string') return {}
  if (most === 'none') return { maxPerSecond: null }
  if (!/^\d{1,4}$/.test(most))
    throw usageFailure(`--max-per-second takes a whole number or none, not ${most}.`)
  return { maxPerSecond: Number(most) }
}

function shownEndpoint(endpoint: WebhookEndpoint): Shown {
  return { json: endpoint, text: () => endpointText(endpoint) }
}

function endpointText(endpoint: WebhookEndpoint, secret?: string): string {
  return fields([
    ['id', endpoint.id],
    ['url', endpoint.url],
    ['events', endpoint.events?.join(', ') ?? USUAL],
    ['description', endpoint.description],
    ['status', statusOf(endpoint)],
    ['verified', shownTime(endpoint.verifiedAt)],
    ['max per second', endpoint.maxPerSecond?.toString()],
    ['public key', endpoint.publicKey],
    ['failing since', shownTime(endpoint.failingSince)],
    ['created', shownTime(endpoint.createdAt)],
    ['secret', secret],
  ])
}

function statusOf({ status, disabledReason }: WebhookEndpoint): string {
  return disabledReason === null ? status : `${status} ${disabledReason}`
}
