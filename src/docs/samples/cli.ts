// A call with the merchant's command line. Fields become flags of the same name if the command has them. An operation
// without a command has no sample here.

import { quoted } from '../../core/shell-text.ts'
import { type Call, pathExample, pathNames } from './call.ts'

export function cliSample({ operation, body, baseUrl }: Call): string | undefined {
  if (operation.operationId === 'createAccessToken') return loginSample(baseUrl)
  const command = COMMANDS[operation.operationId]
  if (command === undefined) return undefined
  const ids = pathNames(operation).map((name): [string, string] => [
    name,
    pathExample(operation.parameters, name),
  ])
  const values = { ...Object.fromEntries(ids), ...flatten(body) }
  const used = new Set<string>()
  const filled = command.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => {
    used.add(name)
    return quoted(String(values[name] ?? name))
  })
  const flags = Object.entries(flatten(body)).flatMap(([path, value]) => {
    const flag = flagsOf(operation.operationId)(path)
    if (used.has(path) || flag === undefined || FILLED_IN[operation.operationId]?.includes(path)) return []
    return [`--${typeof flag === 'string' ? `${flag} ${quoted(value)}` : flag(value)}`]
  })
  return wrap([`recaudo ${filled}`, ...flags])
}

// The command line fetches tokens itself. It needs the client only once, at login.
function loginSample(baseUrl: string): string {
  return wrap([
    'recaudo login',
    `--base-url ${quoted(baseUrl)}`,
    '--client-id "$RECAUDO_CLIENT_ID"',
    '--client-secret "$RECAUDO_CLIENT_SECRET"',
  ])
}

const LINE_WIDTH = 78

function wrap(words: readonly string[]): string {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line !== '' && line.length + word.length > LINE_WIDTH) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line].join(' \\\n  ')
}

// `{ breb: { keyType: 'QR_CODE' } }` → `{ 'breb.keyType': 'QR_CODE' }`; lists are joined with commas.
function flatten(value: unknown, before = ''): Record<string, string> {
  const entries = Object.entries((value ?? {}) as object).flatMap(([name, one]): [string, string][] => {
    const path = `${before}${name}`
    if (Array.isArray(one)) return [[path, one.join(',')]]
    if (typeof one === 'object' && one !== null) return Object.entries(flatten(one, `${path}.`))
    return [[path, String(one)]]
  })
  return Object.fromEntries(entries)
}

// Fields that are not listed are filled in by the commands: the currency, the kind of amount.
const FLAGS: Readonly<Record<string, string | ((value: string) => string)>> = {
  rail: 'rail',
  amountInCents: 'amount-in-cents',
  reference: 'reference',
  'inlineCustomer.name': 'name',
  'inlineCustomer.email': 'email',
  'inlineCustomer.phone': 'phone',
  'inlineCustomer.idType': (value) => `document-type ${quoted(value.replace(/^CO_/, ''))}`,
  'inlineCustomer.idNumber': 'document-number',
  'breb.keyType': 'key-type',
  'breb.keyString': 'key',
  'pse.bank': 'bank',
  'pse.personType': 'person-type',
  callbackUrl: 'callback-url',
  url: 'url',
  events: 'events',
  description: 'description',
  name: 'page-name',
  minAmountInCents: 'min-amount-in-cents',
  maxAmountInCents: 'max-amount-in-cents',
  maxPieces: 'max-pieces',
  maxPayments: 'max-payments',
  validUntil: 'valid-until',
  reason: 'reason',
  way: 'way',
  acceptWarnings: () => 'accept-warnings',
  status: (value) => (value === 'ENABLED' ? 'enable' : 'disable'),
}

const TEAM_FLAGS: typeof FLAGS = { email: 'email', role: 'role', name: 'name' }

// The example may send.
const PORTAL_FLAGS: typeof FLAGS = {
  readOnly: () => 'can-send',
  expiresInMinutes: 'expires-in-minutes',
  frameAncestors: 'frame-ancestors',
  language: 'language',
}

