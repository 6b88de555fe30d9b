// What a person is found by in the search: facts of whoever a row names, and the words that are stored of them. Who is erased loses
// the words with the rest.

import { personFacts, type SearchableText, type Worded } from '../../core/search/fact.ts'
import { isIndexedSearchText, wordOf } from '../../core/search/word.ts'
import type { StoredPerson } from '../../store/people/people.ts'
import type { ObjectWord } from '../../store/search/words.ts'
import { fieldsOf } from './stored-person.ts'
import type { Vault } from './vault.ts'

type NamedRow = Pick<StoredPerson, 'objectId' | 'customer' | 'keyString'>

// None of somebody who was erased or cannot be opened.
export function personFactsOf(vault: Vault, resource: Worded, row: NamedRow): SearchableText[] {
  const fields = fieldsOf(vault, { ...row, keyStringSent: null })
  return typeof fields === 'string' ? [] : personFacts(resource, fields)
}

export function personWordsOf(vault: Vault, resource: Worded, row: NamedRow): ObjectWord[] {
  const words = personFactsOf(vault, resource, row)
    .filter(isIndexedSearchText)
    .map((fact) => wordOf(resource, fact, vault.digest))
  return [...new Set(words)].map((word) => ({ word, objectId: row.objectId }))
}
