// The fields of a schema as list entries, for requests and responses, with nested fields below their parent. A
// component that has its own section is named and linked, never spelled out a second time.

import type { Schema, Schemas } from '../open-api.ts'

export type Field = {
  readonly name: string
  /** The anchor on the page: `createPayin.inlineCustomer.name` */
  readonly id: string
  readonly type: string
  /** The section of the type, if it has one. */
  readonly typeLink?: string
  readonly presence: 'required' | 'sometimes' | 'optional' | 'always'
  readonly description: string
  /** Limits, formats and defaults, each a few words. */
  readonly facts: readonly string[]
  readonly values: readonly string[]
  readonly fields: readonly Field[]
}

export type Components = {
  readonly schemas: Schemas
  /** The address of a component's section. Undefined for components that are spelled out where they are used. */
  readonly sectionOf: (name: string) => string | undefined
}

export function fieldsOf(
  schema: Schema,
  id: string,
  components: Components,
  direction: 'sent' | 'answered',
): Field[] {
  const resolved = resolve(schema, components.schemas)
  const required = new Set(resolved.required)
  return Object.entries(resolved.properties ?? {}).map(([name, property]) => {
    const conditions = conditionsFor(name, resolved)
    const field = fieldOf(name, property, `${id}.${name}`, components, direction)
    const presence = required.has(name)
      ? direction === 'sent'
        ? 'required'
        : 'always'
      : conditions.length > 0
        ? 'sometimes'
        : 'optional'
    // A description that already states the condition is enough.
    const isStated = /required when/i.test(field.description)
    return { ...field, presence, facts: isStated ? field.facts : [...conditions, ...field.facts] }
  })
}

function fieldOf(
  name: string,
  schema: Schema,
  id: string,
  components: Components,
  direction: 'sent' | 'answered',
): Field {
  const { core, nullable, alternatives } = unwrap(schema, components.schemas)
  const element = core.items
  const linkTo = sectionNamed(element ?? schema, components)
  const below = linkTo !== undefined ? [] : alternatives.length > 0 ? alternatives : [element ?? core]
  return {
    name,
    id,
    type: typeText(schema, core, nullable, alternatives),
    ...(linkTo !== undefined && { typeLink: linkTo }),
    presence: 'optional',
    description: schema.description ?? core.description ?? '',
    facts: factsOf(core),
    values: (core.enum ?? element?.enum ?? (core.const === undefined ? [] : [core.const]))
      .filter((value) => value !== null)
      .map(String),
    fields: below.flatMap((one) => fieldsOf(one, id, components, direction)).filter(firstOfItsName),
  }
}

// Alternatives share fields. The first one is enough.
function firstOfItsName(field: Field, index: number, all: readonly Field[]): boolean {
  return all.findIndex(({ name }) => name === field.name) === index
}

export function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = componentName(schema)
  return name === undefined ? schema : (schemas[name] ?? schema)
}

export function componentName(schema: Schema): string | undefined {
  return schema.$ref?.split('/').at(-1)
}

function sectionNamed(schema: Schema, components: Components): string | undefined {
  const name = componentName(schema) ?? (schema.anyOf ?? []).map(componentName).find((one) => one)
  return name === undefined ? undefined : components.sectionOf(name)
}

function unwrap(
  schema: Schema,
  schemas: Schemas,
): { core: Schema; nullable: boolean; alternatives: Schema[] } {
  const resolved = resolve(schema, schemas)
  const options = resolved.anyOf ?? []
  const named = options.filter((option) => option.type !== 'null')
  const nullable =
    named.length < options.length || (Array.isArray(resolved.type) && resolved.type.includes('null'))
  if (named.length === 1 && named[0] !== undefined)
    return { core: resolve(named[0], schemas), nullable, alternatives: [] }
  return { core: resolved, nullable, alternatives: named.map((option) => resolve(option, schemas)) }
}

function typeText(schema: Schema, core: Schema, nullable: boolean, alternatives: readonly Schema[]): string {
  const plain = [core.type ?? (alternatives.length > 0 || core.properties ? 'object' : 'any')]
    .flat()
    .filter((type) => type !== 'null')
    .join(' or ')
  const of = core.items ? ` of ${componentName(core.items) ?? core.items.type ?? 'any'}` : ''
  const component = componentName(schema)
  const text = component !== undefined && plain === 'object' ? 'object' : `${plain}${of}`
  return nullable ? `${text} or null` : text
}

const FORMAT_TEXTS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'time in UTC, as `2026-11-15T13:00:00.000Z`',
  printable: 'no control characters',
  'web-address': 'address that begins with http:// or https://',
  phone: 'phone number with country code, as `+573001234567`',
  email: 'e-mail address',
}

function factsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, uniqueItems } = schema
  const facts: (string | undefined)[] = [
    schema.format && (FORMAT_TEXTS[schema.format] ?? schema.format),
    range('', minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    range('', minLength, maxLength, ' characters'),
    minItems === undefined ? undefined : `at least ${minItems} entry`,
    uniqueItems ? 'no entry twice' : undefined,
    schema.pattern && `form \`${schema.pattern}\``,
    schema.default === undefined ? undefined : `default \`${String(schema.default)}\``,
  ]
  return facts.filter((fact) => fact !== undefined)
}

function range(
  before: string,
  low: number | undefined,
  high: number | undefined,
  unit: string,
): string | undefined {
  const number = (value: number) => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  if (low !== undefined && high !== undefined) return `${before}${number(low)} to ${number(high)}${unit}`
  if (low !== undefined) return `${before}at least ${number(low)}${unit}`
  return high === undefined ? undefined : `${before}at most ${number(high)}${unit}`
}

// States `if rail is PSE then pse is required` at the field.
function conditionsFor(name: string, schema: Schema): string[] {
  return (schema.allOf ?? []).flatMap((rule) => {
    if (!rule.then?.required?.includes(name)) return []
    const conditions = Object.entries(rule.if?.properties ?? {}).map(
      ([key, value]) => `\`${key}\` is \`${String(value.const)}\``,
    )
    return [`required where ${conditions.join(' and ')}`]
  })
}
