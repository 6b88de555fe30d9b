// Printed from openapi.json by sdk/generate.ts: change that, not this. Types only; nothing of it is there at run time.

export type AdvanceClock = {
  /** How far to move the clock forward. */
  seconds: number
}

export type Alarm = {
  /** Identifier of the alarm. */
  id: string
  /** What it is about. */
  kind: 'payin-contradiction' | 'payout-contradiction' | 'payin-unresolved' | 'payout-unresolved' | 'orphan-notice' | 'reconciliation' | 'statement-late' | 'address-refused' | 'failed-sign-ins' | 'many-refusals' | 'many-missed-lookups'
  /** `RESOLVED`: your staff or whoever runs the service has dealt with it, or it ended by itself. */
  status: 'OPEN' | 'RESOLVED'
  /** The payin, payout or other object that it is about. */
  subjectId: string
  /** What is wrong, in words. */
  detail: string
  /** When it was raised. */
  createdAt: string
  /** Who looks after it, or null. */
  takenBy: {
    kind: 'person' | 'key' | 'client' | 'operator' | 'service'
    /** The person, API key or client; null for an operator. */
    id: string | null
    /** As people call them. */
    name: string | null
  } | null
  /** When they took it, or null. */
  takenAt: string | null
  /** When it was resolved, or null. */
  resolvedAt: string | null
  /** Who of your staff resolved it, or null. */
  resolvedBy: {
    kind: 'person' | 'key' | 'client' | 'operator' | 'service'
    /** The person, API key or client; null for an operator. */
    id: string | null
    /** As people call them. */
    name: string | null
  } | null
  /** Their word about it, or null. */
  resolution: string | null
}

export type AlarmList = {
  data: (Alarm)[]
  pageInfo: PageInfo
}

export type ApiKey = {
  /** Identifier of the key. */
  id: string
  /** How the key begins. */
  prefix: string
  /** Only an `ACTIVE` key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED'
  /** A name for yourself, such as what it is used by. */
  name: string
  /** What it may do. Null: everything, also what comes later. You cannot grant a scope that you do not hold. */
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'sandbox:write')[] | null
  /** The most requests a second. Null: only the limit of the organization. */
  maxPerSecond: number | null
  /** The only addresses and ranges that it may be used from. Null: any. */
  allowedAddresses: (string)[] | null
  /** The most payouts in a day in Bogotá. Null: only the limit of the organization. */
  payoutsPerDay: number | null
  /** The most that may be paid out in a day in Bogotá, in cents. Null: only the limit of the organization. */
  payoutSumPerDayInCents: number | null
  /** When the key was created. */
  createdAt: string
  /** When it was revoked, or null. */
  revokedAt: string | null
  /** When it was last used, to about a minute, or null. */
  lastUsedAt: string | null
  /** When it ends by itself, or null. */
  expiresAt: string | null
}

export type ApiKeyList = {
  data: (ApiKey)[]
}

export type ApiKeyWithSecret = {
  /** Identifier of the key. */
  id: string
  /** How the key begins. */
  prefix: string
  /** Only an `ACTIVE` key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED'
  /** A name for yourself, such as what it is used by. */
  name: string
  /** What it may do. Null: everything, also what comes later. You cannot grant a scope that you do not hold. */
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'sandbox:write')[] | null
  /** The most requests a second. Null: only the limit of the organization. */
  maxPerSecond: number | null
  /** The only addresses and ranges that it may be used from. Null: any. */
  allowedAddresses: (string)[] | null
  /** The most payouts in a day in Bogotá. Null: only the limit of the organization. */
  payoutsPerDay: number | null
  /** The most that may be paid out in a day in Bogotá, in cents. Null: only the limit of the organization. */
  payoutSumPerDayInCents: number | null
  /** When the key was created. */
  createdAt: string
  /** When it was revoked, or null. */
  revokedAt: string | null
  /** When it was last used, to about a minute, or null. */
  lastUsedAt: string | null
  /** When it ends by itself, or null. */
  expiresAt: string | null
  /** Shown only now, never again: store it. */
  secret: string
}

export type AttachSuspenseItem = {
  /** The payin of yours that the money was meant for. */
  payinId: string
}

export type AuditActor = {
  /** A person who signed in, an API key, an OAuth client, an operator at the command line, or the service by itself. */
  kind: 'person' | 'key' | 'client' | 'operator' | 'service'
  /** The person, API key or client. Null for operators and the service. */
  id: string | null
  /** As people call them. */
  name: string | null
  /** The session of a person. */
  sessionId: string | null
  /** Where the request came from, as far as it is known. */
  address: string | null
}

export type AuditEntry = {
  /** Identifier of the entry. */
  id: string
  /** When it was done. */
  createdAt: string
  actor: AuditActor
  /** The `x-request-id` of the request. */
  requestId: string | null
  /** What was done. */
  act: string
  object: AuditObject
  /** What changed, by field: `before` and `after`. Secrets are shown as `(secret)`, and payers not at all. */
  changes: Record<string, unknown>
  outcome: 'done' | 'refused'
  /** The code of the refusal. */
  refusal: string | null
  /** The number of its line in the chain: 1, 2, 3 … without gaps. Null for a moment, until it has one. */
  sequence: number | null
  /** SHA-256 of the digest of the line before it and of this entry, in hexadecimal. Null until it has a line. */
  digest: string | null
}

export type AuditEntryList = {
  data: (AuditEntry)[]
  pageInfo: PageInfo
}

export type AuditObject = {
  /** What it was done to: the first part of `act`. */
  kind: string
  /** Null where nothing was made, or the thing has no id. */
  id: string | null
}

export type Balance = {
  currency: 'COP'
  /** Can be paid out now. Below zero where a chargeback took money that was paid out already. */
  availableInCents: number
  /** Recorded as deposited at your providers and not paid out yet. Only payouts over connections are paid from it. */
  depositedInCents: number
  /** Collected, and not yet made available. */
  pendingSettlementInCents: number
  /** Set aside for payouts that are under way. */
  reservedInCents: number
  /** Arrived too late, twice or in another amount; an operator decides about it. */
  suspenseInCents: number
}

/** Required when `rail` is `BRE_B`. With `PSE` the server drops it unread, whatever it holds: it is neither checked nor stored. A `keyString` is ignored: the key is ours. */
export type BrebDetails = {
  /** With `SINGLE_USE` you get only the generated key, with `QR_CODE` also its image. */
  keyType: 'SINGLE_USE' | 'QR_CODE'
}

export type BrebKey = {
  /** The key in canonical form. */
  keyString: string
  keyType: 'DOCUMENT' | 'PHONE' | 'EMAIL' | 'ALPHANUMERIC' | 'MERCHANT_CODE'
  status: 'ACTIVE'
  holder: {
    /** Masked for people, plain for businesses. */
    name: string
    personType: 'INDIVIDUAL' | 'BUSINESS'
    idType: string
    /** Masked for people. */
    idNumber: string
  }
  participant: {
    /** The bank or wallet that holds the account. */
    name: string
    code: string
  }
  account: {
    type: string
    lastFour: string
  }
  /** When the directory answered. */
  resolvedAt: string
}

export type BrebSource = {
  keyType: 'SINGLE_USE' | 'QR_CODE'
  /** The Bre-B key to pay to, valid only for this payin. */
  keyString: string
  /** A page of ours on which the payer can pay. */
  checkoutUrl: string
  /** Only with `QR_CODE`: a PNG as a data URI, holding key and amount as an EASPBV payload. */
  qrString?: string | undefined
  /** Only with `QR_CODE`: the text that the image holds, for a code that you draw yourself. It ends with its checksum. */
  qrPayload?: string | undefined
}

export type Clock = {
  /** The current time in staging. */
  now: string
}

export type Connection = {
  /** Identifier of the connection. */
  id: string
  /** A name for yourself. */
  name: string
  /** The provider. */
  provider: 'wompi' | 'mono' | 'placetopay'
  /** Which of the provider’s environments: `test` in staging, `live` in production. */
  environment: 'test' | 'live'
  /** What it is used for: `BRE_B_IN` and `PSE_IN` are payins, `BRE_B_OUT` is payouts and the look-up of keys. Not every provider does everything. */
  uses: ('BRE_B_IN' | 'BRE_B_OUT' | 'PSE_IN')[]
  /** Of the connections that can take a payment, the one with the lowest number does. */
  priority: number
  /** Payments below this go to another connection. Null: the provider’s own minimum, which counts in any case. */
  minimumInCents: number | null
  /** Payments above this go to another connection. Null: no such limit. */
  maximumInCents: number | null
  /** Whether new payments go there. Those it has go on, and its notifications are taken, while it is not. */
  enabled: boolean
  /** Every field that the provider has. */
  credentials: (ConnectionCredential)[]
  /** Enter it at the provider as the address for notifications (events, webhooks). */
  notificationUrl: string
  /** Until then the credentials before these still check notifications, or null. */
  previousCredentialsUntil: string | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

export type ConnectionBank = {
  /** What to send as `pse.bank`. */
  code: string
  /** Our name of it. */
  name: string
  /** The bank’s code at the provider. */
  providerCode: string
}

export type ConnectionBankList = {
  /** Banks that payers can choose. */
  banks: (ConnectionBank)[]
  /** Banks that we have no code for. */
  unmapped: (UnmappedBank)[]
}

export type ConnectionChanges = {
  /** A name for yourself. */
  name?: string | undefined
  /** What it is used for: `BRE_B_IN` and `PSE_IN` are payins, `BRE_B_OUT` is payouts and the look-up of keys. Not every provider does everything. */
  uses?: ('BRE_B_IN' | 'BRE_B_OUT' | 'PSE_IN')[] | undefined
  /** Of the connections that can take a payment, the one with the lowest number does. */
  priority?: number | undefined
  /** Payments below this go to another connection. Null: the provider’s own minimum, which counts in any case. */
  minimumInCents?: number | null | undefined
  /** Payments above this go to another connection. Null: no such limit. */
  maximumInCents?: number | null | undefined
  /** Whether new payments go there. Those it has go on, and its notifications are taken, while it is not. */
  enabled?: boolean | undefined
  /** New values, which replace those of the same names. For 24 hours the ones before them still check the provider’s notifications. */
  credentials?: {
    /** Wompi: Public key of the account. */
    publicKey?: string | undefined
    /** Wompi: Private key of the account. */
    privateKey?: string | undefined
    /** Wompi: Secret that signs events of payments. */
    eventsSecret?: string | undefined
    /** Wompi: Secret that signs what is charged. */
    integritySecret?: string | undefined
    /** Wompi: API key of “Pagos a Terceros”. */
    payoutsApiKey?: string | undefined
    /** Wompi: User principal id of “Pagos a Terceros”. */
    payoutsUserPrincipalId?: string | undefined
    /** Wompi: Account that payouts are paid from. */
    payoutsAccountId?: string | undefined
    /** Wompi: Secret that signs events of payouts. */
    payoutsEventsSecret?: string | undefined
    /** Wompi: Address of the payments API. */
    paymentsUrl?: string | undefined
    /** Wompi: Address of the payouts API. */
    payoutsUrl?: string | undefined
    /** Mono: Client id of the API. */
    clientId?: string | undefined
    /** Mono: Client secret of the API. */
    clientSecret?: string | undefined
    /** Mono: Secret that signs webhooks. */
    webhookSecret?: string | undefined
    /** Mono: Tenant account, such as bbtacc_…. */
    accountId?: string | undefined
    /** Mono: Who names the keys that payers pay to: `ours` (Recaudo does) or `theirs` (Mono does). */
    keys?: string | undefined
    /** Mono: Address of the API. Production’s comes with the contract. PlacetoPay: Address of the gateway. Production’s comes with the contract. */
    url?: string | undefined
    /** PlacetoPay: Login of the site. */
    login?: string | undefined
    /** PlacetoPay: Secret key (tranKey) of the site. */
    secretKey?: string | undefined
  } | undefined
}

export type ConnectionCheck = {
  /** What was tried. */
  what: string
  /** What is wrong, in words, or null. */
  problem: string | null
}

export type ConnectionCredential = {
  /** Name of the field. */
  name: string
  /** Whether you have given it. */
  isSet: boolean
  /** What counts: your value, or else the provider’s usual one. Null for every secret. */
  value: string | null
}

export type ConnectionList = {
  data: (Connection)[]
}

export type ConnectionMovement = {
  /** Identifier of the deposit or withdrawal, and subject of its transfers in the ledger. */
  id: string
  /** The connection whose account it went into or out of. */
  connectionId: string
  /** Amount in pesos: `amountInCents / 100`. */
  amount: number
  amountInCents: number
  currency: 'COP'
  reference: string
  /** The API key or OAuth client that recorded it. */
  recordedBy: string
  /** When it was recorded. */
  createdAt: string
}

export type ConnectionMovementList = {
  data: (ConnectionMovement)[]
  pageInfo: PageInfo
}

export type ConnectionTest = {
  /** Whether nothing is wrong. */
  passed: boolean
  checks: (ConnectionCheck)[]
}

export type CreateApiKey = {
  /** A name for yourself, such as what it is used by. */
  name: string
  /** What it may do. Null: everything, also what comes later. You cannot grant a scope that you do not hold. */
  scopes?: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'sandbox:write')[] | null | undefined
  /** When it ends. Null: not by itself. */
  expiresInDays?: number | null | undefined
  /** The most requests a second. Null: only the limit of the organization. */
  maxPerSecond?: number | null | undefined
  /** The only addresses and ranges that it may be used from. Null: any. */
  allowedAddresses?: (string)[] | null | undefined
  /** The most payouts in a day in Bogotá. Null: only the limit of the organization. */
  payoutsPerDay?: number | null | undefined
  /** The most that may be paid out in a day in Bogotá, in cents. Null: only the limit of the organization. */
  payoutSumPerDayInCents?: number | null | undefined
}

