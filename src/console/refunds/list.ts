// The list of refunds.

import { createRefundOperation } from '../../api/refunds/operations.ts'
import {
  REFUND_REASONS,
  REFUND_STAGES,
  REFUND_STATUSES,
  type Refund,
  type RefundReason,
  type RefundStage,
  type RefundStatus,
} from '../../core/refunds/refund.ts'
import { filteredRefunds, type RefundView } from '../../store/refunds/filtered.ts'
import { curlOf } from '../curl.ts'
import { amountText, shortTimeText } from '../format.ts'
import { type Column, inFile, type ListDefinition, type ListFilters } from '../lists/definition.ts'
import { statusMark } from '../words/states.ts'
import { refundReason } from './reason.ts'
import { REFUND_WORDS } from './words.ts'

const COLUMNS: readonly Column<Refund>[] = [
  {
    name: 'reason',
    place: 'main',
    cell: ({ reason }, { visit }) => REFUND_WORDS[visit.language].reasons[reason],
    value: ({ reason }, { visit }) => ({ text: REFUND_WORDS[visit.language].reasons[reason] }),
  },
  {
    name: 'status',
    place: 'status',
    cell: ({ status, returnedAt }, { states }) =>
      returnedAt === null
        ? statusMark(status, states.refund[status])
        : statusMark(status, states.returned, 'bad'),
    value: ({ status, returnedAt }, { states }) => ({
      text: returnedAt === null ? states.refund[status] : states.returned,
    }),
  },
  {
    name: 'amount',
    place: 'money',
    cell: ({ amountInCents }, { visit }) => amountText(amountInCents, visit.language),
    value: ({ amountInCents }) => ({ cents: amountInCents }),
  },
  {
    name: 'stage',
    place: 'text',
    cell: (refund, { visit }) => refundReason(refund, visit.language),
    value: (refund, { visit }) => ({ text: refundReason(refund, visit.language) }),
  },
  {
    name: 'way',
    place: 'aside',
    cell: ({ way }, { visit }) => REFUND_WORDS[visit.language].ways[way],
    value: ({ way }, { visit }) => ({ text: REFUND_WORDS[visit.language].ways[way] }),
  },
  {
    name: 'created',
    place: 'time',
    cell: ({ createdAt }, { now, visit }) => shortTimeText(createdAt, now, visit.language),
    value: ({ createdAt }) => ({ time: createdAt }),
  },
]

const ALSO_IN_FILES: readonly Column<Refund>[] = [
  inFile('id', ({ refundId }) => ({ text: refundId })),
  inFile('payin', ({ payinId }) => ({ text: payinId })),
  inFile('payout', ({ payoutId }) => ({ text: payoutId })),
  inFile('result', ({ resultAt }) => ({ time: resultAt })),
  inFile('trace', ({ traceId }) => ({ text: traceId })),
]

export const refundsList: ListDefinition<Refund> = {
  name: 'refunds',
  section: 'refunds',
  path: '/refunds',
  scope: 'payins:read',
  hasText: false,
  hasAmount: true,
  tab: {
    name: 'status',
    values: REFUND_STATUSES,
    label: (states, status) => states.refundPlural[status as RefundStatus],
    hasSum: true,
  },
  selects: [
    {
      name: 'reason',
      label: (words) => words.reason,
      any: (words) => words.allReasons,
      options: ({ visit }) => REFUND_REASONS.map((one) => [one, REFUND_WORDS[visit.language].reasons[one]]),
    },
    {
      name: 'stage',
      label: (words) => words.stage,
      any: (words) => words.allStages,
      options: ({ visit }) => REFUND_STAGES.map((one) => [one, REFUND_WORDS[visit.language].stages[one]]),
    },
  ],
  ids: [{ name: 'payin', label: (words) => words.payin }],
  defaultPeriod: '30d',
  open: (db, organizationId, filters) => filteredRefunds(db, organizationId, viewOf(filters)),
  idOf: ({ refundId }) => refundId,
  hrefOf: ({ refundId }) => `/refunds/${refundId}`,
  columns: COLUMNS,
  alsoInFiles: ALSO_IN_FILES,
  teach: ({ language, options }) => {
    const [example] = Object.values(createRefundOperation.body?.examples ?? {})
    const call = { params: { payinId: PAYIN_PLACE }, body: example?.value }
    return { ...REFUND_WORDS[language].teach, curl: curlOf(createRefundOperation, call, options.publicUrl) }
  },
}

const PAYIN_PLACE = 'PAYIN_ID'

function viewOf({ tab, chosen, minInCents, maxInCents, bounds }: ListFilters): RefundView {
  return {
    ...bounds,
    ...(tab !== undefined && { status: tab as RefundStatus }),
    ...(chosen.reason !== undefined && { reason: chosen.reason as RefundReason }),
    ...(chosen.stage !== undefined && { stage: chosen.stage as RefundStage }),
    ...(chosen.payin !== undefined && { payinId: chosen.payin }),
    ...(minInCents !== undefined && { minInCents }),
    ...(maxInCents !== undefined && { maxInCents }),
  }
}
