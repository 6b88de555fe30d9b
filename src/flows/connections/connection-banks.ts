// The banks that a connection's provider offers for PSE, under our own codes.

import { PROVIDER_DESCRIPTIONS } from '../../core/connections/provider.ts'
import { findPseBankByAchCode } from '../../core/directory/pse-bank.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { ProviderBank } from '../../rails/rail.ts'
import { type ConnectionAddress, getConnection } from '../../store/connections/connections.ts'
import type { Needs } from '../context.ts'
import { refuseUnknownConnection } from './change-connection.ts'
import { unopenedProblem } from './test-connection.ts'

export type ConnectionBanks = {
  readonly banks: readonly { readonly code: string; readonly name: string; readonly providerCode: string }[]
  // What we have no code for. Nobody can pay there through us.
  readonly unmapped: readonly { readonly providerCode: string; readonly name: string }[]
}

export async function connectionBanks(
  ctx: Needs<'db' | 'settings' | 'networks'>,
  address: ConnectionAddress,
): Promise<ConnectionBanks | Refusal> {
  const connection = await getConnection(ctx.db, address)
  if (connection === undefined) return refuseUnknownConnection(address.connectionId)
  const { title } = PROVIDER_DESCRIPTIONS[connection.provider]
  const rails = await ctx.networks.connected(address)
  if (rails === undefined) {
    const why = unopenedProblem(ctx, connection) ?? `this version of the service cannot talk to ${title}`
    return refuseUnavailable(why)
  }
  if (rails.banks === null) return refuse('NOT_FOUND', `This connection to ${title} has no list of banks.`)
  const answer = await rails.banks()
  if (answer.outcome === 'accepted') return mapped(answer.value, connection.environment === 'test')
  return refuseUnavailable(
    answer.outcome === 'unknown' && answer.kind === 'timeout'
      ? `${title} did not answer in time`
      : `${title} gave no list of banks`,
  )
}

function refuseUnavailable(why: string): Refusal {
  return refuse('PROVIDER_UNAVAILABLE', `The provider cannot be asked: ${why}.`, { retryAfterSeconds: 5 })
}

function mapped(given: readonly ProviderBank[], includeTest: boolean): ConnectionBanks {
  const all = given.map(({ code, name }) => ({ code, name, bank: findPseBankByAchCode(code, includeTest) }))
  return {
    banks: all.flatMap(({ code, bank }) =>
      bank === undefined ? [] : [{ code: bank.code, name: bank.name, providerCode: code }],
    ),
    unmapped: all.flatMap(({ code, name, bank }) =>
      bank === undefined ? [{ providerCode: code, name }] : [],
    ),
  }
}
