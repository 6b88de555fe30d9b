// The fields of a connection: what it is used for, and the credentials that its provider asks for.

import { PRIORITY } from '../../api/connections/schema.ts'
import type { Connection, Credentials } from '../../core/connections/connection.ts'
import {
  type CredentialField,
  PROVIDER_DESCRIPTIONS,
  type Provider,
  type ProviderEnvironment,
} from '../../core/connections/provider.ts'
import type { Field } from '../fields.ts'
import { centsForField } from '../money-text.ts'
import type { Visit } from '../visit.ts'
import { CONNECTION_WORDS } from './connection-words.ts'
import { credentialName } from './credential-names.ts'
import type { Values } from './seen.ts'

export type ConnectionSettings = Pick<
  Connection,
  'name' | 'uses' | 'priority' | 'minimumInCents' | 'maximumInCents' | 'enabled'
>

export function settingFields(visit: Visit, provider: Provider, now: ConnectionSettings): Field[] {
  const { language } = visit
  const words = CONNECTION_WORDS[language]
  const cents = (amount: bigint | null) => (amount === null ? null : centsForField(amount, language))
  const limit = { isOptional: true, whenEmpty: 'null' } as const
  return [
    {
      kind: 'text',
      path: '/name',
      label: words.fields.name,
      hint: words.fields.nameHint,
      value: now.name,
      maxLength: 100,
    },
    {
      kind: 'checks',
      path: '/uses',
      label: words.fields.uses,
      value: now.uses,
      options: PROVIDER_DESCRIPTIONS[provider].uses.map((use) => ({ value: use, label: words.uses[use] })),
      wrong: ({ code }) => (code === 'WRONG_LENGTH' ? words.fields.chooseOne : undefined),
    },
    {
      kind: 'number',
      path: '/priority',
      label: words.fields.priority,
      hint: words.fields.priorityHint,
      value: String(now.priority),
      min: PRIORITY.minimum,
      max: PRIORITY.maximum,
    },
    {
      kind: 'money',
      path: '/minimumInCents',
      label: words.fields.minimum,
      hint: words.fields.minimumHint,
      value: cents(now.minimumInCents),
      ...limit,
    },
    {
      kind: 'money',
      path: '/maximumInCents',
      label: words.fields.maximum,
      hint: words.fields.maximumHint,
      value: cents(now.maximumInCents),
      ...limit,
    },
    {
      kind: 'flag',
      path: '/enabled',
      label: words.fields.enabled,
      hint: words.fields.enabledHint,
      value: now.enabled ? 'true' : null,
    },
  ]
}

// `given`: what is stored already; what is left empty then stays.
export function credentialFields(
  { language }: Visit,
  provider: Provider,
  environment: ProviderEnvironment,
  given?: Credentials,
): Field[] {
  const words = CONNECTION_WORDS[language].fields
  const hintOf = (field: CredentialField): string => {
    const usual = field.defaults?.[environment] ?? null
    const uses = field.neededFor.map((use) => CONNECTION_WORDS[language].uses[use]).join(', ')
    return [
      PROVIDER_DESCRIPTIONS[provider].uses.length > 1 && uses !== '' && words.neededFor(uses),
      given !== undefined && Object.hasOwn(given, field.name)
        ? words.keepEmpty
        : usual !== null && words.usual(usual),
    ]
      .filter((part) => part !== false)
      .join(' ')
  }
  return PROVIDER_DESCRIPTIONS[provider].fields.map((field) => {
    const hint = hintOf(field)
    return {
      kind: field.isSecret ? ('secret' as const) : ('text' as const),
      path: `/credentials/${field.name}`,
      label: credentialName(field.name, language),
      ...(hint !== '' && { hint }),
      autocomplete: 'off',
      maxLength: 500,
      isConditional: true,
    }
  })
}

export function settingValues(connection: ConnectionSettings): Values {
  const { name, uses, priority, minimumInCents, maximumInCents, enabled } = connection
  const cents = (amount: bigint | null) => (amount === null ? null : Number(amount))
  return {
    name,
    uses,
    priority,
    minimumInCents: cents(minimumInCents),
    maximumInCents: cents(maximumInCents),
    enabled,
  }
}
