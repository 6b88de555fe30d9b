// The shop's orders, in a file that is only ever added to: each line is an order as it stood then, and the last one counts.
// It survives a restart, which is all a small example needs. A real shop keeps its orders in its database.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

export function openOrders(file) {
  const orders = new Map()
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  for (const order of lines.map((line) => JSON.parse(line))) orders.set(order.id, order)
  return {
    get: (id) => orders.get(id),
    save: (order) => {
      // To the disk first: what is only in memory is lost with the process, and the webhook was answered already.
      appendFileSync(file, `${JSON.stringify(order)}\n`, { flush: true })
      orders.set(order.id, order)
    },
  }
}
