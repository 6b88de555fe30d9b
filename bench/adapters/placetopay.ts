// PlacetoPay's calls. Its objects are those of its documentation, and its list of banks is as long as PSE's.

import { createHash } from 'node:crypto'
import { pseBanks } from '../../src/core/directory/pse-bank.ts'
import { openPlacetopay } from '../../src/rails/placetopay/placetopay.ts'
import type { PayinRail } from '../../src/rails/rail.ts'
import {
  bankList,
  credentials,
  handle,
  inState,
  NOW,
  ORGANIZATION,
  order,
  SHORT_REFERENCE,
  transaction,
} from '../../test/rails/placetopay/orders.ts'
import { type Adapter, accepted, asking, DEPENDENCIES } from './adapter.ts'

const ID = String(transaction.internalReference)
const paid = inState('APPROVED')
const banks = [
  { code: '0', description: 'A continuación seleccione su banco' },
  ...pseBanks(false).map(({ achCode, name }) => ({ code: achCode ?? '0', description: name.toUpperCase() })),
]

function signedNotification(secretKey: string): Buffer {
  const signature = createHash('sha256').update(`${ID}${paid.status.status}${secretKey}`).digest('hex')
  return Buffer.from(
    JSON.stringify({ status: paid.status, internalReference: ID, reference: SHORT_REFERENCE, signature }),
  )
}

export const placetopay: Adapter = {
  provider: 'placetopay',
  answers: {
    'POST /gateway/information': { status: 200, json: { ...bankList, bankList: banks } },
    'POST /gateway/process': { status: 200, json: transaction },
    'POST /gateway/query': { status: 200, json: transaction },
    'POST /gateway/search': { status: 200, json: { status: bankList.status, transactions: [paid] } },
  },
  open: (url) => {
    const site = credentials(url)
    const rails = openPlacetopay(
      {
        organizationId: ORGANIZATION,
        environment: 'test',
        uses: ['PSE_IN'],
        credentials: site,
        previousCredentials: null,
        notificationUrl: 'https://recaudo.example/notifications/1',
      },
      DEPENDENCIES,
    )
    const pse = rails.payins.PSE as PayinRail
    const notification = signedNotification(site.secretKey)
    return {
      calls: [
        { name: 'the banks', run: accepted(() => rails.banks?.() as never) },
        { name: 'open a PSE payin', run: accepted(() => pse.submit(order)) },
        { name: 'ask for a payin', run: accepted(() => pse.query(handle(ID))) },
        { name: 'search for a payin', run: accepted(() => pse.query(handle(null))) },
        { name: 'cancel a payin', run: accepted(() => pse.cancel(handle(ID))) },
        { name: 'read a notification', run: asking(() => rails.readHint({}, notification, NOW)) },
      ],
      close: rails.close,
    }
  },
}
