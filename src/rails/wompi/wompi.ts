// Opens a connection to Wompi: PSE payins, payouts to Bre-B keys, or both.

import { byHeaders } from '../authorization.ts'
import {
  type OpenProvider,
  openGateway,
  type ProviderDependencies,
  type ProviderSettings,
} from '../provider.ts'
import type { ProviderRails } from '../rail.ts'
import { paymentsAccount, payoutsAccount, payoutsHeaders } from './account.ts'
import { wompiBanks } from './banks.ts'
import { wompiBatches } from './batches.ts'
import { checkPayments, checkPayouts } from './check.ts'
import { wompiDirectory } from './directory.ts'
import { wompiHints } from './hints.ts'
import { wompiPayins } from './payins.ts'
import { wompiPayouts } from './payouts.ts'
import { shownTerms, wompiTerms } from './terms.ts'
import { wompiTransactions } from './transactions.ts'
import { readPaymentRefusal, readPayoutRefusal } from './wire.ts'

export const openWompi: OpenProvider = (settings, dependencies): ProviderRails => {
  const { organizationId, uses, credentials, previousCredentials } = settings
  const payments = uses.includes('PSE_IN') ? openPayments(settings, dependencies) : null
  const payouts = uses.includes('BRE_B_OUT') ? openPayouts(settings, dependencies) : null
  return {
    payins: payments === null ? {} : { PSE: payments.payins },
    payouts: payouts?.payouts ?? null,
    directory: payouts?.directory ?? null,
    banks: payments?.banks ?? null,
    terms: payments?.terms ?? null,
    statement: {},
    isAway: (use) => (use === 'PSE_IN' ? payments : use === 'BRE_B_OUT' ? payouts : null)?.isAway() ?? false,
    check: async () => {
      const checks = await Promise.all([payments?.check() ?? [], payouts?.check() ?? []])
      return checks.flat()
    },
    readHint: wompiHints(organizationId, [
      credentials,
      ...(previousCredentials === null ? [] : [previousCredentials]),
    ]),
    close: async () => {
      await Promise.all([payments?.close(), payouts?.close()])
    },
  }
}

function openPayments({ credentials, environment }: ProviderSettings, dependencies: ProviderDependencies) {
  const account = paymentsAccount(credentials, environment)
  // Each call names its own key.
  const { connection, gateway, limits } = openGateway(
    'PSE',
    account.url,
    byHeaders({}),
    readPaymentRefusal,
    dependencies,
  )
  const askBanks = wompiBanks(gateway, limits, account, () => performance.now())
  const askTerms = wompiTerms(gateway, limits, account)
  const transactions = wompiTransactions(gateway, limits, account)
  return {
    payins: wompiPayins(gateway, limits, account, transactions, askBanks, askTerms),
    banks: () => askBanks(),
    terms: () => shownTerms(askTerms),
    isAway: gateway.isAway,
    check: () => checkPayments(connection, limits, account),
    close: connection.close,
  }
}

function openPayouts({ credentials, environment }: ProviderSettings, dependencies: ProviderDependencies) {
  const account = payoutsAccount(credentials)
  const open = (connections: object) =>
    openGateway('BRE_B', account.url, byHeaders(payoutsHeaders(account)), readPayoutRefusal, {
      ...dependencies,
      limits: { ...dependencies.limits, ...connections },
    })
  const { connection, gateway, limits } = open({})
  // The directory has its own connections and circuit breaker, so that it and the payouts cannot delay each other.
  const lookups = open({ connections: limits.lookUpConnections })
  return {
    payouts: wompiPayouts(gateway, limits, account, wompiBatches(gateway, limits, dependencies.now)),
    directory: wompiDirectory(lookups.gateway, limits),
    isAway: gateway.isAway,
    check: () => checkPayouts(connection, limits, environment, account),
    close: async () => {
      await Promise.all([connection.close(), lookups.connection.close()])
    },
  }
}
