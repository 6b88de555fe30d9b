// The facts about a payer or a receiver.

import type { Customer } from '../../core/people/customer.ts'
import type { UserLanguage } from '../../core/team/user.ts'
import { STATES } from '../words/states.ts'
import type { Fact } from './object-page.ts'
import { OBJECT_WORDS } from './words.ts'

// Text stands for somebody who was erased or cannot be opened.
export function personFacts(person: Customer | string | null, language: UserLanguage): Fact[] {
  const { fields } = OBJECT_WORDS[language]
  if (person === null) return []
  if (typeof person === 'string') return [[fields.name, person]]
  const idTypes: Readonly<Record<string, string>> = STATES[language].idTypes
  return [
    [fields.name, person.name],
    [fields.document, `${idTypes[person.idType] ?? person.idType} ${person.idNumber}`],
    [fields.phone, person.phone],
    [fields.email, person.email],
  ]
}