export type CreateConnection = {
  /** A name for yourself. */
  name: string
  /** The provider. */
  provider: 'wompi' | 'mono' | 'placetopay'
  /** Which of the provider’s environments: `test` in staging, `live` in production. */
  environment: 'test' | 'live'
  /** What it is used for: `BRE_B_IN` and `PSE_IN` are payins, `BRE_B_OUT` is payouts and the look-up of keys. Not every provider does everything. */
  uses: ('BRE_B_IN' | 'BRE_B_OUT' | 'PSE_IN')[]
  /** What the provider gave you. `GET /providers` says what each needs. Secrets are encrypted and never shown again. */
  credentials: {
    /** Wompi: Public key of the account. */
    publicKey?: string | undefined
    /** Wompi: Private key of the account. */
    privateKey?: string | undefined
    /** Wompi: Secret that signs events of payments. */
    eventsSecret?: string | undefined
    /** Wompi: Secret that signs what is charged. */
    integritySecret?: string | undefined
    /** Wompi: API key of “Pagos a Terceros”. */
    payoutsApiKey?: string | undefined
    /** Wompi: User principal id of “Pagos a Terceros”. */
    payoutsUserPrincipalId?: string | undefined
    /** Wompi: Account that payouts are paid from. */
    payoutsAccountId?: string | undefined
    /** Wompi: Secret that signs events of payouts. */
    payoutsEventsSecret?: string | undefined
    /** Wompi: Address of the payments API. */
    paymentsUrl?: string | undefined
    /** Wompi: Address of the payouts API. */
    payoutsUrl?: string | undefined
    /** Mono: Client id of the API. */
    clientId?: string | undefined
    /** Mono: Client secret of the API. */
    clientSecret?: string | undefined
    /** Mono: Secret that signs webhooks. */
    webhookSecret?: string | undefined
    /** Mono: Tenant account, such as bbtacc_…. */
    accountId?: string | undefined
    /** Mono: Who names the keys that payers pay to: `ours` (Recaudo does) or `theirs` (Mono does). */
    keys?: string | undefined
    /** Mono: Address of the API. Production’s comes with the contract. PlacetoPay: Address of the gateway. Production’s comes with the contract. */
    url?: string | undefined
    /** PlacetoPay: Login of the site. */
    login?: string | undefined
    /** PlacetoPay: Secret key (tranKey) of the site. */
    secretKey?: string | undefined
  }
  /** Of the connections that can take a payment, the one with the lowest number does. */
  priority?: number | undefined
  /** Payments below this go to another connection. Null: the provider’s own minimum, which counts in any case. */
  minimumInCents?: number | null | undefined
  /** Payments above this go to another connection. Null: no such limit. */
  maximumInCents?: number | null | undefined
  /** Whether new payments go there. Those it has go on, and its notifications are taken, while it is not. */
  enabled?: boolean | undefined
}

export type CreateConnectionMovement = {
  /** Amount in cents of a peso: 5000000 is COP 50,000. */
  amountInCents: number
  /** Your own name for it, such as the bank’s number of the transfer. It need not be unique. */
  reference: string
}

export type CreateOAuthClient = {
  /** A name for yourself, such as what it is used by. */
  name: string
  /** What it may do. Null: everything, also what comes later. You cannot grant a scope that you do not hold. */
  scopes?: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'sandbox:write')[] | null | undefined
  /** The most requests a second. Null: only the limit of the organization. */
  maxPerSecond?: number | null | undefined
  /** The only addresses and ranges that it may be used from. Null: any. */
  allowedAddresses?: (string)[] | null | undefined
  /** The most payouts in a day in Bogotá. Null: only the limit of the organization. */
  payoutsPerDay?: number | null | undefined
  /** The most that may be paid out in a day in Bogotá, in cents. Null: only the limit of the organization. */
  payoutSumPerDayInCents?: number | null | undefined
}

export type CreatePayin = {
  /** Amount in cents of a peso: 5000000 is COP 50,000. At most what the rail carries in one payment. */
  amountInCents: number
  currency: 'COP'
  /** The network the payer pays over. */
  rail: 'BRE_B' | 'PSE'
  /** The merchant’s own name for this payment, unique within the organization. */
  reference: string
  /** What is paid for. The payer reads it instead of the reference; markup is only text. */
  description?: string | undefined
  /** Up to 20 texts of your own, each of up to 200 characters, under names of up to 40 letters, digits, `_`, `.` and `-`. The payer does not see them. */
  metadata?: Record<string, string> | undefined
  inlineCustomer?: InlineCustomer | undefined
  pse?: PseDetails | undefined
  breb?: BrebDetails | undefined
  /** Where the payer’s browser returns to. It proves nothing: the outcome comes as an event. */
  callbackUrl?: string | undefined
} & (
  | { rail: 'PSE'; pse: PseDetails }
  | { rail: 'BRE_B' }
) & (
  | { rail: 'BRE_B'; breb: BrebDetails }
  | { rail: 'PSE' }
)

export type CreatePaymentLink = {
  /** The payer is charged exactly `amountInCents`. */
  amountType: 'FIXED'
  /** Amount in cents of a peso: 5000000 is COP 50,000. At most what the rail carries in one payment. */
  amountInCents: number
  /** The merchant’s own name for this payment; events carry it. It need not be unique. */
  reference: string
  /** Where the payer goes when the flow ends, whether or not they paid. Used exactly as sent. */
  callbackUrl: string
  /** What is paid for. The payer reads it instead of the reference; markup is only text. */
  description?: string | undefined
  /** Up to 20 texts of your own, each of up to 200 characters, under names of up to 40 letters, digits, `_`, `.` and `-`. The payer does not see them. */
  metadata?: Record<string, string> | undefined
  /** Restricts the link to this rail. */
  rail?: 'BRE_B' | 'PSE' | undefined
  inlineCustomer?: InlineCustomer | undefined
  /** Only with `rail` `PSE`; without it the request is refused. A `breb` object has no meaning in a link and is ignored, whatever it holds. */
  pse?: {
    /** A bank code or alias of `GET /pse/banks`, returned as sent. The payer then does not choose. */
    bank: string
  } | undefined
}

export type CreatePaymentPage = {
  /** What is sold. The payer reads it on the page, on their receipt and at their bank. */
  name: string
  /** `FIXED`: every piece costs `amountInCents`. `OPEN`: the payer types the amount. */
  amountType: 'FIXED' | 'OPEN'
  /** Amount in cents of a peso: 5000000 is COP 50,000. At most what the rail carries in one payment. */
  amountInCents?: number | undefined
  /** The merchant’s own name for the page; every link that the page makes has it. */
  reference: string
  /** Restricts the page to this rail. */
  rail?: 'BRE_B' | 'PSE' | undefined
  /** More about it; markup is only text. Everybody who has the address reads it. */
  description?: string | undefined
  /** What the amount is made of. They must add up to it. */
  items?: ({
    name: string
    quantity: number
    unitAmountInCents: number
  })[] | undefined
  /** A picture as a data URI of at most 4 KB (PNG, JPEG, GIF, WebP or SVG in base64). It travels in the page: payers’ browsers ask nobody else for it. */
  image?: string | undefined
  /** Up to 20 texts of your own, each of up to 200 characters, under names of up to 40 letters, digits, `_`, `.` and `-`. The payer does not see them. */
  metadata?: Record<string, string> | undefined
  /** With `OPEN`: the least that a payer may type. */
  minAmountInCents?: number | undefined
  /** With `OPEN`: the most that a payer may type. At most what the rail carries. */
  maxAmountInCents?: number | undefined
  /** Where payers go in the end. Without it they come back to the page. */
  callbackUrl?: string | undefined
  /** From then on nobody can begin to pay. Without it the page is good for ever. `status` stays `OPEN`: a later date opens it again. */
  validUntil?: string | undefined
  /** At most so many payments. */
  maxPayments?: number | undefined
  /** With `FIXED`: at most so many pieces, each for the amount. The payer says how many, up to 20 at once. */
  maxPieces?: number | undefined
}

export type CreatePayout = {
  /** Amount in cents of a peso: 5000000 is COP 50,000. At most what the rail carries in one payment. */
  amountInCents: number
  currency: 'COP'
  /** Payouts travel over Bre-B only. */
  rail: 'BRE_B'
  /** The merchant’s own name for this payout; it need not be unique. */
  reference: string
  /** What is paid for. The payer reads it instead of the reference; markup is only text. */
  description?: string | undefined
  /** Up to 20 texts of your own, each of up to 200 characters, under names of up to 40 letters, digits, `_`, `.` and `-`. The payer does not see them. */
  metadata?: Record<string, string> | undefined
  inlineCustomer: InlineCustomer
  breb: PayoutKey
}

export type CreateTeamInvitation = {
  /** Whom to invite. Only somebody with this address can accept. */
  email: string
  /** What the person may do. Each role is made of scopes: see the guide “Team and sign-in”. */
  role: 'owner' | 'administrator' | 'preparer' | 'approver' | 'support' | 'accountant' | 'developer'
  /** How they are called, as far as you know. */
  name?: string | undefined
}

export type CreateWebhookEndpoint = {
  /** Where events are sent: an https address without credentials and fragment, on the public internet. Staging takes http and private addresses too. */
  url: string
  /** The events it is sent. Null means these: `payin.confirmed`, `payin.canceled`, `payin.declined`, `payout.confirmed`, `payout.canceled`, `payout.declined`, `paymentlink.completed`, `paymentlink.expired`. */
  events?: ('payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed')[] | null | undefined
  /** A note for yourself, or null. */
  description?: string | null | undefined
  /** The most events a second that are sent to it. Null: as fast as it acknowledges them. */
  maxPerSecond?: number | null | undefined
  /** Whether each event carries an Ed25519 signature (`v1a`) beside the usual one. `publicKey` verifies it. */
  ed25519?: boolean | undefined
}

export type CreateWebhookPortalLink = {
  /** The webhook endpoints that the portal shows. It shows no others. */
  endpointIds: (string)[]
  /** Whether whoever has the link may only look. If false, they may also send a test event, send an event again and recover what was missed. */
  readOnly?: boolean | undefined
  /** How long the link works. */
  expiresInMinutes?: number | undefined
  /** The origins of the pages that may show the portal in a frame: https, without a path and without wildcards. Staging takes http too. Empty: it cannot be framed. */
  frameAncestors?: (string)[] | undefined
  /** The language of the portal. Null: the one that the browser asks for. */
  language?: 'es' | 'en' | null | undefined
}

export type CredentialChanges = {
  /** A name for yourself, such as what it is used by. */
  name?: string | undefined
  /** The most requests a second. Null: only the limit of the organization. */
  maxPerSecond?: number | null | undefined
  /** The only addresses and ranges that it may be used from. Null: any. */
  allowedAddresses?: (string)[] | null | undefined
  /** The most payouts in a day in Bogotá. Null: only the limit of the organization. */
  payoutsPerDay?: number | null | undefined
  /** The most that may be paid out in a day in Bogotá, in cents. Null: only the limit of the organization. */
  payoutSumPerDayInCents?: number | null | undefined
}

export type DeletedConnection = {
  /** Identifier of the connection. */
  id: string
  /** Always true. */
  deleted: boolean
}

export type DeletedWebhookEndpoint = {
  /** Identifier of the endpoint. */
  id: string
  /** Always true. */
  deleted: boolean
}

export type Delivery = {
  /** The webhook endpoint. */
  endpointId: string
  /** Its address. */
  url: string
  /** `FAILED`: no attempts are left. `redeliver` sends it again. */
  state: 'PENDING' | 'DELIVERED' | 'FAILED'
  /** When the next attempt is due; null if there is none, or one is under way. */
  nextAttemptAt: string | null
  /** When the endpoint acknowledged it. */
  deliveredAt: string | null
  /** The last 20 tries, oldest first; `number` counts all there were. */
  attempts: (DeliveryAttempt)[]
}

export type DeliveryAttempt = {
  number: number
  /** When it was sent. */
  at: string
  /** HTTP status of the answer; null if there was none. */
  status: number | null
  /** How long it took, in milliseconds. */
  latencyMs: number
  /** Why it does not count as delivered, or null. */
  failure: string | null
  /** The first KiB of the answer. */
  response: string
  /** When the next attempt was planned, or null. */
  nextAttemptAt: string | null
}

