// Reads the OpenAPI document into the form the pages need. There is no other source, so the pages describe an operation
// exactly as the server validates it.

import { openApiDocument } from '../api/openapi/document.ts'

export type Environment = NonNullable<Parameters<typeof openApiDocument>[1]>

/** The parts of JSON Schema that we use. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly if?: Schema
  readonly then?: Schema
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

export type Schemas = Readonly<Record<string, Schema>>
export type NamedExample = { readonly key: string; readonly summary: string; readonly value: unknown }

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

export type ApiOperation = {
  readonly operationId: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly scope: string | undefined
  readonly isPublic: boolean
  readonly parameters: readonly Parameter[]
  readonly body:
    | { readonly required: boolean; readonly schema: Schema; readonly examples: readonly NamedExample[] }
    | undefined
  readonly success: {
    readonly status: number
    readonly description: string
    readonly mediaType: string
    readonly schema: Schema
    readonly examples: readonly NamedExample[]
  }
  readonly refusals: readonly { readonly status: number; readonly codes: readonly string[] }[]
}

export type Tag = { readonly name: string; readonly description: string }
export type ApiDocument = {
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly Tag[]
  readonly operations: readonly ApiOperation[]
  readonly schemas: Schemas
}

export function readApi(publicUrl: string, environment: Environment): ApiDocument {
  return readDocument(openApiDocument(publicUrl, environment))
}

/** Separate from `readApi`, so that a test can pass its own document. */
export function readDocument(document: Record<string, unknown>): ApiDocument {
  const { info, tags, paths, components } = document as unknown as RawDocument
  return {
    title: info.title,
    summary: info.summary,
    description: info.description,
    tags,
    schemas: components.schemas,
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => readOperation(method.toUpperCase(), path, raw)),
    ),
  }
}

/** The page of a tag: `Payment links` is at `payment-links`. */
export function slugOfTag(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-')
}

type RawContent = Readonly<
  Record<
    string,
    {
      readonly schema: Schema
      readonly example?: unknown
      readonly examples?: Readonly<Record<string, { summary: string; value: unknown }>>
    }
  >
>
type RawOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly unknown[]
  readonly 'x-scope'?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: RawContent }
  readonly responses: Readonly<Record<string, { description: string; content: RawContent }>>
}
type RawDocument = {
  readonly info: { title: string; summary: string; description: string }
  readonly tags: readonly Tag[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: { readonly schemas: Schemas }
}

const JSON_TYPE = 'application/json'

function readOperation(method: string, path: string, raw: RawOperation): ApiOperation {
  const answers = Object.entries(raw.responses).map(([status, answer]) => ({
    status: Number(status),
    ...answer,
  }))
  const success = answers.find(({ status }) => status < 300)
  if (success === undefined) throw new Error(`${raw.operationId} has no answer of success`)
  const [mediaType = JSON_TYPE] = Object.keys(success.content)
  return {
    operationId: raw.operationId,
    tag: raw.tags[0] ?? '',
    method,
    path,
    summary: raw.summary,
    description: raw.description,
    scope: raw['x-scope'],
    isPublic: raw.security.length === 0,
    parameters: raw.parameters ?? [],
    body: raw.requestBody && {
      required: raw.requestBody.required,
      schema: raw.requestBody.content[JSON_TYPE]?.schema ?? {},
      examples: readExamples(raw.requestBody.content, JSON_TYPE),
    },
    success: {
      status: success.status,
      description: success.description,
      mediaType,
      schema: success.content[mediaType]?.schema ?? {},
      examples: readExamples(success.content, mediaType),
    },
    refusals: answers
      .filter(({ status }) => status >= 400)
      .map(({ status, content }) => ({
        status,
        codes: readExamples(content, JSON_TYPE).map(({ key }) => key),
      })),
  }
}

function readExamples(content: RawContent, mediaType: string): NamedExample[] {
  const { example, examples } = content[mediaType] ?? {}
  if (example !== undefined) return [{ key: 'example', summary: 'Example', value: example }]
  return Object.entries(examples ?? {}).map(([key, { summary, value }]) => ({ key, summary, value }))
}
