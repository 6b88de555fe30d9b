// What an audit entry says and what it never says, and the digests of the chain.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { ACT_NAMES, ACTS, isAuditedFor, type ObjectKind, objectKindOf } from '../../../src/core/audit/act.ts'
import { SERVICE } from '../../../src/core/audit/actor.ts'
import { checkLines, EMPTY_CHAIN, headText, parseNotedHead } from '../../../src/core/audit/check.ts'
import {
  type AuditEntry,
  canonicalText,
  chainDigest,
  changesBetween,
  FIRST_DIGEST,
} from '../../../src/core/audit/entry.ts'
import { AUDITED_FIELDS, type FieldRule } from '../../../src/core/audit/fields.ts'

const ENTRY: AuditEntry = {
  organizationId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
  entryId: '019a5c41-0000-7000-8000-000000000004',
  at: Date.parse('2026-11-15T13:00:00.000Z'),
  actor: {
    kind: 'key',
    id: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d91',
    name: 'José’s “back office”',
    sessionId: null,
    address: '203.0.113.7',
    requestId: 'r-1',
  },
  act: 'webhook.change',
  objectKind: 'webhook',
  objectId: '019a5c3f-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  changes: '{"url":{"before":"https://a.example/","after":"https://b.example/"}}',
  outcome: 'done',
  refusal: null,
}

// As the guide tells it, so that anybody can make a digest again without our code.
const CANONICAL =
  '["019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90","019a5c41-0000-7000-8000-000000000004","2026-11-15T13:00:00.000Z","key",' +
  '"019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d91","José’s “back office”",null,"203.0.113.7","r-1","webhook.change","webhook",' +
  '"019a5c3f-1a2b-7c3d-8e4f-5a6b7c8d9e0f",' +
  '"{\\"url\\":{\\"before\\":\\"https://a.example/\\",\\"after\\":\\"https://b.example/\\"}}","done",null]'

const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

describe('the text of an entry', () => {
  it('is the same for everybody, and holds every field', () => {
    assert.equal(canonicalText(ENTRY), CANONICAL)
    const others: Partial<AuditEntry>[] = [
      { organizationId: 'x' },
      { entryId: 'x' },
      { at: ENTRY.at + 1 },
      ...Object.keys(SERVICE).map((name) => ({ actor: { ...ENTRY.actor, [name]: 'x' } })),
      { act: 'x' },
      { objectKind: 'x' },
      { objectId: null },
      { changes: '{}' },
      { outcome: 'refused' },
      { refusal: 'NOT_FOUND' },
    ]
    assert.equal(new Set(others.map((other) => canonicalText({ ...ENTRY, ...other }))).size, others.length)
    for (const other of others) assert.notEqual(canonicalText({ ...ENTRY, ...other }), CANONICAL)
  })

  it('is digested together with the digest before it', () => {
    const first = sha256(Buffer.alloc(32), CANONICAL)
    assert.deepEqual(chainDigest(FIRST_DIGEST, ENTRY), first)
    assert.deepEqual(chainDigest(first, ENTRY), sha256(first, CANONICAL))
  })
})