export type DeliveryList = {
  data: (Delivery)[]
}

export type EndedTeamSessions = {
  /** Identifier of the person. */
  userId: string
  /** How many sessions there were. */
  ended: number
}

export type Event = {
  /** Identifier of the event, and `webhook-id` of every delivery of it. */
  id: string
  /** What happened. */
  event: 'payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'webhook.test'
  /** What it happened to. */
  resource: 'payin' | 'payout' | 'paymentlink' | 'paymentpage' | 'webhook'
  /** Numbers the organization’s events 1, 2, 3 … without gaps. */
  sequence: number
  /** Version of the object: the event with the highest version has its current state. */
  version: number
  /** When it happened. */
  createdAt: string
  /** The object as the API would have returned it then. */
  data: Record<string, unknown>
}

export type EventList = {
  data: (Event)[]
  /** More events follow at once. */
  hasMore: boolean
  /** Send it as `after` to continue, now or later. */
  nextAfter: number
}

export type FoundObject = {
  /** What it is. */
  resource: 'payin' | 'payout' | 'paymentlink' | 'paymentpage' | 'event' | 'webhookendpoint' | 'transfer'
  /** Its id, to read it by. */
  id: string
  /** Why it was found. `trace` is the network’s name for the payment. */
  foundBy: ('id' | 'trace' | 'reference' | 'key' | 'document' | 'email' | 'phone' | 'name' | 'url' | 'amount')[]
  /** The reference of a payment, link or page, the type of an event, the address of an endpoint, or what was booked. */
  name: string | null
  /** How it stands, where it has a status. */
  status: string | null
  /** Of payments, links and transfers, and of pages with a fixed amount. */
  amountInCents: number | null
  /** When it was made. */
  createdAt: string
}

/** The payer, as the merchant knows them. */
export type InlineCustomer = {
  /** Full name of the customer. */
  name: string
  /** Document type. */
  idType: 'CO_CC' | 'CO_CE' | 'CO_NIT' | 'MXN_RFC' | 'PASSPORT'
  /** Document number. Where a NIT carries its check digit after a dash, the digit is checked. */
  idNumber: string
  /** International form with a leading plus sign. */
  phone: string
  email: string
}

export type LoggedRequest = {
  /** Identifier of the line. */
  id: string
  /** When it was answered. */
  createdAt: string
  /** Its `x-request-id`. */
  requestId: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** The address without its query. What is not an id stands as its name, such as `{keyString}`. */
  path: string
  /** The answer. */
  status: number
  /** How long it took us, in milliseconds. */
  durationMs: number
  credential: {
    kind: 'person' | 'key' | 'client'
    /** The API key or client. */
    id: string
  }
  /** What it named or created. */
  objectId: string | null
  /** The code of the refusal. */
  refusal: string | null
}

export type LoggedRequestList = {
  data: (LoggedRequest)[]
  pageInfo: PageInfo
}

export type OAuthClient = {
  /** The client id. */
  id: string
  /** Only an `ACTIVE` client gets tokens. */
  status: 'ACTIVE' | 'REVOKED'
  /** A name for yourself, such as what it is used by. */
  name: string
  /** What it may do. Null: everything, also what comes later. You cannot grant a scope that you do not hold. */
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'sandbox:write')[] | null
  /** The most requests a second. Null: only the limit of the organization. */
  maxPerSecond: number | null
  /** The only addresses and ranges that it may be used from. Null: any. */
  allowedAddresses: (string)[] | null
  /** The most payouts in a day in Bogotá. Null: only the limit of the organization. */
  payoutsPerDay: number | null
  /** The most that may be paid out in a day in Bogotá, in cents. Null: only the limit of the organization. */
  payoutSumPerDayInCents: number | null
  /** When the client was created. */
  createdAt: string
  /** When it was revoked, or null. */
  revokedAt: string | null
  /** When it was last used, to about a minute, or null. */
  lastUsedAt: string | null
  /** Until then the secret before the present one works too, or null. */
  previousSecretUntil: string | null
}

export type OAuthClientList = {
  data: (OAuthClient)[]
}

export type OAuthClientWithSecret = {
  /** The client id. */
  id: string
  /** Only an `ACTIVE` client gets tokens. */
  status: 'ACTIVE' | 'REVOKED'
  /** A name for yourself, such as what it is used by. */
  name: string
  /** What it may do. Null: everything, also what comes later. You cannot grant a scope that you do not hold. */
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'sandbox:write')[] | null
  /** The most requests a second. Null: only the limit of the organization. */
  maxPerSecond: number | null
  /** The only addresses and ranges that it may be used from. Null: any. */
  allowedAddresses: (string)[] | null
  /** The most payouts in a day in Bogotá. Null: only the limit of the organization. */
  payoutsPerDay: number | null
  /** The most that may be paid out in a day in Bogotá, in cents. Null: only the limit of the organization. */
  payoutSumPerDayInCents: number | null
  /** When the client was created. */
  createdAt: string
  /** When it was revoked, or null. */
  revokedAt: string | null
  /** When it was last used, to about a minute, or null. */
  lastUsedAt: string | null
  /** Until then the secret before the present one works too, or null. */
  previousSecretUntil: string | null
  /** Shown only now, never again: store it. */
  secret: string
}

export type Organization = {
  /** Identifier of the organization. */
  organizationId: string
  /** The name that payers see. */
  name: string
  /** The merchant’s NIT, shown on receipts; PSE asks for it. */
  taxId: string | null
  /** Where payers may write, shown on receipts. */
  contactEmail: string | null
  /** Where payers may call, shown on receipts. */
  contactPhone: string | null
  /** Logo for the payment pages as a data URI of at most 4 KB (PNG, JPEG, GIF, WebP or SVG in base64), or null. It is part of the page: payers’ browsers load it from nowhere else. */
  logoUrl: string | null
  /** Colour of buttons on the payment pages, or null. */
  accentColor: string | null
  /** Rails this organization collects over. */
  rails: ('BRE_B' | 'PSE')[]
  /** What happens to a Bre-B payin when a different amount arrives. */
  onAmountMismatch: 'decline' | 'accept'
  /** Whether a payout needs a key looked up in the last 30 minutes. */
  requireKeyLookup: boolean
  /** How long a payin waits for its payer. */
  payinExpiryMinutes: number
  /** Who of your staff is told of alarms by e-mail, where the operator has set up a mail server. An address that you name twice is kept once; an empty list tells nobody. */
  alarmEmails: (string)[]
  /** The language of what is told of alarms. */
  alarmLanguage: 'es' | 'en'
  /** An incoming webhook, as Slack and other chats have, that gets `{"text": …}` for each alarm, or null. Only https. Whoever may read these settings sees it. */
  alarmWebhookUrl: string | null
  /** When it was created. */
  createdAt: string
  /** When its settings last changed. */
  updatedAt: string
}

export type OrganizationChanges = {
  /** The name that payers see. */
  name?: string | undefined
  /** The merchant’s NIT, shown on receipts; PSE asks for it. */
  taxId?: string | null | undefined
  /** Where payers may write, shown on receipts. */
  contactEmail?: string | null | undefined
  /** Where payers may call, shown on receipts. */
  contactPhone?: string | null | undefined
  /** Logo for the payment pages as a data URI of at most 4 KB (PNG, JPEG, GIF, WebP or SVG in base64), or null. It is part of the page: payers’ browsers load it from nowhere else. */
  logoUrl?: string | null | undefined
  /** Colour of buttons on the payment pages, or null. */
  accentColor?: string | null | undefined
  /** Rails this organization collects over. */
  rails?: ('BRE_B' | 'PSE')[] | undefined
  /** What happens to a Bre-B payin when a different amount arrives. */
  onAmountMismatch?: 'decline' | 'accept' | undefined
  /** Whether a payout needs a key looked up in the last 30 minutes. */
  requireKeyLookup?: boolean | undefined
  /** How long a payin waits for its payer. */
  payinExpiryMinutes?: number | undefined
  /** Who of your staff is told of alarms by e-mail, where the operator has set up a mail server. An address that you name twice is kept once; an empty list tells nobody. */
  alarmEmails?: (string)[] | undefined
  /** The language of what is told of alarms. */
  alarmLanguage?: 'es' | 'en' | undefined
  /** An incoming webhook, as Slack and other chats have, that gets `{"text": …}` for each alarm, or null. Only https. Whoever may read these settings sees it. */
  alarmWebhookUrl?: string | null | undefined
}

export type PageInfo = {
  /** Another page follows. */
  hasNext: boolean
  /** A previous page exists. */
  hasPrevious: boolean
  /** Cursor of the next page, or null. */
  nextCursor: string | null
  /** Cursor of the previous page, or null. */
  previousCursor: string | null
}

export type Payin = {
  /** Identifier of the payin. */
  id: string
  /** Amount in pesos: `amountInCents / 100`. */
  amount: number
  amountInCents: number
  /** What arrived, in pesos; null until confirmed. */
  confirmedAmount: number | null
  /** What arrived, in cents; null until confirmed. */
  confirmedAmountInCents: number | null
  currency: 'COP'
  /** Where the payin stands. The last three are final. */
  status: 'PENDING' | 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED'
  /** Null until the payin is confirmed. */
  settlementStatus: 'PENDING_SETTLEMENT' | 'SETTLED' | 'REVERSED' | null
  rail: 'BRE_B' | 'PSE'
  reference: string
  /** As sent, or null. `ERASED` once the data of the person it is about was erased, and `UNREADABLE` if the key that sealed it is gone. */
  description: string | null
  /** As sent, or null. Null too where it cannot be shown any more. */
  metadata: Record<string, string> | null
  /** Set when the payin was made on a payment link’s page. */
  paymentLinkId: string | null
  /** Why it was not paid, or null. */
  errorCode: 'EXPIRED' | 'CANCELED_BY_PAYER' | 'CANCELED_BY_MERCHANT' | 'AMOUNT_MISMATCH' | 'INSUFFICIENT_FUNDS' | 'ACCOUNT_INVALID' | 'ACCOUNT_BLOCKED' | 'LIMIT_EXCEEDED' | 'AUTHENTICATION_FAILED' | 'BANK_UNAVAILABLE' | 'BANK_DECLINED' | 'RISK_REJECTED' | 'RAIL_ERROR' | null
  /** When the payin was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** When it ends as `CANCELED` (`EXPIRED`) if nobody has paid. */
  expiresAt: string
  /** When the outcome was known; null until then. */
  resultAt: string | null
  /** When money was taken back; null unless it was. */
  chargebackAt: string | null
  /** How much was taken back, in cents; null unless it was. Less than was confirmed: the rest is settled. */
  chargebackAmountInCents: number | null
  /** The organization that owns the payin. */
  organizationId: string
  callbackUrl: string | null
  inlineCustomer: ShownCustomer | null
  /** What the payer needs, by rail. */
  sourceData: BrebSource | PseSource
}

export type PayinList = {
  data: (PayinListItem)[]
  pageInfo: PageInfo
}

/** A payin as lists show it: `inlineCustomer` is the customer’s name. */
export type PayinListItem = {
  /** Identifier of the payin. */
  id: string
  /** Amount in pesos: `amountInCents / 100`. */
  amount: number
  amountInCents: number
  /** What arrived, in pesos; null until confirmed. */
  confirmedAmount: number | null
  /** What arrived, in cents; null until confirmed. */
  confirmedAmountInCents: number | null
  currency: 'COP'
  /** Where the payin stands. The last three are final. */
  status: 'PENDING' | 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED'
  /** Null until the payin is confirmed. */
  settlementStatus: 'PENDING_SETTLEMENT' | 'SETTLED' | 'REVERSED' | null
  rail: 'BRE_B' | 'PSE'
  reference: string
  /** As sent, or null. `ERASED` once the data of the person it is about was erased, and `UNREADABLE` if the key that sealed it is gone. */
  description: string | null
  /** As sent, or null. Null too where it cannot be shown any more. */
  metadata: Record<string, string> | null
  /** Set when the payin was made on a payment link’s page. */
  paymentLinkId: string | null
  /** Why it was not paid, or null. */
  errorCode: 'EXPIRED' | 'CANCELED_BY_PAYER' | 'CANCELED_BY_MERCHANT' | 'AMOUNT_MISMATCH' | 'INSUFFICIENT_FUNDS' | 'ACCOUNT_INVALID' | 'ACCOUNT_BLOCKED' | 'LIMIT_EXCEEDED' | 'AUTHENTICATION_FAILED' | 'BANK_UNAVAILABLE' | 'BANK_DECLINED' | 'RISK_REJECTED' | 'RAIL_ERROR' | null
  /** When the payin was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** When it ends as `CANCELED` (`EXPIRED`) if nobody has paid. */
  expiresAt: string
  /** When the outcome was known; null until then. */
  resultAt: string | null
  /** When money was taken back; null unless it was. */
  chargebackAt: string | null
  /** How much was taken back, in cents; null unless it was. Less than was confirmed: the rest is settled. */
  chargebackAmountInCents: number | null
  /** The organization that owns the payin. */
  organizationId: string
  callbackUrl: string | null
  /** The customer’s name, or `ERASED` or `UNREADABLE`. */
  inlineCustomer: string | null
  /** What the payer needs, by rail. */
  sourceData: BrebSource | PseSource
}

