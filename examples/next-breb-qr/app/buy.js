'use server'
// Makes an order and the payin it waits for. The amount is the server's own: nothing of it comes from the browser.

import { randomUUID } from 'node:crypto'
import { redirect } from 'next/navigation'
import { getOrder, saveOrder } from '../orders.js'
import { recaudo } from '../recaudo.js'
import { PRODUCT } from './product.js'

export async function buy() {
  const id = randomUUID()
  // Kept before Recaudo is asked: the webhook may be here before the answer is.
  saveOrder({ id, ...PRODUCT, status: 'PROCESSING', version: 0 })
  const payin = await recaudo().payins.create({
    amountInCents: PRODUCT.amountInCents,
    currency: 'COP',
    rail: 'BRE_B',
    // The webhook brings it back, and no two payins can have the same.
    reference: id,
    breb: { keyType: 'QR_CODE' },
  })
  const { keyString, qrString } = payin.sourceData
  saveOrder({ ...getOrder(id), keyString, qrString })
  redirect(`/orders/${id}`)
}
