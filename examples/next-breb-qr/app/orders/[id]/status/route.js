import { getOrder } from '../../../../orders.js'

export async function GET(_request, { params }) {
  const order = getOrder((await params).id)
  return order === undefined
    ? Response.json({}, { status: 404 })
    : Response.json({ status: order.status }, { headers: { 'cache-control': 'no-store' } })
}
