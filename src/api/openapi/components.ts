// The document's named schemas. A schema in this list is printed once and referenced everywhere else.

import { FIELD_CODES, MAX_PROBLEMS, REFUSALS } from '../../core/refusal.ts'
import { COMPONENTS } from './component-table.ts'

const NAME_BY_PROPERTIES = new Map<object, string>(
  Object.entries(COMPONENTS).map(([name, schema]) => [schema.properties, name]),
)

export function componentSchemas(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(COMPONENTS)
      .map(([name, schema]): [string, unknown] => [name, inlined(schema)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

export function referenced(schema: unknown): unknown {
  const { properties, type } = (schema ?? {}) as { properties?: object; type?: unknown }
  const name = properties && NAME_BY_PROPERTIES.get(properties)
  if (name === undefined) return inlined(schema)
  const reference = { $ref: `#/components/schemas/${name}` }
  return Array.isArray(type) ? { anyOf: [reference, { type: 'null' }] } : reference
}

export function inlined(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referenced)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !key.startsWith('~'))
      .map(([key, value]) => [key, referenced(value)]),
  )
}

export function problemSchema(): Record<string, unknown> {
  return {
    type: 'object',
    description: 'The body of every refusal: the members of RFC 9457, and ours.',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: { type: 'string', description: 'Address of this code’s paragraph in the documentation.' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What is wrong with this request, for a developer to read.' },
      code: { type: 'string', enum: Object.keys(REFUSALS), description: 'Stable; branch on this.' },
      requestId: { type: 'string' },
      errors: {
        type: 'array',
        maxItems: MAX_PROBLEMS,
        items: {
          type: 'object',
          required: ['path', 'code', 'message'],
          properties: {
            path: { type: 'string', description: 'JSON pointer to the field.' },
            code: { type: 'string', enum: [...Object.keys(FIELD_CODES), ...Object.keys(REFUSALS)] },
            message: { type: 'string' },
            payinId: {
              type: 'string',
              format: 'uuid',
              description: 'With `DUPLICATE_REFERENCE`: the payin that has the reference.',
            },
            approvalId: {
              type: 'string',
              format: 'uuid',
              description: 'With `APPROVAL_REQUIRED`: the approval that waits.',
            },
          },
        },
      },
    },
  }
}
