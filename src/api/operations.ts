// Every merchant operation, in the order the documentation shows them.

import type { Environment } from '../flows/context.ts'
import {
  approveApprovalOperation,
  getApprovalOperation,
  listApprovalsOperation,
  refuseApprovalOperation,
} from './approvals/operations.ts'
import { getApprovalRulesOperation, replaceApprovalRulesOperation } from './approvals/rules.ts'
import { listAuditOperation, listRequestsOperation } from './audit/operations.ts'
import {
  deleteBeneficiaryOperation,
  getBeneficiaryOperation,
  listBeneficiariesOperation,
  writeBeneficiaryOperation,
} from './beneficiaries/operations.ts'
import {
  createConnectionDepositOperation,
  createConnectionWithdrawalOperation,
  listConnectionDepositsOperation,
  listConnectionWithdrawalsOperation,
} from './connections/movements.ts'
import {
  changeConnectionOperation,
  createConnectionOperation,
  deleteConnectionOperation,
  getConnectionOperation,
  listConnectionsOperation,
} from './connections/operations.ts'
import {
  listConnectionBanksOperation,
  listProvidersOperation,
  testConnectionOperation,
} from './connections/provider-operations.ts'
import {
  advanceClockOperation,
  simulatePayinOperation,
  simulatePayoutOperation,
} from './connections/sandbox.ts'
import {
  changeApiKeyOperation,
  createApiKeyOperation,
  listApiKeysOperation,
  revokeApiKeyOperation,
  rollApiKeyOperation,
} from './credentials/api-keys.ts'
import {
  changeOAuthClientOperation,
  createOAuthClientOperation,
  listOAuthClientsOperation,
  revokeOAuthClientOperation,
  rollOAuthClientOperation,
} from './credentials/oauth-clients.ts'
import { lookUpKeyOperation } from './directory/breb-keys.ts'
import { listPseBanksOperation } from './directory/pse-banks.ts'
import {
  getEventOperation,
  listDeliveriesOperation,
  listEventsOperation,
  redeliverEventOperation,
} from './events/operations.ts'
import { streamEventsOperation } from './events/stream-route.ts'
import type { Operation, StreamOperation } from './http/operation.ts'
import { resolveAlarmOperation, takeAlarmOperation } from './ledger/alarm-actions.ts'
import { listAlarmsOperation } from './ledger/alarms.ts'
import { getBalanceOperation, listTransfersOperation } from './ledger/operations.ts'
import { getReconciliationOperation, listReconciliationsOperation } from './ledger/reconciliations.ts'
import {
  listMovementsOperation,
  monthFileOperation,
  movementsFileOperation,
} from './ledger/report-movements.ts'
import {
  closeDayOperation,
  getChargesOperation,
  getDayOperation,
  getMonthOperation,
  listDaysOperation,
} from './ledger/reports.ts'
import {
  attachSuspenseOperation,
  getSuspenseOperation,
  listSuspenseOperation,
  noteSuspenseOperation,
  returnSuspenseOperation,
} from './ledger/suspense.ts'
import { changeOrganizationOperation, getOrganizationOperation } from './organizations/operations.ts'
import { listPayinsOperation } from './payins/list.ts'
import {
  cancelPayinOperation,
  createPayinOperation,
  getPayinOperation,
  getPayinQrOperation,
} from './payins/operations.ts'
import {
  createPaymentLinkOperation,
  expirePaymentLinkOperation,
  getPaymentLinkOperation,
  getPaymentLinkQrOperation,
  listPaymentLinksOperation,
} from './payment-links/operations.ts'
import {
  changePaymentPageOperation,
  closePaymentPageOperation,
  createPaymentPageOperation,
  getPaymentPageOperation,
  listPaymentPagesOperation,
} from './payment-pages/operations.ts'
import { getPaymentPagePosterOperation, getPaymentPageQrOperation } from './payment-pages/printing.ts'
import {
  cancelPayoutBatchOperation,
  createPayoutBatchOperation,
  getPayoutBatchOperation,
  listPayoutBatchesOperation,
  retryPayoutBatchOperation,
  submitPayoutBatchOperation,
} from './payout-batches/operations.ts'
import {
  changePayoutBatchRowOperation,
  checkPayoutBatchOperation,
  getPayoutBatchResultOperation,
  getPayoutBatchTemplateOperation,
  leaveOutPayoutBatchRowsOperation,
  listPayoutBatchRowsOperation,
} from './payout-batches/rows.ts'
import {
  cancelPayoutOperation,
  createPayoutOperation,
  getPayoutOperation,
  listPayoutsOperation,
} from './payouts/operations.ts'
import { getEvidenceOperation, getReceiptOperation } from './receipts/operations.ts'
import {
  cancelRefundOperation,
  createRefundOperation,
  getRefundOperation,
  listRefundsOperation,
} from './refunds/operations.ts'
import { searchOperation } from './search/operations.ts'
import {
  createTeamInvitationOperation,
  listTeamInvitationsOperation,
  revokeTeamInvitationOperation,
} from './team/invitations.ts'
import {
  changeTeamMemberOperation,
  endTeamSessionsOperation,
  listTeamMembersOperation,
  listTeamSessionsOperation,
  removeTeamMemberOperation,
} from './team/members.ts'
import {
  recoverWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  testWebhookEndpointOperation,
  verifyWebhookEndpointOperation,
} from './webhooks/endpoint-actions.ts'
import {
  changeWebhookEndpointOperation,
  createWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  getWebhookEndpointOperation,
  listWebhookEndpointsOperation,
} from './webhooks/operations.ts'
import { createWebhookPortalLinkOperation } from './webhooks/portal-links.ts'

