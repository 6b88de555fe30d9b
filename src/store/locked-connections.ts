// No payment is written with a connection that was deleted. The statement that inserts payments looks at their connections and holds
// them until it has committed; whoever deletes one waits for that, and looks for its payments afterwards.

import { inScope, lockedRows, type Scope } from './scoped-statement.ts'

// A payment whose connection is gone was not written, nor a payout that was made by approval rules of before.
export type InsertedPayment = { inserted: boolean; isConnectionGone?: true; areRulesReplaced?: true }

// Parts of a statement that inserts payments: the connections of the `incoming` ones that are there, which nobody can delete before
// these are written, and the condition that a payment (`i`) has one of them or needs none.
export const lockedConnections = (scope: Scope): string => `connected as (
    ${lockedRows(
      scope,
      `select c.organization_id, c.connection_id
      from connections c
     where (c.organization_id, c.connection_id) in (select organization_id, connection_id
                                                      from incoming
                                                     where connection_id is not null) ${inScope(scope, 'c')}
       for key share`,
    )}
  )`

export const IS_CONNECTED = `(i.connection_id is null
        or (i.organization_id, i.connection_id) in (select organization_id, connection_id from connected))`
