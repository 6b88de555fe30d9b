// Prints src/schema.ts from openapi.json: one type for each named schema, and one table of all operations by method and
// path. `npm run sdk:types` writes it anew; a test fails when the committed file is stale.

import { readFileSync, writeFileSync } from 'node:fs'

export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly const?: string | number | boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly format?: string
  readonly additionalProperties?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly { readonly if?: Schema; readonly then?: Schema }[]
  readonly description?: string
}

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const HEADER = `// Printed from openapi.json by sdk/generate.ts: change that, not this. Types only; nothing of it is there at run time.
`

export function schemaSource({ paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
      query: parametersIn('query', operation),
    })),
  )
  const queries = operations.flatMap(({ operation, query }) =>
    query ? [[queryName(operation), query] as const] : [],
  )
  const named = [...Object.entries(components.schemas), ...queries].map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}\n`,
  )
  const table = operations.map(
    ({ route, operation }) =>
      `${comment(operation.summary, '  ')}  '${route}': ${operationType(operation)}\n`,
  )
  return `${HEADER}\n${named.join('\n')}\nexport type Operations = {\n${table.join('')}}\n`
}

function operationType(operation: Operation): string {
  const { requestBody, responses } = operation
  const params = parametersIn('path', operation)
  const query = parametersIn('query', operation)
  const body = schemaOf(requestBody?.content)
  const success = Object.entries(responses).find(([status]) => /^2\d\d$/.test(status))?.[1]
  const fields = [
    ...(params ? [`params: ${typeOf(params, '    ')}`] : []),
    ...(query ? [`query?: ${queryName(operation)} | undefined`] : []),
    ...(body
      ? [
          `body${requestBody?.required ? '' : '?'}: ${typeOf(body, '    ')}${requestBody?.required ? '' : ' | undefined'}`,
        ]
      : []),
    `answer: ${typeOf(schemaOf(success?.content) ?? {}, '    ')}`,
  ]
  return `{\n${fields.map((field) => `    ${field}\n`).join('')}  }`
}

function parametersIn(place: string, { parameters = [] }: Operation): Schema | undefined {
  const these = parameters.filter((parameter) => parameter.in === place)
  if (these.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(
      these.map(({ name, schema, description = schema.description }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    ),
    required: these.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  }
}

function queryName({ operationId }: Operation): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`
}

// JSON where there is a choice: it is what the client sends.
function schemaOf(content: Content | undefined): Schema | undefined {
  return (content?.['application/json'] ?? Object.values(content ?? {})[0])?.schema
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ')
  const types = [schema.type ?? 'unknown'].flat()
  return types.map((type) => namedType(type, schema, indent)).join(' | ')
}

function namedType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'string':
      return schema.format === 'binary' ? 'Blob' : type
    case 'array':
      return `(${typeOf(schema.items ?? {}, indent)})[]`
    case 'object':
      return [
        objectType(schema, indent),
        ...(schema.allOf ?? []).map((one) => conditionType(one, schema)),
      ].join(' & ')
    default:
      return type
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) return `Record<string, ${typeOf(additionalProperties ?? {}, indent)}>`
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, inner)
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const member = required.includes(name) ? `${key}: ${type}` : `${key}?: ${type} | undefined`
    return `${comment(schema.description, inner)}${inner}${member}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

// `if rail is PSE then pse is required` becomes a choice that the compiler can follow.
function conditionType(condition: { readonly if?: Schema; readonly then?: Schema }, whole: Schema): string {
  const [[name, { const: value }] = ['', {} as Schema], ...others] = Object.entries(
    condition.if?.properties ?? {},
  )
  const values = whole.properties?.[name]?.enum
  if (value === undefined || values === undefined || others.length > 0)
    throw new Error(`sdk/generate.ts must learn this condition: ${JSON.stringify(condition)}`)
  const fields = (condition.then?.required ?? []).map(
    (field) => `${field}: ${typeOf(whole.properties?.[field] ?? {}, '')}`,
  )
  const rest = values.filter((other) => other !== value).map(literal)
  return `(\n  | { ${name}: ${literal(value)}; ${fields.join('; ')} }\n  | { ${name}: ${rest.join(' | ')} }\n)`
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`
}

if (import.meta.main) {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  writeFileSync(new URL('src/schema.ts', import.meta.url), schemaSource(JSON.parse(read('../openapi.json'))))
}
