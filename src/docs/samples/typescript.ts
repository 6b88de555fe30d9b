// A call with @recaudo/sdk, as a complete program from the import to the output.

import type { ApiOperation } from '../open-api.ts'
import { type Call, exampleQuery, pathExample, pathNames } from './call.ts'

export function typescriptSample(call: Call): string | undefined {
  const { operation, baseUrl } = call
  const method = METHODS[operation.operationId]
  if (method === undefined) return undefined
  if (operation.operationId === 'getReceiptKeys')
    return `import { fetchReceiptKeys } from '@recaudo/sdk/receipts'

const keys = await fetchReceiptKeys({ baseUrl: ${literal(baseUrl)} })
console.log(keys)`
  const [client, entry] = method.entry === undefined ? ['Recaudo', ''] : ENTRIES[method.entry]
  const credentials =
    operation.operationId === 'createAccessToken'
      ? `{\n    clientId: ${environmentVariable('RECAUDO_CLIENT_ID')},\n    clientSecret: ${environmentVariable('RECAUDO_CLIENT_SECRET')},\n  }`
      : `{ apiKey: ${environmentVariable('RECAUDO_API_KEY')} }`
  return `import { ${client} } from '@recaudo/sdk${entry}'

const ${method.entry ?? 'recaudo'} = new ${client}(
  ${credentials},
  { baseUrl: ${literal(baseUrl)} },
)

${statement(call, method)}`
}

// Part of the sample's text: the reader's program reads the environment, not ours.
function environmentVariable(name: string): string {
  return `process${'.'}env.${name} ?? ''`
}

const ENTRIES = {
  reports: ['Reports', '/reports'],
  receipts: ['Receipts', '/receipts'],
  administration: ['Administration', '/administration'],
  audit: ['Audit', '/audit'],
  deposits: ['Deposits', '/deposits'],
  refunds: ['Refunds', '/refunds'],
  approvals: ['Approvals', '/approvals'],
  suspense: ['Suspense', '/suspense'],
  team: ['Team', '/team'],
  payoutBatches: ['PayoutBatches', '/payout-batches'],
  beneficiaries: ['Beneficiaries', '/payout-batches'],
} as const

// `entry`: in an entry of the SDK of its own. `isWhole`: a file that comes whole, not in parts.
type Method = {
  readonly call: string
  readonly result: string
  readonly note?: string
  readonly entry?: keyof typeof ENTRIES
  readonly isWhole?: true
}

function statement({ operation, body }: Call, { call, result, note, entry, isWhole }: Method): string {
  const before = note === undefined ? '' : `// ${note}\n`
  const expression = `${entry ?? 'recaudo'}.${call}(${argumentsOf(operation, body, call)})`
  if (!isWhole && isIterated(operation))
    return `${before}for await (const ${result} of ${expression}) {\n  console.log(${result})\n}`
  return `${before}const ${result} = await ${expression}\nconsole.log(${result})`
}

function argumentsOf(operation: ApiOperation, body: unknown, call: string): string {
  if (operation.operationId === 'createAccessToken') return ''
  const ids = pathNames(operation).map((name) => {
    const example = pathExample(operation.parameters, name)
    // The client counts rows; what else stands in a path is text.
    return literal(name === 'row' ? Number(example) : example)
  })
  const query = exampleQuery(operation)
  // Iterating reads every page, so the page size does not matter.
  const { pageSize: _, ...filters } = query
  const hasQuery = Object.keys(filters).length > 0 && !call.startsWith('banks')
  const given = body === undefined || Object.keys(body as object).length === 0 ? [] : [literal(body)]
  return [...ids, ...given, ...(hasQuery ? [literal(filters)] : [])].join(', ')
}

function isIterated({ success }: ApiOperation): boolean {
  if (success.mediaType === 'text/event-stream' || success.mediaType?.startsWith('text/csv')) return true
  const [example] = success.examples
  return Array.isArray((example?.value as { data?: unknown } | undefined)?.data)
}

