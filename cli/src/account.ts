// recaudo keys, balance and banks: look-ups before money moves.

import { openClient } from './client.ts'
import { fields, table } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

export async function lookUpKey({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const key = await recaudo.keys.lookUp(argument)
  const { holder, participant, account } = key
  return {
    json: key,
    text: () =>
      fields([
        ['key', key.keyString],
        ['kind', key.keyType],
        ['status', key.status],
        ['holder', holder.name],
        ['document', `${holder.idType} ${holder.idNumber}`],
        ['held at', participant.name],
        ['account', `${account.type} ending in ${account.lastFour}`],
        ['looked up', shownTime(key.resolvedAt)],
      ]),
  }
}

export async function showBalance({ flags: { at } }: Call): Promise<Shown> {
  const balance =
    typeof at === 'string'
      ? await (await import('./reports.ts')).readBalanceAt(at)
      : await (await openClient()).recaudo.balance.get()
  return {
    json: balance,
    text: () =>
      fields([
        ['available', pesos(balance.availableInCents)],
        ['deposited at providers', pesos(balance.depositedInCents)],
        ['pending settlement', pesos(balance.pendingSettlementInCents)],
        ['reserved for payouts', pesos(balance.reservedInCents)],
        ['in suspense', pesos(balance.suspenseInCents)],
      ]),
  }
}

export async function listBanks(): Promise<Shown> {
  const { recaudo } = await openClient()
  const { data } = await recaudo.banks.list()
  return {
    json: { data, hasMore: false },
    text: () =>
      table(
        ['code', 'name'],
        data.map(({ code, name }) => [code, name]),
      ),
  }
}
