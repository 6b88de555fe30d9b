// Objects and events as the API gives them, with people as the role may see them. Images of QR codes stay references.

import { maskKey } from '../../core/directory/breb-key.ts'
import type { Customer } from '../../core/people/customer.ts'
import { showPeople } from '../../core/people/shown.ts'
import { fieldsShown } from '../../flows/people/vault.ts'
import { maskedCustomer, type PeopleEyes } from '../people.ts'
import { indented } from './timeline.ts'

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
    Object.entries(source).map(([name, value]) => [name, typeof value === 'string' ? maskKey(value) : value]),
  )
}

// What a receiver answered. It may repeat what it was told, whole or in part, in whatever form: people are masked there as they are in
// the event.
export function shownAnswer(answer: string, data: string, eyes: PeopleEyes): string {
  if (!eyes.isMasked || answer === '') return answer
  const plain = JSON.parse(shownData(data, { ...eyes, isMasked: false }))
  const masks = differences(plain, JSON.parse(shownData(data, eyes)))
    .filter(([from]) => from.length >= SHORTEST_MASKED)
    // The longer first: a key may hold the phone.
    .sort(([one], [other]) => other.length - one.length)
  const text = decoded(indented(answer))
  const masked = masks.reduce(
    (shown, [from, to]) => formsOf(from).reduce((all, form) => replaced(all, form, to), shown),
    text,
  )
  return withoutCutEnd(
    masked,
    masks.map(([from]) => from),
  )
}

// A letter or two are in every answer, and tell of nobody.
const SHORTEST_MASKED = 3
// So much of a name at the end of an answer, which may be cut anywhere, is the name.
const SHORTEST_BEGINNING = 4

// The texts that are others in the second of two objects of one form, with what stands there.
function differences(one: unknown, other: unknown): [string, string][] {
  if (typeof one === 'string' && typeof other === 'string')
    return one === other || one === '' ? [] : [[one, other]]
  if (typeof one !== 'object' || one === null) return []
  return Object.entries(one).flatMap(([name, value]) =>
    differences(value, (other as Record<string, unknown> | null)?.[name]),
  )
}

// An answer that is no JSON as a whole may have letters written as JSON does, or as addresses do.
function decoded(text: string): string {
  return text
    .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    .replaceAll(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0xffff)))
}

function formsOf(text: string): string[] {
  const inForms = text.replaceAll(' ', '+')
  const inJson = JSON.stringify(text).slice(1, -1)
  return [...new Set([text, text.normalize('NFD'), inForms, inJson])]
}

function replaced(text: string, form: string, mask: string): string {
  return text.replaceAll(new RegExp(RegExp.escape(form), 'giu'), () => mask)
}

function withoutCutEnd(text: string, names: readonly string[]): string {
  const cut = names.flatMap((name) => {
    for (let length = name.length - 1; length >= SHORTEST_BEGINNING; length -= 1)
      if (text.toLowerCase().endsWith(name.slice(0, length).toLowerCase())) return [length]
    return []
  })
  return cut.length === 0 ? text : text.slice(0, -Math.max(...cut)) + MASK
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
