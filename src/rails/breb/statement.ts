// What Bre-B says moved: payments credited, transfers, returns and chargebacks.

import type { Movement } from '../../core/connections/statement.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import type { ReadStatement } from '../rail.ts'
import { networkIdOf, statementReader } from '../statement.ts'
import type { StatementEntry } from './wire.ts'

const MOVEMENTS: Readonly<Record<StatementEntry['type'], Movement>> = {
  CREDIT: 'credit',
  DEBIT: 'debit',
  RETURN: 'return',
  CHARGEBACK: 'chargeback',
}

export function brebStatement(gateway: Gateway, limits: Limits): ReadStatement {
  return statementReader(gateway, limits, MOVEMENTS, (entry, movement) => {
    const { paymentId, endToEndId } = entry as Partial<StatementEntry>
    return networkIdOf(movement === 'credit' || movement === 'chargeback' ? paymentId : endToEndId)
  })
}
