// Writes an order for the gateway, or says why it cannot take it. What it would refuse anyway is refused here, with a code that
// says what is wrong.

import { findPseBank } from '../../core/directory/pse-bank.ts'
import type { PayinErrorCode } from '../../core/payins/payin.ts'
import { type ProviderSettings, shortReference } from '../provider.ts'
import type { PayinOrder, Rejected } from '../rail.ts'
import { pesosOfCents } from './amount.ts'
import { cut, payerOf } from './payer.ts'
import { MAX_CHARACTERS, type ProcessRequest } from './wire.ts'

export function processRequest(
  order: PayinOrder,
  { environment, notificationUrl }: Pick<ProviderSettings, 'environment' | 'notificationUrl'>,
): ProcessRequest | Rejected<PayinErrorCode> {
  const { source, customer, device, returnUrl } = order
  if (source.rail !== 'PSE') throw new Error(`a ${source.rail} order was handed to PSE`)
  const bankCode = findPseBank(source.bank, environment === 'test')?.achCode
  if (bankCode === undefined || bankCode === null) return bankNotListed()
  if (customer === null || device === null) return refused('PAYER_MISSING')
  if (returnUrl.length > MAX_CHARACTERS.returnURL) return refused('RETURN_URL_TOO_LONG')
  const payer = payerOf(customer)
  if (typeof payer === 'string') return refused(payer)
  const total = pesosOfCents(order.amountInCents)
  if (total === undefined) return refused('AMOUNT_NOT_ACCEPTED')
  const reference = shortReference(order.reference)
  return {
    locale: 'es_CO',
    payer,
    payment: { reference, description: description(order.merchantName), amount: { currency: 'COP', total } },
    instrument: {
      redirection: {
        paymentMethod: '_PSE_',
        returnURL: returnUrl,
        additional: { bankCode, userType: source.personType === 'BUSINESS' ? 'company' : 'person' },
      },
    },
    idempotenceKey: reference,
    notificationURL: notificationUrl,
    ipAddress: device.ipAddress,
    userAgent: cut(device.userAgent, MAX_USER_AGENT_CHARACTERS) || NO_USER_AGENT,
  }
}

export function bankNotListed(): Rejected<PayinErrorCode> {
  return { outcome: 'rejected', reason: 'BANK_UNAVAILABLE', networkCode: 'BANK_NOT_LISTED' }
}

function refused(networkCode: string): Rejected<PayinErrorCode> {
  return { outcome: 'rejected', reason: 'RAIL_ERROR', networkCode }
}

// The gateway publishes no limit, and a real one is shorter. A browser may name none.
const MAX_USER_AGENT_CHARACTERS = 1_000
const NO_USER_AGENT = 'unknown'

// PSE's fraud engine cannot handle a bar or a quote.
function description(merchantName: string): string {
  return cut(`Pago a ${merchantName.replace(/[|"]/g, ' ')}`, MAX_CHARACTERS.description)
}
