// Schemas of connections and providers, and how they are shown. A secret is written and never shown again.

import { type Connection, notificationUrl } from '../../core/connections/connection.ts'
import {
  PROVIDER_DESCRIPTIONS,
  PROVIDER_ENVIRONMENTS,
  PROVIDERS,
  type Provider,
  USES,
} from '../../core/connections/provider.ts'
import { type Instant, isoInstant } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import { openCredentials, withDefaults } from '../../flows/connections/credentials.ts'
import type { Settings } from '../../flows/context.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'

const NAME_MAX_LENGTH = 100
export const PRIORITY = { minimum: 0, default: 100, maximum: 1_000 } as const

// Every field of every provider. Which of them a provider has, it says itself.
const CREDENTIAL_FIELDS = Object.fromEntries(
  [
    ...new Set(
      PROVIDERS.flatMap((provider) => PROVIDER_DESCRIPTIONS[provider].fields.map(({ name }) => name)),
    ),
  ].map((name) => [name, Type.String({ minLength: 1, maxLength: 500, description: describedFor(name) })]),
)

function describedFor(name: string): string {
  return PROVIDERS.flatMap((provider) => {
    const { title, fields } = PROVIDER_DESCRIPTIONS[provider]
    const field = fields.find((each) => each.name === name)
    return field === undefined ? [] : [`${title}: ${field.description}`]
  }).join(' ')
}

const Credentials = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    ...Type.Partial(Type.Object(CREDENTIAL_FIELDS)),
    maxProperties: 20,
    description,
  })

const Limit = (description: string) =>
  Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [5_000_000] }))

const CHANGEABLE = {
  name: Text(NAME_MAX_LENGTH, { description: 'A name for yourself.', examples: ['Wompi, main account'] }),
  uses: Type.Array(OneOf(USES), {
    minItems: 1,
    maxItems: USES.length,
    uniqueItems: true,
    description:
      'What it is used for: `BRE_B_IN` and `PSE_IN` are payins, `BRE_B_OUT` is payouts and the look-up of keys. Not every provider does everything.',
    examples: [['PSE_IN']],
  }),
  priority: Type.Integer({
    minimum: PRIORITY.minimum,
    maximum: PRIORITY.maximum,
    description: 'Of the connections that can take a payment, the one with the lowest number does.',
  }),
  minimumInCents: Limit(
    'Payments below this go to another connection. Null: the provider’s own minimum, which counts in any case.',
  ),
  maximumInCents: Limit('Payments above this go to another connection. Null: no such limit.'),
  enabled: Type.Boolean({
    description:
      'Whether new payments go there. Those it has go on, and its notifications are taken, while it is not.',
  }),
}
const ProviderName = OneOf(PROVIDERS, { description: 'The provider.' })
const EnvironmentName = OneOf(PROVIDER_ENVIRONMENTS, {
  description: 'Which of the provider’s environments: `test` in staging, `live` in production.',
})

export const CreateConnection = Type.Object({
  name: CHANGEABLE.name,
  provider: ProviderName,
  environment: EnvironmentName,
  uses: CHANGEABLE.uses,
  credentials: Credentials(
    'What the provider gave you. `GET /providers` says what each needs. Secrets are encrypted and never shown again.',
  ),
  priority: Type.Optional({ ...CHANGEABLE.priority, default: PRIORITY.default }),
  minimumInCents: Type.Optional(CHANGEABLE.minimumInCents),
  maximumInCents: Type.Optional(CHANGEABLE.maximumInCents),
  enabled: Type.Optional({ ...CHANGEABLE.enabled, default: true }),
})

export const ConnectionChanges = Type.Partial(
  Type.Object({
    ...CHANGEABLE,
    credentials: Credentials(
      'New values, which replace those of the same names. For 24 hours the ones before them still check the provider’s notifications.',
    ),
  }),
)

export const ShownCredential = Type.Object({
  name: Type.String({ description: 'Name of the field.', examples: ['publicKey'] }),
  isSet: Type.Boolean({ description: 'Whether you have given it.' }),
  value: Nullable(
    Type.String({
      description: 'What counts: your value, or else the provider’s usual one. Null for every secret.',
    }),
  ),
})

export const ConnectionObject = Type.Object({
  id: Uuid('Identifier of the connection.'),
  name: CHANGEABLE.name,
  provider: ProviderName,
  environment: EnvironmentName,
  uses: CHANGEABLE.uses,
  priority: CHANGEABLE.priority,
  minimumInCents: CHANGEABLE.minimumInCents,
  maximumInCents: CHANGEABLE.maximumInCents,
  enabled: CHANGEABLE.enabled,
  credentials: Type.Array(ShownCredential, { description: 'Every field that the provider has.' }),
  notificationUrl: Type.String({
    description: 'Enter it at the provider as the address for notifications (events, webhooks).',
  }),
  previousCredentialsUntil: Nullable(
    DateTime('Until then the credentials before these still check notifications, or null.'),
  ),
  createdAt: DateTime('When it was created.'),
  updatedAt: DateTime('When it was last changed.'),
})
export const ConnectionList = Type.Object({ data: Type.Array(ConnectionObject) })
export const DeletedConnection = Type.Object({
  id: Uuid('Identifier of the connection.'),
  deleted: Type.Boolean({ description: 'Always true.' }),
})