export type PaymentLink = {
  /** Identifier of the payment link. */
  paymentLinkId: string
  /** Send the payer here. */
  paymentLinkUrl: string
  /** Where the link stands. The last two are final. */
  status: 'PENDING' | 'COMPLETED' | 'EXPIRED'
  amountType: 'FIXED'
  /** Amount in pesos: `amountInCents / 100`. */
  amount: number
  amountInCents: number
  currency: 'COP'
  reference: string
  /** As sent, or null. `ERASED` once the data of the person it is about was erased, and `UNREADABLE` if the key that sealed it is gone. */
  description: string | null
  /** As sent, or null. Null too where it cannot be shown any more. */
  metadata: Record<string, string> | null
  callbackUrl: string
  /** Null when the link is open. */
  rail: 'BRE_B' | 'PSE' | null
  inlineCustomer: ShownCustomer | null
  /** Only with `rail` `PSE`; without it the request is refused. A `breb` object has no meaning in a link and is ignored, whatever it holds. */
  pse: {
    /** A bank code or alias of `GET /pse/banks`, returned as sent. The payer then does not choose. */
    bank: string
  } | null
  /** The payment page that made the link; null if you did. */
  paymentPageId: string | null
  /** When the link was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** One hour after creation. */
  expiresAt: string
  /** When it was paid; null until then. */
  completedAt: string | null
}

export type PaymentLinkList = {
  data: (PaymentLink)[]
  pageInfo: PageInfo
}

export type PaymentPage = {
  /** Identifier of the payment page. */
  paymentPageId: string
  /** Its public address: for chats, posters and counters. */
  paymentPageUrl: string
  /** `SOLD_OUT` once everything that it has was paid; it is `OPEN` again when it has more. `CLOSED` is final. */
  status: 'OPEN' | 'SOLD_OUT' | 'CLOSED'
  /** What is sold. The payer reads it on the page, on their receipt and at their bank. */
  name: string
  /** More about it; markup is only text. Everybody who has the address reads it. */
  description: string | null
  items: ({
    name: string
    quantity: number
    unitAmountInCents: number
  })[] | null
  amountType: 'FIXED' | 'OPEN'
  /** Amount in pesos; null where the payer types it. */
  amount: number | null
  /** The same in cents. */
  amountInCents: number | null
  /** With `OPEN`: the least that a payer may type. */
  minAmountInCents: number | null
  /** With `OPEN`: the most that a payer may type. At most what the rail carries. */
  maxAmountInCents: number | null
  currency: 'COP'
  reference: string
  metadata: Record<string, string> | null
  callbackUrl: string | null
  /** Null when the payer chooses. */
  rail: 'BRE_B' | 'PSE' | null
  /** From then on nobody can begin to pay. */
  validUntil: string | null
  /** At most so many payments. */
  maxPayments: number | null
  /** With `FIXED`: at most so many pieces, each for the amount. The payer says how many, up to 20 at once. */
  maxPieces: number | null
  /** Links of the page that are open now, and hold what they want of it. */
  openPayments: number
  /** Pieces that these hold. */
  openPieces: number
  /** Links of the page that were paid. */
  paidPayments: number
  /** Pieces that these had. */
  paidPieces: number
  /** What these brought, in cents. */
  paidAmountInCents: number
  /** When the page was made. */
  createdAt: string
  /** When it was last changed or paid. */
  updatedAt: string
  /** A picture as a data URI of at most 4 KB (PNG, JPEG, GIF, WebP or SVG in base64). It travels in the page: payers’ browsers ask nobody else for it. */
  image: string | null
}

export type PaymentPageChanges = {
  /** What is sold. The payer reads it on the page, on their receipt and at their bank. */
  name?: string | undefined
  /** Amount in cents of a peso: 5000000 is COP 50,000. At most what the rail carries in one payment. */
  amountInCents?: number | undefined
  /** The merchant’s own name for the page; every link that the page makes has it. */
  reference?: string | undefined
  /** More about it; markup is only text. Everybody who has the address reads it. */
  description?: string | null | undefined
  /** What the amount is made of. They must add up to it. */
  items?: ({
    name: string
    quantity: number
    unitAmountInCents: number
  })[] | null | undefined
  /** A picture as a data URI of at most 4 KB (PNG, JPEG, GIF, WebP or SVG in base64). It travels in the page: payers’ browsers ask nobody else for it. */
  image?: string | null | undefined
  /** Up to 20 texts of your own, each of up to 200 characters, under names of up to 40 letters, digits, `_`, `.` and `-`. The payer does not see them. */
  metadata?: Record<string, string> | null | undefined
  /** With `OPEN`: the least that a payer may type. */
  minAmountInCents?: number | null | undefined
  /** With `OPEN`: the most that a payer may type. At most what the rail carries. */
  maxAmountInCents?: number | null | undefined
  /** Where payers go in the end. Without it they come back to the page. */
  callbackUrl?: string | null | undefined
  /** From then on nobody can begin to pay. Without it the page is good for ever. `status` stays `OPEN`: a later date opens it again. */
  validUntil?: string | null | undefined
  /** At most so many payments. */
  maxPayments?: number | null | undefined
  /** With `FIXED`: at most so many pieces, each for the amount. The payer says how many, up to 20 at once. */
  maxPieces?: number | null | undefined
}

export type PaymentPageEventData = {
  /** Identifier of the payment page. */
  paymentPageId: string
  /** Its public address: for chats, posters and counters. */
  paymentPageUrl: string
  /** `SOLD_OUT` once everything that it has was paid; it is `OPEN` again when it has more. `CLOSED` is final. */
  status: 'OPEN' | 'SOLD_OUT' | 'CLOSED'
  /** What is sold. The payer reads it on the page, on their receipt and at their bank. */
  name: string
  /** More about it; markup is only text. Everybody who has the address reads it. */
  description: string | null
  items: ({
    name: string
    quantity: number
    unitAmountInCents: number
  })[] | null
  amountType: 'FIXED' | 'OPEN'
  /** Amount in pesos; null where the payer types it. */
  amount: number | null
  /** The same in cents. */
  amountInCents: number | null
  /** With `OPEN`: the least that a payer may type. */
  minAmountInCents: number | null
  /** With `OPEN`: the most that a payer may type. At most what the rail carries. */
  maxAmountInCents: number | null
  currency: 'COP'
  reference: string
  metadata: Record<string, string> | null
  callbackUrl: string | null
  /** Null when the payer chooses. */
  rail: 'BRE_B' | 'PSE' | null
  /** From then on nobody can begin to pay. */
  validUntil: string | null
  /** At most so many payments. */
  maxPayments: number | null
  /** With `FIXED`: at most so many pieces, each for the amount. The payer says how many, up to 20 at once. */
  maxPieces: number | null
  /** Links of the page that are open now, and hold what they want of it. */
  openPayments: number
  /** Pieces that these hold. */
  openPieces: number
  /** Links of the page that were paid. */
  paidPayments: number
  /** Pieces that these had. */
  paidPieces: number
  /** What these brought, in cents. */
  paidAmountInCents: number
  /** When the page was made. */
  createdAt: string
  /** When it was last changed or paid. */
  updatedAt: string
  /** In `paymentpage.paid`: what was paid. Null in the other events. */
  payment: {
    /** The link that was paid. Its payins tell more. */
    paymentLinkId: string
    amount: number
    amountInCents: number
    pieces: number
    /** When it was paid. */
    completedAt: string
  } | null
}

export type PaymentPageList = {
  data: (PaymentPage)[]
  pageInfo: PageInfo
}

export type Payout = {
  /** Identifier of the payout. */
  id: string
  /** Amount in pesos: `amountInCents / 100`. */
  amount: number
  amountInCents: number
  currency: 'COP'
  /** Where the payout stands. All but the first are final. */
  status: 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED'
  rail: 'BRE_B'
  reference: string
  /** As sent, or null. `ERASED` once the data of the person it is about was erased, and `UNREADABLE` if the key that sealed it is gone. */
  description: string | null
  /** As sent, or null. Null too where it cannot be shown any more. */
  metadata: Record<string, string> | null
  inlineCustomer: ShownCustomer
  /** Why no money was sent, or null. */
  errorCode: 'KEY_NOT_FOUND' | 'KEY_SUSPENDED' | 'KEY_INVALID' | 'INSUFFICIENT_FUNDS' | 'AMOUNT_ABOVE_MAXIMUM' | 'RECEIVER_LIMIT_EXCEEDED' | 'RECEIVER_ACCOUNT_INVALID' | 'RECEIVER_ID_MISMATCH' | 'RISK_REJECTED' | 'PARTICIPANT_UNAVAILABLE' | 'CANCELED_BY_MERCHANT' | 'RAIL_ERROR' | null
  /** When the payout was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** When the outcome was known; null until then. */
  resultAt: string | null
  /** When the money of a confirmed payout came back; null if it did not. It is available again. */
  returnedAt: string | null
  /** The organization that pays. */
  organizationId: string
  sourceData: PayoutSource
}

export type PayoutEvidence = {
  /** Identifier of the evidence. Its page is at `url`, which has a part that nobody can guess. */
  id: string
  /** The page to print or send. Whoever has the address can open it. */
  url: string
  verifyUrl: string
  evidence: {
    /** Identifier of the payout. */
    payoutId: string
    payer: {
      name: string
      taxId: string | null
    }
    requested: {
      /** When the payout was requested. */
      at: string
      amountInCents: number
      currency: 'COP'
      rail: 'BRE_B'
      reference: string
      /** The destination key as sent. Null if the person was erased. */
      key: string | null
      /** The receiver’s name. Null if the person was erased. */
      receiver: string | null
      /** The key or client that asked. Null in payouts from before this was kept. */
      by: {
        kind: 'apiKey' | 'client'
        name: string
        /** The key’s prefix, or the client’s id. */
        shownAs: string
      } | null
    }
    network: {
      /** What we call the payout towards the network. */
      reference: string
      /** Oldest first, for as long as they are kept; the last 20 at most. */
      answers: ({
        /** `asked`: our order or question. `told`: what the network reported on its own. */
        how: 'asked' | 'told'
        /** When it was asked or told. */
        at: string
        what: string
        /** Null if there was no answer. */
        httpStatus?: number | null | undefined
        networkCode?: string | undefined
        trace?: string | null | undefined
        /** When it happened, by the network’s clock. */
        occurredAt?: string | undefined
      })[]
    }
    outcome: {
      status: 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED'
      /** When the outcome was known. */
      at: string | null
      /** The network’s own name for the transfer. */
      trace: string | null
      errorCode: string | null
      networkCode: string | null
    }
    /** When this evidence was written and signed. */
    issuedAt: string
  }
  /** The signed statement: `recaudo1.{key id}.{receipt id}.{facts}.{signature}`, Ed25519. */
  statement: string
  /** The text of the QR code: the main facts, signed. */
  qrText: string
}

/** Where the money goes. A `keyType` is ignored. So is a `pse` object beside this one, whatever it holds: payouts travel over Bre-B only. */
export type PayoutKey = {
  /** The Bre-B key to pay to: the one that was looked up. */
  keyString: string
}

export type PayoutList = {
  data: (Payout)[]
  pageInfo: PageInfo
}

export type PayoutSource = {
  /** The destination key, as it was sent. */
  keyString: string
  /** The same key in canonical form, as a look-up answers it. */
  canonicalKeyString: string
}

export type Provider = {
  /** The provider. */
  provider: 'wompi' | 'mono' | 'placetopay'
  /** The provider’s name. */
  title: string
  /** What it can be used for. */
  uses: ('BRE_B_IN' | 'BRE_B_OUT' | 'PSE_IN')[]
  /** What `credentials` takes. */
  fields: (ProviderField)[]
}

export type ProviderField = {
  /** Name of the field. */
  name: string
  /** What it is. */
  description: string
  /** Whether it is never shown again. */
  isSecret: boolean
  /** The uses that need it. None: it is optional. */
  neededFor: ('BRE_B_IN' | 'BRE_B_OUT' | 'PSE_IN')[]
  /** A regular expression that a value matches, by environment. */
  patterns: {
    test: string
    live: string
  }
  /** The value that counts where none is given, by environment, or null. */
  defaults: {
    test: string | null
    live: string | null
  }
}

export type ProviderList = {
  data: (Provider)[]
}

export type PseBank = {
  /** What to send as `pse.bank`. */
  code: string
  name: string
  /** Other spellings that are accepted for the same bank. */
  aliases: (string)[]
}

export type PseBankList = {
  data: (PseBank)[]
}

