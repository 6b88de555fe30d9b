// What an audit entry may say of a thing: the fields named here and no others. Nothing is shown that is not named, so a new field
// with a secret or a payer in it stays out by itself. Entries are kept for good, and whoever may read them need not know secrets.

import type { ObjectKind } from './act.ts'

// `secret`: only whether there is one, and that it was replaced. `digest`: long or private texts, by their SHA-256. `url`: without
// what follows the path, where addresses carry tokens.
export type FieldRule = 'shown' | 'time' | 'secret' | 'digest' | 'url'

type Fields = Readonly<Record<string, FieldRule>>

const LIMITED: Fields = {
  maxPerSecond: 'shown',
  allowedAddresses: 'shown',
  payoutsPerDay: 'shown',
  payoutSumPerDay: 'shown',
}

export const AUDITED_FIELDS: Readonly<Record<ObjectKind, Fields>> = {
  payin: {
    amountInCents: 'shown',
    rail: 'shown',
    reference: 'shown',
    status: 'shown',
    callbackUrl: 'url',
    // What a developer asked of a simulated network.
    outcome: 'shown',
    errorCode: 'shown',
  },
  payout: {
    amountInCents: 'shown',
    reference: 'shown',
    status: 'shown',
    keyType: 'shown',
    outcome: 'shown',
    errorCode: 'shown',
    heldSince: 'time',
  },
  refund: {
    payinId: 'shown',
    amountInCents: 'shown',
    reason: 'shown',
    way: 'shown',
    status: 'shown',
    stage: 'shown',
    errorCode: 'shown',
    heldSince: 'time',
  },
  payoutbatch: {
    status: 'shown',
    fileName: 'shown',
    retryOf: 'shown',
    retriedIn: 'shown',
    version: 'shown',
    reservedInCents: 'shown',
    reservedFeesInCents: 'shown',
    rows: 'shown',
    rowNumber: 'shown',
    leftOut: 'shown',
    state: 'shown',
    heldSince: 'time',
  },
  // Whose it is stays out: only that a key was checked.
  beneficiary: { verifiedAt: 'time', verifiedBy: 'shown' },
  paymentlink: {
    amountInCents: 'shown',
    rail: 'shown',
    reference: 'shown',
    status: 'shown',
    bank: 'shown',
    callbackUrl: 'url',
  },
  paymentpage: {
    name: 'shown',
    description: 'shown',
    status: 'shown',
    items: 'shown',
    image: 'digest',
    metadata: 'digest',
    amountInCents: 'shown',
    minAmountInCents: 'shown',
    maxAmountInCents: 'shown',
    reference: 'shown',
    callbackUrl: 'url',
    rail: 'shown',
    validUntil: 'time',
    maxPayments: 'shown',
    maxPieces: 'shown',
  },
  approval: {
    kind: 'shown',
    subjectId: 'shown',
    amountInCents: 'shown',
    approvers: 'shown',
    status: 'shown',
    // What was bound, and what proves that it was them.
    digestHex: 'shown',
    proof: 'shown',
    publicKey: 'digest',
    reason: 'shown',
  },
  approvalrule: { rules: 'shown' },
  brebkey: { key: 'shown', keyType: 'shown' },
  event: { type: 'shown', endpointIds: 'shown' },
  webhook: {
    url: 'url',
    events: 'shown',
    description: 'shown',
    state: 'shown',
    disabledReason: 'shown',
    maxPerSecond: 'shown',
    verifiedAt: 'time',
    sealedSecret: 'secret',
    sealedSigningKey: 'secret',
    // Asked for by a test or a recovery.
    eventId: 'shown',
    since: 'time',
    scheduled: 'shown',
  },
  // Never the address itself.
  portallink: {
    endpointIds: 'shown',
    readOnly: 'shown',
    frameAncestors: 'shown',
    expiresAt: 'time',
  },
  connection: {
    name: 'shown',
    provider: 'shown',
    environment: 'shown',
    uses: 'shown',
    priority: 'shown',
    minimumInCents: 'shown',
    maximumInCents: 'shown',
    enabled: 'shown',
    credentials: 'secret',
    // Of a test: what was checked and found wrong.
    checks: 'shown',
  },
  movement: { connectionId: 'shown', kind: 'shown', amountInCents: 'shown', reference: 'shown' },
  organization: {
    name: 'shown',
    taxId: 'shown',
    contactEmail: 'shown',
    contactPhone: 'shown',
    logoUrl: 'digest',
    accentColor: 'shown',
    rails: 'shown',
    onAmountMismatch: 'shown',
    requireKeyLookup: 'shown',
    payinExpiryMinutes: 'shown',
    alarmEmails: 'shown',
    alarmLanguage: 'shown',
    minimumBalanceInCents: 'shown',
    accounting: 'shown',
    // What its payins cost, set by the operator.
    fees: 'shown',
    withholdings: 'shown',
    // Whoever has it can write to the staff.
    alarmWebhookUrl: 'secret',
    payoutsPerDay: 'shown',
    payoutSumPerDay: 'shown',
    quietHours: 'shown',
  },
  apikey: {
    name: 'shown',
    displayPrefix: 'shown',
    scopes: 'shown',
    expiresAt: 'time',
    revokedAt: 'time',
    // Of a key that was rolled: its successor.
    replacedBy: 'shown',
    ...LIMITED,
  },
  client: {
    name: 'shown',
    scopes: 'shown',
    secretDigest: 'secret',
    previousUntil: 'time',
    revokedAt: 'time',
    ...LIMITED,
  },
  member: { email: 'shown', role: 'shown', endedSessions: 'shown' },
  invitation: {
    email: 'shown',
    role: 'shown',
    expiresAt: 'time',
    usedAt: 'time',
    revokedAt: 'time',
    // Who accepted it.
    userId: 'shown',
  },
  user: {
    // By which they signed in.
    method: 'shown',
    name: 'shown',
    passwordHash: 'secret',
    totpEnabledAt: 'time',
    recoveryCodes: 'shown',
    // The name of the passkey that was added or removed.
    passkey: 'shown',
    // The issuer of the account at the company.
    issuer: 'shown',
    endedSessions: 'shown',
    // How long a link works.
    expiresAt: 'time',
  },
  suspense: {
    state: 'shown',
    amountInCents: 'shown',
    paymentId: 'shown',
    payinId: 'shown',
    attachedTo: 'shown',
    // It may name a person.
    note: 'secret',
  },
  alarm: { kind: 'shown', subjectId: 'shown', takenAt: 'time', resolvedAt: 'time', resolution: 'secret' },
  // How many places, never who.
  customer: {
    foundBy: 'shown',
    payins: 'shown',
    payouts: 'shown',
    paymentLinks: 'shown',
    events: 'shown',
    answers: 'shown',
  },
  reconciliation: { rail: 'shown', day: 'shown' },
  day: { day: 'shown' },
  clock: { seconds: 'shown', now: 'time' },
  signingkey: { keyId: 'shown', retired: 'shown' },
  secretskey: { keyId: 'shown', resealed: 'shown', unreadable: 'shown' },
  database: { takenAt: 'shown', heldBack: 'shown' },
}
