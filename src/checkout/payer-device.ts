// The payer's browser as some providers want to know it: its address, and the name it gives itself.

import type { PayerDevice } from '../flows/payins/payer-actions.ts'

const MAX_USER_AGENT = 250
const NOT_PRINTABLE = /[^\x20-\x7e]/g

// The address is null where it is not known.
export function payerDevice(address: string | null, userAgent: string | undefined): PayerDevice {
  const printable = (userAgent ?? '').replaceAll(NOT_PRINTABLE, '').trim()
  return { ipAddress: address ?? '', userAgent: printable.slice(0, MAX_USER_AGENT) }
}