/** Required when `rail` is `PSE`. With `BRE_B` the server drops it unread, whatever it holds: it is neither checked nor stored. */
export type PseDetails = {
  /** A bank code or alias of `GET /pse/banks`, returned as sent. */
  bank: string
  /** Whether the payer is a person or a company. */
  personType: 'INDIVIDUAL' | 'BUSINESS'
}

export type PseSource = {
  bank: string
  /** Send the payer here: a page of ours that leads on to the bank. */
  pseUrl: string
}

export type Receipt = {
  /** Identifier of the receipt. Nobody can guess it. */
  id: string
  /** The page to show, print or share. Whoever has the address can open it. */
  url: string
  /** The receipt as one SVG image. */
  imageUrl: string | null
  /** Where anybody can verify it. */
  verifyUrl: string
  merchant: {
    name: string
    taxId: string | null
  }
  amountInCents: number
  currency: 'COP'
  /** When the money was confirmed. */
  paidAt: string
  /** What was paid for, in your words, or null. */
  description: string | null
  reference: string
  rail: 'BRE_B' | 'PSE'
  /** The network’s own name for the payment. */
  trace: string | null
  /** When it was charged back, or null. */
  chargebackAt: string | null
  chargebackAmountInCents: number | null
  /** The signed statement: `recaudo1.{key id}.{receipt id}.{facts}.{signature}`, Ed25519. */
  statement: string | null
  /** The text of the QR code: an address that holds the statement. */
  qrText: string | null
}

export type Reconciliation = {
  /** Identifier of the reconciliation. */
  id: string
  rail: 'BRE_B' | 'PSE'
  /** The day in Bogotá. */
  day: string
  /** How often the day was compared. Networks correct their record later. */
  run: number
  /** Credits that the network and the books have alike. */
  matchedIn: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Debits, returns and chargebacks that the network and the books have alike. */
  matchedOut: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that only the network has. They are booked as if it had notified us. */
  networkOnly: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that only the books have. */
  oursOnly: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that both have, with other amounts. */
  amountDiffers: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Payouts that the network lists under another end-to-end id than it told us. */
  traceDiffers: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that the network lists more than once, on one day or several. They count once. */
  doubled: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that the network lists under another day than their own. */
  otherDay: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Lines that could not be read. */
  unreadable: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Findings that are not resolved. */
  openFindings: number
  /** When it was compared last. */
  finishedAt: string
}

export type ReconciliationFinding = {
  /** Identifier of the finding. */
  id: string
  /** What does not agree. */
  kind: 'NETWORK_ONLY' | 'OURS_ONLY' | 'AMOUNT_DIFFERS' | 'TRACE_DIFFERS' | 'DOUBLED' | 'OTHER_DAY' | 'UNREADABLE'
  /** Resolved when a later comparison no longer finds it. */
  state: 'OPEN' | 'RESOLVED'
  /** What the money did. Null if the line is unreadable. */
  movement: 'credit' | 'debit' | 'return' | 'chargeback'
  /** The payin, payout or suspense item, where it is known. */
  subjectId: string | null
  /** The network’s id of the movement. */
  networkId: string | null
  /** The reference in the network’s record. */
  networkReference: string | null
  /** The amount in the network’s record. */
  networkAmountInCents: number | null
  /** The amount in the books. */
  bookedAmountInCents: number | null
  /** How often the network lists it. */
  times: number
  /** When it was found. */
  createdAt: string
  /** When it was resolved. */
  resolvedAt: string | null
}

export type ReconciliationList = {
  data: (Reconciliation)[]
  pageInfo: PageInfo
}

export type ReconciliationWithFindings = {
  /** Identifier of the reconciliation. */
  id: string
  rail: 'BRE_B' | 'PSE'
  /** The day in Bogotá. */
  day: string
  /** How often the day was compared. Networks correct their record later. */
  run: number
  /** Credits that the network and the books have alike. */
  matchedIn: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Debits, returns and chargebacks that the network and the books have alike. */
  matchedOut: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that only the network has. They are booked as if it had notified us. */
  networkOnly: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that only the books have. */
  oursOnly: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that both have, with other amounts. */
  amountDiffers: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Payouts that the network lists under another end-to-end id than it told us. */
  traceDiffers: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that the network lists more than once, on one day or several. They count once. */
  doubled: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Movements that the network lists under another day than their own. */
  otherDay: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Lines that could not be read. */
  unreadable: {
    /** How many. */
    count: number
    /** What they add up to. */
    amountInCents: number
  }
  /** Findings that are not resolved. */
  openFindings: number
  /** When it was compared last. */
  finishedAt: string
  findings: (ReconciliationFinding)[]
  pageInfo: PageInfo
}

export type RecoverWebhookEndpoint = {
  /** Events created at this time or later are looked at. */
  since: string
}

export type RedeliverEvent = {
  /** Only to this endpoint; else to all that take the event. */
  endpointId?: string | undefined
}

export type RemovedTeamMember = {
  /** Identifier of the person. */
  userId: string
  removed: true
  /** What they made in the console that goes on working: keys and clients whose secret they have seen, and webhook endpoints. Revoke, roll or delete what only they used. Credentials are named to who has `credentials:read`, endpoints to who has `webhooks:read`. */
  remaining: ({
    /** What it is. */
    kind: 'API_KEY' | 'OAUTH_CLIENT' | 'WEBHOOK_ENDPOINT'
    /** Identifier of the key, the client or the endpoint. */
    id: string
    /** Its name; of an endpoint its address. */
    name: string
  })[]
}

export type ResolveAlarm = {
  /** What it was and what was done, for whoever looks later. It is kept sealed. */
  word: string
}

export type RevokedTeamInvitation = {
  /** Identifier of the invitation. */
  invitationId: string
  revoked: true
}

export type RollCredential = {
  /** How long the secret before it still works. 0: it ends at once. */
  overlapHours?: number | undefined
}

export type RolledApiKey = {
  /** Identifier of the key. */
  id: string
  /** How the key begins. */
  prefix: string
  /** Only an `ACTIVE` key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED'
  /** A name for yourself, such as what it is used by. */
  name: string
  /** What it may do. Null: everything, also what comes later. You cannot grant a scope that you do not hold. */
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'sandbox:write')[] | null
  /** The most requests a second. Null: only the limit of the organization. */
  maxPerSecond: number | null
  /** The only addresses and ranges that it may be used from. Null: any. */
  allowedAddresses: (string)[] | null
  /** The most payouts in a day in Bogotá. Null: only the limit of the organization. */
  payoutsPerDay: number | null
  /** The most that may be paid out in a day in Bogotá, in cents. Null: only the limit of the organization. */
  payoutSumPerDayInCents: number | null
  /** When the key was created. */
  createdAt: string
  /** When it was revoked, or null. */
  revokedAt: string | null
  /** When it was last used, to about a minute, or null. */
  lastUsedAt: string | null
  /** When it ends by itself, or null. */
  expiresAt: string | null
  /** Shown only now, never again: store it. */
  secret: string
  /** The key that it replaces. */
  previousKeyId: string
  /** Until then the key that it replaces works too. */
  previousKeyUntil: string
}

export type RotatedWebhookSecret = {
  /** Identifier of the endpoint. */
  id: string
  /** Signs every event (Standard Webhooks). Shown only now, never again: store it. */
  secret: string
  /** Verifies the Ed25519 signatures (Standard Webhooks, `v1a`); null if there are none. */
  publicKey: string | null
  /** Until then events are also signed with the previous secret and the previous Ed25519 key. */
  previousSecretUntil: string
}

export type ScheduledDeliveries = {
  /** How many deliveries are on their way now. */
  scheduled: number
}

export type SearchResult = {
  /** Grouped by kind. Within a kind, what was found by something that names it comes before what many share, and the newest first. */
  found: (FoundObject)[]
  /** Kinds of which more was found than `limit`. */
  more: ('payin' | 'payout' | 'paymentlink' | 'paymentpage' | 'event' | 'webhookendpoint' | 'transfer')[]
  /** Whether a name that very many have was looked for among the newest of these only. */
  isPartial: boolean
}

/** The customer, as sent. Every field is `ERASED` once the person’s data was erased, and `UNREADABLE` if the key that sealed it is gone. */
export type ShownCustomer = {
  /** Full name of the customer. */
  name: string
  /** Document type. */
  idType: 'CO_CC' | 'CO_CE' | 'CO_NIT' | 'MXN_RFC' | 'PASSPORT' | 'ERASED' | 'UNREADABLE'
  /** Document number. */
  idNumber: string
  /** International form. */
  phone: string
  email: string
}

export type SimulatePayin = {
  /** `confirmed` on a payin that has ended makes money arrive too late; `chargeback` takes confirmed money back. */
  outcome: 'confirmed' | 'declined' | 'canceled' | 'chargeback'
  /** Why, with `declined` or `canceled`. A code that does not fit the outcome is refused. */
  errorCode?: 'EXPIRED' | 'CANCELED_BY_PAYER' | 'CANCELED_BY_MERCHANT' | 'AMOUNT_MISMATCH' | 'INSUFFICIENT_FUNDS' | 'ACCOUNT_INVALID' | 'ACCOUNT_BLOCKED' | 'LIMIT_EXCEEDED' | 'AUTHENTICATION_FAILED' | 'BANK_UNAVAILABLE' | 'BANK_DECLINED' | 'RISK_REJECTED' | 'RAIL_ERROR' | undefined
  /** With `confirmed`: the amount that arrives, if it is different. */
  amountInCents?: number | undefined
}

export type SimulatePayout = {
  /** `canceled`: the network cancels the transfer, and the money is available again. */
  outcome: 'confirmed' | 'declined' | 'canceled'
  /** Why, with `declined` or `canceled`. A code that does not fit the outcome is refused. */
  errorCode?: 'KEY_NOT_FOUND' | 'KEY_SUSPENDED' | 'KEY_INVALID' | 'INSUFFICIENT_FUNDS' | 'AMOUNT_ABOVE_MAXIMUM' | 'RECEIVER_LIMIT_EXCEEDED' | 'RECEIVER_ACCOUNT_INVALID' | 'RECEIVER_ID_MISMATCH' | 'RISK_REJECTED' | 'PARTICIPANT_UNAVAILABLE' | 'CANCELED_BY_MERCHANT' | 'RAIL_ERROR' | undefined
}

export type SimulationDone = {
  done: boolean
}

export type SuspenseCandidate = {
  /** The payin. */
  payinId: string
  reference: string
  status: 'PENDING' | 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED'
  rail: 'BRE_B' | 'PSE'
  amountInCents: number
  /** When the payin was created. */
  createdAt: string
  /** Why it may be the one. `NAMED`: the network named it. `SAME_KEY` and `SAME_PAYER`: as the payin that the network named. `NEAR_IN_TIME`: created within an hour. */
  fits: ('NAMED' | 'SAME_AMOUNT' | 'SAME_KEY' | 'SAME_PAYER' | 'NEAR_IN_TIME')[]
}

export type SuspenseItem = {
  /** Identifier of the money in suspense, and subject of its transfers in the ledger. */
  id: string
  /** `OPEN`: nobody has decided yet. `RETURNING`: on its way back, and the network has not said whether it arrived; ask again with the same operation, it never leaves twice. `COUNTED`: the payment has its place elsewhere. */
  state: 'OPEN' | 'RETURNING' | 'RETURNED' | 'ATTACHED' | 'CHARGED_BACK' | 'COUNTED'
  /** Why it fits no open payin. */
  reason: 'LATE' | 'AMOUNT_MISMATCH' | 'SECOND_PAYMENT' | 'UNKNOWN_PAYIN' | 'UNATTRIBUTED'
  rail: 'BRE_B' | 'PSE'
  /** The network’s own name for the payment. */
  paymentId: string
  /** What arrived, in pesos. */
  amount: number
  /** What arrived. */
  amountInCents: number
  /** What was not charged back since. */
  leftInCents: number
  currency: 'COP'
  /** The payin that the network named, or null. */
  payinId: string | null
  /** The payin that it was attached to, or null. */
  attachedTo: string | null
  /** What your staff wrote about it, or null. */
  note: string | null
  /** What to do next where the state alone does not say it. */
  message: string | null
  /** How long ago it arrived. */
  ageSeconds: number
  /** When it arrived. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
}

export type SuspenseItemChanges = {
  /** A note for your staff, kept sealed. It replaces the one before; null takes it away. */
  note: string | null
}

export type SuspenseItemList = {
  data: (SuspenseItem)[]
  pageInfo: PageInfo
}

