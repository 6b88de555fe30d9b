// A person as a row holds them, plain or sealed, and the texts by which their events and kept answers hold the same.

import {
  customerFields,
  isSealed,
  receiverFields,
  receiverOf,
  type Sealed,
  type Unopened,
} from '../../core/people/sealed.ts'
import { destinationOf, SEALED_DESTINATION } from '../../core/people/shown.ts'
import type { Queryable } from '../../store/db.ts'
import { eventsOfObject, replaceEventData } from '../../store/people/copies.ts'
import type { StoredPerson } from '../../store/people/people.ts'
import type { Vault } from './vault.ts'

export type TextReplacement = readonly [from: string, to: string]

// With the key, if it is a payout's receiver. 'ERASED' where there is nobody.
export function fieldsOf(
  vault: Vault,
  person: Pick<StoredPerson, 'objectId' | 'customer' | 'keyString' | 'keyStringSent'>,
): readonly string[] | Unopened {
  const { customer, keyString, keyStringSent } = person
  if (customer === null) return 'ERASED'
  if (isSealed(customer)) return vault.open(customer, person.objectId)
  return keyString === null
    ? customerFields(customer)
    : receiverFields({ customer, keyString, keyStringSent: keyStringSent ?? keyString })
}

// What stands in texts about the object now, and what stands there instead once it is sealed, or sealed otherwise.
export function copiesOf(
  { customer, keyString }: StoredPerson,
  fields: readonly string[],
  next: Sealed,
): TextReplacement[] {
  if (customer === null) return []
  const customers: TextReplacement = [
    `"inlineCustomer":${JSON.stringify(customer)}`,
    `"inlineCustomer":${JSON.stringify(next)}`,
  ]
  if (isSealed(customer) || keyString === null) return [customers]
  const destination = JSON.stringify(destinationOf(receiverOf(fields)))
  return [customers, [`"sourceData":${destination}`, `"sourceData":${JSON.stringify(SEALED_DESTINATION)}`]]
}

// Puts other texts in place of those of an object's events. Returns how many were changed.
export async function rewriteEvents(
  db: Queryable,
  organizationId: string,
  objectId: string,
  rewrite: (text: string) => string,
): Promise<number> {
  let changed = 0
  for (const event of await eventsOfObject(db, organizationId, objectId)) {
    const data = rewrite(event.data)
    if (data !== event.data && (await replaceEventData(db, organizationId, event, data))) changed += 1
  }
  return changed
}

export function rewritten(text: string, copies: readonly TextReplacement[]): string {
  return copies.reduce((before, [from, to]) => before.replaceAll(from, () => to), text)
}
