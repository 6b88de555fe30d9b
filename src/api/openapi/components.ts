// The document's named schemas. A schema in this list is printed once and referenced everywhere else.

import { FIELD_CODES, MAX_PROBLEMS, REFUSALS } from '../../core/refusal.ts'
import {
  ApprovalDecisionObject,
  ApprovalList,
  ApprovalMaker,
  ApprovalObject,
  ApprovalRuleObject,
  ApprovalRules,
  ApprovalTierObject,
  DecideApproval,
  ReplaceApprovalRules,
} from '../approvals/schema.ts'
import {
  AuditActor,
  AuditEntryList,
  AuditEntryObject,
  AuditObject,
  LoggedRequestList,
  LoggedRequestObject,
} from '../audit/schema.ts'
import {
  BeneficiaryList,
  BeneficiaryObject,
  DeletedBeneficiary,
  WriteBeneficiary,
} from '../beneficiaries/operations.ts'
import {
  ConnectionMovementList,
  ConnectionMovementObject,
  CreateConnectionMovement,
} from '../connections/movements.ts'
import {
  AdvanceClock,
  ClockObject,
  SimulatePayin,
  SimulatePayout,
  SimulationDone,
} from '../connections/sandbox.ts'
import {
  ConnectionBankList,
  ConnectionBankObject,
  ConnectionChanges,
  ConnectionCheckObject,
  ConnectionList,
  ConnectionObject,
  ConnectionTest,
  CreateConnection,
  DeletedConnection,
  ProviderFieldObject,
  ProviderList,
  ProviderObject,
  ShownCredential,
  UnmappedBankObject,
} from '../connections/schema.ts'
import {
  ApiKeyList,
  ApiKeyObject,
  ApiKeyWithSecret,
  CreateApiKey,
  CreateOAuthClient,
  CredentialChanges,
  OAuthClientList,
  OAuthClientObject,
  OAuthClientWithSecret,
  RollCredential,
  RolledApiKey,
} from '../credentials/schema.ts'
import { BrebKeyObject } from '../directory/breb-keys.ts'
import { PseBankList, PseBankObject } from '../directory/pse-banks.ts'
import {
  DeliveryAttemptObject,
  DeliveryList,
  DeliveryObject,
  EventList,
  EventObject,
  RedeliverEvent,
} from '../events/schema.ts'
import { PageInfoObject } from '../http/pagination.ts'
import { ResolveAlarm } from '../ledger/alarm-actions.ts'
import { AlarmList, AlarmObject } from '../ledger/alarms.ts'
import { BalanceObject, TransferList, TransferObject } from '../ledger/operations.ts'
import {
  FindingObject,
  ReconciliationList,
  ReconciliationObject,
  ReconciliationWithFindings,
} from '../ledger/reconciliations.ts'
import {
  DayReportList,
  DayReportObject,
  MonthReportObject,
  MovementList,
  MovementObject,
} from '../ledger/report-schema.ts'
import { ChargesObject } from '../ledger/reports.ts'
import {
  AttachSuspenseItem,
  SuspenseCandidateObject,
  SuspenseItemChanges,
  SuspenseItemList,
  SuspenseItemObject,
  SuspenseItemWithCandidates,
} from '../ledger/suspense-schema.ts'
import { OrganizationChanges, OrganizationObject } from '../organizations/operations.ts'
import {
  BrebDetails,
  BrebSource,
  CreatePayin,
  InlineCustomer,
  PayinList,
  PayinListItem,
  PayinObject,
  PseDetails,
  PseSource,
  ShownCustomer,
} from '../payins/schema.ts'
import { CreatePaymentLink, PaymentLinkList, PaymentLinkObject } from '../payment-links/operations.ts'
import {
  CreatePaymentPage,
  PaymentPageChanges,
  PaymentPageEventData,
  PaymentPageList,
  PaymentPageObject,
} from '../payment-pages/schema.ts'
import {
  CreatePayoutBatch,
  LeaveOutRows,
  PayoutBatchList,
  PayoutBatchObject,
  PayoutBatchRowChanges,
  PayoutBatchRowList,
  PayoutBatchRowObject,
  SubmitPayoutBatch,
} from '../payout-batches/schema.ts'
import { CreatePayout, PayoutKey, PayoutList, PayoutObject, PayoutSource } from '../payouts/schema.ts'
import { EvidenceObject, ReceiptObject } from '../receipts/schema.ts'
import {
  CreateRefund,
  LegalDeadline,
  RefundClaimObject,
  RefundList,
  RefundObject,
} from '../refunds/schema.ts'
import { FoundObject, SearchResultObject } from '../search/schema.ts'
import {
  CreateTeamInvitation,
  EndedTeamSessions,
  RemovedTeamMember,
  RevokedTeamInvitation,
  TeamInvitation,
  TeamInvitationList,
  TeamInvitationWithLink,
  TeamMember,
  TeamMemberChanges,
  TeamMemberList,
  TeamSession,
  TeamSessionList,
} from '../team/schema.ts'
import { CreateWebhookPortalLink, WebhookPortalLink } from '../webhooks/portal-links.ts'
import {
  CreateWebhookEndpoint,
  DeletedWebhookEndpoint,
  RecoverWebhookEndpoint,
  RotatedWebhookSecret,
  ScheduledDeliveries,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointObject,
  WebhookEndpointWithSecret,
} from '../webhooks/schema.ts'

