// Recaudo tells here how payments ended. `request.text()` gives the body as it came, which is what was signed.

import { verifyWebhook, WebhookVerificationError } from '@recaudo/sdk'
import { getOrder, saveOrder } from '../../orders.js'

export async function POST(request) {
  let event
  try {
    event = await verifyWebhook(
      await request.text(),
      request.headers,
      process.env.RECAUDO_WEBHOOK_SECRET ?? '',
    )
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(error.message)
    return new Response(error.code, { status: 400 })
  }
  const order = event.resource === 'payin' ? getOrder(event.data.reference) : undefined
  // Events may come twice and out of order: what is not newer than what we have is passed over.
  if (order !== undefined && event.version > order.version)
    saveOrder({ ...order, status: event.data.status, version: event.version })
  return new Response()
}
