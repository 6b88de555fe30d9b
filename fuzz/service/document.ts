// The operations of openapi.json, and whether an answer is one of those it documents.

import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export type Schema = { readonly [keyword: string]: unknown }

export type DocumentedOperation = {
  readonly method: string
  readonly path: string
  readonly pathParameters: readonly string[]
  readonly queryParameters: readonly { readonly name: string; readonly schema: Schema }[]
  readonly bodyType: string | undefined
  readonly bodySchema: Schema | undefined
  readonly bodyExamples: readonly unknown[]
  readonly statuses: readonly number[]
}

export type ApiDocument = {
  readonly operations: readonly DocumentedOperation[]
  readonly resolve: (schema: Schema) => Schema
  // What is wrong with the answer; null if it is as documented.
  readonly faultOf: (operation: DocumentedOperation, status: number, body: unknown) => string | null
  readonly isProblem: (body: unknown) => boolean
}

type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
type Parameter = { name: string; in: string; schema: Schema }
type JsonOperation = {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
type JsonDocument = {
  paths: Record<string, Record<string, JsonOperation>>
  components: { schemas: Record<string, Schema> }
}

export function readDocument(): ApiDocument {
  const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
  const document = JSON.parse(text) as JsonDocument
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document as unknown as Schema, 'api')
  const validators = new Map<string, ValidateFunction>()
  const validator = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    validators.set(pointer, known)
    return known
  }
  const isProblem = (body: unknown): boolean => validator('/components/schemas/Problem')(body) === true
  return {
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => operationOf(path, method, operation)),
    ),
    resolve: (schema) => {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1]
      return name === undefined ? schema : (document.components.schemas[name] as Schema)
    },
    faultOf: ({ method, path }, status, body) => {
      const response = document.paths[path]?.[method.toLowerCase()]?.responses[status]
      if (response === undefined) return `status ${status} is not documented`
      if (response.content?.['application/json'] === undefined) return null
      const segments = [
        'paths',
        path,
        method.toLowerCase(),
        'responses',
        String(status),
        'content',
        'application/json',
      ]
      const validate = validator(`/${[...segments, 'schema'].map(escaped).join('/')}`)
      if (validate(body)) return null
      return `the body is not as documented: ${ajv.errorsText(validate.errors).slice(0, 300)}`
    },
    isProblem,
  }
}

const escaped = (segment: string): string =>
  encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))

function operationOf(path: string, method: string, operation: JsonOperation): DocumentedOperation {
  const [bodyType, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const parameters = operation.parameters ?? []
  const { examples = {}, example } = media ?? {}
  return {
    method: method.toUpperCase(),
    path,
    pathParameters: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
    queryParameters: parameters.filter((one) => one.in === 'query'),
    bodyType,
    bodySchema: media?.schema,
    bodyExamples: [
      ...Object.values(examples).map(({ value }) => value),
      ...(example === undefined ? [] : [example]),
    ],
    statuses: Object.keys(operation.responses).map(Number),
  }
}
