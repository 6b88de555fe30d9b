// One call of an operation as a sample shows it: the ids in its path and its query.

import type { ApiOperation } from '../open-api.ts'

/** The input of one sample. */
export type Call = {
  readonly operation: ApiOperation
  readonly body: unknown
  readonly baseUrl: string
}

/** The path with its example ids in it. */
export function examplePath({ path, parameters }: ApiOperation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathExample(parameters, name)))
}

/** Unescaped, as a person writes it. Addresses escape it again. */
export function pathExample(parameters: ApiOperation['parameters'], name: string): string {
  return decodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example ?? name))
}

export function pathNames({ path }: ApiOperation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

// Query parameters without a default that are worth showing.
const SHOWN_QUERY: Readonly<Record<string, unknown>> = { after: 0, q: '1.250.000' }

export function exampleQuery({ parameters }: ApiOperation): Record<string, unknown> {
  return Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }): [string, unknown] => [name, schema.default ?? SHOWN_QUERY[name]])
      .filter(([, value]) => value !== undefined),
  )
}
