// The list of payins.

import { createPayinOperation } from '../../api/payins/operations.ts'
import { RAILS, type Rail } from '../../core/connections/rail.ts'
import { findPseBank, pseBanks } from '../../core/directory/pse-bank.ts'
import { html } from '../../core/html.ts'
import {
  PAYIN_ERROR_CODES,
  PAYIN_STATUSES,
  type PayinStatus,
  type SettlementStatus,
} from '../../core/payins/payin.ts'
import type { Customer } from '../../core/people/customer.ts'
import { filteredPayins, type PayinView } from '../../store/payins/filtered.ts'
import type { ListedPayin } from '../../store/payins/payin-row.ts'
import { curlOf } from '../curl.ts'
import { amountText, shortTimeText } from '../format.ts'
import { icon } from '../icons.ts'
import {
  type Column,
  inFile,
  type ListDefinition,
  type ListFilters,
  type ListView,
  type Select,
} from '../lists/definition.ts'
import { customerSeen, nameSeen } from '../people.ts'
import { statusMark } from '../words/states.ts'
import { payinReason } from './reason.ts'
import { PAYIN_WORDS } from './words.ts'

const SETTLEMENTS: readonly SettlementStatus[] = ['PENDING_SETTLEMENT', 'SETTLED', 'REVERSED']

const RAIL: Select = {
  name: 'rail',
  label: (words) => words.rail,
  any: (words) => words.allRails,
  options: ({ states }) => RAILS.map((rail) => [rail, states.rails[rail]]),
}

const SELECTS: readonly Select[] = [
  RAIL,
  {
    name: 'reason',
    label: (words) => words.reason,
    any: (words) => words.allReasons,
    options: ({ states }) => PAYIN_ERROR_CODES.map((code) => [code, states.payinReasons[code]]),
  },
  {
    name: 'bank',
    label: (words) => words.bank,
    any: (words) => words.allBanks,
    options: ({ visit }) => pseBanks(visit.environment === 'staging').map(({ code, name }) => [code, name]),
  },
  {
    name: 'settlement',
    label: (words) => words.settlement,
    any: (words) => words.anySettlement,
    options: ({ states }) => SETTLEMENTS.map((status) => [status, states.settlement[status]]),
  },
]

export function payerOf({ payinId, customer }: ListedPayin, { eyes }: ListView): Customer | string | null {
  return customerSeen(eyes, payinId, customer)
}

const COLUMNS: readonly Column<ListedPayin>[] = [
  {
    name: 'reference',
    place: 'main',
    cell: ({ reference }) => reference,
    value: ({ reference }) => ({ text: reference }),
  },
  {
    name: 'status',
    place: 'status',
    cell: ({ status }, { states }) => statusMark(status, states.payin[status]),
    value: ({ status }, { states }) => ({ text: states.payin[status] }),
  },
  {
    name: 'amount',
    place: 'money',
    cell: ({ amountInCents, confirmedAmountInCents }, { visit }) =>
      amountText(confirmedAmountInCents ?? amountInCents, visit.language),
    value: ({ amountInCents }) => ({ cents: amountInCents }),
  },
  {
    name: 'rail',
    place: 'aside',
    cell: ({ source }, { states }) =>
      html`<span class="rail">${icon(source.rail === 'PSE' ? 'bank' : 'key')}${states.rails[source.rail]}</span>`,
    value: ({ source }, { states }) => ({ text: states.rails[source.rail] }),
  },
  {
    name: 'payer',
    place: 'text',
    cell: (payin, view) => nameSeen(payerOf(payin, view)),
    value: (payin, view) => ({ text: nameSeen(payerOf(payin, view)) }),
  },
  {
    name: 'reason',
    place: 'text',
    cell: (payin, { now, visit }) => payinReason(payin, now, visit.language),
    value: (payin, { now, visit }) => ({ text: payinReason(payin, now, visit.language) }),
  },
  {
    name: 'created',
    place: 'time',
    cell: ({ createdAt }, { now, visit }) => shortTimeText(createdAt, now, visit.language),
    value: ({ createdAt }) => ({ time: createdAt }),
  },
]

const ALSO_IN_FILES: readonly Column<ListedPayin>[] = [
  inFile('id', ({ payinId }) => ({ text: payinId })),
  inFile('confirmed', ({ confirmedAmountInCents }) => ({ cents: confirmedAmountInCents })),
  inFile('settlement', ({ settlementStatus }, { states }) => ({
    text: settlementStatus && states.settlement[settlementStatus],
  })),
  inFile('result', ({ resultAt }) => ({ time: resultAt })),
  inFile('trace', ({ progress }) => ({ text: progress.traceId })),
  inFile('bank', ({ source }) => ({ text: source.rail === 'PSE' ? bankName(source.bank) : null })),
  inFile('document', (payin, view) => {
    const payer = payerOf(payin, view)
    return { text: typeof payer === 'string' ? payer : (payer?.idNumber ?? null) }
  }),
]

export function bankName(code: string): string {
  return findPseBank(code, true)?.name ?? code
}

export const payinsList: ListDefinition<ListedPayin> = {
  name: 'payins',
  section: 'payins',
  path: '/payins',
  scope: 'payins:read',
  hasText: true,
  hasAmount: true,
  tab: {
    name: 'status',
    values: PAYIN_STATUSES,
    label: (states, status) => states.payinPlural[status as PayinStatus],
    hasSum: true,
  },
  selects: SELECTS,
  ids: [{ name: 'link', label: (words) => words.link }],
  open: (db, organizationId, filters) => filteredPayins(db, organizationId, viewOf(filters)),
  idOf: ({ payinId }) => payinId,
  hrefOf: ({ payinId }) => `/payins/${payinId}`,
  columns: COLUMNS,
  alsoInFiles: ALSO_IN_FILES,
  create: {
    path: '/payins/new',
    scope: 'payins:write',
    label: ({ language }) => PAYIN_WORDS[language].create,
  },
  teach: ({ language, options }) => ({
    ...PAYIN_WORDS[language].teach,
    curl: curlOf(
      createPayinOperation,
      { body: createPayinOperation.body?.examples.breb?.value },
      options.publicUrl,
    ),
  }),
}

function viewOf({ tab, chosen, text, minInCents, maxInCents, bounds }: ListFilters): PayinView {
  return {
    ...bounds,
    ...(tab !== undefined && { status: tab as PayinStatus }),
    ...(chosen.rail !== undefined && { rail: chosen.rail as Rail }),
    ...(chosen.link !== undefined && { paymentLinkId: chosen.link }),
    ...(chosen.reason !== undefined && { reason: chosen.reason }),
    ...(chosen.bank !== undefined && { bank: chosen.bank }),
    ...(chosen.settlement !== undefined && { settlement: chosen.settlement }),
    ...(text !== undefined && { text }),
    ...(minInCents !== undefined && { minInCents }),
    ...(maxInCents !== undefined && { maxInCents }),
  }
}
