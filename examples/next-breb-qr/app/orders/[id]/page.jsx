// Where the customer pays: the QR for who has the bank's app on another device, the key for who is on the phone already.

import { notFound } from 'next/navigation'
import { getOrder } from '../../../orders.js'
import { pesos } from '../../product.js'
import { Watch } from './watch.jsx'

export default async function OrderPage({ params }) {
  const { id } = await params
  const order = getOrder(id)
  if (order === undefined) notFound()
  if (order.status === 'CONFIRMED') {
    return (
      <>
        <h1>Thank you</h1>
        <p>
          {order.name} is on its way. Your order is <strong>paid</strong>.
        </p>
      </>
    )
  }
  if (order.status !== 'PROCESSING') {
    return (
      <>
        <h1>Not paid</h1>
        <p>
          This payment ended as <strong>{order.status}</strong>. <a href="/">Try again</a>
        </p>
      </>
    )
  }
  return (
    <>
      <h1>Pay {pesos(order.amountInCents)}</h1>
      {/* biome-ignore lint/performance/noImgElement: the picture is in the page already, there is nothing to optimize */}
      <img src={order.qrString} alt="QR code for your bank’s app" width="240" height="240" />
      <p>
        Or pay to the key <code>{order.keyString}</code>
      </p>
      <Watch id={order.id} status={order.status} />
    </>
  )
}