describe('what changed', () => {
  it('is told by field, before and after, and nothing else is', () => {
    const before = { name: 'Café', rails: ['BRE_B'], payinExpiryMinutes: 15, updatedAt: 1, routes: [] }
    const after = { ...before, name: 'Café La Palma', rails: ['BRE_B', 'PSE'], updatedAt: 2, routes: [1] }
    assert.deepEqual(changesBetween('organization', before, after), {
      name: { before: 'Café', after: 'Café La Palma' },
      rails: { before: ['BRE_B'], after: ['BRE_B', 'PSE'] },
    })
    assert.deepEqual(changesBetween('organization', before, before), {})
    assert.deepEqual(
      changesBetween('organization', null, { name: null, taxId: undefined }),
      {},
      'nothing is no change',
    )
  })

  it('of what was made is all that it has, and of what is gone all that it had', () => {
    const alarm = { kind: 'orphan-notice', subjectId: 's', detail: 'Ana Gómez' }
    const made = { kind: { before: null, after: 'orphan-notice' }, subjectId: { before: null, after: 's' } }
    assert.deepEqual(changesBetween('alarm', null, alarm), made)
    const gone = { kind: { before: 'orphan-notice', after: null }, subjectId: { before: 's', after: null } }
    assert.deepEqual(changesBetween('alarm', alarm, null), gone)
  })

  it('shows money as whole cents and times as text', () => {
    const key = { payoutSumPerDay: 100_000_000n, expiresAt: ENTRY.at }
    assert.deepEqual(changesBetween('apikey', null, key), {
      payoutSumPerDay: { before: null, after: 100_000_000 },
      expiresAt: { before: null, after: '2026-11-15T13:00:00.000Z' },
    })
  })

  it('shows of secrets only that there is another', () => {
    const before = { credentials: Buffer.from('first'), sealedSecret: Buffer.from('x') }
    const after = { credentials: Buffer.from('second'), sealedSecret: Buffer.from('x') }
    const secret = { before: '(secret)', after: '(secret)' }
    assert.deepEqual(changesBetween('connection', before, after), { credentials: secret })
    assert.deepEqual(changesBetween('webhook', null, { sealedSecret: Buffer.from('x') }), {
      sealedSecret: { before: null, after: '(secret)' },
    })
  })

  it('shows of addresses no token, and of images and long texts a digest', () => {
    const url = 'https://user:word@hooks.example/events?token=SECRET#SECRET'
    const shown = changesBetween('webhook', null, { url, description: 'd'.repeat(301) })
    assert.deepEqual(shown.url, { before: null, after: 'https://hooks.example/events?…' })
    for (const kind of ['payin', 'paymentlink', 'paymentpage'] as const) {
      const { callbackUrl } = changesBetween(kind, null, { callbackUrl: url })
      assert.deepEqual(callbackUrl, { before: null, after: 'https://hooks.example/events?…' }, kind)
    }
    const digest = sha256('d'.repeat(301)).toString('hex')
    assert.equal(
      shown.description?.after,
      `${'d'.repeat(300)}… (301 characters, SHA-256 ${digest})`,
      'two long texts that begin alike are told apart',
    )
    const texts: [string, string | undefined][] = [
      ['https://hooks.example/a?b', 'https://hooks.example/a?…'],
      ['https://hooks.example/a#b', 'https://hooks.example/a?…'],
      ['https://hooks.example/a', 'https://hooks.example/a'],
      ['no address', `10 characters, SHA-256 ${sha256('no address').toString('hex')}`],
    ]
    for (const [written, expected] of texts)
      assert.equal(changesBetween('webhook', null, { url: written }).url?.after, expected, written)
    assert.equal(
      changesBetween('webhook', null, { description: 'd'.repeat(300) }).description?.after,
      'd'.repeat(300),
    )
    const metadata = { a: 'b' }
    assert.equal(
      changesBetween('paymentpage', null, { metadata }).metadata?.after,
      `9 characters, SHA-256 ${sha256(JSON.stringify(metadata)).toString('hex')}`,
    )
    const logoUrl = 'data:image/png;base64,AAAA'
    const { logoUrl: image } = changesBetween('organization', null, { logoUrl })
    assert.equal(image?.after, `26 characters, SHA-256 ${sha256(logoUrl).toString('hex')}`)
  })

  // Whatever fields a thing has, or gets one day.
  it('holds nothing of a field that is not named, whatever the thing', () => {
    const private_ = {
      customer: 'PRIVATE',
      receiver: 'PRIVATE',
      note: 'PRIVATE',
      secret: 'PRIVATE',
      digest: 'PRIVATE',
      token: 'PRIVATE',
      sealedPrevious: 'PRIVATE',
      keyString: 'PRIVATE',
      detail: 'PRIVATE',
    }
    const rules = { secret: Buffer.from('PRIVATE'), url: 'https://x.example/?PRIVATE', digest: 'PRIVATE' }
    for (const [kind, fields] of Object.entries(AUDITED_FIELDS)) {
      const hidden = Object.entries(fields).flatMap(([field, rule]) =>
        rule in rules ? [[field, rules[rule as keyof typeof rules]]] : [],
      )
      const thing = { ...private_, ...Object.fromEntries(hidden) }
      const text = JSON.stringify([
        changesBetween(kind as ObjectKind, null, thing),
        changesBetween(kind as ObjectKind, thing, null),
      ])
      assert.doesNotMatch(text, /PRIVATE/, kind)
      for (const field of Object.keys(private_)) {
        const rule = (fields as Readonly<Record<string, FieldRule>>)[field]
        // Of a note of somebody's it may say that there is one.
        assert.ok(rule === undefined || rule === 'secret', `${kind}.${field}`)
      }
    }
  })
})

