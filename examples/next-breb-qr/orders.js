// The shop's orders, in a file that is only ever added to: each line is an order as it stood then, and the last one counts.
// Read anew each time, because Next may run pages and routes in several processes. A real shop has a database.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'

// The bundler looks for files that a program reads and would pack the whole project: it is told not to.
const file = () => process.env.ORDERS_FILE ?? 'orders.log'

export function getOrder(id) {
  const lines = existsSync(/* turbopackIgnore: true */ file())
    ? readFileSync(/* turbopackIgnore: true */ file(), 'utf8').split('\n').filter(Boolean)
    : []
  return lines.map((line) => JSON.parse(line)).findLast((order) => order.id === id)
}

export function saveOrder(order) {
  appendFileSync(/* turbopackIgnore: true */ file(), `${JSON.stringify(order)}\n`, { flush: true })
}
