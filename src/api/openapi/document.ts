// Prints the OpenAPI 3.1 document from the operations the server runs, so its schemas are the same objects that
// validate requests. Named schemas become components, all others are inlined.

import type { TSchema } from '../../core/json-schema.ts'
import { SCOPES } from '../../core/organizations/scope.ts'
import type { RefusalCode } from '../../core/refusal.ts'
import type { Environment } from '../../flows/context.ts'
import type { Example, Operation, PathParameter, StreamOperation } from '../http/operation.ts'
import { documentedOperations } from '../operations.ts'
import { componentSchemas, inlined, problemSchema, referenced } from './components.ts'
import { tokenPaths } from './oauth.ts'
import { REQUEST_ID_HEADER, refusalResponses } from './refusals.ts'
import { webhookItems } from './webhooks.ts'

const DEFAULT_PUBLIC_URL = 'http://127.0.0.1:4000'

// Any merchant operation can return these.
const COMMON_REFUSALS: readonly RefusalCode[] = [
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'ADDRESS_NOT_ALLOWED',
  'RATE_LIMITED',
  'OVERLOADED',
  'STORE_UNAVAILABLE',
  'INTERNAL_ERROR',
]
const BODY_REFUSALS: readonly RefusalCode[] = ['INVALID_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']
const IDEMPOTENCY_REFUSALS: readonly RefusalCode[] = [
  'INVALID_INPUT',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_REUSED',
]

export function openApiDocument(
  publicUrl: string = DEFAULT_PUBLIC_URL,
  environment: Environment = 'staging',
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of documentedOperations(environment)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation, publicUrl),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Recaudo',
      version: '1.0',
      summary: 'Collect and send money in Colombia over Bre-B and PSE.',
      description:
        'Bodies are JSON in UTF-8. Amounts are whole cents (`amountInCents`); `amount` is the same in pesos. Times are UTC with milliseconds. ' +
        'Unknown fields are ignored, so a newer client works with an older server. Every answer has the header `x-request-id`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'This installation' }],
    tags: [
      { name: 'Payins', description: 'Money coming in.' },
      { name: 'Payment links', description: 'Hosted pages where a payer pays.' },
      { name: 'Payment pages', description: 'Pages to sell by, each of which makes a link for every payer.' },
      { name: 'Payouts', description: 'Money going out, and who receives it.' },
      { name: 'Refunds', description: 'Money given back to payers.' },
      { name: 'Payout batches', description: 'Files of payouts: checked, corrected, sent.' },
      { name: 'Beneficiaries', description: 'Whose key is which.' },
      {
        name: 'Approvals',
        description: 'What waits for a second pair of eyes, and the rules of who is asked.',
      },
      { name: 'Ledger', description: 'The organization’s balance, and the bookings behind it.' },
      {
        name: 'Reports',
        description: 'Days in Bogotá for the accountant: closed, with every movement, and by month.',
      },
      { name: 'Search', description: 'Everything by whatever is known of it.' },
      { name: 'Events', description: 'What happened, in order.' },
      { name: 'Webhooks', description: 'Where events are sent.' },
      { name: 'Connections', description: 'The organization’s accounts at providers.' },
      { name: 'Organization', description: 'The merchant and its settings.' },
      { name: 'Credentials', description: 'API keys and OAuth clients, and what each may do.' },
      { name: 'Audit', description: 'Who did what, and what was asked of the API.' },
      { name: 'Team', description: 'The people who sign in, their roles, and whom they invite.' },
      ...(environment === 'staging'
        ? [{ name: 'Sandbox', description: 'Staging only: the simulated networks.' }]
        : []),
      { name: 'Authentication', description: 'Access tokens.' },
    ],
    paths: { ...paths, ...tokenPaths(publicUrl) },
    webhooks: webhookItems(),
    components: {
      schemas: { ...componentSchemas(), Problem: problemSchema() },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key: `rk_stg_…` or `rk_live_…`.',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `An access token of \`POST /oauth/token\`. Scopes: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}.`,
        },
      },
    },
  }
}

function describeOperation(
  operation: Operation | StreamOperation,
  publicUrl: string,
): Record<string, unknown> {
  const { access, body, success } = operation
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation),
    ...headerParameters(operation),
    ...(operation.idempotent ? [IDEMPOTENCY_KEY] : []),
  ]
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security:
      access === 'public'
        ? []
        : access.shown === 'apiKey'
          ? [{ apiKey: [] }, { accessToken: [] }]
          : [{ accessToken: [] }, { apiKey: [] }],
    ...(access !== 'public' && { 'x-scope': access.scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: body.required, content: content(body.schema, body.examples) },
    }),
    responses: {
      [success.status]: {
        description: success.description,
        headers: responseHeaders(operation),
        content: Object.assign(
          {},
          ...mediaTypesOf(operation).map((mediaType) => content(success.schema, success.examples, mediaType)),
        ),
      },
      ...refusalResponses(refusalsOf(operation), publicUrl),
    },
  }
}

export function refusalsOf(operation: Operation | StreamOperation): RefusalCode[] {
  const codes = [
    ...operation.refusals,
    ...(operation.access === 'public' ? (['OVERLOADED', 'INTERNAL_ERROR'] as const) : COMMON_REFUSALS),
    ...(operation.method === 'GET' ? [] : BODY_REFUSALS),
    ...(operation.method === 'POST' ? IDEMPOTENCY_REFUSALS : []),
  ]
  return [...new Set(codes)]
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text that identifies this request, such as a UUID. If you send the same key and body again within 30 days, you get the first answer again, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '6f1e0c1c-7c55-4b0e-9d53-2f2f3e1b7a10',
}

function responseHeaders(operation: Operation | StreamOperation): Record<string, unknown> {
  return {
    'x-request-id': REQUEST_ID_HEADER,
    ratelimit: {
      description: 'Requests left in the bucket, and seconds until it refills.',
      schema: { type: 'string' },
    },
    ...(operation.idempotent && {
      'idempotent-replayed': {
        description: '`true` if this repeats an earlier answer.',
        schema: { type: 'string' },
      },
    }),
  }
}

function pathParameters(operation: Operation | StreamOperation): unknown[] {
  return Object.entries(operation.params ?? {}).map(([name, parameter]) => ({
    name,
    in: 'path',
    required: true,
    description: parameter.description,
    schema: parameterSchema(parameter),
    example: parameter.example,
  }))
}

function parameterSchema({ maxLength, enum: values }: PathParameter): object {
  if (values !== undefined) return { type: 'string', enum: values }
  return maxLength === undefined ? { type: 'string', format: 'uuid' } : { type: 'string', maxLength }
}

function queryParameters(operation: Operation | StreamOperation): unknown[] {
  const properties =
    (operation.query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {}
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = inlined(schema) as { description?: string }
    return { name, in: 'query', required: false, description, schema: rest }
  })
}

function headerParameters(operation: Operation | StreamOperation): unknown[] {
  return Object.entries('headers' in operation ? operation.headers : {}).map(([name, header]) => ({
    name,
    in: 'header',
    required: false,
    ...header,
  }))
}

function mediaTypesOf(operation: Operation | StreamOperation): readonly string[] {
  return operation.success.mediaTypes ?? ['mediaType' in operation ? operation.mediaType : JSON_TYPE]
}

const JSON_TYPE = 'application/json'

function content(
  schema: TSchema,
  examples: Readonly<Record<string, Example>>,
  mediaType = JSON_TYPE,
): Record<string, unknown> {
  return { [mediaType]: { schema: referenced(schema), examples } }
}
