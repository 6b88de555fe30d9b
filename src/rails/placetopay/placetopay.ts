// PlacetoPay's Gateway: PSE payments for a site of the merchant's own.

import { byFields } from '../authorization.ts'
import { NO_RAILS, type OpenProvider, openGateway } from '../provider.ts'
import { informationRequest, placetopayBanks } from './banks.ts'
import { checkSite } from './check.ts'
import { placetopayHints } from './hints.ts'
import { placetopayPayins } from './payins.ts'
import { authFields } from './signature.ts'
import { readRefusal } from './transaction.ts'

export const openPlacetopay: OpenProvider = (settings, dependencies) => {
  const readHint = placetopayHints(settings)
  if (!settings.uses.includes('PSE_IN')) return { ...NO_RAILS, readHint }
  const { login = '', secretKey = '', url = '' } = settings.credentials
  const auth = authFields(login, secretKey, dependencies)
  const open = () => openGateway('PSE', url, byFields(auth), readRefusal, dependencies)
  const payments = open()
  const information = open()
  const request = informationRequest(settings.notificationUrl)
  const banks = placetopayBanks(information.gateway, information.limits, request, dependencies.now)
  return {
    ...NO_RAILS,
    payins: { PSE: placetopayPayins(payments.gateway, payments.limits, settings, url, banks) },
    banks: banks.list,
    isAway: (use) => use === 'PSE_IN' && payments.gateway.isAway(),
    check: () => checkSite(information.connection, information.limits, request, auth),
    readHint,
    close: async () => {
      await Promise.all([payments.connection.close(), information.connection.close()])
    },
  }
}
