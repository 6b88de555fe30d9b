// Printed from openapi.json by sdk/generate.ts: change that, not this. Types only; nothing of it is there at run time.

export type AdvanceClock = {
  /** How far to move the clock forward. */
  seconds: number
}

export type Alarm = {
  /** Identifier of the alarm. */
  id: string
  /** What it is about. */
  kind: 'payin-contradiction' | 'payout-contradiction' | 'payin-unresolved' | 'payout-unresolved' | 'refund-unresolved' | 'orphan-notice' | 'reconciliation' | 'statement-late' | 'balance-below-minimum' | 'batch-altered' | 'connection-refused' | 'address-refused' | 'failed-sign-ins' | 'many-refusals' | 'many-missed-lookups'
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
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'refunds:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'reports:write' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'approvals:read' | 'approvals:write' | 'sandbox:write')[] | null
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
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'refunds:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'reports:write' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'approvals:read' | 'approvals:write' | 'sandbox:write')[] | null
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

export type Approval = {
  /** Identifier of the approval. */
  id: string
  /** What is to be approved. */
  kind: 'payout' | 'payout-batch' | 'refund' | 'suspense-return' | 'connection' | 'credential' | 'approval-rule'
  /** The payout or other object that waits. Of the rules: the organization. Of a key or client: the digest of what was asked for, and by whom. */
  subjectId: string
  /** `WAITING` until everybody who is asked has decided. The others are final. */
  status: 'WAITING' | 'APPROVED' | 'REFUSED' | 'LAPSED' | 'VOIDED'
  /** How much money it is about; null if it is about none. */
  amountInCents: number | null
  /** How many people must approve it. */
  approvers: number
  maker: ApprovalMaker
  /** Exactly what is approved. Receivers and secrets stand in it as digests. */
  document: Record<string, unknown>
  /** SHA-256 of the canonical text of all this, in hexadecimal. Whoever approves with a passkey signs it. */
  digest: string
  decisions: (ApprovalDecision)[]
  /** When it was submitted. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** When it lapses, if nobody has decided. */
  lapsesAt: string
  /** When it ended; null while it waits. */
  decidedAt: string | null
  /** Of a key or client: when its maker sent the request again and had it; of a return from suspense: when it was asked for again and begun. Null before, and for everything else, which happens with the approval. */
  usedAt: string | null
  /** The organization. */
  organizationId: string
}

export type ApprovalDecision = {
  /** Who decided. */
  userId: string
  /** Their name then. */
  userName: string
  /** Their role then. */
  role: string
  /** What they decided. */
  decision: 'APPROVED' | 'REFUSED'
  /** What showed that it was them. `PASSKEY`: their device signed the digest. `TOTP`: a code of their authenticator app. `SESSION`: they had proved lately who they are, which is enough to refuse. */
  proof: 'PASSKEY' | 'TOTP' | 'SESSION'
  /** What they wrote about it, or null. */
  reason: string | null
  /** When. */
  decidedAt: string
}

export type ApprovalList = {
  data: (Approval)[]
  pageInfo: PageInfo
}

export type ApprovalMaker = {
  /** A person, an API key, an OAuth client, or the service itself. */
  kind: 'person' | 'key' | 'client' | 'operator' | 'service'
  /** Of the person, key or client. */
  id: string | null
  /** As they are called. */
  name: string | null
}

export type ApprovalRule = {
  /** What the rule is about. */
  kind: 'payout' | 'payout-batch' | 'refund' | 'suspense-return' | 'connection' | 'credential' | 'approval-rule'
  /** By amount, smallest first. What has no amount has one tier, from 0. */
  tiers: (ApprovalTier)[]
}

export type ApprovalRules = {
  /** Kinds that are not named ask nobody. */
  rules: (ApprovalRule)[]
  /** The approval of a change of these rules that waits, or null. The rules stay as they are until then. */
  waitingApprovalId: string | null
  /** The organization. */
  organizationId: string
}

export type ApprovalTier = {
  /** The smallest amount that the tier is for. It reaches up to the next tier. */
  fromAmountInCents: number
  /** How many people must approve. The one who asks is not among them. */
  approvers: number
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
  /** Can be paid out now over the installation’s networks. Below zero where a chargeback took money that was paid out already. */
  availableInCents: number
  /** In your own accounts at providers: collected over your connections, or recorded as deposited, and not paid out yet. Payouts over connections are paid from it, and from nothing else. */
  depositedInCents: number
  /** Collected, and not settled yet. */
  pendingSettlementInCents: number
  /** Set aside for payouts that are under way. */
  reservedInCents: number
  /** Arrived too late, twice or in another amount; an operator decides about it. */
  suspenseInCents: number
}

export type Beneficiary = {
  /** Identifier of the entry. */
  id: string
  idType: string
  idNumber: string
  name: string
  /** Empty if there is none. */
  email: string
  /** The Bre-B key, in canonical form. */
  key: string
  /** When the directory last named the same document for the key; null if it did not. */
  verifiedAt: string | null
  /** How: by the whole document, or by the part of it that the directory shows. */
  verifiedBy: 'DOCUMENT' | 'MASKED_DOCUMENT' | null
  /** When the entry was made. */
  createdAt: string
  /** When it was last written. */
  updatedAt: string
  /** Whose book it is. */
  organizationId: string
}

export type BeneficiaryList = {
  data: (Beneficiary)[]
  pageInfo: PageInfo
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

export type Charges = {
  /** The fee of a payin over each rail. A rail without one costs nothing. */
  fees: {
    BRE_B?: {
      /** Of each payin. */
      fixedInCents: number
      /** Of the amount, in hundredths of a percent: 265 is 2.65 %. */
      basisPoints: number
      /** The IVA on the fee: 1900 is 19 %. */
      taxBasisPoints: number
    } | undefined
    PSE?: {
      /** Of each payin. */
      fixedInCents: number
      /** Of the amount, in hundredths of a percent: 265 is 2.65 %. */
      basisPoints: number
      /** The IVA on the fee: 1900 is 19 %. */
      taxBasisPoints: number
    } | undefined
  }
  /** The fee of a payout over each rail, beside its amount. A rail without one costs nothing. */
  payoutFees: {
    BRE_B?: {
      /** Of each payin. */
      fixedInCents: number
      /** Of the amount, in hundredths of a percent: 265 is 2.65 %. */
      basisPoints: number
      /** The IVA on the fee: 1900 is 19 %. */
      taxBasisPoints: number
    } | undefined
    PSE?: {
      /** Of each payin. */
      fixedInCents: number
      /** Of the amount, in hundredths of a percent: 265 is 2.65 %. */
      basisPoints: number
      /** The IVA on the fee: 1900 is 19 %. */
      taxBasisPoints: number
    } | undefined
  }
  /** Taxes that are withheld, by day. Empty: none. */
  withholdings: ({
    rail: 'BRE_B' | 'PSE'
    /** The first day on which it is withheld. */
    from: string
    /** Of the amount, from that day on; 0 ends it. */
    basisPoints: number
  })[]
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
  scopes?: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'refunds:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'reports:write' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'approvals:read' | 'approvals:write' | 'sandbox:write')[] | null | undefined
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
  scopes?: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'refunds:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'reports:write' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'approvals:read' | 'approvals:write' | 'sandbox:write')[] | null | undefined
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

export type CreatePayoutBatch = {
  /** The file, in base64 or as a data URI: a CSV (`;` or `,`, UTF-8 or Latin-1) or an Excel workbook (.xlsx), with the columns of the template and up to 5000 rows. */
  file: string
  /** What the file is called. */
  fileName?: string | undefined
  /** The same file was handed in before, and its people are to be paid once more. */
  repeat?: boolean | undefined
}

export type CreateRefund = {
  /** Amount in cents of a peso. Left out: all that is left of the payin. All refunds of a payin together give back at most what was confirmed. */
  amountInCents?: number | undefined
  /** Why it is given back: the reasons of the law, then `WITHDRAWAL` (retracto) and `OTHER`. It decides `legalDeadline`. */
  reason: 'FRAUD' | 'NOT_REQUESTED' | 'NOT_RECEIVED' | 'NOT_AS_ORDERED' | 'DEFECTIVE' | 'WITHDRAWAL' | 'OTHER'
  /** `RAIL`: the way the money came. `KEY`: a payout to a key that the payer told you. `CLAIM`: the payer types a key on a page of ours. Left out: `KEY` where `breb` is sent, else `RAIL` where the payin’s network or provider can, else `CLAIM`. */
  way?: 'RAIL' | 'KEY' | 'CLAIM' | undefined
  breb?: PayoutKey | undefined
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
  events?: ('payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'refund.created' | 'refund.waiting' | 'refund.confirmed' | 'refund.declined' | 'refund.canceled' | 'refund.returned' | 'payoutbatch.completed' | 'approval.waiting' | 'approval.approved' | 'approval.refused' | 'approval.lapsed' | 'approval.voided')[] | null | undefined
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

export type DayReport = {
  /** The day in Bogotá. */
  day: string
  /** `OPEN`: figures as they stand now. `CLOSING`: nothing is booked in it any more, and it is being summed. `CLOSED`: never changes. */
  status: 'OPEN' | 'CLOSING' | 'CLOSED'
  /** When it was closed; null while it is not, and for a day without movements. */
  closedAt: string | null
  /** How many transfers were booked. */
  movements: number
  /** The closing balance of the day before. */
  openingBalanceInCents: number
  /** What the day was made of. The opening balance with every column is the closing balance. */
  columns: {
    /** Payins that were confirmed. Adds to the balance. */
    confirmed: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Confirmed money that became available. Leaves the balance as it is. */
    settled: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Money from suspense that was given to you. Adds to the balance. */
    attached: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Given back to payers. Takes from the balance. */
    refunded: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Taken back by the networks. Takes from the balance. */
    chargedBack: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Payouts that were confirmed. Takes from the balance. */
    paidOut: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Money of confirmed payouts that came back. Adds to the balance. */
    payoutsReturned: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Deposited at your providers, or staging’s opening balance. Adds to the balance. */
    deposited: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Withdrawn from your providers. Takes from the balance. */
    withdrawn: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Our fees, without IVA. Takes from the balance. */
    fees: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** The IVA on our fees. Takes from the balance. */
    feeTax: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Taxes that were withheld. Takes from the balance. */
    withheld: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Money that arrived and fits no payin. Adds to the balance. */
    suspenseIn: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Money that left suspense. Takes from the balance. */
    suspenseOut: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
  }
  /** What we hold for you at the end of the day: available, pending settlement, reserved, deposited, and in suspense. */
  closingBalanceInCents: number
  /** Every account at the end of the day. AVAILABLE, PENDING_SETTLEMENT, RESERVED, DEPOSITED, SUSPENSE make up the balance. */
  closingBalances: {
    AVAILABLE: number
    DEPOSITED: number
    PENDING_SETTLEMENT: number
    RESERVED: number
    SUSPENSE: number
    CLEARING_BRE_B: number
    CLEARING_PSE: number
    FEES: number
    WITHHELD: number
  }
  /** The account that you have set for the balance. */
  balancePucAccount: string | null
  /** The tax on movements (GMF) of what was paid out, as an estimate: your bank says what it took. Null unless you ask for it (`accounting.estimatesMovementTax`). */
  estimatedMovementTaxInCents: number | null
  /** SHA-256 over the day’s figures, the digest of its movements, and the digest of the close before it; null while it is not closed, and for a day without movements. */
  digest: string | null
  /** The digest of the close before it. */
  previousDigest: string | null
  /** SHA-256 over every transfer of the day, in order. */
  movementsDigest: string | null
}

export type DayReportList = {
  data: (DayReport)[]
}

export type DecideApproval = {
  /** The `digest` of the approval as it was read. */
  digest: string
  /** Why, in words. The team reads it. */
  reason?: string | undefined
  /** A code of the person’s authenticator app. */
  code?: string | undefined
  /** The JSON of a passkey’s assertion whose challenge is the digest. */
  passkey?: Record<string, unknown> | undefined
}

export type DeletedBeneficiary = {
  /** The entry that is gone. */
  id: string
  deleted: true
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
  event: 'payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'refund.created' | 'refund.waiting' | 'refund.confirmed' | 'refund.declined' | 'refund.canceled' | 'refund.returned' | 'payoutbatch.completed' | 'approval.waiting' | 'approval.approved' | 'approval.refused' | 'approval.lapsed' | 'approval.voided' | 'webhook.test'
  /** What it happened to. */
  resource: 'payin' | 'payout' | 'paymentlink' | 'paymentpage' | 'refund' | 'payoutbatch' | 'approval' | 'webhook'
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

export type LeaveOutRows = {
  /** Numbers of rows. Without them: all rows with errors. */
  rows?: (number)[] | undefined
}

/** By when the law wants the money back. Null where no law sets a time for the reason. */
export type LegalDeadline = {
  /** `REVERSAL`: 15 business days (Ley 1480 of 2011, article 51). `WITHDRAWAL`: 30 calendar days (article 47). */
  rule: 'REVERSAL' | 'WITHDRAWAL'
  /** The last day, in Bogotá. */
  day: string
  /** Always true: counted from when you asked for the refund, and the law may count from another day. */
  isEstimate: boolean
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

export type MonthReport = {
  /** The month in Bogotá. */
  month: string
  /** The organization. */
  organizationId: string
  /** Its name. */
  organizationName: string
  /** Its NIT. */
  taxId: string | null
  /** Whether the month is over and every day of it is closed. */
  isFinal: boolean
  /** How many transfers were booked. */
  movements: number
  /** At the start of its first day. */
  openingBalanceInCents: number
  /** What the day was made of. The opening balance with every column is the closing balance. */
  columns: {
    /** Payins that were confirmed. Adds to the balance. */
    confirmed: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Confirmed money that became available. Leaves the balance as it is. */
    settled: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Money from suspense that was given to you. Adds to the balance. */
    attached: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Given back to payers. Takes from the balance. */
    refunded: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Taken back by the networks. Takes from the balance. */
    chargedBack: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Payouts that were confirmed. Takes from the balance. */
    paidOut: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Money of confirmed payouts that came back. Adds to the balance. */
    payoutsReturned: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Deposited at your providers, or staging’s opening balance. Adds to the balance. */
    deposited: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Withdrawn from your providers. Takes from the balance. */
    withdrawn: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Our fees, without IVA. Takes from the balance. */
    fees: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** The IVA on our fees. Takes from the balance. */
    feeTax: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Taxes that were withheld. Takes from the balance. */
    withheld: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Money that arrived and fits no payin. Adds to the balance. */
    suspenseIn: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
    /** Money that left suspense. Takes from the balance. */
    suspenseOut: {
      /** How many movements. */
      movements: number
      /** What they add up to; never negative. */
      amountInCents: number
      /** The account that you have set for it, or null. */
      pucAccount: string | null
    }
  }
  /** At the end of its last day, or now. */
  closingBalanceInCents: number
  /** The sum of the days’ estimates. */
  estimatedMovementTaxInCents: number | null
  days: (DayReport)[]
}

export type Movement = {
  /** Identifier of the transfer. */
  id: string
  /** The day in Bogotá on which it was booked. */
  day: string
  /** The day of what it is about: the network’s, where it lists it under another day; otherwise the day on which the payin, payout or suspense item began. */
  ownDay: string
  /** When it was booked. */
  bookedAt: string
  /** Why the money moved. */
  booking: 'opening balance' | 'payin confirmed' | 'payin confirmed from suspense' | 'payin settled' | 'payin settled to deposits' | 'payin fee' | 'payin fee tax' | 'payin withholding' | 'payin charged back before settlement' | 'payin charged back after settlement' | 'payin charged back from deposits' | 'money in suspense' | 'suspense returned' | 'suspense attached' | 'suspense attached to deposits' | 'suspense released' | 'suspense charged back' | 'suspense charged back after attaching' | 'suspense charged back from deposits' | 'refund reserved' | 'refund released' | 'refund reserved from deposits' | 'refund released to deposits' | 'refund given back' | 'connection deposit' | 'connection withdrawal' | 'collected money withdrawn' | 'collected money moved to deposits' | 'collected money moved from deposits' | 'payout reserved' | 'payout released' | 'payout reserved from deposits' | 'payout released to deposits' | 'batch reserved' | 'batch released' | 'batch reserved from deposits' | 'batch released to deposits' | 'payout confirmed' | 'payout fee' | 'payout fee tax' | 'refund paid' | 'payout returned' | 'payout returned to deposits' | 'payout paid after rejection' | 'payout paid after rejection from deposits'
  /** The columns of the day that count it. */
  columns: ('confirmed' | 'settled' | 'attached' | 'refunded' | 'chargedBack' | 'paidOut' | 'payoutsReturned' | 'deposited' | 'withdrawn' | 'fees' | 'feeTax' | 'withheld' | 'suspenseIn' | 'suspenseOut')[]
  debitAccount: 'AVAILABLE' | 'DEPOSITED' | 'PENDING_SETTLEMENT' | 'RESERVED' | 'SUSPENSE' | 'CLEARING_BRE_B' | 'CLEARING_PSE' | 'FEES' | 'WITHHELD'
  creditAccount: 'AVAILABLE' | 'DEPOSITED' | 'PENDING_SETTLEMENT' | 'RESERVED' | 'SUSPENSE' | 'CLEARING_BRE_B' | 'CLEARING_PSE' | 'FEES' | 'WITHHELD'
  amountInCents: number
  /** The payin, payout, suspense item, deposit or withdrawal it is about. */
  subjectId: string
  rail: 'BRE_B' | 'PSE'
  /** Your reference of the payin or payout. */
  reference: string | null
  /** The network’s id: the CUS of PSE, the id of Bre-B. */
  networkId: string | null
  /** The payer or receiver. Null where nobody is named, and for a credential that may not read payins or payouts. */
  thirdParty: {
    name: string
    idType: string
    idNumber: string
    /** Of a NIT, where it is known. */
    checkDigit: string | null
  } | null
}

export type MovementList = {
  data: (Movement)[]
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
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'refunds:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'reports:write' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'approvals:read' | 'approvals:write' | 'sandbox:write')[] | null
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
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'refunds:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'reports:write' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'approvals:read' | 'approvals:write' | 'sandbox:write')[] | null
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
  /** An alarm (`balance-below-minimum`) is raised when less than this is available, once each time that it falls below; null: never. */
  minimumBalanceInCents: number | null
  /** How your accountant wants the reports. It is replaced as a whole. */
  accounting: {
    /** The account of your chart of accounts (PUC) that reports name beside each column, such as `{"fees": "530515"}`. */
    pucAccounts: {
      balance?: string | undefined
      confirmed?: string | undefined
      settled?: string | undefined
      attached?: string | undefined
      refunded?: string | undefined
      chargedBack?: string | undefined
      paidOut?: string | undefined
      payoutsReturned?: string | undefined
      deposited?: string | undefined
      withdrawn?: string | undefined
      fees?: string | undefined
      feeTax?: string | undefined
      withheld?: string | undefined
      suspenseIn?: string | undefined
      suspenseOut?: string | undefined
      movementTax?: string | undefined
    }
    /** Whether reports estimate the tax on movements (GMF) of what was paid out. It is never booked. */
    estimatesMovementTax: boolean
  }
  /** The language of what is told of alarms. */
  alarmLanguage: 'es' | 'en'
  /** An incoming webhook, as Slack and other chats have, that gets `{"text": …}` for each alarm, or null. Only https. Whoever has it can write there, so answers show no more than its host and last characters, as in `https://hooks.chat.example/…9f3k`; sent back like that, it stays as it is. */
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
  /** An alarm (`balance-below-minimum`) is raised when less than this is available, once each time that it falls below; null: never. */
  minimumBalanceInCents?: number | null | undefined
  /** How your accountant wants the reports. It is replaced as a whole. */
  accounting?: {
    /** The account of your chart of accounts (PUC) that reports name beside each column, such as `{"fees": "530515"}`. */
    pucAccounts: {
      balance?: string | undefined
      confirmed?: string | undefined
      settled?: string | undefined
      attached?: string | undefined
      refunded?: string | undefined
      chargedBack?: string | undefined
      paidOut?: string | undefined
      payoutsReturned?: string | undefined
      deposited?: string | undefined
      withdrawn?: string | undefined
      fees?: string | undefined
      feeTax?: string | undefined
      withheld?: string | undefined
      suspenseIn?: string | undefined
      suspenseOut?: string | undefined
      movementTax?: string | undefined
    }
    /** Whether reports estimate the tax on movements (GMF) of what was paid out. It is never booked. */
    estimatesMovementTax: boolean
  } | undefined
  /** The language of what is told of alarms. */
  alarmLanguage?: 'es' | 'en' | undefined
  /** An incoming webhook, as Slack and other chats have, that gets `{"text": …}` for each alarm, or null. Only https. Whoever has it can write there, so answers show no more than its host and last characters, as in `https://hooks.chat.example/…9f3k`; sent back like that, it stays as it is. */
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
  /** How much refunds have given back, in cents. Refunds that are still open do not count. */
  refundedAmountInCents: number
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
  /** How much refunds have given back, in cents. Refunds that are still open do not count. */
  refundedAmountInCents: number
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
  /** `AWAITING_APPROVAL` while people must approve it: its money is reserved, and it is not sent. Else null. */
  stage: 'AWAITING_APPROVAL' | null
  rail: 'BRE_B'
  reference: string
  /** As sent, or null. `ERASED` once the data of the person it is about was erased, and `UNREADABLE` if the key that sealed it is gone. */
  description: string | null
  /** As sent, or null. Null too where it cannot be shown any more. */
  metadata: Record<string, string> | null
  inlineCustomer: ShownCustomer
  /** Why no money was sent, or null. */
  errorCode: 'KEY_NOT_FOUND' | 'KEY_SUSPENDED' | 'KEY_INVALID' | 'INSUFFICIENT_FUNDS' | 'AMOUNT_ABOVE_MAXIMUM' | 'RECEIVER_LIMIT_EXCEEDED' | 'RECEIVER_ACCOUNT_INVALID' | 'RECEIVER_ID_MISMATCH' | 'RISK_REJECTED' | 'PARTICIPANT_UNAVAILABLE' | 'CANCELED_BY_MERCHANT' | 'APPROVAL_REFUSED' | 'APPROVAL_LAPSED' | 'APPROVAL_VOIDED' | 'RAIL_ERROR' | null
  /** Only where `errorCode` is `INSUFFICIENT_FUNDS` and our balance was short: what it lacked when the payout was to be reserved. */
  missingAmountInCents?: number | undefined
  /** Only where a fee is set: what the payout costs beside its amount. It is set aside with the amount, booked when the payout is confirmed, and stays if the money comes back later. */
  feeInCents?: number | undefined
  /** The IVA on the fee. */
  feeTaxInCents?: number | undefined
  /** When the payout was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** When the outcome was known; null until then. */
  resultAt: string | null
  /** When the money of a confirmed payout came back; null if it did not. It is available again. */
  returnedAt: string | null
  /** The refund that it pays. Absent where it pays none. */
  refundId?: string | undefined
  /** The organization that pays. */
  organizationId: string
  sourceData: PayoutSource
}

export type PayoutBatch = {
  /** Identifier of the batch. */
  id: string
  /** `CHECKING`: keys are being looked up. `DRAFT`: it can be corrected and submitted. `WAITING`: somebody must approve it. `PROCESSING`: its payouts are made and sent. `COMPLETED`: all of them have ended. */
  status: 'CHECKING' | 'DRAFT' | 'WAITING' | 'PROCESSING' | 'COMPLETED' | 'CANCELED'
  fileName: string
  version: number
  currency: 'COP'
  /** The batch whose failed rows it tries again, or null. */
  retryOf: string | null
  /** Rows of the file. */
  rows: number
  /** Rows that are left out. */
  rowsLeftOut: number
  /** Rows that are not left out. */
  rowsToSend: number
  /** What the rows to send add up to. */
  totalInCents: number
  /** Rows that must be corrected or left out before it can be submitted. */
  rowsWithErrors: number
  /** Rows with warnings and without errors. Whoever submits the batch accepts them. */
  rowsWithWarnings: number
  /** Keys that are still to be looked up. */
  keysPending: number
  /** Keys that the budget or the directory did not allow to look up. */
  keysUnchecked: number
  /** What is set aside for rows that are no payouts yet, and for their fees. */
  reservedInCents: number
  /** How much of it is for fees. */
  reservedFeesInCents: number
  /** Rows that are to become payouts. */
  payoutsQueued: number
  /** Payouts that have not ended. */
  payoutsProcessing: number
  /** Payouts that were paid. */
  payoutsConfirmed: number
  /** Payouts that were declined or canceled, and rows that could not become one. */
  payoutsFailed: number
  /** What was paid. */
  confirmedInCents: number
  /** When the file was handed in. */
  createdAt: string
  /** When the batch last changed. */
  updatedAt: string
  /** When it was submitted, or null. */
  submittedAt: string | null
  /** When all of its payouts had ended, or null. */
  completedAt: string | null
  /** The organization that pays. */
  organizationId: string
}

export type PayoutBatchList = {
  data: (PayoutBatch)[]
  pageInfo: PageInfo
}

export type PayoutBatchRow = {
  /** As a spreadsheet counts: the head of the file is 1. */
  row: number
  /** `QUEUED`: its money is set aside. `SENT`: it is a payout. `REFUSED`: it could not become one; `errorCode` says why. */
  state: 'DRAFT' | 'LEFT_OUT' | 'QUEUED' | 'SENT' | 'REFUSED'
  /** The Bre-B key, column `llave`. Empty: from the beneficiary book. */
  key: string
  /** The amount in pesos as it was written, column `valor`. */
  amount: string
  /** Column `referencia`. */
  reference: string
  /** Column `nombre`. */
  name: string
  /** Column `tipo_documento`. */
  idType: string
  /** Column `documento`. */
  idNumber: string
  /** Column `correo`. */
  email: string
  /** The amount, if it could be read. */
  amountInCents: number | null
  /** The key that is paid: the one of the row, or of the beneficiary book. Null if there is none. */
  paidKey: string | null
  /** The key is from the beneficiary book. */
  keyFromBook: boolean
  /** `VERIFIED`: the directory names the same document. `FOUND`: the key exists, and the document could not be compared. */
  keyCheck: 'PENDING' | 'UNCHECKED' | 'FOUND' | 'VERIFIED'
  problems: ({
    column: 'key' | 'amount' | 'reference' | 'name' | 'idType' | 'idNumber' | 'email'
    code: 'REQUIRED' | 'WRONG_FORMAT' | 'TOO_LONG' | 'FORMULA' | 'AMOUNT_AMBIGUOUS' | 'AMOUNT_NOT_POSITIVE' | 'AMOUNT_ABOVE_MAXIMUM' | 'AMOUNT_NOT_CONNECTED' | 'KEY_INVALID' | 'KEY_NOT_KNOWN' | 'KEY_NOT_FOUND' | 'KEY_SUSPENDED' | 'KEY_NOT_LOOKED_UP' | 'HOLDER_DOCUMENT_MISMATCH' | 'PERSON_ERASED' | 'HOLDER_NAME_MISMATCH' | 'HOLDER_NOT_CHECKED' | 'DUPLICATE_IN_FILE' | 'DUPLICATE_IN_BATCH' | 'DUPLICATE_PAYOUT' | 'PAID_AFTER_ALL'
    severity: 'error' | 'warning'
    /** The row, the batch or the payout that it repeats, or null. */
    duplicateOf: string | null
  })[]
  /** Its payout, or null. */
  payoutId: string | null
  payoutStatus: 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED' | null
  /** Why no money was sent, or null. */
  errorCode: string | null
}

export type PayoutBatchRowChanges = {
  /** The Bre-B key, column `llave`. Empty: from the beneficiary book. */
  key?: string | undefined
  /** The amount in pesos as it was written, column `valor`. */
  amount?: string | undefined
  /** Column `referencia`. */
  reference?: string | undefined
  /** Column `nombre`. */
  name?: string | undefined
  /** Column `tipo_documento`. */
  idType?: string | undefined
  /** Column `documento`. */
  idNumber?: string | undefined
  /** Column `correo`. */
  email?: string | undefined
  /** Whether the row is left out. */
  leftOut?: boolean | undefined
}

export type PayoutBatchRowList = {
  data: (PayoutBatchRow)[]
  pageInfo: PageInfo
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

export type Refund = {
  /** Identifier of the refund. */
  id: string
  /** The payin that it gives back. */
  payinId: string
  /** Amount in pesos: `amountInCents / 100`. */
  amount: number
  amountInCents: number
  currency: 'COP'
  /** Where the refund stands. All but the first are final. */
  status: 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED'
  /** How far a refund that is `PROCESSING` has come. `READY`: it is sent in a moment. `AWAITING_FUNDS`: `errorCode` says what holds it up, and it goes on by itself. `AWAITING_CLAIM`: send the payer to `claimUrl`. `AWAITING_APPROVAL`: other people of yours must approve it, for its amount or because the key is not shown to be the payer’s. `SENDING`: the network was asked, and is asked again until it answers. `PAYING`: the payout `payoutId` has it. `DONE`: it has ended. */
  stage: 'READY' | 'AWAITING_FUNDS' | 'AWAITING_CLAIM' | 'AWAITING_APPROVAL' | 'SENDING' | 'PAYING' | 'DONE'
  /** `RAIL`: the way the money came. `KEY`: a payout to a key that the payer told you. `CLAIM`: the payer types a key on a page of ours. */
  way: 'RAIL' | 'KEY' | 'CLAIM'
  /** Why it is given back: the reasons of the law, then `WITHDRAWAL` (retracto) and `OTHER`. It decides `legalDeadline`. */
  reason: 'FRAUD' | 'NOT_REQUESTED' | 'NOT_RECEIVED' | 'NOT_AS_ORDERED' | 'DEFECTIVE' | 'WITHDRAWAL' | 'OTHER'
  legalDeadline: LegalDeadline | null
  /** Why it waits, why the last key could not be paid, or why nothing was given back; else null. */
  errorCode: 'CLAIM_EXPIRED' | 'CHARGED_BACK' | 'INSUFFICIENT_FUNDS' | 'PAYOUT_LIMIT_REACHED' | 'QUIET_HOURS' | 'NOT_CONNECTED' | 'KEY_NOT_FOUND' | 'KEY_SUSPENDED' | 'KEY_INVALID' | 'AMOUNT_ABOVE_MAXIMUM' | 'RECEIVER_LIMIT_EXCEEDED' | 'RECEIVER_ACCOUNT_INVALID' | 'RECEIVER_ID_MISMATCH' | 'RISK_REJECTED' | 'PARTICIPANT_UNAVAILABLE' | 'CANCELED_BY_MERCHANT' | 'APPROVAL_REFUSED' | 'APPROVAL_LAPSED' | 'APPROVAL_VOIDED' | 'RAIL_ERROR' | null
  /** The page on which the payer names a key. Null unless it is `AWAITING_CLAIM`. Only the key, client or person that asked for the refund reads it here, and people who may refund and not approve: null for all others, and in events. */
  claimUrl: string | null
  /** Until when the payer may; null where there is nothing to claim. */
  claimExpiresAt: string | null
  claim: RefundClaim | null
  /** The last payout that was made for it; null if none was. */
  payoutId: string | null
  /** What is set aside of your balance for it, from the moment you ask: all of it, or 0 while there is too little, once its payout holds it, and when it has ended. */
  reservedAmountInCents: number
  /** When you asked for it. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** When the outcome was known; null until then. */
  resultAt: string | null
  /** When the money of a confirmed refund came back to you; null if it did not. */
  returnedAt: string | null
  /** The organization that gives back. */
  organizationId: string
}

/** The key that you or the payer named. Null until then. */
export type RefundClaim = {
  /** How the holder’s document compares with the payer’s. All but `SAME` wait for a person of yours. */
  match: 'SAME' | 'OTHER' | 'UNKNOWN'
  /** The holder of the key, masked as a look-up masks it. */
  holderName: string
  /** Where the account is. */
  participant: string
  /** The last characters of the account. */
  lastFour: string | null
  /** When the key was named. */
  claimedAt: string
}

export type RefundList = {
  data: (Refund)[]
  pageInfo: PageInfo
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

export type ReplaceApprovalRules = {
  /** All rules. Kinds that are not named ask nobody. */
  rules: (ApprovalRule)[]
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
  scopes: ('payins:read' | 'payins:write' | 'payouts:read' | 'payouts:write' | 'refunds:write' | 'links:read' | 'links:write' | 'keys:read' | 'ledger:read' | 'reports:write' | 'suspense:write' | 'alarms:write' | 'events:read' | 'webhooks:read' | 'webhooks:write' | 'connections:read' | 'connections:write' | 'organization:read' | 'organization:write' | 'team:read' | 'team:write' | 'credentials:read' | 'credentials:write' | 'audit:read' | 'approvals:read' | 'approvals:write' | 'sandbox:write')[] | null
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
  errorCode?: 'KEY_NOT_FOUND' | 'KEY_SUSPENDED' | 'KEY_INVALID' | 'INSUFFICIENT_FUNDS' | 'AMOUNT_ABOVE_MAXIMUM' | 'RECEIVER_LIMIT_EXCEEDED' | 'RECEIVER_ACCOUNT_INVALID' | 'RECEIVER_ID_MISMATCH' | 'RISK_REJECTED' | 'PARTICIPANT_UNAVAILABLE' | 'CANCELED_BY_MERCHANT' | 'APPROVAL_REFUSED' | 'APPROVAL_LAPSED' | 'APPROVAL_VOIDED' | 'RAIL_ERROR' | undefined
}

export type SimulationDone = {
  done: boolean
}

export type SubmitPayoutBatch = {
  /** Rows with warnings are to be sent as they are. */
  acceptWarnings?: boolean | undefined
  /** The `version` that you looked at. If the batch has changed since, nothing is sent. */
  version?: number | undefined
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
  booking: 'opening balance' | 'payin confirmed' | 'payin confirmed from suspense' | 'payin settled' | 'payin settled to deposits' | 'payin fee' | 'payin fee tax' | 'payin withholding' | 'payin charged back before settlement' | 'payin charged back after settlement' | 'payin charged back from deposits' | 'money in suspense' | 'suspense returned' | 'suspense attached' | 'suspense attached to deposits' | 'suspense released' | 'suspense charged back' | 'suspense charged back after attaching' | 'suspense charged back from deposits' | 'refund reserved' | 'refund released' | 'refund reserved from deposits' | 'refund released to deposits' | 'refund given back' | 'connection deposit' | 'connection withdrawal' | 'collected money withdrawn' | 'collected money moved to deposits' | 'collected money moved from deposits' | 'payout reserved' | 'payout released' | 'payout reserved from deposits' | 'payout released to deposits' | 'batch reserved' | 'batch released' | 'batch reserved from deposits' | 'batch released to deposits' | 'payout confirmed' | 'payout fee' | 'payout fee tax' | 'refund paid' | 'payout returned' | 'payout returned to deposits' | 'payout paid after rejection' | 'payout paid after rejection from deposits'
  /** The payin, payout, suspense item, deposit or withdrawal it is about. */
  subjectId: string
  debitAccount: 'AVAILABLE' | 'DEPOSITED' | 'PENDING_SETTLEMENT' | 'RESERVED' | 'SUSPENSE' | 'CLEARING_BRE_B' | 'CLEARING_PSE' | 'FEES' | 'WITHHELD'
  creditAccount: 'AVAILABLE' | 'DEPOSITED' | 'PENDING_SETTLEMENT' | 'RESERVED' | 'SUSPENSE' | 'CLEARING_BRE_B' | 'CLEARING_PSE' | 'FEES' | 'WITHHELD'
  /** In pesos. */
  amount: number
  amountInCents: number
  currency: 'COP'
  /** When it was booked. */
  createdAt: string
  /** The balance of the account that was asked for (`account`), after it. */
  balanceAfterInCents?: number | undefined
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
  events: ('payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'refund.created' | 'refund.waiting' | 'refund.confirmed' | 'refund.declined' | 'refund.canceled' | 'refund.returned' | 'payoutbatch.completed' | 'approval.waiting' | 'approval.approved' | 'approval.refused' | 'approval.lapsed' | 'approval.voided')[] | null
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
  events?: ('payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'refund.created' | 'refund.waiting' | 'refund.confirmed' | 'refund.declined' | 'refund.canceled' | 'refund.returned' | 'payoutbatch.completed' | 'approval.waiting' | 'approval.approved' | 'approval.refused' | 'approval.lapsed' | 'approval.voided')[] | null | undefined
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
  events: ('payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'refund.created' | 'refund.waiting' | 'refund.confirmed' | 'refund.declined' | 'refund.canceled' | 'refund.returned' | 'payoutbatch.completed' | 'approval.waiting' | 'approval.approved' | 'approval.refused' | 'approval.lapsed' | 'approval.voided')[] | null
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

export type WriteBeneficiary = {
  /** Document type. */
  idType: 'CO_CC' | 'CO_CE' | 'CO_NIT' | 'MXN_RFC' | 'PASSPORT'
  /** Document number. Whoever has it is one entry of the book. */
  idNumber: string
  /** Full name. */
  name: string
  email?: string | undefined
  /** Their Bre-B key. */
  key: string
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
  code: 'INVALID_INPUT' | 'INVALID_JSON' | 'AMOUNT_ABOVE_MAXIMUM' | 'RAIL_NOT_ENABLED' | 'AMOUNT_NOT_CONNECTED' | 'RAIL_NOT_CONNECTED' | 'CONNECTION_IN_USE' | 'BALANCE_TOO_LOW' | 'TOO_MANY_CONNECTIONS' | 'UNKNOWN_BANK' | 'KEY_INVALID' | 'CURSOR_INVALID' | 'UNAUTHORIZED' | 'INSUFFICIENT_SCOPE' | 'SCOPE_NOT_HELD' | 'CREDENTIAL_LIMITED' | 'ADDRESS_NOT_ALLOWED' | 'NOT_FOUND' | 'KEY_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'REQUEST_TIMEOUT' | 'DUPLICATE_REFERENCE' | 'PAYIN_ALREADY_FINAL' | 'DAY_NOT_OVER' | 'SUSPENSE_DECIDED' | 'RETURN_REFUSED' | 'ALARM_TAKEN' | 'ALARM_RESOLVED' | 'LINK_ALREADY_FINAL' | 'PAGE_CLOSED' | 'PAYOUT_NOT_CANCELABLE' | 'PAYIN_NOT_REFUNDABLE' | 'REFUND_ABOVE_REMAINING' | 'REFUND_WAY_NOT_POSSIBLE' | 'REFUND_NOT_CANCELABLE' | 'FILE_REFUSED' | 'BATCH_FILE_REPEATED' | 'BATCH_NOT_READY' | 'BATCH_NOT_EDITABLE' | 'KEY_OF_SOMEBODY_ELSE' | 'KEY_NOT_VERIFIED' | 'BATCH_CHANGED' | 'TOO_MANY_ENDPOINTS' | 'ENDPOINT_DISABLED' | 'ENDPOINT_NOT_VERIFIED' | 'CREDENTIAL_ENDED' | 'TOO_MANY_CREDENTIALS' | 'IDEMPOTENCY_KEY_IN_USE' | 'SIMULATION_REFUSED' | 'ROLE_NOT_GRANTABLE' | 'LAST_OWNER' | 'ALREADY_A_MEMBER' | 'TEAM_TOO_LARGE' | 'TOO_MANY_INVITATIONS' | 'PERSON_REQUIRED' | 'APPROVAL_OWN' | 'APPROVAL_PROOF_WRONG' | 'APPROVAL_DECIDED_BEFORE' | 'APPROVAL_ENDED' | 'APPROVAL_LAPSED' | 'APPROVAL_STALE' | 'APPROVAL_REQUIRED' | 'TOO_FEW_APPROVERS' | 'BODY_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_KEY_REUSED' | 'KEY_SUSPENDED' | 'KEY_NOT_LOOKED_UP' | 'PAYOUT_LIMIT_REACHED' | 'QUIET_HOURS' | 'RATE_LIMITED' | 'TOO_MANY_STREAMS' | 'HEADERS_TOO_LARGE' | 'INTERNAL_ERROR' | 'OVERLOADED' | 'DIRECTORY_UNAVAILABLE' | 'DIRECTORY_TIMEOUT' | 'PROVIDER_UNAVAILABLE' | 'STORE_UNAVAILABLE'
  requestId: string
  errors?: ({
    /** JSON pointer to the field. */
    path: string
    code: 'REQUIRED' | 'WRONG_TYPE' | 'OUT_OF_RANGE' | 'WRONG_LENGTH' | 'WRONG_FORMAT' | 'NOT_ALLOWED' | 'INVALID_INPUT' | 'INVALID_JSON' | 'AMOUNT_ABOVE_MAXIMUM' | 'RAIL_NOT_ENABLED' | 'AMOUNT_NOT_CONNECTED' | 'RAIL_NOT_CONNECTED' | 'CONNECTION_IN_USE' | 'BALANCE_TOO_LOW' | 'TOO_MANY_CONNECTIONS' | 'UNKNOWN_BANK' | 'KEY_INVALID' | 'CURSOR_INVALID' | 'UNAUTHORIZED' | 'INSUFFICIENT_SCOPE' | 'SCOPE_NOT_HELD' | 'CREDENTIAL_LIMITED' | 'ADDRESS_NOT_ALLOWED' | 'NOT_FOUND' | 'KEY_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'REQUEST_TIMEOUT' | 'DUPLICATE_REFERENCE' | 'PAYIN_ALREADY_FINAL' | 'DAY_NOT_OVER' | 'SUSPENSE_DECIDED' | 'RETURN_REFUSED' | 'ALARM_TAKEN' | 'ALARM_RESOLVED' | 'LINK_ALREADY_FINAL' | 'PAGE_CLOSED' | 'PAYOUT_NOT_CANCELABLE' | 'PAYIN_NOT_REFUNDABLE' | 'REFUND_ABOVE_REMAINING' | 'REFUND_WAY_NOT_POSSIBLE' | 'REFUND_NOT_CANCELABLE' | 'FILE_REFUSED' | 'BATCH_FILE_REPEATED' | 'BATCH_NOT_READY' | 'BATCH_NOT_EDITABLE' | 'KEY_OF_SOMEBODY_ELSE' | 'KEY_NOT_VERIFIED' | 'BATCH_CHANGED' | 'TOO_MANY_ENDPOINTS' | 'ENDPOINT_DISABLED' | 'ENDPOINT_NOT_VERIFIED' | 'CREDENTIAL_ENDED' | 'TOO_MANY_CREDENTIALS' | 'IDEMPOTENCY_KEY_IN_USE' | 'SIMULATION_REFUSED' | 'ROLE_NOT_GRANTABLE' | 'LAST_OWNER' | 'ALREADY_A_MEMBER' | 'TEAM_TOO_LARGE' | 'TOO_MANY_INVITATIONS' | 'PERSON_REQUIRED' | 'APPROVAL_OWN' | 'APPROVAL_PROOF_WRONG' | 'APPROVAL_DECIDED_BEFORE' | 'APPROVAL_ENDED' | 'APPROVAL_LAPSED' | 'APPROVAL_STALE' | 'APPROVAL_REQUIRED' | 'TOO_FEW_APPROVERS' | 'BODY_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_KEY_REUSED' | 'KEY_SUSPENDED' | 'KEY_NOT_LOOKED_UP' | 'PAYOUT_LIMIT_REACHED' | 'QUIET_HOURS' | 'RATE_LIMITED' | 'TOO_MANY_STREAMS' | 'HEADERS_TOO_LARGE' | 'INTERNAL_ERROR' | 'OVERLOADED' | 'DIRECTORY_UNAVAILABLE' | 'DIRECTORY_TIMEOUT' | 'PROVIDER_UNAVAILABLE' | 'STORE_UNAVAILABLE'
    message: string
    /** With `DUPLICATE_REFERENCE`: the payin that has the reference. */
    payinId?: string | undefined
    /** With `APPROVAL_REQUIRED`: the approval that waits. */
    approvalId?: string | undefined
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

export type ListRefundsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only refunds with this status. */
  status?: 'PROCESSING' | 'CONFIRMED' | 'CANCELED' | 'DECLINED' | undefined
  /** Only refunds for this reason. */
  reason?: 'FRAUD' | 'NOT_REQUESTED' | 'NOT_RECEIVED' | 'NOT_AS_ORDERED' | 'DEFECTIVE' | 'WITHDRAWAL' | 'OTHER' | undefined
  /** Only refunds of this payin. */
  payinId?: string | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListPayoutBatchesQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only batches with this status. */
  status?: 'CHECKING' | 'DRAFT' | 'WAITING' | 'PROCESSING' | 'COMPLETED' | 'CANCELED' | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListPayoutBatchRowsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only rows with errors, or with warnings of their own. */
  only?: 'errors' | 'warnings' | undefined
  /** Only rows in this state. */
  state?: 'DRAFT' | 'LEFT_OUT' | 'QUEUED' | 'SENT' | 'REFUSED' | undefined
}

export type ListBeneficiariesQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
}

export type ListApprovalsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only approvals with this status. */
  status?: 'WAITING' | 'APPROVED' | 'REFUSED' | 'LAPSED' | 'VOIDED' | undefined
  /** Only this kind. */
  kind?: 'payout' | 'payout-batch' | 'refund' | 'suspense-return' | 'connection' | 'credential' | 'approval-rule' | undefined
  /** Only those about this object. */
  subjectId?: string | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type GetBalanceQuery = {
  /** The balance as it stood at this time, with all that was booked by then. Without it: now. */
  at?: string | undefined
}

export type ListTransfersQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only transfers about this payin, payout, suspense item, deposit or withdrawal. */
  subjectId?: string | undefined
  /** Only transfers into or out of this account. */
  account?: 'AVAILABLE' | 'DEPOSITED' | 'PENDING_SETTLEMENT' | 'RESERVED' | 'SUSPENSE' | 'CLEARING_BRE_B' | 'CLEARING_PSE' | 'FEES' | 'WITHHELD' | undefined
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
  kind?: 'payin-contradiction' | 'payout-contradiction' | 'payin-unresolved' | 'payout-unresolved' | 'refund-unresolved' | 'orphan-notice' | 'reconciliation' | 'statement-late' | 'balance-below-minimum' | 'batch-altered' | 'connection-refused' | 'address-refused' | 'failed-sign-ins' | 'many-refusals' | 'many-missed-lookups' | undefined
  /** Only what was created at this time or later. */
  createdFrom?: string | undefined
  /** Only what was created at this time or earlier. */
  createdTo?: string | undefined
}

export type ListReportDaysQuery = {
  /** The first day. Without it: 30 days before the last. */
  from?: string | undefined
  /** The last day. Without it: today. */
  to?: string | undefined
}

export type ListReportMovementsQuery = {
  /** `nextCursor` or `previousCursor` of an earlier page. */
  cursor?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
  /** Only what this column counts. */
  column?: 'confirmed' | 'settled' | 'attached' | 'refunded' | 'chargedBack' | 'paidOut' | 'payoutsReturned' | 'deposited' | 'withdrawn' | 'fees' | 'feeTax' | 'withheld' | 'suspenseIn' | 'suspenseOut' | undefined
}

export type DownloadReportMovementsQuery = {
  /** Of the file: `csv` (as if not named) or `xlsx`. */
  format?: 'csv' | 'xlsx' | undefined
  /** Of its heads: `es` (as if not named), with semicolons and decimal commas, or `en`. */
  language?: 'es' | 'en' | undefined
  /** Only what this column counts. */
  column?: 'confirmed' | 'settled' | 'attached' | 'refunded' | 'chargedBack' | 'paidOut' | 'payoutsReturned' | 'deposited' | 'withdrawn' | 'fees' | 'feeTax' | 'withheld' | 'suspenseIn' | 'suspenseOut' | undefined
}

export type DownloadReportMonthQuery = {
  /** Of the file: `csv` (as if not named) or `xlsx`. */
  format?: 'csv' | 'xlsx' | undefined
  /** Of its heads: `es` (as if not named), with semicolons and decimal commas, or `en`. */
  language?: 'es' | 'en' | undefined
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
  type?: 'payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'refund.created' | 'refund.waiting' | 'refund.confirmed' | 'refund.declined' | 'refund.canceled' | 'refund.returned' | 'payoutbatch.completed' | 'approval.waiting' | 'approval.approved' | 'approval.refused' | 'approval.lapsed' | 'approval.voided' | 'webhook.test' | undefined
  /** Only events about this payin, payout, payment link or webhook endpoint. */
  objectId?: string | undefined
  /** Entries a page. */
  pageSize?: number | undefined
}

export type StreamEventsQuery = {
  /** Only events with a higher `sequence`. */
  after?: number | undefined
  /** Only events with this name. */
  type?: 'payin.confirmed' | 'payin.canceled' | 'payin.declined' | 'payout.confirmed' | 'payout.canceled' | 'payout.declined' | 'paymentlink.completed' | 'paymentlink.expired' | 'payin.settled' | 'payin.chargeback' | 'payin.processing' | 'payout.processing' | 'payout.returned' | 'paymentpage.paid' | 'paymentpage.soldout' | 'paymentpage.closed' | 'refund.created' | 'refund.waiting' | 'refund.confirmed' | 'refund.declined' | 'refund.canceled' | 'refund.returned' | 'payoutbatch.completed' | 'approval.waiting' | 'approval.approved' | 'approval.refused' | 'approval.lapsed' | 'approval.voided' | 'webhook.test' | undefined
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
  act?: 'payin.create' | 'payin.cancel' | 'payin.simulate' | 'payout.create' | 'payout.cancel' | 'payout.simulate' | 'payout.release' | 'refund.create' | 'refund.cancel' | 'refund.claim' | 'refund.release' | 'payoutbatch.create' | 'payoutbatch.change' | 'payoutbatch.leaveout' | 'payoutbatch.check' | 'payoutbatch.submit' | 'payoutbatch.cancel' | 'payoutbatch.retry' | 'payoutbatch.release' | 'beneficiary.write' | 'beneficiary.delete' | 'paymentlink.create' | 'paymentlink.expire' | 'paymentpage.create' | 'paymentpage.change' | 'paymentpage.close' | 'brebkey.lookup' | 'event.redeliver' | 'webhook.create' | 'webhook.change' | 'webhook.delete' | 'webhook.verify' | 'webhook.rotate' | 'webhook.test' | 'webhook.recover' | 'portallink.create' | 'connection.create' | 'connection.change' | 'connection.delete' | 'connection.test' | 'movement.deposit' | 'movement.withdraw' | 'organization.create' | 'organization.change' | 'organization.limits' | 'organization.charges' | 'apikey.create' | 'apikey.change' | 'apikey.roll' | 'apikey.revoke' | 'apikey.limits' | 'client.create' | 'client.change' | 'client.roll' | 'client.revoke' | 'client.limits' | 'member.role' | 'member.remove' | 'member.signout' | 'invitation.create' | 'invitation.revoke' | 'invitation.accept' | 'user.signin' | 'user.signout' | 'user.name' | 'user.password' | 'user.app' | 'user.codes' | 'user.passkey' | 'user.company' | 'user.signinlink' | 'user.reset' | 'approval.submit' | 'approval.approve' | 'approval.refuse' | 'approval.void' | 'approval.lapse' | 'approvalrule.change' | 'suspense.return' | 'suspense.attach' | 'suspense.release' | 'suspense.note' | 'alarm.take' | 'alarm.resolve' | 'customer.erase' | 'customer.show' | 'reconciliation.run' | 'day.close' | 'clock.advance' | 'signingkey.rotate' | 'secretskey.rotate' | 'database.restore' | 'database.hold' | undefined
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
  /** Give money of a payin back */
  'POST /payins/{payinId}/refunds': {
    params: {
      /** Identifier of the payin. */
      payinId: string
    }
    body: CreateRefund
    answer: Refund
  }
  /** List refunds */
  'GET /refunds': {
    query?: ListRefundsQuery | undefined
    answer: RefundList
  }
  /** Get a refund */
  'GET /refunds/{refundId}': {
    params: {
      /** Identifier of the refund. */
      refundId: string
    }
    answer: Refund
  }
  /** Cancel a refund */
  'POST /refunds/{refundId}/cancel': {
    params: {
      /** Identifier of the refund. */
      refundId: string
    }
    answer: Refund
  }
  /** Create a batch of payouts from a file */
  'POST /payout-batches': {
    body: CreatePayoutBatch
    answer: PayoutBatch
  }
  /** List batches of payouts */
  'GET /payout-batches': {
    query?: ListPayoutBatchesQuery | undefined
    answer: PayoutBatchList
  }
  /** Get the template of a file of payouts */
  'GET /payout-batches/template.csv': {
    answer: Blob
  }
  /** Get a batch of payouts */
  'GET /payout-batches/{batchId}': {
    params: {
      /** Identifier of the batch. */
      batchId: string
    }
    answer: PayoutBatch
  }
  /** List the rows of a batch */
  'GET /payout-batches/{batchId}/rows': {
    params: {
      /** Identifier of the batch. */
      batchId: string
    }
    query?: ListPayoutBatchRowsQuery | undefined
    answer: PayoutBatchRowList
  }
  /** Correct a row of a batch */
  'PATCH /payout-batches/{batchId}/rows/{row}': {
    params: {
      /** Identifier of the batch. */
      batchId: string
      /** Number of the row, as a spreadsheet counts. */
      row: string
    }
    body: PayoutBatchRowChanges
    answer: PayoutBatchRow
  }
  /** Leave rows of a batch out */
  'POST /payout-batches/{batchId}/leave-out': {
    params: {
      /** Identifier of the batch. */
      batchId: string
    }
    body?: LeaveOutRows | undefined
    answer: PayoutBatch
  }
  /** Look up the keys that were not looked up */
  'POST /payout-batches/{batchId}/check': {
    params: {
      /** Identifier of the batch. */
      batchId: string
    }
    answer: PayoutBatch
  }
  /** Submit a batch of payouts */
  'POST /payout-batches/{batchId}/submit': {
    params: {
      /** Identifier of the batch. */
      batchId: string
    }
    body?: SubmitPayoutBatch | undefined
    answer: PayoutBatch
  }
  /** Cancel a batch of payouts */
  'POST /payout-batches/{batchId}/cancel': {
    params: {
      /** Identifier of the batch. */
      batchId: string
    }
    answer: PayoutBatch
  }
  /** Try the failed rows of a batch again */
  'POST /payout-batches/{batchId}/retry': {
    params: {
      /** Identifier of the batch. */
      batchId: string
    }
    answer: PayoutBatch
  }
  /** Get the result of a batch as a file */
  'GET /payout-batches/{batchId}/result.csv': {
    params: {
      /** Identifier of the batch. */
      batchId: string
    }
    answer: Blob
  }
  /** Write an entry of the beneficiary book */
  'PUT /beneficiaries': {
    body: WriteBeneficiary
    answer: Beneficiary
  }
  /** List the beneficiary book */
  'GET /beneficiaries': {
    query?: ListBeneficiariesQuery | undefined
    answer: BeneficiaryList
  }
  /** Get an entry of the beneficiary book */
  'GET /beneficiaries/{beneficiaryId}': {
    params: {
      /** Identifier of the entry. */
      beneficiaryId: string
    }
    answer: Beneficiary
  }
  /** Delete an entry of the beneficiary book */
  'DELETE /beneficiaries/{beneficiaryId}': {
    params: {
      /** Identifier of the entry. */
      beneficiaryId: string
    }
    answer: DeletedBeneficiary
  }
  /** List approvals */
  'GET /approvals': {
    query?: ListApprovalsQuery | undefined
    answer: ApprovalList
  }
  /** Get an approval */
  'GET /approvals/{approvalId}': {
    params: {
      /** Identifier of the approval. */
      approvalId: string
    }
    answer: Approval
  }
  /** Approve */
  'POST /approvals/{approvalId}/approve': {
    params: {
      /** Identifier of the approval. */
      approvalId: string
    }
    body: DecideApproval
    answer: Approval
  }
  /** Refuse */
  'POST /approvals/{approvalId}/refuse': {
    params: {
      /** Identifier of the approval. */
      approvalId: string
    }
    body: DecideApproval
    answer: Approval
  }
  /** Get the approval rules */
  'GET /approval-rules': {
    answer: ApprovalRules
  }
  /** Replace the approval rules */
  'PUT /approval-rules': {
    body: ReplaceApprovalRules
    answer: ApprovalRules
  }
  /** Get the balance */
  'GET /balance': {
    query?: GetBalanceQuery | undefined
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
  /** List days */
  'GET /reports/days': {
    query?: ListReportDaysQuery | undefined
    answer: DayReportList
  }
  /** Get a day */
  'GET /reports/days/{day}': {
    params: {
      /** The day in Bogotá. */
      day: string
    }
    answer: DayReport
  }
  /** Close a day */
  'POST /reports/days/{day}/close': {
    params: {
      /** The day in Bogotá. */
      day: string
    }
    answer: DayReport
  }
  /** List the movements of a day */
  'GET /reports/days/{day}/movements': {
    params: {
      /** The day in Bogotá. */
      day: string
    }
    query?: ListReportMovementsQuery | undefined
    answer: MovementList
  }
  /** Download the movements of a day */
  'GET /reports/days/{day}/movements/file': {
    params: {
      /** The day in Bogotá. */
      day: string
    }
    query?: DownloadReportMovementsQuery | undefined
    answer: Blob
  }
  /** Get the statement of a month */
  'GET /reports/months/{month}': {
    params: {
      /** The month in Bogotá. */
      month: string
    }
    answer: MonthReport
  }
  /** Download the statement of a month */
  'GET /reports/months/{month}/file': {
    params: {
      /** The month in Bogotá. */
      month: string
    }
    query?: DownloadReportMonthQuery | undefined
    answer: Blob
  }
  /** Get what payments cost */
  'GET /reports/charges': {
    answer: Charges
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
