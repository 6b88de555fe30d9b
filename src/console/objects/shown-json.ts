// Objects and events as the API gives them, with people as the role may see them. Images of QR codes stay references.

import type { Customer } from '../../core/people/customer.ts'
import { showPeople } from '../../core/people/shown.ts'
import { fieldsShown } from '../../flows/people/vault.ts'
import { maskedCustomer, maskedKey, type PeopleEyes } from '../people.ts'

const MASK = '***'

export function shownData(text: string, { vault, isMasked }: PeopleEyes): string {
  const opened = showPeople(text, (sealed) => fieldsShown(vault, sealed))
  return isMasked ? JSON.stringify(maskedObject(JSON.parse(opened) as Record<string, unknown>)) : opened
}

// By the names of its fields, so that texts from before people were sealed are masked too. A note may name a person.
function maskedObject(object: Record<string, unknown>): Record<string, unknown> {
  const { inlineCustomer, description, metadata, sourceData } = object
  return {
    ...object,
    ...(isObject(inlineCustomer) && { inlineCustomer: maskedCustomer(inlineCustomer as Customer) }),
    ...(typeof inlineCustomer === 'string' && { inlineCustomer: MASK }),
    ...(typeof description === 'string' && { description: MASK }),
    ...(isObject(metadata) && {
      metadata: Object.fromEntries(Object.keys(metadata).map((name) => [name, MASK])),
    }),
    ...(isObject(sourceData) && { sourceData: maskedSource(sourceData) }),
  }
}

// A payin's key is ours, and leads to a page of ours. A payout's is somebody's.
function maskedSource(source: Record<string, unknown>): Record<string, unknown> {
  if ('checkoutUrl' in source || 'pseUrl' in source) return source
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => [
      name,
      typeof value === 'string' ? maskedKey(value) : value,
    ]),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
