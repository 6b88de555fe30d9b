// What is wrong with a connection that a merchant creates or changes. Every mistake is reported at once, and no message repeats a
// value: it may be a secret, even in the wrong field.

import type { FieldProblem } from '../refusal.ts'
import { addressProblem, type ConnectionRules } from './address-problem.ts'
import type { Connection, Credentials } from './connection.ts'
import {
  type CredentialField,
  minimumOf,
  PROVIDER_DESCRIPTIONS,
  PROVIDERS,
  type Provider,
  type ProviderDescription,
  type ProviderEnvironment,
  type Use,
} from './provider.ts'

// As it would be after the request. `credentials` are all that it has then.
export type WantedConnection = Pick<
  Connection,
  'provider' | 'environment' | 'uses' | 'minimumInCents' | 'maximumInCents'
> & { readonly credentials: Credentials }

// Parts of the request may be missing or of another type: that is reported by its schema, and not again here.
export function newConnectionProblems(
  wanted: Partial<WantedConnection>,
  rules: ConnectionRules,
): FieldProblem[] {
  const { provider, environment } = wanted
  const problems = environmentProblems(environment, rules)
  if (provider === undefined) return problems
  if (!PROVIDERS.includes(provider))
    return [...problems, notAllowed('/provider', `must be one of ${PROVIDERS.join(', ')}`)]
  return [...problems, ...connectionProblems({ ...wanted, provider }, rules)]
}

// Of what can be changed later. Parts that a change does not touch may be missing.
export function connectionProblems(
  wanted: Partial<WantedConnection> & Pick<WantedConnection, 'provider'>,
  rules: ConnectionRules,
): FieldProblem[] {
  const { provider, environment, uses = [], credentials } = wanted
  return [
    ...usesProblems(provider, uses),
    ...limitProblems(provider, uses, wanted),
    ...(credentials && isEnvironment(environment)
      ? credentialsProblems(provider, environment, uses, credentials, rules)
      : []),
  ]
}

function isEnvironment(environment: unknown): environment is ProviderEnvironment {
  return environment === 'test' || environment === 'live'
}

function environmentProblems(
  environment: ProviderEnvironment | undefined,
  rules: ConnectionRules,
): FieldProblem[] {
  const [needed, why] =
    rules.environment === 'staging'
      ? ['test', 'this is staging, which has play money and moves no real money']
      : ['live', 'this is production, whose books must hold only real money']
  if (!isEnvironment(environment) || environment === needed) return []
  return [notAllowed('/environment', `must be ${needed}: ${why}`)]
}

function usesProblems(provider: Provider, uses: readonly Use[]): FieldProblem[] {
  const { title, uses: possible } = PROVIDER_DESCRIPTIONS[provider]
  return uses.flatMap((use, index) =>
    possible.includes(use)
      ? []
      : [notAllowed(`/uses/${index}`, `is nothing that ${title} does; it does ${possible.join(', ')}`)],
  )
}

function limitProblems(
  provider: Provider,
  uses: readonly Use[],
  { minimumInCents: least, maximumInCents: most }: Partial<WantedConnection>,
): FieldProblem[] {
  if (typeof most !== 'bigint') return []
  if (typeof least === 'bigint' && least > most)
    return [{ path: '/minimumInCents', code: 'OUT_OF_RANGE', message: 'must be at most maximumInCents' }]
  const { title } = PROVIDER_DESCRIPTIONS[provider]
  const unserved = uses.find((use) => minimumOf(provider, use) > most)
  if (unserved === undefined) return []
  const message = `must be at least ${minimumOf(provider, unserved)}: ${title} takes nothing below for ${unserved}`
  return [{ path: '/maximumInCents', code: 'OUT_OF_RANGE', message }]
}

function credentialsProblems(
  provider: Provider,
  environment: ProviderEnvironment,
  uses: readonly Use[],
  credentials: Credentials,
  rules: ConnectionRules,
): FieldProblem[] {
  const description = PROVIDER_DESCRIPTIONS[provider]
  return [
    ...unknownFields(description, credentials),
    ...description.fields.flatMap((field) => {
      const value = Object.hasOwn(credentials, field.name) ? credentials[field.name] : undefined
      const problem =
        value === undefined
          ? missingProblem(field, environment, uses)
          : valueProblem(description, field, environment, value, rules)
      return problem === undefined ? [] : [{ ...problem, path: `/credentials/${field.name}` }]
    }),
  ]
}

// A name that looks like one is repeated. Anything else may be a secret that was sent in the place of a name.
function unknownFields({ title, fields }: ProviderDescription, credentials: Credentials): FieldProblem[] {
  const unknown = Object.keys(credentials).filter((name) => !fields.some((field) => field.name === name))
  const message = `is no field of ${title}; its fields are ${fields.map(({ name }) => name).join(', ')}`
  const paths = unknown.map((name) =>
    /^[A-Za-z]{1,24}$/.test(name) ? `/credentials/${name}` : '/credentials',
  )
  return [...new Set(paths)].map((path) =>
    notAllowed(
      path,
      path === '/credentials' ? message.replace('is no', 'has something that is no') : message,
    ),
  )
}

type ValueProblem = Omit<FieldProblem, 'path'>

function missingProblem(
  { neededFor, defaults }: CredentialField,
  environment: ProviderEnvironment,
  uses: readonly Use[],
): ValueProblem | undefined {
  const needing = uses.filter((use) => neededFor.includes(use))
  if (needing.length === 0 || (defaults?.[environment] ?? null) !== null) return undefined
  return { code: 'REQUIRED', message: `is needed for ${needing.join(' and ')}` }
}

function valueProblem(
  { title, domains }: ProviderDescription,
  field: CredentialField,
  environment: ProviderEnvironment,
  value: string,
  rules: ConnectionRules,
): ValueProblem | undefined {
  // Of another type. The schema says so.
  if (typeof value !== 'string') return undefined
  const matches = (one: ProviderEnvironment): boolean => new RegExp(field.patterns[one]).test(value)
  if (field.isAddress) {
    const message =
      addressProblem(value, title, domains, rules) ?? (matches(environment) ? undefined : NO_ADDRESS)
    return message === undefined ? undefined : { code: 'WRONG_FORMAT', message }
  }
  if (matches(environment)) return undefined
  const other = environment === 'test' ? 'live' : 'test'
  if (matches(other)) {
    const place = other === 'live' ? 'production' : 'test environment'
    const message = `${field.name} is a key of ${title}’s ${place}; this connection is a ${environment} one`
    return { code: 'NOT_ALLOWED', message }
  }
  return { code: 'WRONG_FORMAT', message: `must match ${field.patterns[environment]}` }
}

const NO_ADDRESS = 'must be an address such as https://api.example/v1'

function notAllowed(path: string, message: string): FieldProblem {
  return { path, code: 'NOT_ALLOWED', message }
}
