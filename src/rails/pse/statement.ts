// What PSE says moved: payments credited, returns and chargebacks, each under the CUS of its payment.

import type { Movement } from '../../core/connections/statement.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import type { ReadStatement } from '../rail.ts'
import { networkIdOf, statementReader } from '../statement.ts'
import type { StatementEntry } from './wire.ts'

const MOVEMENTS: Readonly<Record<StatementEntry['type'], Movement>> = {
  CREDIT: 'credit',
  RETURN: 'return',
  CHARGEBACK: 'chargeback',
}

export function pseStatement(gateway: Gateway, limits: Limits): ReadStatement {
  return statementReader(gateway, limits, MOVEMENTS, (entry) =>
    networkIdOf((entry as Partial<StatementEntry>).cus),
  )
}