export type SuspenseItemWithCandidates = {
  /** Identifier of the money in suspense, and subject of its transfers in the ledger. */
  id: string
  /** `OPEN`: nobody has decided yet. `RETURNING`: on its way back, and the network has not said whether it arrived; ask again with the same operation, it never leaves twice. `COUNTED`: the payment has its place elsewhere. */
  state: 'OPEN' | 'RETURNING' | 'RETURNED' | 'ATTACHED' | 'CHARGED_BACK' | 'COUNTED'
  /** Why it fits no open payin. */
  reason: 'LATE' | 'AMOUNT_MISMATCH' | 'SECOND_PAYMENT' | 'UNKNOWN_PAYIN' | 'UNATTRIBUTED'
  rail: 'BRE_B' | 'PSE'
  /** The network’s own name for the payment. */
  paymentId: string
  /** What arrived, in pesos. */
  amount: number
  /** What arrived. */
  amountInCents: number
  /** What was not charged back since. */
  leftInCents: number
  currency: 'COP'
  /** The payin that the network named, or null. */
  payinId: string | null
  /** The payin that it was attached to, or null. */
  attachedTo: string | null
  /** What your staff wrote about it, or null. */
  note: string | null
  /** What to do next where the state alone does not say it. */
  message: string | null
  /** How long ago it arrived. */
  ageSeconds: number
  /** When it arrived. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Payins that it may be meant for, the likeliest first, at most twenty. */
  candidates: (SuspenseCandidate)[]
}

export type TeamInvitation = {
  /** Identifier of the invitation. */
  invitationId: string
  /** Whom it is for. */
  email: string
  /** How they are called, if you said so. */
  name: string | null
  /** What the person may do. Each role is made of scopes: see the guide “Team and sign-in”. */
  role: 'owner' | 'administrator' | 'preparer' | 'approver' | 'support' | 'accountant' | 'developer'
  /** Who invited: a person, or the name of a key. */
  invitedBy: string
  /** When it was made. */
  createdAt: string
  /** Until when it can be accepted: 72 hours after it was made. */
  expiresAt: string
}

export type TeamInvitationList = {
  data: (TeamInvitation)[]
}

export type TeamInvitationWithLink = {
  /** Identifier of the invitation. */
  invitationId: string
  /** Whom it is for. */
  email: string
  /** How they are called, if you said so. */
  name: string | null
  /** What the person may do. Each role is made of scopes: see the guide “Team and sign-in”. */
  role: 'owner' | 'administrator' | 'preparer' | 'approver' | 'support' | 'accountant' | 'developer'
  /** Who invited: a person, or the name of a key. */
  invitedBy: string
  /** When it was made. */
  createdAt: string
  /** Until when it can be accepted: 72 hours after it was made. */
  expiresAt: string
  /** The link to accept it by, this once. Whoever has it can accept: hand it on with care. */
  url: string
  /** Whether we send it by e-mail, too. */
  emailed: boolean
}

export type TeamMember = {
  /** Identifier of the person. */
  userId: string
  /** The address they sign in with, in lower case. */
  email: string
  /** How they are called. */
  name: string
  /** What the person may do. Each role is made of scopes: see the guide “Team and sign-in”. */
  role: 'owner' | 'administrator' | 'preparer' | 'approver' | 'support' | 'accountant' | 'developer'
  /** How many passkeys they have. */
  passkeys: number
  /** Whether they have a password. */
  password: boolean
  /** Whether a code of an app must follow their password. */
  authenticatorApp: boolean
  /** When they were last seen, or null. */
  lastSeenAt: string | null
  /** When they joined. */
  createdAt: string
  /** When their role last changed. */
  updatedAt: string
}

export type TeamMemberChanges = {
  /** What the person may do. Each role is made of scopes: see the guide “Team and sign-in”. */
  role: 'owner' | 'administrator' | 'preparer' | 'approver' | 'support' | 'accountant' | 'developer'
}

export type TeamMemberList = {
  data: (TeamMember)[]
}

export type TeamSession = {
  /** Identifier of the session. */
  sessionId: string
  /** How they signed in: `link` is a one-time link or an invitation. */
  method: 'passkey' | 'password' | 'oidc' | 'link'
  /** From which network address, if it is known. */
  address: string | null
  /** With which browser, as it says itself. */
  browser: string | null
  /** When they signed in. */
  createdAt: string
  /** When it was last used, to the minute. */
  lastSeenAt: string
  /** When it ends at the latest. */
  expiresAt: string
}

export type TeamSessionList = {
  data: (TeamSession)[]
}

export type Transfer = {
  /** Identifier of the transfer. */
  id: string
  /** Why the money moved. */
  booking: 'opening balance' | 'payin confirmed' | 'payin confirmed from suspense' | 'payin settled' | 'payin charged back before settlement' | 'payin charged back after settlement' | 'money in suspense' | 'suspense returned' | 'suspense attached' | 'suspense released' | 'suspense charged back' | 'suspense charged back after attaching' | 'connection deposit' | 'connection withdrawal' | 'collected money withdrawn' | 'payout reserved' | 'payout released' | 'payout reserved from deposits' | 'payout released to deposits' | 'payout confirmed' | 'payout returned' | 'payout returned to deposits' | 'payout paid after rejection'
  /** The payin, payout, suspense item, deposit or withdrawal it is about. */
  subjectId: string
  debitAccount: 'AVAILABLE' | 'DEPOSITED' | 'PENDING_SETTLEMENT' | 'RESERVED' | 'SUSPENSE' | 'CLEARING_BRE_B' | 'CLEARING_PSE' | 'FEES'
  creditAccount: 'AVAILABLE' | 'DEPOSITED' | 'PENDING_SETTLEMENT' | 'RESERVED' | 'SUSPENSE' | 'CLEARING_BRE_B' | 'CLEARING_PSE' | 'FEES'
  /** In pesos. */
  amount: number
  amountInCents: number
  currency: 'COP'
  /** When it was booked. */
  createdAt: string
}

export type TransferList = {
  data: (Transfer)[]
  pageInfo: PageInfo
}

export type UnmappedBank = {
  /** The bank’s code at the provider. */
  providerCode: string
  /** The provider’s name of it. */
  name: string
}

export type WebhookEndpoint = {
  /** Identifier of the endpoint. */
  id: string
  /** Where events are sent: an https address without credentials and fragment, on the public internet. Staging takes http and private addresses too. */
  url: string
  /** The events it is sent. Null means these: `payin.confirmed`, `payin.canceled`, `payin.declined`, `payout.confirmed`, `payout.canceled`, `payout.declined`, `paymentlink.completed`, `paymentlink.expired`. */
  events: ('payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed')[] | null
  /** A note for yourself, or null. */
  description: string | null
  /** Nothing is sent to an endpoint that is `DISABLED`; events for it wait or are missed. */
  status: 'ENABLED' | 'DISABLED'
  /** `GONE`: it answered 410. `FAILING`: nothing but failures for five days. `UNVERIFIED`: its receiver has not proven yet that it holds the secret. */
  disabledReason: 'BY_MERCHANT' | 'GONE' | 'FAILING' | 'UNVERIFIED' | null
  /** When its receiver last proved that it holds the secret, or null. Production requires it. */
  verifiedAt: string | null
  /** The most events a second that are sent to it. Null: as fast as it acknowledges them. */
  maxPerSecond: number | null
  /** Whether each event carries an Ed25519 signature (`v1a`) beside the usual one. `publicKey` verifies it. */
  ed25519: boolean
  /** Verifies the Ed25519 signatures (Standard Webhooks, `v1a`); null if there are none. */
  publicKey: string | null
  /** Since when every attempt has failed; null while it works. */
  failingSince: string | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

export type WebhookEndpointChanges = {
  /** Where events are sent: an https address without credentials and fragment, on the public internet. Staging takes http and private addresses too. */
  url?: string | undefined
  /** The events it is sent. Null means these: `payin.confirmed`, `payin.canceled`, `payin.declined`, `payout.confirmed`, `payout.canceled`, `payout.declined`, `paymentlink.completed`, `paymentlink.expired`. */
  events?: ('payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed')[] | null | undefined
  /** A note for yourself, or null. */
  description?: string | null | undefined
  /** Nothing is sent to an endpoint that is `DISABLED`; events for it wait or are missed. */
  status?: 'ENABLED' | 'DISABLED' | undefined
  /** The most events a second that are sent to it. Null: as fast as it acknowledges them. */
  maxPerSecond?: number | null | undefined
  /** Whether each event carries an Ed25519 signature (`v1a`) beside the usual one. `publicKey` verifies it. */
  ed25519?: boolean | undefined
}

export type WebhookEndpointList = {
  data: (WebhookEndpoint)[]
}

export type WebhookEndpointWithSecret = {
  /** Identifier of the endpoint. */
  id: string
  /** Where events are sent: an https address without credentials and fragment, on the public internet. Staging takes http and private addresses too. */
  url: string
  /** The events it is sent. Null means these: `payin.confirmed`, `payin.canceled`, `payin.declined`, `payout.confirmed`, `payout.canceled`, `payout.declined`, `paymentlink.completed`, `paymentlink.expired`. */
  events: ('payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed')[] | null
  /** A note for yourself, or null. */
  description: string | null
  /** Nothing is sent to an endpoint that is `DISABLED`; events for it wait or are missed. */
  status: 'ENABLED' | 'DISABLED'
  /** `GONE`: it answered 410. `FAILING`: nothing but failures for five days. `UNVERIFIED`: its receiver has not proven yet that it holds the secret. */
  disabledReason: 'BY_MERCHANT' | 'GONE' | 'FAILING' | 'UNVERIFIED' | null
  /** When its receiver last proved that it holds the secret, or null. Production requires it. */
  verifiedAt: string | null
  /** The most events a second that are sent to it. Null: as fast as it acknowledges them. */
  maxPerSecond: number | null
  /** Whether each event carries an Ed25519 signature (`v1a`) beside the usual one. `publicKey` verifies it. */
  ed25519: boolean
  /** Verifies the Ed25519 signatures (Standard Webhooks, `v1a`); null if there are none. */
  publicKey: string | null
  /** Since when every attempt has failed; null while it works. */
  failingSince: string | null
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** Signs every event (Standard Webhooks). Shown only now, never again: store it. */
  secret: string
}

export type WebhookPortalLink = {
  /** Identifier of the link. What is done through it is written down under it. */
  id: string
  /** The portal. Whoever has this address may open it: hand it to nobody else. */
  url: string
  /** The webhook endpoints that the portal shows. It shows no others. */
  endpointIds: (string)[]
  /** Whether whoever has the link may only look. If false, they may also send a test event, send an event again and recover what was missed. */
  readOnly: boolean
  /** The origins of the pages that may show the portal in a frame: https, without a path and without wildcards. Staging takes http too. Empty: it cannot be framed. */
  frameAncestors: (string)[]
  /** The language of the portal. Null: the one that the browser asks for. */
  language: 'es' | 'en' | null
  /** Until when it works, by the real clock. */
  expiresAt: string
}

/** The body of every refusal: the members of RFC 9457, and ours. */
export type Problem = {
  /** Address of this code’s paragraph in the documentation. */
  type: string
  title: string
  status: number
  /** What is wrong with this request, for a developer to read. */
  detail: string
  /** Stable; branch on this. */
  code: 'INVALID_INPUT' | 'INVALID_JSON' | 'AMOUNT_ABOVE_MAXIMUM' | 'RAIL_NOT_ENABLED' | 'AMOUNT_NOT_CONNECTED' | 'RAIL_NOT_CONNECTED' | 'CONNECTION_IN_USE' | 'BALANCE_TOO_LOW' | 'TOO_MANY_CONNECTIONS' | 'UNKNOWN_BANK' | 'KEY_INVALID' | 'CURSOR_INVALID' | 'UNAUTHORIZED' | 'INSUFFICIENT_SCOPE' | 'SCOPE_NOT_HELD' | 'CREDENTIAL_LIMITED' | 'ADDRESS_NOT_ALLOWED' | 'NOT_FOUND' | 'KEY_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'REQUEST_TIMEOUT' | 'DUPLICATE_REFERENCE' | 'PAYIN_ALREADY_FINAL' | 'SUSPENSE_DECIDED' | 'RETURN_REFUSED' | 'ALARM_TAKEN' | 'ALARM_RESOLVED' | 'LINK_ALREADY_FINAL' | 'PAGE_CLOSED' | 'PAYOUT_NOT_CANCELABLE' | 'TOO_MANY_ENDPOINTS' | 'ENDPOINT_DISABLED' | 'ENDPOINT_NOT_VERIFIED' | 'CREDENTIAL_ENDED' | 'TOO_MANY_CREDENTIALS' | 'IDEMPOTENCY_KEY_IN_USE' | 'SIMULATION_REFUSED' | 'ROLE_NOT_GRANTABLE' | 'LAST_OWNER' | 'ALREADY_A_MEMBER' | 'TEAM_TOO_LARGE' | 'TOO_MANY_INVITATIONS' | 'BODY_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_KEY_REUSED' | 'KEY_SUSPENDED' | 'KEY_NOT_LOOKED_UP' | 'PAYOUT_LIMIT_REACHED' | 'QUIET_HOURS' | 'RATE_LIMITED' | 'TOO_MANY_STREAMS' | 'HEADERS_TOO_LARGE' | 'INTERNAL_ERROR' | 'OVERLOADED' | 'DIRECTORY_UNAVAILABLE' | 'DIRECTORY_TIMEOUT' | 'PROVIDER_UNAVAILABLE' | 'STORE_UNAVAILABLE'
  requestId: string
  errors?: ({
    /** JSON pointer to the field. */
    path: string
    code: 'REQUIRED' | 'WRONG_TYPE' | 'OUT_OF_RANGE' | 'WRONG_LENGTH' | 'WRONG_FORMAT' | 'NOT_ALLOWED' | 'INVALID_INPUT' | 'INVALID_JSON' | 'AMOUNT_ABOVE_MAXIMUM' | 'RAIL_NOT_ENABLED' | 'AMOUNT_NOT_CONNECTED' | 'RAIL_NOT_CONNECTED' | 'CONNECTION_IN_USE' | 'BALANCE_TOO_LOW' | 'TOO_MANY_CONNECTIONS' | 'UNKNOWN_BANK' | 'KEY_INVALID' | 'CURSOR_INVALID' | 'UNAUTHORIZED' | 'INSUFFICIENT_SCOPE' | 'SCOPE_NOT_HELD' | 'CREDENTIAL_LIMITED' | 'ADDRESS_NOT_ALLOWED' | 'NOT_FOUND' | 'KEY_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'REQUEST_TIMEOUT' | 'DUPLICATE_REFERENCE' | 'PAYIN_ALREADY_FINAL' | 'SUSPENSE_DECIDED' | 'RETURN_REFUSED' | 'ALARM_TAKEN' | 'ALARM_RESOLVED' | 'LINK_ALREADY_FINAL' | 'PAGE_CLOSED' | 'PAYOUT_NOT_CANCELABLE' | 'TOO_MANY_ENDPOINTS' | 'ENDPOINT_DISABLED' | 'ENDPOINT_NOT_VERIFIED' | 'CREDENTIAL_ENDED' | 'TOO_MANY_CREDENTIALS' | 'IDEMPOTENCY_KEY_IN_USE' | 'SIMULATION_REFUSED' | 'ROLE_NOT_GRANTABLE' | 'LAST_OWNER' | 'ALREADY_A_MEMBER' | 'TEAM_TOO_LARGE' | 'TOO_MANY_INVITATIONS' | 'BODY_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_KEY_REUSED' | 'KEY_SUSPENDED' | 'KEY_NOT_LOOKED_UP' | 'PAYOUT_LIMIT_REACHED' | 'QUIET_HOURS' | 'RATE_LIMITED' | 'TOO_MANY_STREAMS' | 'HEADERS_TOO_LARGE' | 'INTERNAL_ERROR' | 'OVERLOADED' | 'DIRECTORY_UNAVAILABLE' | 'DIRECTORY_TIMEOUT' | 'PROVIDER_UNAVAILABLE' | 'STORE_UNAVAILABLE'
    message: string
    /** With `DUPLICATE_REFERENCE`: the payin that has the reference. */
    payinId?: string | undefined
  })[] | undefined
}

export type ListPayinsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only payins with this status. */
  status?: 'PENDING' | 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED' | undefined
  /** Only payins over this rail. */
  rail?: 'BRE_B' | 'PSE' | undefined
  /** Only the payin with this reference. */
  reference?: string | undefined
  /** Only payins made on this payment link’s page. */
  paymentLinkId?: string | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListPaymentLinksQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only links with this status. */
  status?: 'PENDING' | 'COMPLETED' | 'EXPIRED' | undefined
  /** Only links with this reference. */
  reference?: string | undefined
  /** Only links that this payment page made. Not together with `reference`: they have the page’s. */
  paymentPageId?: string | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListPaymentPagesQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only pages that stand so now. */
  status?: 'OPEN' | 'SOLD_OUT' | 'CLOSED' | undefined
  /** Only pages with this reference. */
  reference?: string | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type GetPaymentPagePosterQuery = {
  /** Of the words on it. Default `es`. */
  language?: 'es' | 'en' | undefined
}

export type ListPayoutsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only payouts with this status. */
  status?: 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED' | undefined
  /** Only payouts with this reference. */
  reference?: string | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListTransfersQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only transfers about this payin, payout, suspense item, deposit or withdrawal. */
  subjectId?: string | undefined
  /** Only transfers into or out of this account. */
  account?: 'AVAILABLE' | 'DEPOSITED' | 'PENDING_SETTLEMENT' | 'RESERVED' | 'SUSPENSE' | 'CLEARING_BRE_B' | 'CLEARING_PSE' | 'FEES' | undefined
}