const COMPONENTS = {
  AdvanceClock,
  Alarm: AlarmObject,
  Approval: ApprovalObject,
  ApprovalList,
  ApprovalMaker,
  ApprovalDecision: ApprovalDecisionObject,
  ApprovalRule: ApprovalRuleObject,
  ApprovalTier: ApprovalTierObject,
  ApprovalRules,
  DecideApproval,
  ReplaceApprovalRules,
  AlarmList,
  DayReport: DayReportObject,
  DayReportList,
  MonthReport: MonthReportObject,
  Movement: MovementObject,
  MovementList,
  Charges: ChargesObject,
  ApiKey: ApiKeyObject,
  ApiKeyList,
  ApiKeyWithSecret,
  AuditActor,
  AuditEntry: AuditEntryObject,
  AuditEntryList,
  AuditObject,
  Balance: BalanceObject,
  BrebDetails,
  BrebKey: BrebKeyObject,
  BrebSource,
  Clock: ClockObject,
  Connection: ConnectionObject,
  ConnectionBank: ConnectionBankObject,
  ConnectionBankList,
  ConnectionChanges,
  ConnectionCheck: ConnectionCheckObject,
  ConnectionCredential: ShownCredential,
  ConnectionList,
  ConnectionMovement: ConnectionMovementObject,
  ConnectionMovementList,
  ConnectionTest,
  CreateApiKey,
  CreateConnection,
  CreateConnectionMovement,
  CreateOAuthClient,
  CreatePayin,
  CreatePaymentLink,
  CreatePaymentPage,
  CreatePayout,
  CreateRefund,
  CreateTeamInvitation,
  CreateWebhookEndpoint,
  CreateWebhookPortalLink,
  CredentialChanges,
  DeletedConnection,
  DeletedWebhookEndpoint,
  Delivery: DeliveryObject,
  DeliveryAttempt: DeliveryAttemptObject,
  DeliveryList,
  EndedTeamSessions,
  Event: EventObject,
  EventList,
  FoundObject,
  InlineCustomer,
  LegalDeadline,
  LoggedRequest: LoggedRequestObject,
  LoggedRequestList,
  ShownCustomer,
  OAuthClient: OAuthClientObject,
  OAuthClientList,
  OAuthClientWithSecret,
  Organization: OrganizationObject,
  OrganizationChanges,
  PageInfo: PageInfoObject,
  Payin: PayinObject,
  PayinList,
  PayinListItem,
  PaymentLink: PaymentLinkObject,
  PaymentLinkList,
  PaymentPage: PaymentPageObject,
  PaymentPageChanges,
  PaymentPageEventData,
  PaymentPageList,
  Payout: PayoutObject,
  CreatePayoutBatch,
  SubmitPayoutBatch,
  LeaveOutRows,
  PayoutBatchRowChanges,
  PayoutBatch: PayoutBatchObject,
  PayoutBatchList,
  PayoutBatchRow: PayoutBatchRowObject,
  PayoutBatchRowList,
  WriteBeneficiary,
  Beneficiary: BeneficiaryObject,
  BeneficiaryList,
  DeletedBeneficiary,
  PayoutKey,
  PayoutList,
  PayoutSource,
  PayoutEvidence: EvidenceObject,
  Provider: ProviderObject,
  ProviderField: ProviderFieldObject,
  ProviderList,
  PseBank: PseBankObject,
  PseBankList,
  PseDetails,
  PseSource,
  Receipt: ReceiptObject,
  Reconciliation: ReconciliationObject,
  ReconciliationFinding: FindingObject,
  ReconciliationList,
  ReconciliationWithFindings,
  ResolveAlarm,
  AttachSuspenseItem,
  SuspenseCandidate: SuspenseCandidateObject,
  SuspenseItem: SuspenseItemObject,
  SuspenseItemChanges,
  SuspenseItemList,
  SuspenseItemWithCandidates,
  RecoverWebhookEndpoint,
  RedeliverEvent,
  RollCredential,
  RolledApiKey,
  Refund: RefundObject,
  RefundClaim: RefundClaimObject,
  RefundList,
  RemovedTeamMember,
  RevokedTeamInvitation,
  RotatedWebhookSecret,
  ScheduledDeliveries,
  SearchResult: SearchResultObject,
  SimulatePayin,
  SimulatePayout,
  SimulationDone,
  TeamInvitation,
  TeamInvitationList,
  TeamInvitationWithLink,
  TeamMember,
  TeamMemberChanges,
  TeamMemberList,
  TeamSession,
  TeamSessionList,
  Transfer: TransferObject,
  TransferList,
  UnmappedBank: UnmappedBankObject,
  WebhookEndpoint: WebhookEndpointObject,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookPortalLink,
}