describe('an act', () => {
  it('names what it is done to, whose fields are known', () => {
    for (const act of ACT_NAMES) assert.ok(objectKindOf(act) in AUDITED_FIELDS, act)
    assert.deepEqual(
      Object.keys(AUDITED_FIELDS).sort(),
      [...new Set(ACT_NAMES.map(objectKindOf))].sort(),
      'no kind without an act',
    )
  })

  it('is audited for everyone, but for what keys do in bulk', () => {
    const ofPeople = ACT_NAMES.filter((act) => ACTS[act] === 'people')
    assert.deepEqual(ofPeople, [
      'payin.create',
      'payout.create',
      'payoutbatch.change',
      'payoutbatch.leaveout',
      'payoutbatch.check',
      'paymentlink.create',
      'brebkey.lookup',
    ])
    for (const act of ofPeople) {
      assert.equal(isAuditedFor(act, 'person'), true)
      for (const kind of ['key', 'client', 'service']) assert.equal(isAuditedFor(act, kind), false)
    }
    for (const kind of ['person', 'key', 'client', 'operator', 'service'])
      assert.equal(isAuditedFor('payin.cancel', kind), true)
  })
})

describe('a chain', () => {
  const entries = ['a', 'b', 'c'].map((entryId) => ({ ...ENTRY, entryId }))
  let digest = FIRST_DIGEST
  const lines = entries.map((entry, at) => {
    digest = chainDigest(digest, entry)
    return { sequence: at + 1, entryId: entry.entryId, digest, entry: entry as AuditEntry | undefined }
  })
  const problemOf = (changed: typeof lines) => {
    const { kind, sequence, entryId } = checkLines(EMPTY_CHAIN, changed) as { [name: string]: unknown }
    return [kind, sequence, entryId]
  }
  const [first, second, third] = lines as [(typeof lines)[0], (typeof lines)[0], (typeof lines)[0]]

  it('holds as it was written, in one page or in several', () => {
    const head = { sequence: 3, digest: third.digest }
    assert.deepEqual(checkLines(EMPTY_CHAIN, lines), head)
    assert.deepEqual(checkLines({ sequence: 1, digest: first.digest }, [second, third]), head)
    assert.deepEqual(checkLines(EMPTY_CHAIN, []), EMPTY_CHAIN)
  })

  it('names the first line that is not', () => {
    const renumbered = (given: typeof lines) => given.map((line, at) => ({ ...line, sequence: at + 1 }))
    const altered = { ...second, entry: { ...(second.entry as AuditEntry), act: 'payin.cancel' } }
    assert.deepEqual(problemOf([first, third]), ['removed', 2, null])
    assert.deepEqual(problemOf([first, { ...second, entry: undefined }, third]), ['removed', 2, 'b'])
    assert.deepEqual(problemOf([first, altered, third]), ['changed', 2, 'b'])
    assert.deepEqual(problemOf(renumbered([first, third])), ['changed', 2, 'c'])
    assert.deepEqual(problemOf(renumbered([second, first, third])), ['changed', 1, 'b'])
    assert.deepEqual(problemOf(renumbered([first, first, second, third])), ['changed', 2, 'a'])
  })

  it('says which line it is, and what may have happened to it', () => {
    const detailOf = (changed: typeof lines) =>
      (checkLines(EMPTY_CHAIN, changed) as { detail: string }).detail
    assert.equal(detailOf([first, third]), 'line 2 was removed')
    const gone = { ...second, entry: undefined }
    assert.equal(detailOf([first, gone]), 'the entry b of line 2 was removed')
    const altered = { ...second, digest: first.digest }
    assert.equal(
      detailOf([first, altered]),
      'line 2 (entry b) does not follow from line 1: it was changed, moved or put in, or lines before it were taken out',
    )
  })

  it('has a head that can be noted down and read again', () => {
    const head = { sequence: 3, digest: third.digest }
    assert.deepEqual(parseNotedHead(headText(head)), head)
    assert.deepEqual(parseNotedHead(` ${headText(head).toUpperCase()}\n`), head)
    for (const text of ['', '3', `3:${'0'.repeat(63)}`, `-1:${'0'.repeat(64)}`, `x:${'0'.repeat(64)}`])
      assert.equal(parseNotedHead(text), undefined, text)
  })
})