export type ListReconciliationsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only this rail. */
  rail?: 'BRE_B' | 'PSE' | undefined
  /** Only this day. */
  day?: string | undefined
}

export type GetReconciliationQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
}

export type ListSuspenseQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only this state. */
  state?: 'OPEN' | 'RETURNING' | 'RETURNED' | 'ATTACHED' | 'CHARGED_BACK' | 'COUNTED' | undefined
  /** Only this reason. */
  reason?: 'LATE' | 'AMOUNT_MISMATCH' | 'SECOND_PAYMENT' | 'UNKNOWN_PAYIN' | 'UNATTRIBUTED' | undefined
  /** Only this rail. */
  rail?: 'BRE_B' | 'PSE' | undefined
  /** Only money for which the network named this payin. */
  payinId?: string | undefined
  /** Only money of exactly this amount. */
  amountInCents?: number | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListAlarmsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only open ones, or only resolved ones. */
  status?: 'OPEN' | 'RESOLVED' | undefined
  /** Only this kind. */
  kind?: 'payin-contradiction' | 'payout-contradiction' | 'payin-unresolved' | 'payout-unresolved' | 'orphan-notice' | 'reconciliation' | 'statement-late' | 'address-refused' | 'failed-sign-ins' | 'many-refusals' | 'many-missed-lookups' | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type SearchQuery = {
  /** What to look for: an id, a reference or how it begins, the network’s name for a payment (PSE: CUS), a Bre-B key, an amount in pesos (`1250000`, `1.250.000`, `$ 1.250.000,50`), or a payer’s or receiver’s document, e-mail address, phone number or name (whole words, in any order). What it is, is found out; what may be several things is looked for as each. */
  q?: string | undefined
  /** Only objects of this kind. */
  resource?: 'payin' | 'payout' | 'paymentlink' | 'paymentpage' | 'event' | 'webhookendpoint' | 'transfer' | undefined
  /** How many of each kind at most. */
  limit?: number | undefined
}

export type ListEventsQuery = {
  /** Only events with a higher `sequence`. */
  after?: number | undefined
  /** Only events with this name. */
  type?: 'payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'webhook.test' | undefined
  /** Only events about this payin, payout, payment link or webhook endpoint. */
  objectId?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
}

export type StreamEventsQuery = {
  /** Only events with a higher `sequence`. */
  after?: number | undefined
  /** Only events with this name. */
  type?: 'payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'webhook.test' | undefined
  /** With `true`, an event that somebody redelivers while you listen comes once more, without an `id`, so your position in the log stays. */
  redeliveries?: boolean | undefined
}