// Keyed by `properties`: TypeBox copies a schema to make it optional, and we do to make it nullable, but the copies
// share that object.
const NAME_BY_PROPERTIES = new Map<object, string>(
  Object.entries(COMPONENTS).map(([name, schema]) => [schema.properties, name]),
)

export function componentSchemas(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(COMPONENTS)
      .map(([name, schema]): [string, unknown] => [name, inlined(schema)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

export function referenced(schema: unknown): unknown {
  const { properties, type } = (schema ?? {}) as { properties?: object; type?: unknown }
  const name = properties && NAME_BY_PROPERTIES.get(properties)
  if (name === undefined) return inlined(schema)
  const reference = { $ref: `#/components/schemas/${name}` }
  return Array.isArray(type) ? { anyOf: [reference, { type: 'null' }] } : reference
}

export function inlined(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referenced)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !key.startsWith('~'))
      .map(([key, value]) => [key, referenced(value)]),
  )
}

export function problemSchema(): Record<string, unknown> {
  return {
    type: 'object',
    description: 'The body of every refusal: the members of RFC 9457, and ours.',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: { type: 'string', description: 'Address of this code’s paragraph in the documentation.' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What is wrong with this request, for a developer to read.' },
      code: { type: 'string', enum: Object.keys(REFUSALS), description: 'Stable; branch on this.' },
      requestId: { type: 'string' },
      errors: {
        type: 'array',
        maxItems: MAX_PROBLEMS,
        items: {
          type: 'object',
          required: ['path', 'code', 'message'],
          properties: {
            path: { type: 'string', description: 'JSON pointer to the field.' },
            code: { type: 'string', enum: [...Object.keys(FIELD_CODES), ...Object.keys(REFUSALS)] },
            message: { type: 'string' },
            payinId: {
              type: 'string',
              format: 'uuid',
              description: 'With `DUPLICATE_REFERENCE`: the payin that has the reference.',
            },
          },
        },
      },
    },
  }
}
