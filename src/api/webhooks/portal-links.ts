// Links to the webhook portal: pages that show how events were delivered, for somebody who has no account here.

import { isoInstant } from '../../core/instant.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { type FieldProblem, isRefusal } from '../../core/refusal.ts'
import { LANGUAGES } from '../../core/team/user.ts'
import {
  frameOrigin,
  MAX_FRAME_ANCESTORS,
  ORIGIN_MAX_LENGTH,
  PORTAL_LINK_MINUTES,
} from '../../core/webhooks/portal-link.ts'
import { MAX_ENDPOINTS } from '../../flows/webhooks/create-endpoint.ts'
import { createPortalLink, type PortalLinkWithUrl } from '../../flows/webhooks/create-portal-link.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { DateTime, Nullable, OneOf, Uuid } from '../http/schema.ts'
import { WRITE } from './one-endpoint.ts'
import { WEBHOOK_ENDPOINT_EXAMPLES } from './schema.ts'

const FIELDS = {
  endpointIds: Type.Array(Uuid('A webhook endpoint.'), {
    minItems: 1,
    maxItems: MAX_ENDPOINTS,
    uniqueItems: true,
    description: 'The webhook endpoints that the portal shows. It shows no others.',
  }),
  readOnly: Type.Boolean({
    description:
      'Whether whoever has the link may only look. If false, they may also send a test event, send an event again and recover what was missed.',
  }),
  frameAncestors: Type.Array(
    Type.String({ minLength: 1, maxLength: ORIGIN_MAX_LENGTH, examples: ['https://app.shop.example'] }),
    {
      maxItems: MAX_FRAME_ANCESTORS,
      uniqueItems: true,
      description:
        'The origins of the pages that may show the portal in a frame: https, without a path and without wildcards. Staging takes http too. Empty: it cannot be framed.',
    },
  ),
  language: Nullable(
    OneOf(LANGUAGES, {
      description: 'The language of the portal. Null: the one that the browser asks for.',
      enum: [...LANGUAGES, null],
    }),
  ),
}

export const CreateWebhookPortalLink = Type.Object({
  endpointIds: FIELDS.endpointIds,
  readOnly: Type.Optional({ ...FIELDS.readOnly, default: true }),
  expiresInMinutes: Type.Optional(
    Type.Integer({
      minimum: PORTAL_LINK_MINUTES.minimum,
      maximum: PORTAL_LINK_MINUTES.maximum,
      default: PORTAL_LINK_MINUTES.default,
      description: 'How long the link works.',
    }),
  ),
  frameAncestors: Type.Optional(FIELDS.frameAncestors),
  language: Type.Optional(FIELDS.language),
})

export const WebhookPortalLink = Type.Object({
  id: Uuid('Identifier of the link. What is done through it is written down under it.'),
  url: Type.String({
    description: 'The portal. Whoever has this address may open it: hand it to nobody else.',
    examples: ['https://api.recaudo.example/console/portal/pWZ0…'],
  }),
  ...FIELDS,
  expiresAt: DateTime('Until when it works, by the real clock.'),
})

const create = {
  endpointIds: [WEBHOOK_ENDPOINT_EXAMPLES.endpoint.id],
  readOnly: false,
  expiresInMinutes: 30,
  frameAncestors: ['https://app.shop.example'],
  language: 'es',
}
const { expiresInMinutes: _, ...shown } = create

export const createWebhookPortalLinkOperation: Operation = {
  method: 'POST',
  path: '/webhook-portal-links',
  operationId: 'createWebhookPortalLink',
  tag: 'Webhooks',
  summary: 'Create a link to the webhook portal',
  description:
    'Makes a signed address that shows how these endpoints do: their standing, every attempt with its answer, and the next try. Whoever opens it needs no account and sees nothing else of your organization; the payers in events are masked. It ends by itself, and earlier if the credential that made it is revoked or its endpoints are deleted. The credential also needs `webhooks:read`, `events:read` and the scopes that read what the events contain (`payins:read`, `payouts:read`, `links:read`).',
  access: WRITE,
  act: 'portallink.create',
  body: {
    schema: CreateWebhookPortalLink,
    required: true,
    examples: {
      framed: { summary: 'In a frame of your own pages, for half an hour', value: create },
      plain: { summary: 'To look at, for an hour', value: { endpointIds: create.endpointIds } },
    },
  },
  rules: frameRules,
  success: {
    status: 201,
    description: 'The link.',
    schema: WebhookPortalLink,
    examples: {
      created: {
        summary: 'A link',
        value: {
          id: '019a5c48-2b3c-7d4e-9f50-617283940a1b',
          url: 'https://api.recaudo.example/console/portal/pWZ0b3J0YWwtbGluay1leGFtcGxl',
          ...shown,
          expiresAt: '2025-11-07T12:30:00.000Z',
        },
      },
    },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND'],
  idempotent: true,
  handle: async (request) => {
    const { ctx, caller, body, idempotency } = request
    const sent = body as Static<typeof CreateWebhookPortalLink>
    const answer = renderOnce(({ link, url }: PortalLinkWithUrl) => {
      const { linkId: id, endpointIds, readOnly, frameAncestors, language, expiresAt } = link
      const fields = { id, url, endpointIds, readOnly, frameAncestors, language }
      return json(201, { ...fields, expiresAt: isoInstant(expiresAt) })
    })
    const granter = {
      kind: caller.kind,
      id: caller.credentialId,
      organizationId: caller.organization.organizationId,
      granted: caller.scopes,
    }
    const wanted = {
      endpointIds: [...new Set(sent.endpointIds.map((id) => id.toLowerCase()))],
      readOnly: sent.readOnly ?? true,
      frameAncestors: originsIn(request, sent.frameAncestors ?? []).filter((one) => one !== undefined),
      language: (sent.language ?? null) as PortalLinkWithUrl['link']['language'],
      minutes: sent.expiresInMinutes ?? PORTAL_LINK_MINUTES.default,
    }
    const kept = idempotency && { ...idempotency, answer }
    const created = await createPortalLink(ctx, granter, wanted, kept)
    return isRefusal(created) ? created : answer(created)
  },
}

function originsIn({ ctx }: ApiRequest, sent: readonly unknown[]): (string | undefined)[] {
  const allowsHttp = ctx.settings.environment === 'staging'
  return sent.map((text) => (typeof text === 'string' ? frameOrigin(text, allowsHttp) : undefined))
}

function frameRules(request: ApiRequest): FieldProblem[] {
  const { frameAncestors } = request.body as { frameAncestors?: unknown }
  if (!Array.isArray(frameAncestors)) return []
  // The schema says what is wrong with the rest.
  const texts = frameAncestors.slice(0, MAX_FRAME_ANCESTORS)
  return originsIn(request, texts).flatMap((origin, index) =>
    origin !== undefined || typeof texts[index] !== 'string'
      ? []
      : [
          {
            path: `/frameAncestors/${index}`,
            code: 'WRONG_FORMAT',
            message: 'must be an https origin without a path, such as https://app.shop.example',
          },
        ],
  )
}