type FlagOf = (path: string) => string | ((value: string) => string) | undefined

function flagsOf(operationId: string): FlagOf {
  if (operationId.includes('Team')) return (path) => TEAM_FLAGS[path]
  if (operationId.endsWith('PortalLink')) return (path) => PORTAL_FLAGS[path]
  if (operationId.endsWith('Connection')) return connectionFlag
  return /(?:ApiKey|OAuthClient)$/.test(operationId)
    ? (path) => CREDENTIAL_FLAGS[path]
    : (path) => FLAGS[path]
}

function connectionFlag(path: string): string | ((value: string) => string) | undefined {
  const [, name] = /^credentials\.(.+)$/.exec(path) ?? []
  return name === undefined ? CONNECTION_FLAGS[path] : (value) => `credential ${quoted(`${name}=${value}`)}`
}

const CONNECTION_FLAGS: typeof FLAGS = {
  name: 'name',
  provider: 'provider',
  environment: 'environment',
  uses: 'uses',
  priority: 'priority',
  minimumInCents: 'minimum-in-cents',
  maximumInCents: 'maximum-in-cents',
  enabled: (value) => (value === 'false' ? 'disabled' : 'enable'),
}

const CREDENTIAL_FLAGS: typeof FLAGS = {
  name: 'name',
  scopes: 'scopes',
  expiresInDays: 'expires-in-days',
  overlapHours: 'overlap-hours',
  maxPerSecond: 'max-per-second',
  allowedAddresses: 'allow-from',
  payoutsPerDay: 'payouts-per-day',
  payoutSumPerDayInCents: 'payout-sum-per-day-in-cents',
}

// Fields that this command fills in itself, although other commands have a flag for them.
const FILLED_IN: Readonly<Record<string, readonly string[]>> = { createPayout: ['rail'] }