// Staging-only operations come last.
export function operationsOf(environment: Environment): readonly Operation[] {
  return environment === 'staging' ? [...OPERATIONS, ...SANDBOX_OPERATIONS] : OPERATIONS
}

// Adds the event stream, which is documented like an operation but has its own route.
export function documentedOperations(environment: Environment): readonly (Operation | StreamOperation)[] {
  return operationsOf(environment).flatMap((operation) =>
    operation === listEventsOperation ? [operation, streamEventsOperation] : [operation],
  )
}

const SANDBOX_OPERATIONS: readonly Operation[] = [
  simulatePayinOperation,
  simulatePayoutOperation,
  advanceClockOperation,
]

export const OPERATIONS: readonly Operation[] = [
  createPayinOperation,
  listPayinsOperation,
  getPayinOperation,
  cancelPayinOperation,
  getReceiptOperation,
  getPayinQrOperation,
  listPseBanksOperation,
  lookUpKeyOperation,
  createPaymentLinkOperation,
  listPaymentLinksOperation,
  getPaymentLinkOperation,
  expirePaymentLinkOperation,
  getPaymentLinkQrOperation,
  createPaymentPageOperation,
  listPaymentPagesOperation,
  getPaymentPageOperation,
  changePaymentPageOperation,
  closePaymentPageOperation,
  getPaymentPageQrOperation,
  getPaymentPagePosterOperation,
  createPayoutOperation,
  listPayoutsOperation,
  getPayoutOperation,
  cancelPayoutOperation,
  getEvidenceOperation,
  createRefundOperation,
  listRefundsOperation,
  getRefundOperation,
  cancelRefundOperation,
  createPayoutBatchOperation,
  listPayoutBatchesOperation,
  getPayoutBatchTemplateOperation,
  getPayoutBatchOperation,
  listPayoutBatchRowsOperation,
  changePayoutBatchRowOperation,
  leaveOutPayoutBatchRowsOperation,
  checkPayoutBatchOperation,
  submitPayoutBatchOperation,
  cancelPayoutBatchOperation,
  retryPayoutBatchOperation,
  getPayoutBatchResultOperation,
  writeBeneficiaryOperation,
  listBeneficiariesOperation,
  getBeneficiaryOperation,
  deleteBeneficiaryOperation,
  listApprovalsOperation,
  getApprovalOperation,
  approveApprovalOperation,
  refuseApprovalOperation,
  getApprovalRulesOperation,
  replaceApprovalRulesOperation,
  getBalanceOperation,
  listTransfersOperation,
  listReconciliationsOperation,
  getReconciliationOperation,
  listSuspenseOperation,
  getSuspenseOperation,
  noteSuspenseOperation,
  returnSuspenseOperation,
  attachSuspenseOperation,
  listAlarmsOperation,
  listDaysOperation,
  getDayOperation,
  closeDayOperation,
  listMovementsOperation,
  movementsFileOperation,
  getMonthOperation,
  monthFileOperation,
  getChargesOperation,
  takeAlarmOperation,
  resolveAlarmOperation,
  searchOperation,
  listEventsOperation,
  getEventOperation,
  listDeliveriesOperation,
  redeliverEventOperation,
  createWebhookEndpointOperation,
  listWebhookEndpointsOperation,
  getWebhookEndpointOperation,
  changeWebhookEndpointOperation,
  deleteWebhookEndpointOperation,
  verifyWebhookEndpointOperation,
  rotateWebhookSecretOperation,
  testWebhookEndpointOperation,
  recoverWebhookEndpointOperation,
  createWebhookPortalLinkOperation,
  createConnectionOperation,
  listConnectionsOperation,
  getConnectionOperation,
  changeConnectionOperation,
  deleteConnectionOperation,
  testConnectionOperation,
  listConnectionBanksOperation,
  createConnectionDepositOperation,
  listConnectionDepositsOperation,
  createConnectionWithdrawalOperation,
  listConnectionWithdrawalsOperation,
  listProvidersOperation,
  getOrganizationOperation,
  changeOrganizationOperation,
  createApiKeyOperation,
  listApiKeysOperation,
  changeApiKeyOperation,
  rollApiKeyOperation,
  revokeApiKeyOperation,
  createOAuthClientOperation,
  listOAuthClientsOperation,
  changeOAuthClientOperation,
  rollOAuthClientOperation,
  revokeOAuthClientOperation,
  listAuditOperation,
  listRequestsOperation,
  listTeamMembersOperation,
  changeTeamMemberOperation,
  removeTeamMemberOperation,
  listTeamSessionsOperation,
  endTeamSessionsOperation,
  createTeamInvitationOperation,
  listTeamInvitationsOperation,
  revokeTeamInvitationOperation,
]
