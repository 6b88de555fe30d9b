// The credential's organization and its settings.

import { RAILS } from '../../core/connections/rail.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { MAX_ID_NUMBER_LENGTH } from '../../core/identity-document.ts'
import { isImage } from '../../core/image-data.ts'
import { isoInstant } from '../../core/instant.ts'
import { Type } from '../../core/json-schema.ts'
import { type Accounting, NO_ACCOUNTING, PUC_ENTRIES, PUC_PATTERN } from '../../core/ledger/accounting.ts'
import { centsToNumber } from '../../core/money.ts'
import { isMasked, maskedAddress } from '../../core/organizations/masked-address.ts'
import {
  ALARM_LANGUAGES,
  LOGO_MAX_LENGTH,
  LOGO_PATTERN,
  MAX_ALARM_EMAILS,
  type Organization,
  type OrganizationSettings,
  PAYIN_EXPIRY_MINUTES,
} from '../../core/organizations/organization.ts'
import { type FieldProblem, isRefusal } from '../../core/refusal.ts'
import type { Needs } from '../../flows/context.ts'
import { changeOrganization } from '../../flows/organizations/change.ts'
import { json, type Operation } from '../http/operation.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'

const SETTINGS = {
  name: Text(NAME_MAX_LENGTH, { description: 'The name that payers see.', examples: ['Café La Palma'] }),
  taxId: Nullable(
    Type.String({
      maxLength: MAX_ID_NUMBER_LENGTH,
      format: 'nit',
      description: 'The merchant’s NIT, shown on receipts; PSE asks for it.',
      examples: ['900123456-8'],
    }),
  ),
  contactEmail: Nullable(
    Type.String({
      maxLength: EMAIL_MAX_LENGTH,
      format: 'email',
      description: 'Where payers may write, shown on receipts.',
      examples: ['hola@cafelapalma.example'],
    }),
  ),
  contactPhone: Nullable(
    Type.String({
      format: 'phone',
      description: 'Where payers may call, shown on receipts.',
      examples: ['+576011234567'],
    }),
  ),
  logoUrl: Nullable(
    Type.String({
      maxLength: LOGO_MAX_LENGTH,
      pattern: LOGO_PATTERN,
      description:
        'Logo for the payment pages as a data URI of at most 4 KB (PNG, JPEG, GIF, WebP or SVG in base64), or null. It is part of the page: payers’ browsers load it from nowhere else.',
    }),
  ),
  accentColor: Nullable(
    Type.String({
      maxLength: 7,
      pattern: '^#[0-9a-fA-F]{6}$',
      description: 'Colour of buttons on the payment pages, or null.',
      examples: ['#0b5c4a'],
    }),
  ),
  rails: Type.Array(OneOf(RAILS), {
    minItems: 1,
    maxItems: RAILS.length,
    uniqueItems: true,
    description: 'Rails this organization collects over.',
  }),
  onAmountMismatch: OneOf(['decline', 'accept'] as const, {
    description: 'What happens to a Bre-B payin when a different amount arrives.',
  }),
  requireKeyLookup: Type.Boolean({
    description: 'Whether a payout needs a key looked up in the last 30 minutes.',
  }),
  payinExpiryMinutes: Type.Integer({
    minimum: PAYIN_EXPIRY_MINUTES.minimum,
    maximum: PAYIN_EXPIRY_MINUTES.maximum,
    description: 'How long a payin waits for its payer.',
  }),
  alarmEmails: Type.Array(Type.String({ maxLength: EMAIL_MAX_LENGTH, format: 'email' }), {
    maxItems: MAX_ALARM_EMAILS,
    description:
      'Who of your staff is told of alarms by e-mail, where the operator has set up a mail server. An address that you name twice is kept once; an empty list tells nobody.',
    examples: [['pagos@cafelapalma.example']],
  }),
  minimumBalanceInCents: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'An alarm (`balance-below-minimum`) is raised when less than this is available, once each time that it falls below; null: never.',
      examples: [50_000_000],
    }),
  ),
  accounting: Type.Object(
    {
      pucAccounts: Type.Object(
        Object.fromEntries(
          PUC_ENTRIES.map((entry) => [
            entry,
            Type.Optional(Type.String({ pattern: PUC_PATTERN, maxLength: 12 })),
          ]),
        ),
        {
          description:
            'The account of your chart of accounts (PUC) that reports name beside each column, such as `{"fees": "530515"}`.',
        },
      ),
      estimatesMovementTax: Type.Boolean({
        description:
          'Whether reports estimate the tax on movements (GMF) of what was paid out. It is never booked.',
      }),
    },
    { description: 'How your accountant wants the reports. It is replaced as a whole.' },
  ),
  alarmLanguage: OneOf(ALARM_LANGUAGES, { description: 'The language of what is told of alarms.' }),
  alarmWebhookUrl: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      description:
        'An incoming webhook, as Slack and other chats have, that gets `{"text": …}` for each alarm, or null. Only https. Whoever has it can write there, so answers show no more than its host and last characters, as in `https://hooks.chat.example/…9f3k`; sent back like that, it stays as it is.',
      examples: ['https://hooks.chat.example/services/T0/B0/x'],
    }),
  ),
}

export const OrganizationObject = Type.Object({
  organizationId: Uuid('Identifier of the organization.'),
  ...SETTINGS,
  createdAt: DateTime('When it was created.'),
  updatedAt: DateTime('When its settings last changed.'),
})

export const OrganizationChanges = Type.Partial(Type.Object(SETTINGS))