export const ConnectionCheckObject = Type.Object({
  what: Type.String({ description: 'What was tried.' }),
  problem: Nullable(Type.String({ description: 'What is wrong, in words, or null.' })),
})
export const ConnectionTest = Type.Object({
  passed: Type.Boolean({ description: 'Whether nothing is wrong.' }),
  checks: Type.Array(ConnectionCheckObject),
})

const ProviderCode = Type.String({ description: 'The bank’s code at the provider.', examples: ['1007'] })
export const ConnectionBankObject = Type.Object({
  code: Type.String({ description: 'What to send as `pse.bank`.', examples: ['CO_BANCOLOMBIA'] }),
  name: Type.String({ description: 'Our name of it.', examples: ['Bancolombia'] }),
  providerCode: ProviderCode,
})
export const UnmappedBankObject = Type.Object({
  providerCode: ProviderCode,
  name: Type.String({ description: 'The provider’s name of it.' }),
})
export const ConnectionBankList = Type.Object({
  banks: Type.Array(ConnectionBankObject, { description: 'Banks that payers can choose.' }),
  unmapped: Type.Array(UnmappedBankObject, { description: 'Banks that we have no code for.' }),
})

const perEnvironment = <Schema extends ReturnType<typeof Type.String>>(schema: Schema, description: string) =>
  Type.Object({ test: schema, live: schema }, { description })
export const ProviderFieldObject = Type.Object({
  name: Type.String({ description: 'Name of the field.', examples: ['publicKey'] }),
  description: Type.String({ description: 'What it is.' }),
  isSecret: Type.Boolean({ description: 'Whether it is never shown again.' }),
  neededFor: Type.Array(OneOf(USES), { description: 'The uses that need it. None: it is optional.' }),
  patterns: perEnvironment(Type.String(), 'A regular expression that a value matches, by environment.'),
  defaults: perEnvironment(
    Nullable(Type.String()) as ReturnType<typeof Type.String>,
    'The value that counts where none is given, by environment, or null.',
  ),
})
export const ProviderObject = Type.Object({
  provider: ProviderName,
  title: Type.String({ description: 'The provider’s name.', examples: ['Wompi'] }),
  uses: Type.Array(OneOf(USES), { description: 'What it can be used for.' }),
  fields: Type.Array(ProviderFieldObject, { description: 'What `credentials` takes.' }),
})
export const ProviderList = Type.Object({ data: Type.Array(ProviderObject) })

export function presentConnection(
  { keys, publicUrl }: Pick<Settings, 'keys' | 'publicUrl'>,
  connection: Connection,
  now: Instant,
): Record<string, unknown> {
  const { previousUntil } = connection
  return {
    id: connection.connectionId,
    name: connection.name,
    provider: connection.provider,
    environment: connection.environment,
    uses: connection.uses,
    priority: connection.priority,
    minimumInCents: centsOf(connection.minimumInCents),
    maximumInCents: centsOf(connection.maximumInCents),
    enabled: connection.enabled,
    credentials: presentCredentials(keys, connection),
    notificationUrl: notificationUrl(publicUrl, connection),
    previousCredentialsUntil:
      previousUntil !== null && previousUntil > now ? isoInstant(previousUntil) : null,
    createdAt: isoInstant(connection.createdAt),
    updatedAt: isoInstant(connection.updatedAt),
  }
}

function centsOf(amount: bigint | null): number | null {
  return amount === null ? null : Number(amount)
}

// Credentials that do not open are as good as none: all of them must be given again.
function presentCredentials(keys: Settings['keys'], connection: Connection): object[] {
  const given = openCredentials(keys, connection.connectionId, connection.credentials) ?? {}
  const counting = withDefaults(connection, given)
  return PROVIDER_DESCRIPTIONS[connection.provider].fields.map(({ name, isSecret }) => ({
    name,
    isSet: Object.hasOwn(given, name),
    value: isSecret ? null : (counting[name] ?? null),
  }))
}

export function presentProvider(provider: Provider): Record<string, unknown> {
  const { title, uses, fields } = PROVIDER_DESCRIPTIONS[provider]
  return {
    provider,
    title,
    uses,
    fields: fields.map(({ name, description, isSecret, neededFor, patterns, defaults }) => ({
      name,
      description,
      isSecret,
      neededFor,
      patterns: { test: patterns.test, live: patterns.live },
      defaults: { test: defaults?.test ?? null, live: defaults?.live ?? null },
    })),
  }
}