export type ListConnectionDepositsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListConnectionWithdrawalsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListAuditQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only what this person, API key or client did. */
  actorId?: string | undefined
  /** Only this act. */
  act?: 'payin.create' | 'payin.cancel' | 'payin.simulate' | 'payout.create' | 'payout.cancel' | 'payout.simulate' | 'paymentlink.create' | 'paymentlink.expire' | 'paymentpage.create' | 'paymentpage.change' | 'paymentpage.close' | 'brebkey.lookup' | 'event.redeliver' | 'webhook.create' | 'webhook.change' | 'webhook.delete' | 'webhook.verify' | 'webhook.rotate' | 'webhook.test' | 'webhook.recover' | 'portallink.create' | 'connection.create' | 'connection.change' | 'connection.delete' | 'connection.test' | 'movement.deposit' | 'movement.withdraw' | 'organization.create' | 'organization.change' | 'organization.limits' | 'apikey.create' | 'apikey.change' | 'apikey.roll' | 'apikey.revoke' | 'apikey.limits' | 'client.create' | 'client.change' | 'client.roll' | 'client.revoke' | 'client.limits' | 'member.role' | 'member.remove' | 'member.signout' | 'invitation.create' | 'invitation.revoke' | 'invitation.accept' | 'user.signin' | 'user.signout' | 'user.name' | 'user.password' | 'user.app' | 'user.codes' | 'user.passkey' | 'user.company' | 'user.signinlink' | 'user.reset' | 'suspense.return' | 'suspense.attach' | 'suspense.release' | 'suspense.note' | 'alarm.take' | 'alarm.resolve' | 'customer.erase' | 'customer.show' | 'reconciliation.run' | 'clock.advance' | 'signingkey.rotate' | 'secretskey.rotate' | undefined
  /** Only what was done to the thing with this id. */
  objectId?: string | undefined
  /** Only what was done, or only what was refused. */
  outcome?: 'done' | 'refused' | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListRequestsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only requests with this answer. */
  status?: number | undefined
  /** Only requests with this method. */
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | undefined
  /** Only requests that named or created the thing with this id. */
  objectId?: string | undefined
  /** Only requests with this API key or client. */
  credentialId?: string | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type Operations = {
  /** Create a payin */
  'POST /payins': {
    body: CreatePayin
    answer: Payin
  }
  /** List payins */
  'GET /payins': {
    query?: ListPayinsQuery | undefined
    answer: PayinList
  }
  /** Get a payin */
  'GET /payins/{payinId}': {
    params: {
      /** Identifier of the payin. */
      payinId: string
    }
    answer: Payin
  }
  /** Cancel a payin */
  'POST /payins/{payinId}/cancel': {
    params: {
      /** Identifier of the payin. */
      payinId: string
    }
    answer: Payin
  }
  /** Get the receipt of a payin */
  'GET /payins/{payinId}/receipt': {
    params: {
      /** Identifier of the payin. */
      payinId: string
    }
    answer: Receipt
  }
  /** Get a payin’s QR code */
  'GET /payins/{payinId}/qr.{format}': {
    params: {
      /** Identifier of the payin. */
      payinId: string
      /** Of the image: `svg` or `png`. */
      format: 'svg' | 'png'
    }
    answer: Blob
  }
  /** List PSE banks */
  'GET /pse/banks': {
    answer: PseBankList
  }
  /** Look up a Bre-B key */
  'GET /breb/keys/{keyString}': {
    params: {
      /** The key, URL-encoded. */
      keyString: string
    }
    answer: BrebKey
  }
  /** Create a payment link */
  'POST /payment-links': {
    body: CreatePaymentLink
    answer: PaymentLink
  }
  /** List payment links */
  'GET /payment-links': {
    query?: ListPaymentLinksQuery | undefined
    answer: PaymentLinkList
  }
  /** Get a payment link */
  'GET /payment-links/{paymentLinkId}': {
    params: {
      /** Identifier of the payment link. */
      paymentLinkId: string
    }
    answer: PaymentLink
  }
  /** End a payment link early */
  'POST /payment-links/{paymentLinkId}/expire': {
    params: {
      /** Identifier of the payment link. */
      paymentLinkId: string
    }
    answer: PaymentLink
  }
  /** Get a payment link’s QR code */
  'GET /payment-links/{paymentLinkId}/qr.{format}': {
    params: {
      /** Identifier of the payment link. */
      paymentLinkId: string
      /** Of the image: `svg` or `png`. */
      format: 'svg' | 'png'
    }
    answer: Blob
  }
  /** Create a payment page */
  'POST /payment-pages': {
    body: CreatePaymentPage
    answer: PaymentPage
  }
  /** List payment pages */
  'GET /payment-pages': {
    query?: ListPaymentPagesQuery | undefined
    answer: PaymentPageList
  }
  /** Get a payment page */
  'GET /payment-pages/{paymentPageId}': {
    params: {
      /** Identifier of the payment page. */
      paymentPageId: string
    }
    answer: PaymentPage
  }
  /** Change a payment page */
  'PATCH /payment-pages/{paymentPageId}': {
    params: {
      /** Identifier of the payment page. */
      paymentPageId: string
    }
    body: PaymentPageChanges
    answer: PaymentPage
  }
  /** Close a payment page */
  'POST /payment-pages/{paymentPageId}/close': {
    params: {
      /** Identifier of the payment page. */
      paymentPageId: string
    }
    answer: PaymentPage
  }
  /** Get a payment page’s QR code */
  'GET /payment-pages/{paymentPageId}/qr.{format}': {
    params: {
      /** Identifier of the payment page. */
      paymentPageId: string
      /** Of the image: `svg` or `png`. */
      format: 'svg' | 'png'
    }
    answer: Blob
  }
  /** Get a poster of a payment page */
  'GET /payment-pages/{paymentPageId}/poster/{size}': {
    params: {
      /** Identifier of the payment page. */
      paymentPageId: string
      /** Of the sheet: `a4` or `a6`. */
      size: 'a4' | 'a6'
    }
    query?: GetPaymentPagePosterQuery | undefined
    answer: Blob
  }
  /** Create a payout */
  'POST /payouts': {
    body: CreatePayout
    answer: Payout
  }
  /** List payouts */
  'GET /payouts': {
    query?: ListPayoutsQuery | undefined
    answer: PayoutList
  }
  /** Get a payout */
  'GET /payouts/{payoutId}': {
    params: {
      /** Identifier of the payout. */
      payoutId: string
    }
    answer: Payout
  }
  /** Cancel a payout */
  'POST /payouts/{payoutId}/cancel': {
    params: {
      /** Identifier of the payout. */
      payoutId: string
    }
    answer: Payout
  }
  /** Get the evidence of a payout */
  'GET /payouts/{payoutId}/evidence': {
    params: {
      /** Identifier of the payout. */
      payoutId: string
    }
    answer: PayoutEvidence
  }
  /** Get the balance */
  'GET /balance': {
    answer: Balance
  }
  /** List transfers */
  'GET /ledger/transfers': {
    query?: ListTransfersQuery | undefined
    answer: TransferList
  }
  /** List reconciliations */
  'GET /reconciliations': {
    query?: ListReconciliationsQuery | undefined
    answer: ReconciliationList
  }
  /** Get a reconciliation */
  'GET /reconciliations/{reconciliationId}': {
    params: {
      /** Identifier of the reconciliation. */
      reconciliationId: string
    }
    query?: GetReconciliationQuery | undefined
    answer: ReconciliationWithFindings
  }
  /** List money in suspense */
  'GET /suspense': {
    query?: ListSuspenseQuery | undefined
    answer: SuspenseItemList
  }
  /** Get money in suspense */
  'GET /suspense/{suspenseId}': {
    params: {
      /** Identifier of the money in suspense. */
      suspenseId: string
    }
    answer: SuspenseItemWithCandidates
  }
  /** Note on money in suspense */
  'PATCH /suspense/{suspenseId}': {
    params: {
      /** Identifier of the money in suspense. */
      suspenseId: string
    }
    body: SuspenseItemChanges
    answer: SuspenseItem
  }
  /** Return money in suspense */
  'POST /suspense/{suspenseId}/return': {
    params: {
      /** Identifier of the money in suspense. */
      suspenseId: string
    }
    answer: SuspenseItem
  }
  /** Attach money in suspense */
  'POST /suspense/{suspenseId}/attach': {
    params: {
      /** Identifier of the money in suspense. */
      suspenseId: string
    }
    body: AttachSuspenseItem
    answer: SuspenseItem
  }
  /** List alarms */
  'GET /alarms': {
    query?: ListAlarmsQuery | undefined
    answer: AlarmList
  }
  /** Take an alarm */
  'POST /alarms/{alarmId}/take': {
    params: {
      /** Identifier of the alarm. */
      alarmId: string
    }
    answer: Alarm
  }
  /** Resolve an alarm */
  'POST /alarms/{alarmId}/resolve': {
    params: {
      /** Identifier of the alarm. */
      alarmId: string
    }
    body: ResolveAlarm
    answer: Alarm
  }
  /** Search */
  'GET /search': {
    query?: SearchQuery | undefined
    answer: SearchResult
  }
  /** List events */
  'GET /events': {
    query?: ListEventsQuery | undefined
    answer: EventList
  }
  /** Listen to events */
  'GET /events/stream': {
    query?: StreamEventsQuery | undefined
    answer: string
  }
  /** Get an event */
  'GET /events/{eventId}': {
    params: {
      /** Identifier of the event. */
      eventId: string
    }
    answer: Event
  }
  /** See how an event was delivered */
  'GET /events/{eventId}/deliveries': {
    params: {
      /** Identifier of the event. */
      eventId: string
    }
    answer: DeliveryList
  }
  /** Send an event again */
  'POST /events/{eventId}/redeliver': {
    params: {
      /** Identifier of the event. */
      eventId: string
    }
    body?: RedeliverEvent | undefined
    answer: ScheduledDeliveries
  }
  /** Create a webhook endpoint */
  'POST /webhook-endpoints': {
    body: CreateWebhookEndpoint
    answer: WebhookEndpointWithSecret
  }
  /** List webhook endpoints */
  'GET /webhook-endpoints': {
    answer: WebhookEndpointList
  }
  /** Get a webhook endpoint */
  'GET /webhook-endpoints/{endpointId}': {
    params: {
      /** Identifier of the webhook endpoint. */
      endpointId: string
    }
    answer: WebhookEndpoint
  }
  /** Change a webhook endpoint */
  'PATCH /webhook-endpoints/{endpointId}': {
    params: {
      /** Identifier of the webhook endpoint. */
      endpointId: string
    }
    body: WebhookEndpointChanges
    answer: WebhookEndpoint
  }
  /** Delete a webhook endpoint */
  'DELETE /webhook-endpoints/{endpointId}': {
    params: {
      /** Identifier of the webhook endpoint. */
      endpointId: string
    }
    answer: DeletedWebhookEndpoint
  }
  /** Verify an endpoint */
  'POST /webhook-endpoints/{endpointId}/verify': {
    params: {
      /** Identifier of the webhook endpoint. */
      endpointId: string
    }
    answer: WebhookEndpoint
  }
  /** Replace the secret */
  'POST /webhook-endpoints/{endpointId}/rotate-secret': {
    params: {
      /** Identifier of the webhook endpoint. */
      endpointId: string
    }
    answer: RotatedWebhookSecret
  }
  /** Send a test event */
  'POST /webhook-endpoints/{endpointId}/test': {
    params: {
      /** Identifier of the webhook endpoint. */
      endpointId: string
    }
    answer: Event
  }
  /** Send what was missed */
  'POST /webhook-endpoints/{endpointId}/recover': {
    params: {
      /** Identifier of the webhook endpoint. */
      endpointId: string
    }
    body: RecoverWebhookEndpoint
    answer: ScheduledDeliveries
  }
  /** Create a link to the webhook portal */
  'POST /webhook-portal-links': {
    body: CreateWebhookPortalLink
    answer: WebhookPortalLink
  }
  /** Connect an account at a provider */
  'POST /connections': {
    body: CreateConnection
    answer: Connection
  }
  /** List connections */
  'GET /connections': {
    answer: ConnectionList
  }
  /** Get a connection */
  'GET /connections/{connectionId}': {
    params: {
      /** Identifier of the connection. */
      connectionId: string
    }
    answer: Connection
  }
  /** Change a connection */
  'PATCH /connections/{connectionId}': {
    params: {
      /** Identifier of the connection. */
      connectionId: string
    }
    body: ConnectionChanges
    answer: Connection
  }
  /** Delete a connection */
  'DELETE /connections/{connectionId}': {
    params: {
      /** Identifier of the connection. */
      connectionId: string
    }
    answer: DeletedConnection
  }
  /** Test a connection */
  'POST /connections/{connectionId}/test': {
    params: {
      /** Identifier of the connection. */
      connectionId: string
    }
    answer: ConnectionTest
  }
  /** List the provider’s banks */
  'GET /connections/{connectionId}/banks': {
    params: {
      /** Identifier of the connection. */
      connectionId: string
    }
    answer: ConnectionBankList
  }
  /** Record a deposit at the provider */
  'POST /connections/{connectionId}/deposits': {
    params: {
      /** Identifier of the connection. */
      connectionId: string
    }
    body: CreateConnectionMovement
    answer: ConnectionMovement
  }
  /** List deposits */
  'GET /connections/{connectionId}/deposits': {
    params: {
      /** Identifier of the connection. */
      connectionId: string
    }
    query?: ListConnectionDepositsQuery | undefined
    answer: ConnectionMovementList
  }
  /** Record a withdrawal from the provider */
  'POST /connections/{connectionId}/withdrawals': {
    params: {
      /** Identifier of the connection. */
      connectionId: string
    }
    body: CreateConnectionMovement
    answer: ConnectionMovement
  }
  /** List withdrawals */
  'GET /connections/{connectionId}/withdrawals': {
    params: {
      /** Identifier of the connection. */
      connectionId: string
    }
    query?: ListConnectionWithdrawalsQuery | undefined
    answer: ConnectionMovementList
  }
  /** List providers */
  'GET /providers': {
    answer: ProviderList
  }
  /** Get the organization */
  'GET /organization': {
    answer: Organization
  }
  /** Change settings */
  'PATCH /organization': {
    body: OrganizationChanges
    answer: Organization
  }
  /** Create an API key */
  'POST /api-keys': {
    body: CreateApiKey
    answer: ApiKeyWithSecret
  }
  /** List API keys */
  'GET /api-keys': {
    answer: ApiKeyList
  }
  /** Change an API key */
  'PATCH /api-keys/{apiKeyId}': {
    params: {
      /** Identifier of the API key. */
      apiKeyId: string
    }
    body: CredentialChanges
    answer: ApiKey
  }
  /** Revoke an API key */
  'DELETE /api-keys/{apiKeyId}': {
    params: {
      /** Identifier of the API key. */
      apiKeyId: string
    }
    answer: ApiKey
  }
  /** Roll an API key */
  'POST /api-keys/{apiKeyId}/roll': {
    params: {
      /** Identifier of the API key. */
      apiKeyId: string
    }
    body?: RollCredential | undefined
    answer: RolledApiKey
  }
  /** Create an OAuth client */
  'POST /oauth-clients': {
    body: CreateOAuthClient
    answer: OAuthClientWithSecret
  }
  /** List OAuth clients */
  'GET /oauth-clients': {
    answer: OAuthClientList
  }
  /** Change an OAuth client */
  'PATCH /oauth-clients/{clientId}': {
    params: {
      /** The client id. */
      clientId: string
    }
    body: CredentialChanges
    answer: OAuthClient
  }
  /** Revoke an OAuth client */
  'DELETE /oauth-clients/{clientId}': {
    params: {
      /** The client id. */
      clientId: string
    }
    answer: OAuthClient
  }
  /** Roll a client’s secret */
  'POST /oauth-clients/{clientId}/roll': {
    params: {
      /** The client id. */
      clientId: string
    }
    body?: RollCredential | undefined
    answer: OAuthClientWithSecret
  }
  /** List audit entries */
  'GET /audit': {
    query?: ListAuditQuery | undefined
    answer: AuditEntryList
  }
  /** List requests */
  'GET /requests': {
    query?: ListRequestsQuery | undefined
    answer: LoggedRequestList
  }
  /** List the team */
  'GET /team/members': {
    answer: TeamMemberList
  }
  /** Change the role of a member */
  'PATCH /team/members/{userId}': {
    params: {
      /** Identifier of the person. */
      userId: string
    }
    body: TeamMemberChanges
    answer: TeamMember
  }
  /** Remove a member */
  'DELETE /team/members/{userId}': {
    params: {
      /** Identifier of the person. */
      userId: string
    }
    answer: RemovedTeamMember
  }
  /** List where a member is signed in */
  'GET /team/members/{userId}/sessions': {
    params: {
      /** Identifier of the person. */
      userId: string
    }
    answer: TeamSessionList
  }
  /** Sign a member out everywhere */
  'DELETE /team/members/{userId}/sessions': {
    params: {
      /** Identifier of the person. */
      userId: string
    }
    answer: EndedTeamSessions
  }
  /** Invite somebody to the team */
  'POST /team/invitations': {
    body: CreateTeamInvitation
    answer: TeamInvitationWithLink
  }
  /** List open invitations */
  'GET /team/invitations': {
    answer: TeamInvitationList
  }
  /** Revoke an invitation */
  'DELETE /team/invitations/{invitationId}': {
    params: {
      /** Identifier of the invitation. */
      invitationId: string
    }
    answer: RevokedTeamInvitation
  }
  /** Decide how a payin ends */
  'POST /sandbox/payins/{payinId}/simulate': {
    params: {
      /** Identifier of the payin. */
      payinId: string
    }
    body: SimulatePayin
    answer: SimulationDone
  }
  /** Decide how a payout ends */
  'POST /sandbox/payouts/{payoutId}/simulate': {
    params: {
      /** Identifier of the payout. */
      payoutId: string
    }
    body: SimulatePayout
    answer: SimulationDone
  }
  /** Move the clock forward */
  'POST /sandbox/clock/advance': {
    body: AdvanceClock
    answer: Clock
  }
  /** Get an access token */
  'POST /oauth/token': {
    body: {
      grant_type: 'client_credentials'
      /** Unless sent by HTTP Basic. */
      client_id?: string | undefined
      /** Unless sent by HTTP Basic. */
      client_secret?: string | undefined
      /** Scopes separated by spaces, to ask for fewer than the client has. */
      scope?: string | undefined
    }
    answer: {
      access_token: string
      token_type: 'Bearer'
      expires_in: number
      scope?: string | undefined
    }
  }
  /** Get the public keys of access tokens */
  'GET /.well-known/jwks.json': {
    answer: {
      keys: (Record<string, unknown>)[]
    }
  }
  /** Get the public keys of receipts */
  'GET /.well-known/receipt-keys.json': {
    answer: {
      keys: ({
        kty: string
        crv: string
        x: string
        kid: string
        alg: string
        use: string
        retiredAt: string | null
      })[]
    }
  }
}