// JSON as a person would write it in TypeScript.
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
  if (typeof value === 'number' && Number.isInteger(value) && value >= 10_000)
    return String(value).replaceAll(/\B(?=(\d{3})+$)/g, '_')
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, inner)).join(', ')}]`
  const entries = Object.entries(value).map(([name, one]) => `${name}: ${literal(one, inner)}`)
  const oneLine = `{ ${entries.join(', ')} }`
  if (oneLine.length + indent.length <= 60 && !oneLine.includes('\n')) return oneLine
  return `{\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}}`
}

// A test compares this with openapi.json and fails if an operation is missing, because it would have no sample.
const METHODS: Readonly<Record<string, Method>> = {
  createPayin: { call: 'payins.create', result: 'payin' },
  listPayins: { call: 'payins.list', result: 'payin' },
  getPayin: { call: 'payins.get', result: 'payin' },
  cancelPayin: { call: 'payins.cancel', result: 'payin' },
  getReceipt: { call: 'ofPayin', result: 'receipt', entry: 'receipts' },
  getPayinQr: { call: 'payins.qr', result: 'image' },
  listPseBanks: { call: 'banks.list', result: 'bank' },
  lookUpBrebKey: { call: 'keys.lookUp', result: 'key' },
  createPaymentLink: { call: 'paymentLinks.create', result: 'link' },
  listPaymentLinks: { call: 'paymentLinks.list', result: 'link' },
  getPaymentLink: { call: 'paymentLinks.get', result: 'link' },
  expirePaymentLink: { call: 'paymentLinks.expire', result: 'link' },
  getPaymentLinkQr: { call: 'paymentLinks.qr', result: 'image' },
  createPaymentPage: { call: 'paymentPages.create', result: 'page' },
  listPaymentPages: { call: 'paymentPages.list', result: 'page' },
  getPaymentPage: { call: 'paymentPages.get', result: 'page' },
  changePaymentPage: { call: 'paymentPages.update', result: 'page' },
  closePaymentPage: { call: 'paymentPages.close', result: 'page' },
  getPaymentPageQr: { call: 'paymentPages.qr', result: 'image' },
  getPaymentPagePoster: { call: 'paymentPages.poster', result: 'sheet' },
  createPayout: { call: 'payouts.create', result: 'payout' },
  listPayouts: { call: 'payouts.list', result: 'payout' },
  getPayout: { call: 'payouts.get', result: 'payout' },
  cancelPayout: { call: 'payouts.cancel', result: 'payout' },
  getPayoutEvidence: { call: 'ofPayout', result: 'evidence', entry: 'receipts' },
  createRefund: { call: 'create', result: 'refund', entry: 'refunds' },
  listRefunds: { call: 'list', result: 'refund', entry: 'refunds' },
  getRefund: { call: 'get', result: 'refund', entry: 'refunds' },
  cancelRefund: { call: 'cancel', result: 'refund', entry: 'refunds' },
  createPayoutBatch: { call: 'create', result: 'batch', entry: 'payoutBatches' },
  listPayoutBatches: { call: 'list', result: 'batch', entry: 'payoutBatches' },
  getPayoutBatchTemplate: { call: 'template', result: 'file', entry: 'payoutBatches', isWhole: true },
  getPayoutBatch: { call: 'get', result: 'batch', entry: 'payoutBatches' },
  listPayoutBatchRows: { call: 'rows', result: 'row', entry: 'payoutBatches' },
  changePayoutBatchRow: { call: 'changeRow', result: 'row', entry: 'payoutBatches' },
  leaveOutPayoutBatchRows: { call: 'leaveOut', result: 'batch', entry: 'payoutBatches' },
  checkPayoutBatch: { call: 'check', result: 'batch', entry: 'payoutBatches' },
  submitPayoutBatch: { call: 'submit', result: 'batch', entry: 'payoutBatches' },
  cancelPayoutBatch: { call: 'cancel', result: 'batch', entry: 'payoutBatches' },
  retryPayoutBatch: { call: 'retry', result: 'batch', entry: 'payoutBatches' },
  getPayoutBatchResult: { call: 'result', result: 'file', entry: 'payoutBatches', isWhole: true },
  writeBeneficiary: { call: 'write', result: 'beneficiary', entry: 'beneficiaries' },
  listBeneficiaries: { call: 'list', result: 'beneficiary', entry: 'beneficiaries' },
  getBeneficiary: { call: 'get', result: 'beneficiary', entry: 'beneficiaries' },
  deleteBeneficiary: { call: 'delete', result: 'deleted', entry: 'beneficiaries' },
  getBalance: { call: 'balance.get', result: 'balance' },
  listTransfers: { call: 'ledger.transfers', result: 'transfer' },
  listReconciliations: { call: 'reconciliations.list', result: 'reconciliation' },
  getReconciliation: { call: 'reconciliations.get', result: 'reconciliation' },
  listReportDays: { call: 'days', result: 'report', entry: 'reports' },
  getReportDay: { call: 'day', result: 'report', entry: 'reports' },
  closeReportDay: { call: 'close', result: 'report', entry: 'reports' },
  listReportMovements: { call: 'movements', result: 'movement', entry: 'reports' },
  downloadReportMovements: { call: 'movementsFile', result: 'part', entry: 'reports' },
  getReportMonth: { call: 'month', result: 'statement', entry: 'reports' },
  downloadReportMonth: { call: 'monthFile', result: 'part', entry: 'reports' },
  getCharges: { call: 'charges', result: 'charges', entry: 'reports' },
  listEvents: { call: 'events.list', result: 'event' },
  streamEvents: {
    call: 'events.follow',
    result: 'event',
    note: 'Every event once and in order, over restarts and broken connections.',
  },
  getEvent: { call: 'events.get', result: 'event' },
  listDeliveries: { call: 'events.deliveries', result: 'delivery' },
  redeliverEvent: { call: 'events.redeliver', result: 'redelivered' },
  createWebhookEndpoint: { call: 'webhookEndpoints.create', result: 'endpoint' },
  listWebhookEndpoints: { call: 'webhookEndpoints.list', result: 'endpoint' },
  getWebhookEndpoint: { call: 'webhookEndpoints.get', result: 'endpoint' },
  changeWebhookEndpoint: { call: 'webhookEndpoints.update', result: 'endpoint' },
  deleteWebhookEndpoint: { call: 'webhookEndpoints.delete', result: 'deleted' },
  verifyWebhookEndpoint: { call: 'webhookEndpoints.verify', result: 'endpoint' },
  rotateWebhookSecret: { call: 'webhookEndpoints.rotateSecret', result: 'rotated' },
  testWebhookEndpoint: { call: 'webhookEndpoints.test', result: 'event' },
  recoverWebhookEndpoint: { call: 'webhookEndpoints.recover', result: 'recovered' },
  createWebhookPortalLink: { call: 'webhookPortalLinks.create', result: 'link', entry: 'administration' },
  createConnection: { call: 'connections.create', result: 'connection' },
  listConnections: { call: 'connections.list', result: 'connection' },
  getConnection: { call: 'connections.get', result: 'connection' },
  changeConnection: { call: 'connections.update', result: 'connection' },
  deleteConnection: { call: 'connections.delete', result: 'deleted' },
  testConnection: { call: 'connections.test', result: 'tested' },
  listConnectionBanks: { call: 'connections.banks', result: 'list' },
  createConnectionDeposit: { call: 'create', result: 'deposit', entry: 'deposits' },
  listConnectionDeposits: { call: 'list', result: 'deposit', entry: 'deposits' },
  createConnectionWithdrawal: { call: 'withdraw', result: 'withdrawal', entry: 'deposits' },
  listConnectionWithdrawals: { call: 'withdrawals', result: 'withdrawal', entry: 'deposits' },
  listProviders: { call: 'providers.list', result: 'provider' },
  getOrganization: { call: 'organization.get', result: 'organization' },
  changeOrganization: { call: 'organization.update', result: 'organization' },
  createApiKey: { call: 'apiKeys.create', result: 'key', entry: 'administration' },
  changeApiKey: { call: 'apiKeys.update', result: 'key', entry: 'administration' },
  rollApiKey: { call: 'apiKeys.roll', result: 'key', entry: 'administration' },
  revokeApiKey: { call: 'apiKeys.revoke', result: 'key', entry: 'administration' },
  listApiKeys: { call: 'apiKeys.list', result: 'key', entry: 'administration' },
  createOAuthClient: { call: 'oauthClients.create', result: 'client', entry: 'administration' },
  changeOAuthClient: { call: 'oauthClients.update', result: 'client', entry: 'administration' },
  rollOAuthClient: { call: 'oauthClients.roll', result: 'client', entry: 'administration' },
  revokeOAuthClient: { call: 'oauthClients.revoke', result: 'client', entry: 'administration' },
  listOAuthClients: { call: 'oauthClients.list', result: 'client', entry: 'administration' },
  listSuspense: { call: 'list', result: 'item', entry: 'suspense' },
  getSuspense: { call: 'get', result: 'item', entry: 'suspense' },
  noteSuspense: { call: 'note', result: 'item', entry: 'suspense' },
  returnSuspense: { call: 'return', result: 'item', entry: 'suspense' },
  attachSuspense: { call: 'attach', result: 'item', entry: 'suspense' },
  takeAlarm: { call: 'alarms.take', result: 'alarm', entry: 'administration' },
  resolveAlarm: { call: 'alarms.resolve', result: 'alarm', entry: 'administration' },
  listAlarms: { call: 'alarms.list', result: 'alarm', entry: 'administration' },
  search: { call: 'search', result: 'result', entry: 'administration' },
  listApprovals: { call: 'list', result: 'approval', entry: 'approvals' },
  getApproval: { call: 'get', result: 'approval', entry: 'approvals' },
  approveApproval: {
    call: 'approve',
    result: 'approval',
    entry: 'approvals',
    note: 'People do this in the console. A key is refused.',
  },
  refuseApproval: {
    call: 'refuse',
    result: 'approval',
    entry: 'approvals',
    note: 'People do this in the console. A key is refused.',
  },
  getApprovalRules: { call: 'rules', result: 'rules', entry: 'approvals' },
  replaceApprovalRules: { call: 'replaceRules', result: 'rules', entry: 'approvals' },
  listAudit: { call: 'entries', result: 'entry', entry: 'audit' },
  listRequests: { call: 'requests', result: 'request', entry: 'audit' },
  simulatePayin: { call: 'sandbox.simulatePayin', result: 'simulation' },
  simulatePayout: { call: 'sandbox.simulatePayout', result: 'simulation' },
  advanceClock: { call: 'sandbox.advanceClock', result: 'clock' },
  createAccessToken: {
    call: 'balance.get',
    result: 'balance',
    note: 'The first call gets an access token; it is renewed before it ends.',
  },
  getPublicKeys: { call: 'publicKeys.get', result: 'keys' },
  listTeamMembers: { call: 'members.list', result: 'member', entry: 'team' },
  changeTeamMember: { call: 'members.update', result: 'member', entry: 'team' },
  removeTeamMember: { call: 'members.remove', result: 'removed', entry: 'team' },
  listTeamSessions: { call: 'members.sessions', result: 'session', entry: 'team' },
  endTeamSessions: { call: 'members.endSessions', result: 'ended', entry: 'team' },
  createTeamInvitation: { call: 'invitations.create', result: 'invitation', entry: 'team' },
  listTeamInvitations: { call: 'invitations.list', result: 'invitation', entry: 'team' },
  revokeTeamInvitation: { call: 'invitations.revoke', result: 'revoked', entry: 'team' },
  getReceiptKeys: { call: 'fetchReceiptKeys', result: 'keys', entry: 'receipts' },
}
