// The client of Recaudo, made when it is first needed: `next build` loads every page, and has no API key.

import { Recaudo } from '@recaudo/sdk'

let client

export function recaudo() {
  client ??= new Recaudo({ apiKey: process.env.RECAUDO_API_KEY }, { baseUrl: process.env.RECAUDO_BASE_URL })
  return client
}
