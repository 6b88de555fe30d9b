// The page of one resource: its lifecycle, every operation with its rules and errors, and the objects it returns.

import type { ApiDocument, ApiOperation, Environment, Parameter, Tag } from '../open-api.ts'
import { slugOfTag } from '../open-api.ts'
import { type Block, heading, json, list, type Page, table, text } from '../print/block.ts'
import { sampleBlocks } from '../samples/sample.ts'
import { type Components, componentName, fieldsOf, resolve } from './fields.ts'
import { LIFECYCLE_DOCS } from './lifecycle-tables.ts'

export type Setting = {
  readonly api: ApiDocument
  readonly baseUrl: string
  readonly environment: Environment
}

export function resourcePage(tag: Tag, setting: Setting): Page {
  const { api } = setting
  const operations = api.operations.filter((operation) => operation.tag === tag.name)
  const objects = [...objectSections(api)].filter(([, owner]) => owner === tag.name).map(([name]) => name)
  const components = componentsOf(api)
  return {
    path: pagePath(tag.name),
    title: tag.name,
    summary: tag.description,
    section: 'API reference',
    language: 'en',
    blocks: [
      table(
        `Operations: ${tag.name}`,
        ['Operation', 'Address'],
        operations.map(({ summary, operationId, method, path }) => [
          `[${summary}](#${operationId})`,
          `\`${method} ${path}\``,
        ]),
      ),
      ...LIFECYCLE_DOCS.filter((doc) => doc.tag === tag.name).flatMap((doc): Block[] => [
        heading(2, 'Lifecycle', 'lifecycle'),
        { kind: 'lifecycle', doc },
      ]),
      ...operations.flatMap((operation) => operationBlocks(operation, components, setting)),
      ...objects.flatMap((name) => objectBlocks(name, components, api)),
    ],
  }
}

export function pagePath(tag: string): string {
  return `/docs/${slugOfTag(tag)}`
}

export function operationAddress({ tag, operationId }: ApiOperation): string {
  return `${pagePath(tag)}#${operationId}`
}

function operationBlocks(operation: ApiOperation, components: Components, setting: Setting): Block[] {
  const { operationId, method, path, summary, body, success } = operation
  const [example] = success.examples
  const isJson = success.mediaType === 'application/json'
  return [
    heading(2, summary, operationId),
    {
      kind: 'split',
      text: [
        { kind: 'endpoint', method, path },
        text(operation.description),
        accessText(operation),
        ...parameterBlocks(operation, components),
        ...(body === undefined
          ? []
          : [
              heading(3, body.required ? 'Body' : 'Body (optional)', `${operationId}-fields`),
              {
                kind: 'fields' as const,
                label: 'Fields of the body',
                fields: fieldsOf(body.schema, operationId, components, 'sent'),
              },
            ]),
        heading(3, 'Answer', `${operationId}-answer`),
        text(`**${success.status}** ${success.description}${answerLink(operation, components)}`),
        ...(isJson && sectionOf(operation, components) === undefined
          ? [
              {
                kind: 'fields' as const,
                label: 'Fields of the answer',
                fields: fieldsOf(success.schema, `${operationId}.answer`, components, 'answered'),
              },
            ]
          : []),
        heading(3, 'Errors', `${operationId}-errors`),
        list(
          operation.refusals.map(
            ({ status, codes }) =>
              `**${status}** ${codes.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(', ')}`,
          ),
        ),
      ],
      code: [
        ...sampleBlocks(operation, setting.baseUrl),
        ...(example === undefined ? [] : [answerExample(example.value, success.status, isJson)]),
        ...(setting.environment === 'staging' ? [{ kind: 'try' as const, operation }] : []),
      ],
    },
  ]
}

function answerExample(value: unknown, status: number, isJson: boolean): Block {
  const caption = `Answer ${status}`
  return isJson ? json(caption, value) : { kind: 'code', caption, language: 'text', text: String(value) }
}

function accessText({ scope, isPublic }: ApiOperation): Block {
  if (isPublic || scope === undefined) return text('Needs no API key.')
  return text(`Needs the [scope](/docs#authentication) \`${scope}\`.`)
}

const PLACES = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'Headers'],
] as const

function parameterBlocks(operation: ApiOperation, components: Components): Block[] {
  return PLACES.flatMap(([place, label]): Block[] => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place)
    if (parameters.length === 0) return []
    return [
      heading(3, label, `${operation.operationId}-${place}`),
      { kind: 'fields', label, fields: parameterFields(operation, parameters, components) },
    ]
  })
}

function parameterFields(operation: ApiOperation, parameters: readonly Parameter[], components: Components) {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  )
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return fieldsOf(
    { properties, required },
    `${operation.operationId}.${parameters[0]?.in}`,
    components,
    'sent',
  )
}

function sectionOf({ success }: ApiOperation, components: Components): string | undefined {
  const name = componentName(success.schema)
  return name === undefined ? undefined : components.sectionOf(name)
}

function answerLink(operation: ApiOperation, components: Components): string {
  const section = sectionOf(operation, components)
  return section === undefined ? '' : ` Fields: [${componentName(operation.success.schema)}](${section}).`
}

function objectBlocks(name: string, components: Components, api: ApiDocument): Block[] {
  const schema = api.schemas[name]
  if (schema === undefined) return []
  const example = exampleOf(name, api)
  return [
    heading(2, `The ${wordsOf(name)} object`, name),
    {
      kind: 'split',
      text: [
        ...(schema.description === undefined ? [] : [text(schema.description)]),
        {
          kind: 'fields',
          label: `Fields of ${name}`,
          // Only this section spells the object out.
          fields: fieldsOf(
            schema,
            name,
            { ...components, sectionOf: otherSections(name, components) },
            'answered',
          ),
        },
      ],
      code: example === undefined ? [] : [json(`${name}`, example)],
    },
  ]
}

const otherSections =
  (own: string, { sectionOf: find }: Components) =>
  (name: string): string | undefined =>
    name === own ? undefined : find(name)

/** `PaymentLink` becomes `payment link`. */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return words.replace(/^pse\b/, 'PSE').replace(/^breb\b/, 'Bre-B')
}

function exampleOf(name: string, api: ApiDocument): unknown {
  const operation = api.operations.find(({ success }) => componentName(success.schema) === name)
  return operation?.success.examples[0]?.value
}

/** Maps each object that an operation returns, lists excepted, to the tag whose page has its section. */
export function objectSections(api: ApiDocument): Map<string, string> {
  const sections = new Map<string, string>()
  for (const { success, tag } of api.operations) {
    const name = componentName(success.schema)
    if (name === undefined) continue
    const { data } = resolve(success.schema, api.schemas).properties ?? {}
    const element = data?.items && componentName(data.items)
    if (data === undefined && !sections.has(name)) sections.set(name, tag)
    if (element !== undefined && !sections.has(element)) sections.set(element, tag)
  }
  return sections
}

export function componentsOf(api: ApiDocument): Components {
  const sections = objectSections(api)
  return {
    schemas: api.schemas,
    sectionOf: (name) => {
      const tag = sections.get(name)
      return tag === undefined ? undefined : `${pagePath(tag)}#${name}`
    },
  }
}
