// The payins of an organization by pages, and what a list shows of them.

import { RAILS, type Rail } from '../../core/connections/rail.ts'
import { PAYIN_STATUSES, type Payin, type PayinStatus } from '../../core/payins/payin.ts'
import { type IdBounds, type ListCase, type ListCondition, listOf } from '../keyset-list.ts'
import { COLUMNS, type PayinRow, toPayin } from './payin-row.ts'

export type PayinFilters = IdBounds & {
  status?: PayinStatus
  rail?: Rail
  reference?: string
  paymentLinkId?: string
}

const LIST = {
  table: 'payins',
  idColumn: 'payin_id',
  cases: ({ status, rail, reference, paymentLinkId }: PayinFilters): ListCase[] => {
    const all: ListCondition[] = [
      ['status', status],
      ['rail', rail],
      ['reference', reference],
      ['payment_link_id', paymentLinkId],
    ]
    const isPlain = status === undefined && rail === undefined
    // One reference or link has few payins.
    if (isPlain || reference !== undefined || paymentLinkId !== undefined) return [{ also: all }]
    return (status === undefined ? PAYIN_STATUSES : [status]).flatMap((oneStatus) =>
      (rail === undefined ? RAILS : [rail]).map((oneRail) => ({
        key: [
          ['status', oneStatus],
          ['rail', oneRail],
        ],
      })),
    )
  },
}

export const payinList = listOf<PayinFilters, PayinRow, Payin>({ ...LIST, columns: COLUMNS, read: toPayin })

// For whoever has what it knew of them already.
export type PayinIdAndVersion = Pick<Payin, 'payinId' | 'version'>

export const payinIdAndVersionList = listOf<
  PayinFilters,
  Pick<PayinRow, 'payin_id' | 'version'>,
  PayinIdAndVersion
>({
  ...LIST,
  columns: 'payin_id, version',
  read: ({ payin_id: payinId, version }) => ({ payinId, version }),
})
