// The fields of a key or a client: what it may do, and its limits. What the person does not hold cannot be chosen.

import { grantableOf } from '../../api/http/auth.ts'
import { scopesLacking } from '../../core/organizations/grant.ts'
import type { CredentialLimits } from '../../core/organizations/limits.ts'
import { isScopeGranted, SCOPES } from '../../core/organizations/scope.ts'
import { bodyOf, type Field } from '../fields.ts'
import { capitalized } from '../format.ts'
import { centsForField } from '../money-text.ts'
import { may, type Visit } from '../visit.ts'
import type { Credential, Kind } from './credential-kinds.ts'
import { CREDENTIAL_WORDS } from './credential-words.ts'
import type { Values } from './seen.ts'

// Not a field of the operation: it stands for no list of scopes.
const ALL = '_all'

export function nameField({ language }: Visit, value?: string): Field {
  const words = CREDENTIAL_WORDS[language].fields
  return {
    kind: 'text',
    path: '/name',
    label: words.name,
    hint: words.nameHint,
    maxLength: 120,
    ...(value !== undefined && { value }),
  }
}

export function newFields(visit: Visit, kind: Kind): Field[] {
  const { language, caller, environment } = visit
  const words = CREDENTIAL_WORDS[language].fields
  const grantable = grantableOf(caller)
  const mayGrantAll = scopesLacking({ ...caller, scopes: grantable }, null).length === 0
  const expiry: Field[] =
    kind === 'client'
      ? []
      : [
          {
            kind: 'select',
            path: '/expiresInDays',
            label: words.expires,
            value: '365',
            isOptional: true,
            options: Object.entries(words.expiries).map(([value, label]) => ({ value, label })),
          },
        ]
  return [
    nameField(visit),
    {
      kind: 'checks',
      path: '/scopes',
      label: words.scopes,
      hint: words.scopesHint,
      options: [
        {
          value: ALL,
          label: words.all,
          ...(!mayGrantAll && { isClosed: true, hint: words.allClosed }),
        },
        ...SCOPES.filter((scope) => environment === 'staging' || scope !== 'sandbox:write').map((scope) => ({
          value: scope,
          label: capitalized(visit.words.rights[scope]),
          hint: isScopeGranted(grantable, scope) ? scope : may(visit, scope) ? words.notSeen : words.notHeld,
          isClosed: !isScopeGranted(grantable, scope),
        })),
      ],
      wrong: ({ code }) => (code === 'WRONG_LENGTH' ? words.chooseOne : undefined),
    },
    ...expiry,
    ...limitFields(visit).map((field) => ({ ...field, isMore: true }) as Field),
  ]
}

export function limitFields({ language }: Visit, now?: CredentialLimits): Field[] {
  const words = CREDENTIAL_WORDS[language].fields
  const empty = { isOptional: true, whenEmpty: now === undefined ? 'omit' : 'null' } as const
  const text = (value: number | null | undefined) =>
    value === null || value === undefined ? null : String(value)
  return [
    {
      kind: 'number',
      path: '/maxPerSecond',
      label: words.maxPerSecond,
      value: text(now?.maxPerSecond),
      min: 1,
      ...empty,
    },
    {
      kind: 'lines',
      path: '/allowedAddresses',
      label: words.allowedAddresses,
      hint: words.allowedAddressesHint,
      value: now?.allowedAddresses?.join('\n') ?? null,
      wrong: () => words.addressWrong,
      ...empty,
    },
    {
      kind: 'number',
      path: '/payoutsPerDay',
      label: words.payoutsPerDay,
      value: text(now?.payoutsPerDay),
      min: 1,
      ...empty,
    },
    {
      kind: 'money',
      path: '/payoutSumPerDayInCents',
      label: words.payoutSum,
      value: now?.payoutSumPerDay == null ? null : centsForField(now.payoutSumPerDay, language),
      ...empty,
    },
  ]
}

export function newBody(visit: Visit, kind: Kind, typed: URLSearchParams): Record<string, unknown> {
  const body = bodyOf(newFields(visit, kind), typed)
  const { expiresInDays, scopes, ...rest } = body
  const chosen = scopes as string[]
  return {
    ...rest,
    ...(!chosen.includes(ALL) && { scopes: chosen }),
    ...(expiresInDays !== undefined && { expiresInDays: Number(expiresInDays) }),
  }
}

export function changeableValues(credential: Credential): Values {
  const { name, maxPerSecond, allowedAddresses, payoutsPerDay, payoutSumPerDay } = credential
  return {
    name,
    maxPerSecond,
    allowedAddresses,
    payoutsPerDay,
    payoutSumPerDayInCents: payoutSumPerDay === null ? null : Number(payoutSumPerDay),
  }
}