const EXAMPLE = {
  organizationId: '019a5c3e-0000-7000-8000-000000000001',
  name: 'Café La Palma',
  taxId: '900123456-8',
  contactEmail: 'hola@cafelapalma.example',
  contactPhone: null,
  logoUrl: null,
  accentColor: '#0b5c4a',
  rails: ['BRE_B', 'PSE'],
  onAmountMismatch: 'decline',
  requireKeyLookup: false,
  payinExpiryMinutes: 15,
  alarmEmails: ['pagos@cafelapalma.example'],
  alarmLanguage: 'es',
  minimumBalanceInCents: null,
  accounting: { pucAccounts: { fees: '530515' }, estimatesMovementTax: false },
  alarmWebhookUrl: null,
  createdAt: '2025-11-07T13:00:00.000Z',
  updatedAt: '2025-11-07T13:00:00.000Z',
}

const success = {
  status: 200,
  description: 'The organization.',
  schema: OrganizationObject,
  examples: { organization: { summary: 'An organization', value: EXAMPLE } },
}

export const getOrganizationOperation: Operation = {
  method: 'GET',
  path: '/organization',
  operationId: 'getOrganization',
  tag: 'Organization',
  summary: 'Get the organization',
  description: 'The organization that the credential belongs to.',
  access: { scope: 'organization:read', shown: 'apiKey' },
  success,
  refusals: [],
  handle: ({ caller }) => json(200, presentOrganization(caller.organization)),
}

export const changeOrganizationOperation: Operation = {
  method: 'PATCH',
  path: '/organization',
  operationId: 'changeOrganization',
  tag: 'Organization',
  summary: 'Change settings',
  description:
    'Changes the settings that you send and keeps the others. They apply at once, and on other nodes within a second.',
  access: { scope: 'organization:write', shown: 'apiKey' },
  act: 'organization.change',
  body: {
    schema: OrganizationChanges,
    required: true,
    examples: { expiry: { summary: 'Give payers an hour', value: { payinExpiryMinutes: 60 } } },
  },
  success,
  rules: ({ ctx, caller, body }) => {
    const { logoUrl, alarmWebhookUrl } = body as { logoUrl?: unknown; alarmWebhookUrl?: unknown }
    return [...logoProblems(logoUrl), ...webhookProblems(ctx, caller.organization, alarmWebhookUrl)]
  },
  refusals: ['INVALID_INPUT'],
  handle: async ({ ctx, caller, body }) => {
    const known = Object.fromEntries(Object.entries(body as object).filter(([field]) => field in SETTINGS))
    const changes = settingsOf(isKept(caller.organization, known) ? withoutAddress(known) : known)
    const organization = await changeOrganization(ctx, caller.organization.organizationId, changes)
    return isRefusal(organization) ? organization : json(200, presentOrganization(organization))
  },
}

type Sent = Partial<Omit<OrganizationSettings, 'minimumBalanceInCents' | 'accounting'>> & {
  minimumBalanceInCents?: number | null
  accounting?: Accounting
}

// Amounts are numbers in JSON, and of an object only what we know is kept.
function settingsOf({
  minimumBalanceInCents: minimum,
  accounting,
  ...rest
}: Sent): Partial<OrganizationSettings> {
  const { pucAccounts, estimatesMovementTax } = accounting ?? NO_ACCOUNTING
  const known = PUC_ENTRIES.flatMap((entry) => {
    const account = pucAccounts[entry]
    return account === undefined ? [] : [[entry, account] as const]
  })
  return {
    ...rest,
    ...(minimum !== undefined && { minimumBalanceInCents: minimum === null ? null : BigInt(minimum) }),
    ...(accounting && { accounting: { pucAccounts: Object.fromEntries(known), estimatesMovementTax } }),
  }
}

const INLINE_IMAGE = new RegExp(LOGO_PATTERN)

// The schema says what else is wrong with it.
function logoProblems(logoUrl: unknown): FieldProblem[] {
  if (typeof logoUrl !== 'string' || !INLINE_IMAGE.test(logoUrl) || isImage(logoUrl)) return []
  return [{ path: '/logoUrl', code: 'WRONG_FORMAT', message: 'must hold an image of the kind that it names' }]
}

// An address that tells of alarms has a secret in it, so it never travels in the clear, in staging neither.
function webhookProblems(
  { settings }: Needs<'settings'>,
  organization: Organization,
  url: unknown,
): FieldProblem[] {
  if (typeof url !== 'string' || url === '' || isKept(organization, { alarmWebhookUrl: url })) return []
  const message = isMasked(url)
    ? 'must be the whole address, without …'
    : url.startsWith('https://')
      ? settings.webhooks.urlProblem(url)
      : 'must begin with https://'
  return message === undefined ? [] : [{ path: '/alarmWebhookUrl', code: 'WRONG_FORMAT', message }]
}

// As an answer of ours showed it.
function isKept({ alarmWebhookUrl: kept }: Organization, { alarmWebhookUrl: sent }: Sent): boolean {
  return kept !== null && sent === maskedAddress(kept)
}

function withoutAddress({ alarmWebhookUrl: _, ...rest }: Sent): Sent {
  return rest
}

// Its limits and charges are the operator’s, and its routes are shown as connections.
function presentOrganization({
  limits: _,
  routes: __,
  // They have an address of their own.
  approvalRules: ___,
  charges: ____,
  ...organization
}: Organization): Record<string, unknown> {
  return {
    ...organization,
    alarmWebhookUrl: organization.alarmWebhookUrl && maskedAddress(organization.alarmWebhookUrl),
    minimumBalanceInCents:
      organization.minimumBalanceInCents === null ? null : centsToNumber(organization.minimumBalanceInCents),
    createdAt: isoInstant(organization.createdAt),
    updatedAt: isoInstant(organization.updatedAt),
  }
}
