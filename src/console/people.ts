// Payers and receivers as a role may see them: as they are, or with what is needed to recognise somebody whom one knows already.

import { maskEmail, maskKey, maskName, maskNumber } from '../core/directory/breb-key.ts'
import type { Customer, Receiver } from '../core/people/customer.ts'
import { ERASED, type Sealed, type Unopened } from '../core/people/sealed.ts'
import { PEOPLE_VIEW } from '../core/team/role.ts'
import { openCustomer, openReceiver, type Vault } from '../flows/people/vault.ts'
import type { Visit } from './visit.ts'
import { STATES } from './words/states.ts'

export type PeopleEyes = {
  readonly vault: Vault
  readonly isMasked: boolean
  // What stands for a person who was erased or cannot be opened.
  readonly inPlaceOf: (unopened: Unopened) => string
}

export async function eyesOf(visit: Visit, isShown = false): Promise<PeopleEyes> {
  const states = STATES[visit.language]
  return {
    vault: await visit.ctx.vault(visit.organization.organizationId),
    isMasked: PEOPLE_VIEW[visit.role] !== 'shown' && !isShown,
    inPlaceOf: (unopened) => (unopened === ERASED ? states.erased : states.unreadable),
  }
}

// Whoever always sees people masked may not look for them either: an answer would confirm a guess.
export function seesPeople({ role }: Pick<Visit, 'role'>): boolean {
  return PEOPLE_VIEW[role] !== 'masked'
}

// Null: nobody is named.
export function customerSeen(
  eyes: PeopleEyes,
  objectId: string,
  customer: Customer | Sealed | null,
): Customer | string | null {
  const opened = openCustomer(eyes.vault, objectId, customer)
  if (opened === null) return null
  if (typeof opened === 'string') return eyes.inPlaceOf(opened)
  return eyes.isMasked ? maskedCustomer(opened) : opened
}

export function receiverSeen(
  eyes: PeopleEyes,
  objectId: string,
  receiver: Receiver | Sealed,
): Receiver | string {
  const opened = openReceiver(eyes.vault, objectId, receiver)
  if (typeof opened === 'string') return eyes.inPlaceOf(opened)
  if (!eyes.isMasked) return opened
  return {
    customer: maskedCustomer(opened.customer),
    keyString: maskKey(opened.keyString),
    keyStringSent: maskKey(opened.keyStringSent),
  }
}

export function nameSeen(person: Customer | string | null): string | null {
  return typeof person === 'string' ? person : (person?.name ?? null)
}

export function maskedCustomer({ name, idType, idNumber, phone, email }: Customer): Customer {
  return {
    name: maskName(name),
    idType,
    idNumber: maskNumber(idNumber),
    phone: maskNumber(phone),
    email: maskEmail(email),
  }
}
