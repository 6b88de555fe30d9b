// Texts with sealed people are opened where they are sent: each person in their place, and nothing else changed.

import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { describe, it } from 'node:test'
import { newNote, noteFields, noteOf, presentNote } from '../../../src/core/people/note.ts'
import { dataKeyOf, sealerOf } from '../../../src/core/people/seal-text.ts'
import {
  customerFields,
  customerOf,
  fieldsInPlaceOf,
  isSealed,
  receiverFields,
  receiverOf,
} from '../../../src/core/people/sealed.ts'
import {
  destinationOf,
  hasSealedPeople,
  replaceSealedOf,
  showPeople,
} from '../../../src/core/people/shown.ts'

const customer = { name: 'Ana "A"', idType: 'CO_CC', idNumber: '1', phone: '3', email: 'a@b.co' }
const receiver = { customer, keyString: '@ANA', keyStringSent: '@ana' }
const note = { description: 'Café', metadata: { table: '7' } }
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  person: receiverFields(receiver),
  note: noteFields(note),
  plain: noteFields({ description: null, metadata: null }),
}

describe('a text with sealed people', () => {
  const sealed = (name: string) => JSON.stringify({ sealed: name })
  const text = (noted: string) =>
    `{"description":${sealed(noted)},"metadata":{"sealed":true},"reference":"\\"inlineCustomer\\":{\\"sealed\\":\\"x\\"}",` +
    `"inlineCustomer":${sealed('person')},"amount":5,"sourceData":{"sealed":true}}`
  const opened: string[] = []
  const open = ({ sealed: name }: { sealed: string }) => {
    opened.push(name)
    return FIELDS[name] ?? []
  }

  it('shows each where it stands, and what a person typed as it is', () => {
    assert.deepEqual(JSON.parse(showPeople(text('note'), open)), {
      ...note,
      reference: '"inlineCustomer":{"sealed":"x"}',
      inlineCustomer: customer,
      amount: 5,
      sourceData: { keyString: '@ana', canonicalKeyString: '@ANA' },
    })
    const { description, metadata } = JSON.parse(showPeople(text('plain'), open))
    assert.deepEqual([description, metadata], [null, null])
    assert.deepEqual(opened, ['note', 'person', 'plain', 'person'], 'each once')
    assert.deepEqual(destinationOf(receiver), { keyString: '@ana', canonicalKeyString: '@ANA' })
  })

  it('is known, and any other is left as it is', () => {
    assert.equal(hasSealedPeople(text('note')), true)
    const plain = '{"inlineCustomer":{"name":"Ana"},"note":"sealed"}'
    assert.equal(hasSealedPeople(plain), false)
    assert.equal(showPeople(plain, open), plain)
    assert.equal(replaceSealedOf(plain, new Set(), { sealed: 'x' }), plain)
  })

  it('has what was sealed for an object replaced, and of no other', () => {
    const dataKey = dataKeyOf(1, createSecretKey(Buffer.alloc(32, 1)))
    const seal = sealerOf(dataKey, Buffer.alloc(16), (count) => Buffer.alloc(count, 2))
    const [one, other] = ['0199a0b0-0000-7000-8000-000000000001', '0199a0b0-0000-7000-8000-000000000002']
    const [first = '', second = ''] = [one, other].map((id) => seal(id, ['x']))
    const of = (a: string, b: string) =>
      `[{"inlineCustomer":${sealed(a)},"sourceData":{"sealed":true}},{"description":${sealed(b)},"metadata":{"sealed":true}}]`
    const replaced = replaceSealedOf(of(first, second), new Set([one]), { sealed: 'gone' })
    assert.equal(replaced, of('gone', second))
    const both = replaceSealedOf(of(first, second), new Set([one, other]), { sealed: 'gone' })
    assert.equal(both, of('gone', 'gone'))
    assert.equal(replaceSealedOf(of(first, second), new Set(), { sealed: 'gone' }), of(first, second))
  })
})

describe('a person', () => {
  it('is sealed as a list, and read from it again', () => {
    assert.deepEqual(customerFields(customer), ['Ana "A"', 'CO_CC', '1', '3', 'a@b.co'])
    assert.deepEqual(receiverFields(receiver), [...customerFields(customer), '@ANA', '@ana'])
    assert.deepEqual(customerOf(FIELDS.person ?? []), customer)
    assert.deepEqual(receiverOf(FIELDS.person ?? []), receiver)
    const nobody = { name: '', idType: '', idNumber: '', phone: '', email: '' }
    assert.deepEqual(receiverOf([]), { customer: nobody, keyString: '', keyStringSent: '' })
    assert.deepEqual(fieldsInPlaceOf('ERASED'), Array(7).fill('ERASED'))
    assert.deepEqual([isSealed(null), isSealed({}), isSealed({ sealed: 'x' })], [false, false, true])
  })

  it('is noted with a description, with metadata, with both or with nothing', () => {
    assert.equal(newNote({}), null)
    assert.equal(newNote({ description: null, metadata: null }), null)
    assert.deepEqual(newNote({ description: 'Café' }), { description: 'Café', metadata: null })
    assert.deepEqual(newNote({ metadata: { a: 'b' } }), { description: null, metadata: { a: 'b' } })
    assert.deepEqual(newNote(note), note)
    assert.deepEqual(noteFields(note), ['Café', '{"table":"7"}'])
    assert.deepEqual(noteOf(['Café', '{"table":"7"}']), note)
    assert.deepEqual(noteOf([]), { description: null, metadata: null })
    assert.deepEqual(noteOf(['ERASED', 'ERASED']), { description: 'ERASED', metadata: null })
    assert.deepEqual(presentNote(null), { description: null, metadata: null })
    assert.equal(presentNote(note), note)
    const sealed = { sealed: 'x' }
    assert.deepEqual(presentNote(sealed), { description: sealed, metadata: { sealed: true } })
  })
})
