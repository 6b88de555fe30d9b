// A shop with one product. The buy button makes an order and a payment link, and sends the customer there. What tells that
// the order is paid is the webhook, and nothing else: the customer coming back to the order's page proves nothing.

import { randomUUID } from 'node:crypto'
import { Recaudo, verifyWebhook, WebhookVerificationError } from '@recaudo/sdk'
import express from 'express'
import { openOrders } from './orders.js'
import { orderPage, shopPage, sorryPage } from './pages.js'

const PRODUCT = { name: 'Coffee from Huila, 500 g', amountInCents: 3_800_000 }

const port = Number(process.env.PORT ?? 3000)
const shopUrl = process.env.SHOP_URL ?? `http://127.0.0.1:${port}`
const webhookSecret = process.env.RECAUDO_WEBHOOK_SECRET
if (webhookSecret === undefined)
  throw new Error('Set RECAUDO_WEBHOOK_SECRET: README.md says where it comes from.')
const recaudo = new Recaudo(
  { apiKey: process.env.RECAUDO_API_KEY },
  { baseUrl: process.env.RECAUDO_BASE_URL },
)
const orders = openOrders(process.env.ORDERS_FILE ?? new URL('orders.log', import.meta.url))

const app = express()

app.get('/', (_request, response) => response.send(shopPage(PRODUCT)))

app.post('/orders', async (_request, response) => {
  // Kept before Recaudo is asked: whatever breaks on the way, the order is there, and its page offers to pay again.
  const order = { id: randomUUID(), ...PRODUCT, status: 'UNPAID', link: null, tries: 0 }
  orders.save(order)
  await sendToPay(order, response)
})

app.get('/orders/:id', (request, response) => {
  const order = orders.get(request.params.id)
  if (order === undefined) response.status(404).send(sorryPage('There is no such order.'))
  else response.send(orderPage(order))
})

app.post('/orders/:id/pay', async (request, response) => {
  const order = orders.get(request.params.id)
  if (order === undefined) response.status(404).send(sorryPage('There is no such order.'))
  else if (order.status === 'PAID') response.redirect(303, `/orders/${order.id}`)
  else await sendToPay(order, response)
})

async function sendToPay(order, response) {
  try {
    // One link at a time: with two open ones a customer could pay the same order twice.
    const link = order.link ?? (await newLink(order))
    response.redirect(303, link.url)
  } catch (error) {
    console.error(error)
    response.status(502).send(sorryPage('We cannot take payments at this moment.', `/orders/${order.id}`))
  }
}

async function newLink(order) {
  const created = await recaudo.paymentLinks.create(
    {
      amountType: 'FIXED',
      amountInCents: order.amountInCents,
      reference: order.id,
      callbackUrl: `${shopUrl}/orders/${order.id}`,
    },
    // Two presses of the button at once get the same link: the second request is answered with the first one's answer.
    { idempotencyKey: `order-${order.id}-${order.tries}` },
  )
  const link = { id: created.paymentLinkId, url: created.paymentLinkUrl }
  orders.save({ ...order, link })
  return link
}

// The signature is over the bytes that came, so this one route takes its body raw.
app.post('/webhooks', express.raw({ type: '*/*' }), async (request, response) => {
  let event
  try {
    event = await verifyWebhook(request.body, request.headers, webhookSecret)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(error.message)
    response.status(400).send(error.code)
    return
  }
  if (event.resource === 'paymentlink') handle(event)
  response.sendStatus(200)
})

// The same event may come twice, and an older one after a newer one: each is judged by what the order says already.
function handle({ event, data }) {
  const order = orders.get(data.reference)
  // Links that were not made by this shop come here too.
  if (order === undefined || order.link?.id !== data.paymentLinkId || order.status === 'PAID') return
  if (event === 'paymentlink.completed') {
    orders.save({ ...order, status: 'PAID', paidAt: data.completedAt })
    console.log(`Order ${order.id} is paid.`)
  } else {
    // Nobody paid within the hour. An expired link is never used again; the order's page makes a new one.
    orders.save({ ...order, link: null, tries: order.tries + 1 })
  }
}

app.listen(port, '127.0.0.1', () => console.log(`The shop is open at ${shopUrl}`))
