// Validates requests against an operation's schemas. Reports the wrong fields at once, with messages a developer can
// act on. openapi.json is printed from the same schemas.

import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parseDay } from '../../core/bogota-day.ts'
import { isEmail, isPhone, isPrintable } from '../../core/contact.ts'
import { documentNumberProblem } from '../../core/identity-document.ts'
import { isUuid } from '../../core/ids.ts'
import type { TSchema } from '../../core/json-schema.ts'
import { parseAddressRange } from '../../core/network-address.ts'
import { type FieldProblem, MAX_PROBLEMS } from '../../core/refusal.ts'

// Formats that a JSON Schema pattern cannot express well. The message completes the sentence "must be …".
const FORMATS: Readonly<Record<string, { isValid: (text: string) => boolean; message: string }>> = {
  printable: { isValid: isPrintable, message: 'text without control characters' },
  phone: {
    isValid: isPhone,
    message: 'a phone number in international form, such as +573001234567',
  },
  email: { isValid: isEmail, message: 'an e-mail address' },
  nit: {
    isValid: (text) => documentNumberProblem('CO_NIT', text) === undefined && /^[\d.]+(?:-\d)?$/.test(text),
    message: 'a NIT, such as 900123456-8, whose check digit after the dash is right',
  },
  uuid: { isValid: isUuid, message: 'a UUID' },
  'web-address': { isValid: isWebAddress, message: 'an http or https address without user name or password' },
  'address-range': {
    isValid: (text) => parseAddressRange(text) !== null,
    message: 'an address or a range of them, such as 203.0.113.7 or 203.0.113.0/24',
  },
  date: { isValid: (text) => parseDay(text) !== undefined, message: 'a day, such as 2026-11-14' },
  'date-time': {
    isValid: isDateTime,
    message: 'a date and time with zone, such as 2026-11-15T13:00:00.000Z',
  },
}

function isWebAddress(text: string): boolean {
  if (!isPrintable(text) || /[\s\\]/.test(text)) return false
  const url = URL.parse(text)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.hostname !== ''
  )
}

function isDateTime(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
}

const strictAjv = makeAjv(false)
// Query parameters are text. `pageSize=10` must become a number.
const queryAjv = makeAjv(true)

function makeAjv(coerceTypes: boolean): Ajv2020 {
  return new Ajv2020({
    allErrors: true,
    coerceTypes,
    strict: false,
    formats: Object.fromEntries(Object.entries(FORMATS).map(([name, format]) => [name, format.isValid])),
  })
}

export type Validate = (value: unknown) => FieldProblem[]

export function bodyValidator(schema: TSchema): Validate {
  return validator(strictAjv, schema)
}

export function queryValidator(schema: TSchema): Validate {
  return validator(queryAjv, schema)
}

// Compiled with the first request: all of them together would be a third of the time that a server takes to start.
function validator(ajv: Ajv2020, schema: TSchema): Validate {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(schema)
    return validate(value) ? [] : toProblems(validate.errors ?? [])
  }
}

function toProblems(errors: ErrorObject[]): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  for (const error of errors) {
    // One more than is listed: the refusal says that there are more.
    if (problems.size > MAX_PROBLEMS) break
    const problem = toProblem(error)
    // One problem per field. The first one is the most basic: type, then length, then format.
    if (problem !== undefined && !problems.has(problem.path)) problems.set(problem.path, problem)
  }
  return [...problems.values()]
}

function toProblem(error: ErrorObject): FieldProblem | undefined {
  const path = error.instancePath
  const params = error.params as Record<string, unknown>
  // Of a name inside an object, not of the object.
  if (error.propertyName !== undefined) {
    const rule =
      params.pattern === undefined ? `at most ${params.limit} characters` : `the form ${params.pattern}`
    return { path, code: 'WRONG_FORMAT', message: `must have names of ${rule}` }
  }
  switch (error.keyword) {
    case 'required':
      return { path: `${path}/${params.missingProperty}`, code: 'REQUIRED', message: 'is required' }
    case 'type':
      return { path, code: 'WRONG_TYPE', message: `must be ${typeNames(params.type)}` }
    case 'minimum':
    case 'maximum':
      return {
        path,
        code: 'OUT_OF_RANGE',
        message: `must be ${params.comparison === '>=' ? 'at least' : 'at most'} ${params.limit}`,
      }
    case 'minLength':
    case 'minItems':
      return {
        path,
        code: 'WRONG_LENGTH',
        message: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit}`,
      }
    case 'maxLength':
      return { path, code: 'WRONG_LENGTH', message: `must have at most ${params.limit} characters` }
    case 'maxProperties':
    case 'maxItems':
      return { path, code: 'WRONG_LENGTH', message: `must have at most ${params.limit} entries` }
    case 'uniqueItems':
      return { path, code: 'NOT_ALLOWED', message: 'must not repeat an entry' }
    case 'pattern':
      return { path, code: 'WRONG_FORMAT', message: `must match ${params.pattern}` }
    case 'format':
      return {
        path,
        code: 'WRONG_FORMAT',
        message: `must be ${FORMATS[String(params.format)]?.message ?? params.format}`,
      }
    case 'enum':
      return {
        path,
        code: 'NOT_ALLOWED',
        message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}`,
      }
    case 'const':
      return { path, code: 'NOT_ALLOWED', message: `must be ${params.allowedValue}` }
    // The failed branch reports its own fields. The `if` error adds nothing.
    case 'if':
      return undefined
    default:
      return { path, code: 'WRONG_FORMAT', message: error.message ?? 'is wrong' }
  }
}

function typeNames(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map((name) =>
    name === 'integer'
      ? 'a whole number'
      : name === 'object'
        ? 'an object'
        : name === 'array'
          ? 'a list'
          : name === 'null'
            ? 'null'
            : `a ${name}`,
  )
  return names.join(' or ')
}
