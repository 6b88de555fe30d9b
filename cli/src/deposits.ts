// recaudo connections deposit and withdraw: what you put into an account at a provider, or took out of it.

import type { ConnectionMovement, CreateConnectionMovement, Deposits } from '@recaudo/sdk/deposits'
import { bodyOf } from './body.ts'
import { callOptions } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { readSignIn } from './credentials.ts'
import { listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

export async function recordDeposit(call: Call): Promise<Shown> {
  const body = movementIn(call)
  return shownMovement(await (await openDeposits()).create(call.argument, body, callOptions(call)))
}

export async function recordWithdrawal(call: Call): Promise<Shown> {
  const body = movementIn(call)
  return shownMovement(await (await openDeposits()).withdraw(call.argument, body, callOptions(call)))
}

export async function listDeposits({ argument, flags }: Call): Promise<Shown> {
  const deposits = await openDeposits()
  return listMovements(flags, (query) => deposits.list(argument, query))
}

export async function listWithdrawals({ argument, flags }: Call): Promise<Shown> {
  const deposits = await openDeposits()
  return listMovements(flags, (query) => deposits.withdrawals(argument, query))
}

function movementIn({ flags }: Call): CreateConnectionMovement {
  return bodyOf(flags, ['amount-in-cents', 'reference'], () => ({})) as CreateConnectionMovement
}

function listMovements(
  flags: Call['flags'],
  read: (query: { pageSize: number }) => AsyncIterable<ConnectionMovement>,
): Promise<Shown> {
  const limit = readLimit(flags)
  return listed(
    read({ pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'recorded', 'amount', 'reference', 'by'],
    (movement) => [
      movement.id,
      shownTime(movement.createdAt),
      pesos(movement.amountInCents),
      movement.reference,
      movement.recordedBy,
    ],
  )
}

function shownMovement(movement: ConnectionMovement): Shown {
  return {
    json: movement,
    text: () =>
      fields([
        ['id', movement.id],
        ['connection', movement.connectionId],
        ['amount', pesos(movement.amountInCents)],
        ['reference', movement.reference],
        ['recorded', shownTime(movement.createdAt)],
        ['recorded by', movement.recordedBy],
      ]),
  }
}

export async function openDeposits(): Promise<Deposits> {
  const { Deposits } = await import('@recaudo/sdk/deposits')
  const { credentials, baseUrl } = readSignIn()
  return new Deposits(credentials, { baseUrl })
}
