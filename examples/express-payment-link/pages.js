// What the customer sees. Everything that is put into these pages comes from the shop itself, so nothing needs escaping.

const pesos = new Intl.NumberFormat('es-CO', { style: 'currency', currency: 'COP', maximumFractionDigits: 0 })

export function shopPage(product) {
  return page(
    'Coffee shop',
    `<p>${product.name}: <strong>${pesos.format(product.amountInCents / 100)}</strong></p>
<form method="post" action="/orders"><button>Buy</button></form>`,
  )
}

export function orderPage(order) {
  if (order.status === 'PAID')
    return page('Thank you', `<p>${order.name} is on its way. Your order is <strong>paid</strong>.</p>`)
  // The customer is often back before the webhook is here: the page looks again by itself.
  return page(
    'Your order',
    `<p>${order.name}: <strong>not paid yet</strong>. This page looks again every two seconds.</p>
<form method="post" action="/orders/${order.id}/pay"><button>Pay</button></form>`,
    '<meta http-equiv="refresh" content="2">',
  )
}

export function sorryPage(text, back = '/') {
  return page('Sorry', `<p>${text}</p><p><a href="${back}">Back</a></p>`)
}

function page(title, content, head = '') {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>${head}</head><body><main><h1>${title}</h1>${content}</main></body></html>`
}
