// Transfers as an accountant reads them: with the third party, the reference, the network's id, and the date of what they are about.

import { bogotaDay, type Day } from '../../core/bogota-day.ts'
import type { Rail } from '../../core/connections/rail.ts'
import { nitCheckDigit } from '../../core/identity-document.ts'
import type { Transfer } from '../../core/ledger/bookings.ts'
import type { Customer } from '../../core/people/customer.ts'
import type { Queryable } from '../../store/db.ts'
import {
  type MovementSubject,
  networkDaysOf,
  subjectsOfMovements,
} from '../../store/ledger/movement-subjects.ts'
import { openCustomer, type Vault } from '../people/vault.ts'

export type ThirdParty = {
  readonly name: string
  readonly idType: string
  readonly idNumber: string
  // Of a NIT.
  readonly checkDigit: string | null
}

export type Movement = {
  readonly transfer: Transfer
  // When it was booked, in Bogotá.
  readonly day: Day
  // Its own date: the network's, where that is known to be another; otherwise that of the payin, payout, refund or suspense item.
  readonly ownDay: Day
  readonly subjectKind: MovementSubject['kind'] | null
  readonly rail: Rail | null
  readonly reference: string | null
  readonly networkId: string | null
  // What stands for somebody who was erased or cannot be read says so in every field.
  readonly thirdParty: ThirdParty | null
}

// Which people the reader may see. Null: nobody.
export type PeopleReader = (subject: MovementSubject) => Customer | string | null

export async function readMovements(
  db: Queryable,
  organizationId: string,
  transfers: readonly Transfer[],
  personOf: PeopleReader,
): Promise<Movement[]> {
  if (transfers.length === 0) return []
  const subjectIds = transfers.map(({ subjectId }) => subjectId)
  const transferIds = transfers.map(({ transferId }) => transferId)
  const [subjects, networkDays] = await Promise.all([
    subjectsOfMovements(db, organizationId, subjectIds),
    networkDaysOf(db, organizationId, transferIds),
  ])
  return transfers.map((transfer) => {
    const subject = subjects.get(transfer.subjectId)
    const day = bogotaDay(transfer.createdAt)
    const began = subject === undefined ? day : bogotaDay(subject.createdAt)
    return {
      transfer,
      day,
      ownDay: networkDays.get(transfer.transferId) ?? began,
      subjectKind: subject?.kind ?? null,
      rail: subject?.rail ?? null,
      reference: subject?.reference ?? null,
      networkId: subject?.networkId ?? null,
      thirdParty: subject === undefined ? null : thirdPartyOf(personOf(subject)),
    }
  })
}

// Opens people for whoever may see all of them of a kind.
export function openedPeople(vault: Vault, sees: (kind: MovementSubject['kind']) => boolean): PeopleReader {
  return ({ kind, personId, customer }) => (sees(kind) ? openCustomer(vault, personId, customer) : null)
}

function thirdPartyOf(person: Customer | string | null): ThirdParty | null {
  if (person === null) return null
  if (typeof person === 'string') return { name: person, idType: person, idNumber: person, checkDigit: null }
  const { name, idType, idNumber } = person
  const [, base, given] = /^([0-9.]+)(?:-([0-9]))?$/.exec(idNumber) ?? []
  const digits = base?.replaceAll('.', '') ?? ''
  if (idType !== 'CO_NIT' || digits.length === 0 || digits.length > 15)
    return { name, idType, idNumber, checkDigit: null }
  // Nine digits are a NIT without its check digit. Ten may end in it or not: only who wrote it knows.
  const checkDigit = given ?? (digits.length === 9 ? String(nitCheckDigit(digits)) : null)
  return { name, idType, idNumber: digits, checkDigit }
}