const COMMANDS: Readonly<Record<string, string>> = {
  createPayin: 'payins create',
  listPayins: 'payins list --limit 10',
  getPayin: 'payins get {payinId}',
  cancelPayin: 'payins cancel {payinId}',
  getReceipt: 'payins receipt {payinId}',
  listPseBanks: 'banks',
  lookUpBrebKey: 'keys get {keyString}',
  createPaymentLink: 'links create',
  listPaymentLinks: 'links list --limit 10',
  getPaymentLink: 'links get {paymentLinkId}',
  expirePaymentLink: 'links expire {paymentLinkId}',
  createPaymentPage: 'pages create',
  listPaymentPages: 'pages list --limit 10',
  getPaymentPage: 'pages get {paymentPageId}',
  changePaymentPage: 'pages update {paymentPageId}',
  closePaymentPage: 'pages close {paymentPageId}',
  createPayout: 'payouts create',
  listPayouts: 'payouts list --limit 10',
  getPayout: 'payouts get {payoutId}',
  cancelPayout: 'payouts cancel {payoutId}',
  getPayoutEvidence: 'payouts evidence {payoutId}',
  listApprovals: 'approvals list --limit 10',
  getApproval: 'approvals get {approvalId}',
  getApprovalRules: 'approvals rules',
  createRefund: 'refunds create {payinId}',
  listRefunds: 'refunds list --limit 10',
  getRefund: 'refunds get {refundId}',
  cancelRefund: 'refunds cancel {refundId}',
  createPayoutBatch: 'payout-batches create {fileName}',
  listPayoutBatches: 'payout-batches list --limit 10',
  getPayoutBatchTemplate: 'payout-batches template pagos.csv',
  getPayoutBatch: 'payout-batches show {batchId}',
  listPayoutBatchRows: 'payout-batches rows {batchId} --limit 10',
  submitPayoutBatch: 'payout-batches submit {batchId}',
  cancelPayoutBatch: 'payout-batches cancel {batchId}',
  retryPayoutBatch: 'payout-batches retry {batchId}',
  getPayoutBatchResult: 'payout-batches result {batchId}',
  getBalance: 'balance',
  listReconciliations: 'reconciliations list --limit 10',
  getReconciliation: 'reconciliations get {reconciliationId}',
  listReportDays: 'report days',
  getReportDay: 'report day {day}',
  closeReportDay: 'report close {day}',
  listReportMovements: 'report movements {day} --limit 10',
  downloadReportMovements: 'report download {day} --out movements.csv',
  getReportMonth: 'report month {month}',
  downloadReportMonth: 'report download {month} --out statement.csv',
  getCharges: 'report charges',
  listEvents: 'events list --after 0',
  streamEvents: 'listen',
  getEvent: 'events get {eventId}',
  listDeliveries: 'events deliveries {eventId}',
  redeliverEvent: 'events replay {eventId}',
  createWebhookEndpoint: 'webhooks create',
  listWebhookEndpoints: 'webhooks list',
  getWebhookEndpoint: 'webhooks get {endpointId}',
  changeWebhookEndpoint: 'webhooks update {endpointId}',
  deleteWebhookEndpoint: 'webhooks delete {endpointId}',
  verifyWebhookEndpoint: 'webhooks verify {endpointId}',
  rotateWebhookSecret: 'webhooks rotate-secret {endpointId}',
  testWebhookEndpoint: 'webhooks test {endpointId}',
  listTeamMembers: 'team list',
  changeTeamMember: 'team role {userId}',
  removeTeamMember: 'team remove {userId}',
  listTeamSessions: 'team sessions {userId}',
  endTeamSessions: 'team sign-out {userId}',
  createTeamInvitation: 'team invite',
  listTeamInvitations: 'team invitations',
  revokeTeamInvitation: 'team revoke {invitationId}',
  createConnection: 'connections create',
  listConnections: 'connections list',
  getConnection: 'connections show {connectionId}',
  changeConnection: 'connections update {connectionId}',
  deleteConnection: 'connections delete {connectionId}',
  testConnection: 'connections test {connectionId}',
  listConnectionBanks: 'connections banks {connectionId}',
  createConnectionDeposit: 'connections deposit {connectionId}',
  listConnectionDeposits: 'connections deposits {connectionId} --limit 10',
  createConnectionWithdrawal: 'connections withdraw {connectionId}',
  listConnectionWithdrawals: 'connections withdrawals {connectionId} --limit 10',
  listProviders: 'connections providers',
  createApiKey: 'api-keys create',
  listApiKeys: 'api-keys list',
  changeApiKey: 'api-keys update {apiKeyId}',
  rollApiKey: 'api-keys roll {apiKeyId}',
  revokeApiKey: 'api-keys revoke {apiKeyId}',
  createOAuthClient: 'oauth-clients create',
  listOAuthClients: 'oauth-clients list',
  changeOAuthClient: 'oauth-clients update {clientId}',
  rollOAuthClient: 'oauth-clients roll {clientId}',
  revokeOAuthClient: 'oauth-clients revoke {clientId}',
  listSuspense: 'unmatched list --limit 10',
  getSuspense: 'unmatched get {suspenseId}',
  noteSuspense: 'unmatched note {suspenseId} --note {note}',
  returnSuspense: 'unmatched return {suspenseId}',
  attachSuspense: 'unmatched attach {suspenseId} --payin {payinId}',
  takeAlarm: 'alarms take {alarmId}',
  resolveAlarm: 'alarms resolve {alarmId} --word {word}',
  listAlarms: 'alarms list --limit 10',
  search: 'search 1.250.000',
  listAudit: 'audit list --limit 10',
  listRequests: 'requests list --limit 10',
  advanceClock: 'clock advance {seconds}s',
  createWebhookPortalLink: 'webhooks portal {endpointIds}',
  recoverWebhookEndpoint: 'events replay --endpoint {endpointId} --since {since}',
}
