// The shop's window. The button calls the server, where the API key is: a browser never sees it.

import { buy } from './buy.js'
import { PRODUCT, pesos } from './product.js'

export default function Shop() {
  return (
    <>
      <h1>Coffee shop</h1>
      <p>
        {PRODUCT.name}: <strong>{pesos(PRODUCT.amountInCents)}</strong>
      </p>
      <form action={buy}>
        <button type="submit">Buy with Bre-B</button>
      </form>
    </>
  )
}
