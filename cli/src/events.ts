// recaudo events: reads the log, shows how each event was delivered, and sends events again.

import type { RecaudoEvent } from '@recaudo/sdk'
import { openClient } from './client.ts'
import { fields, table } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { type EventName, readEventNames } from './event-names.ts'
import { usageFailure } from './failure.ts'
import { listed, pageSizeFor, readCount, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { readSpanSeconds, readTimeMs, shownTime, wrongTime } from './time.ts'

export async function listEvents({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const after = readCount(flags, 'after', 0, Number.MAX_SAFE_INTEGER) ?? 0
  const type = typeof flags.type === 'string' ? readEventNames('--type', flags.type)[0] : undefined
  const objectId = typeof flags['object-id'] === 'string' ? flags['object-id'] : undefined
  const { recaudo } = await openClient()
  return listed(
    recaudo.events.list({ after, type: type as EventName, objectId, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['sequence', 'id', 'happened', 'event', 'object', 'amount'],
    (event) => [
      String(event.sequence),
      event.id,
      shownTime(event.createdAt),
      event.event,
      objectIdOf(event),
      'amountInCents' in event.data && event.data.amountInCents !== null
        ? pesos(event.data.amountInCents)
        : null,
    ],
  )
}

export async function getEvent({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const event = await recaudo.events.get(argument)
  return {
    json: event,
    text: () =>
      `${fields([
        ['id', event.id],
        ['event', event.event],
        ['sequence', String(event.sequence)],
        ['version', String(event.version)],
        ['happened', shownTime(event.createdAt)],
      ])}\n${JSON.stringify(event.data, null, 2)}`,
  }
}

export async function listDeliveries({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const { data } = await recaudo.events.deliveries(argument)
  return {
    json: { data, hasMore: false },
    text: () =>
      table(
        ['endpoint', 'url', 'state', 'try', 'at', 'answer', 'took', 'next try'],
        data.flatMap(({ endpointId, url, state, attempts, nextAttemptAt }) =>
          attempts.length === 0
            ? [[endpointId, url, state, null, null, null, null, shownTime(nextAttemptAt)]]
            : attempts.map((attempt) => [
                endpointId,
                url,
                state,
                String(attempt.number),
                shownTime(attempt.at),
                [attempt.status, attempt.failure].filter((part) => part !== null).join(' '),
                `${attempt.latencyMs} ms`,
                shownTime(attempt.nextAttemptAt),
              ]),
        ),
      ),
  }
}

export async function replayEvent({ argument, flags }: Call): Promise<Shown> {
  const { endpoint, since } = flags
  const endpointId = typeof endpoint === 'string' ? endpoint : undefined
  if (argument === '') {
    if (endpointId === undefined || typeof since !== 'string')
      throw usageFailure(
        'Say which event, or with --endpoint and --since what an endpoint missed since when.',
      )
    const { recaudo } = await openClient()
    const { scheduled } = await recaudo.webhookEndpoints.recover(endpointId, { since: readSince(since) })
    return scheduledShown(scheduled, `to ${endpointId}, which had missed ${scheduled === 1 ? 'it' : 'them'}`)
  }
  if (since !== undefined) throw usageFailure('--since goes with --endpoint alone, without an event.')
  const { recaudo } = await openClient()
  const { scheduled } = await recaudo.events.redeliver(
    argument,
    endpointId === undefined ? {} : { endpointId },
  )
  return {
    json: { scheduled },
    text: () =>
      `${scheduled === 0 ? 'No endpoint takes this event' : `On its way to ${scheduled} ${scheduled === 1 ? 'endpoint' : 'endpoints'}`}; whoever runs \`recaudo listen\` gets it too.`,
  }
}

// The object that an event is about.
export function objectIdOf({ data }: Pick<RecaudoEvent, 'data'>): string {
  if ('paymentPageId' in data) return data.paymentPageId
  if ('paymentLinkId' in data && !('id' in data)) return data.paymentLinkId ?? ''
  return 'id' in data ? data.id : 'endpointId' in data ? data.endpointId : ''
}

function scheduledShown(scheduled: number, where: string): Shown {
  return {
    json: { scheduled },
    text: () =>
      scheduled === 0
        ? 'Nothing was missed since then.'
        : `${scheduled} ${scheduled === 1 ? 'event is' : 'events are'} on the way ${where}.`,
  }
}

function readSince(text: string): string {
  const span = readSpanSeconds(text)
  const ms = span === undefined ? readTimeMs(text) : Date.now() - span * 1_000
  if (ms === undefined) throw wrongTime('--since', text)
  return new Date(ms).toISOString()
}
