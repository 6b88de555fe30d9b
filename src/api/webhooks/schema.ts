// Schemas of webhook endpoints, for validation and documentation.

import { CONTRACT_EVENTS, EVENT_TYPES } from '../../core/events/event.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import type { WebhookEndpoint } from '../../store/webhooks/endpoints.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'
import { URL_MAX_LENGTH } from '../payins/schema.ts'

export const DESCRIPTION_MAX_LENGTH = 200

const Events = Nullable(
  Type.Array(OneOf(EVENT_TYPES), {
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    uniqueItems: true,
    description: `The events it is sent. Null means these: ${CONTRACT_EVENTS.map((name) => `\`${name}\``).join(', ')}.`,
    examples: [['payin.confirmed', 'payout.confirmed']],
  }),
)
const Url = Type.String({
  minLength: 1,
  maxLength: URL_MAX_LENGTH,
  description:
    'Where events are sent: an https address without credentials and fragment, on the public internet. Staging takes http and private addresses too.',
  examples: ['https://shop.example/recaudo/events'],
})
const Description = Nullable(Text(DESCRIPTION_MAX_LENGTH, { description: 'A note for yourself, or null.' }))
const Status = OneOf(['ENABLED', 'DISABLED'] as const, {
  description: 'Nothing is sent to an endpoint that is `DISABLED`; events for it wait or are missed.',
})
const MaxPerSecond = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'The most events a second that are sent to it. Null: as fast as it acknowledges them.',
    examples: [50],
  }),
)
const Ed25519 = Type.Boolean({
  description:
    'Whether each event carries an Ed25519 signature (`v1a`) beside the usual one. `publicKey` verifies it.',
})
const PublicKey = Nullable(
  Type.String({
    description: 'Verifies the Ed25519 signatures (Standard Webhooks, `v1a`); null if there are none.',
    examples: ['whpk_3J0oWyBZzJQLXtLXH8nNmQ3jY0E4yYwqzB0qkqk0q3A='],
  }),
)

export const CreateWebhookEndpoint = Type.Object({
  url: Url,
  events: Type.Optional(Events),
  description: Type.Optional(Description),
  maxPerSecond: Type.Optional(MaxPerSecond),
  ed25519: Type.Optional(Ed25519),
})

export const WebhookEndpointChanges = Type.Partial(
  Type.Object({
    url: Url,
    events: Events,
    description: Description,
    status: Status,
    maxPerSecond: MaxPerSecond,
    ed25519: Ed25519,
  }),
)

const FIELDS = {
  id: Uuid('Identifier of the endpoint.'),
  url: Url,
  events: Events,
  description: Description,
  status: Status,
  disabledReason: Nullable(
    OneOf(['BY_MERCHANT', 'GONE', 'FAILING', 'UNVERIFIED'] as const, {
      description:
        '`GONE`: it answered 410. `FAILING`: nothing but failures for five days. `UNVERIFIED`: its receiver has not proven yet that it holds the secret.',
      // The enum of a nullable field must list null, too.
      enum: ['BY_MERCHANT', 'GONE', 'FAILING', 'UNVERIFIED', null],
    }),
  ),
  verifiedAt: Nullable(
    DateTime('When its receiver last proved that it holds the secret, or null. Production requires it.'),
  ),
  maxPerSecond: MaxPerSecond,
  ed25519: Ed25519,
  publicKey: PublicKey,
  failingSince: Nullable(DateTime('Since when every attempt has failed; null while it works.')),
  createdAt: DateTime('When it was created.'),
  updatedAt: DateTime('When it was last changed.'),
}

export const WebhookEndpointObject = Type.Object(FIELDS)
export const WebhookEndpointList = Type.Object({ data: Type.Array(WebhookEndpointObject) })

const Secret = Type.String({
  description: 'Signs every event (Standard Webhooks). Shown only now, never again: store it.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+0Rv4m9Yx1A='],
})
export const WebhookEndpointWithSecret = Type.Object({ ...FIELDS, secret: Secret })
export const RotatedWebhookSecret = Type.Object({
  id: FIELDS.id,
  secret: Secret,
  publicKey: PublicKey,
  previousSecretUntil: DateTime(
    'Until then events are also signed with the previous secret and the previous Ed25519 key.',
  ),
})
export const DeletedWebhookEndpoint = Type.Object({
  id: FIELDS.id,
  deleted: Type.Boolean({ description: 'Always true.' }),
})
export const RecoverWebhookEndpoint = Type.Object({
  since: DateTime('Events created at this time or later are looked at.'),
})
export const ScheduledDeliveries = Type.Object({
  scheduled: Type.Integer({ minimum: 0, description: 'How many deliveries are on their way now.' }),
})

export function presentEndpoint(endpoint: WebhookEndpoint): Record<string, unknown> {
  return {
    id: endpoint.endpointId,
    url: endpoint.url,
    events: endpoint.events,
    description: endpoint.description,
    status: endpoint.state,
    disabledReason: endpoint.disabledReason,
    verifiedAt: isoOrNull(endpoint.verifiedAt),
    maxPerSecond: endpoint.maxPerSecond,
    ed25519: endpoint.publicKey !== null,
    publicKey: presentPublicKey(endpoint),
    failingSince: isoOrNull(endpoint.failingSince),
    createdAt: isoInstant(endpoint.createdAt),
    updatedAt: isoInstant(endpoint.updatedAt),
  }
}

export function presentPublicKey({ publicKey }: WebhookEndpoint): string | null {
  return publicKey && `whpk_${publicKey.toString('base64')}`
}

const create = {
  url: 'https://shop.example/recaudo/events',
  events: ['payin.confirmed', 'payin.declined', 'payin.chargeback'],
  description: 'Orders',
}
const endpoint = {
  id: '019a5c42-1d2e-7a3b-8c4d-5e6f7a8b9c0d',
  ...create,
  status: 'ENABLED',
  disabledReason: null,
  verifiedAt: '2025-11-07T12:00:30.000Z',
  maxPerSecond: null,
  ed25519: false,
  publicKey: null,
  failingSince: null,
  createdAt: '2025-11-07T12:00:00.000Z',
  updatedAt: '2025-11-07T12:00:00.000Z',
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+0Rv4m9Yx1A='

export const WEBHOOK_ENDPOINT_EXAMPLES = {
  create,
  createPlain: { url: 'https://shop.example/recaudo/events' },
  endpoint,
  // As production answers: nothing is sent before it is verified.
  created: { ...endpoint, status: 'DISABLED', disabledReason: 'UNVERIFIED', verifiedAt: null, secret },
  disabled: { ...endpoint, status: 'DISABLED', disabledReason: 'GONE' },
  rotated: { id: endpoint.id, secret, publicKey: null, previousSecretUntil: '2025-11-08T12:00:00.000Z' },
}
