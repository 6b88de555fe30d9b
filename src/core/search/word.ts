// A fact as it is stored: two letters that say of what and by what, and then the fact itself, or its digest where it is a person's.
// Whoever reads the table without the organization's key learns which rows name the same person, and nothing of who that is. What a
// reference, an amount, a key of a payin or a network's name says stands plain in its row too.

import type { PersonTrait } from '../people/search.ts'
import type { SearchableText, SearchField, Worded } from './fact.ts'

const RESOURCE_LETTER: Readonly<Record<Worded, string>> = { payin: 'i', payout: 'o', paymentlink: 'l' }
const TRAIT_LETTER: Readonly<Record<IndexedSearchField, string>> = {
  reference: 'r',
  trace: 't',
  key: 'k',
  amount: 'a',
  phone: 'p',
  name: 'n',
}

// A document and an e-mail address have digests already, by which people are erased (store/people/digests.ts).
export type IndexedSearchField = Exclude<SearchField, 'document' | 'email'>
export type IndexedSearchText = SearchableText & { readonly trait: IndexedSearchField }

// Less than the digests have: of a thousand million words hardly two are the same by chance.
const WORD_DIGEST_BYTES = 9

export function isIndexedSearchText(fact: SearchableText): fact is IndexedSearchText {
  return fact.trait !== 'document' && fact.trait !== 'email'
}

export function wordOf(
  resource: Worded,
  fact: IndexedSearchText,
  digest: (trait: PersonTrait) => Buffer,
): string {
  const trait = personTraitOf(resource, fact)
  const text = trait === null ? fact.text : digest(trait).subarray(0, WORD_DIGEST_BYTES).toString('base64url')
  return RESOURCE_LETTER[resource] + TRAIT_LETTER[fact.trait] + text
}

function personTraitOf(resource: Worded, { trait, text }: IndexedSearchText): PersonTrait | null {
  if (!isPersonal(resource, trait)) return null
  return trait === 'key' ? { by: 'key', keyString: text } : { by: trait as 'phone' | 'name', text }
}

// Whoever may not see people may not ask by these: an answer would confirm a guess. A payout's key is its receiver's; a payin's is
// made for the payin.
export function isPersonal(resource: Worded, trait: SearchField): boolean {
  return PERSONAL.includes(trait) || (trait === 'key' && resource === 'payout')
}

const PERSONAL: readonly SearchField[] = ['document', 'email', 'phone', 'name']
