// What an approval is made of and bound to, how it ends, what is shown of it, and what its proof finds wrong years later.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  type Approval,
  type ApprovalDecision,
  canonicalJson,
  documentOf,
  endApproval,
  isBoundTo,
  isLapsed,
  newApproval,
} from '../../../src/core/approvals/approval.ts'
import { approvalProblems } from '../../../src/core/approvals/check.ts'
import { presentApproval } from '../../../src/core/approvals/object.ts'
import { approversFor, ruleProblems } from '../../../src/core/approvals/rule.ts'
import { changedFieldsOf } from '../changed-fields.ts'

const NOW = Date.UTC(2026, 10, 17)
const LATER = NOW + 60_000
const DAY_MS = 86_400_000
const MAKER = { kind: 'person', id: 'maker', name: 'Marta' } as const
const SUBMISSION = {
  organizationId: 'org',
  kind: 'payout',
  subjectId: 'payout-1',
  amountInCents: 5n,
  maker: MAKER,
} as const
const DOCUMENT = { amountInCents: 5n, to: 'Ana' }
const approval = newApproval('one', 2, { ...SUBMISSION, document: DOCUMENT, payload: 'sealed' }, NOW)
const TEXT =
  '{"amountInCents":"5","approvalId":"one","approvers":2,"document":{"amountInCents":"5","to":"Ana"},' +
  '"kind":"payout","maker":{"id":"maker","kind":"person"},"organizationId":"org","subjectId":"payout-1","version":1}'
const digest = createHash('sha256').update(TEXT).digest()

describe('an approval', () => {
  it('waits for seven days, bound to a text that names all that was asked for', () => {
    assert.deepEqual(approval, {
      ...SUBMISSION,
      approvalId: 'one',
      version: 1,
      status: 'WAITING',
      approvers: 2,
      canonicalText: TEXT,
      digest,
      payload: 'sealed',
      createdAt: NOW,
      updatedAt: NOW,
      lapsesAt: NOW + 7 * DAY_MS,
      decidedAt: null,
      usedAt: null,
    })
    assert.equal(newApproval('one', 2, { ...SUBMISSION, document: DOCUMENT }, NOW).payload, null)
    assert.deepEqual(documentOf(approval), { amountInCents: '5', to: 'Ana' })
  })

  it('is bound to what it was asked for, and to nothing else', () => {
    assert.equal(isBoundTo(approval, DOCUMENT), true)
    assert.equal(isBoundTo(approval, { to: 'Ana', amountInCents: 5n }), true)
    assert.equal(isBoundTo(approval, { ...DOCUMENT, to: 'Eva' }), false)
    assert.equal(isBoundTo({ ...approval, approvers: 1 }, DOCUMENT), false)
  })

  it('has one text for one value: names in order, cents as text, nothing of what is not there', () => {
    const value = { b: [2n, null, undefined, 'ñ"'], a: { z: true, y: 1.5 }, Z: 0, none: undefined }
    assert.equal(canonicalJson(value), '{"Z":0,"a":{"y":1.5,"z":true},"b":["2",null,null,"ñ\\""]}')
    assert.equal(canonicalJson(null), 'null')
    assert.equal(canonicalJson(undefined), 'null')
  })

  it('ends once, and what the act needed is gone', () => {
    const endings = { approve: 'APPROVED', refuse: 'REFUSED', lapse: 'LAPSED', void: 'VOIDED' } as const
    for (const [ending, status] of Object.entries(endings)) {
      const over = endApproval(approval, ending as keyof typeof endings, LATER)
      const changes = { status, payload: null, version: 2, updatedAt: LATER, decidedAt: LATER }
      assert.deepEqual(changedFieldsOf<Approval>(approval, over), changes, ending)
      assert.equal(endApproval(over as Approval, 'approve', LATER), undefined, ending)
      assert.equal(isLapsed(over as Approval, NOW + 7 * DAY_MS), false, ending)
    }
  })
})

const decision = (changes: Partial<ApprovalDecision> = {}): ApprovalDecision => ({
  organizationId: 'org',
  approvalId: 'one',
  userId: 'other',
  userName: 'Olga',
  role: 'approver',
  decision: 'APPROVED',
  proof: 'TOTP',
  reason: null,
  digest,
  signed: null,
  decidedAt: LATER,
  ...changes,
})

describe('an approval as it is shown', () => {
  it('has all of it but the text and what the act needs', () => {
    const used = { ...approval, decidedAt: LATER, usedAt: LATER + 1, updatedAt: LATER }
    assert.deepEqual(presentApproval(used, [decision({ reason: 'ok' })]), {
      id: 'one',
      kind: 'payout',
      subjectId: 'payout-1',
      status: 'WAITING',
      amountInCents: 5,
      approvers: 2,
      maker: MAKER,
      document: { amountInCents: '5', to: 'Ana' },
      digest: digest.toString('hex'),
      decisions: [
        {
          userId: 'other',
          userName: 'Olga',
          role: 'approver',
          decision: 'APPROVED',
          proof: 'TOTP',
          reason: 'ok',
          decidedAt: '2026-11-17T00:01:00.000Z',
        },
      ],
      createdAt: '2026-11-17T00:00:00.000Z',
      updatedAt: '2026-11-17T00:01:00.000Z',
      lapsesAt: '2026-11-24T00:00:00.000Z',
      decidedAt: '2026-11-17T00:01:00.000Z',
      usedAt: '2026-11-17T00:01:00.001Z',
      organizationId: 'org',
    })
    const { amountInCents, decidedAt, usedAt } = presentApproval({ ...approval, amountInCents: null }, [])
    assert.deepEqual([amountInCents, decidedAt, usedAt], [null, null, null])
  })
})

describe('the proof of an approval', () => {
  const one = newApproval('one', 1, { ...SUBMISSION, document: DOCUMENT }, NOW)
  const mine = (changes: Partial<ApprovalDecision> = {}) => decision({ digest: one.digest, ...changes })
  const ended = (how: 'approve' | 'refuse' | 'lapse' | 'void') => endApproval(one, how, LATER) as Approval
  const who = 'the decision of Olga (other)'

  it('finds what was changed since: the text, or what the row says', () => {
    const text = { ...ended('approve'), canonicalText: `${one.canonicalText} ` }
    assert.deepEqual(approvalProblems(text, [mine()]), ['the digest is not that of the text'])
    const row = { ...ended('approve'), subjectId: 'payout-2' }
    assert.deepEqual(approvalProblems(row, [mine()]), [
      'the row says something else than the text that was approved',
    ])
  })

  it('finds what is wrong with each decision, by name', () => {
    const problems = (changes: Partial<ApprovalDecision>) =>
      approvalProblems(ended('approve'), [mine(changes)])
    assert.deepEqual(problems({}), [])
    assert.deepEqual(problems({ userId: 'maker' }), ['the decision of Olga (maker) is the maker’s own'])
    assert.deepEqual(problems({ digest }), [`${who} is about another digest`])
    assert.deepEqual(problems({ proof: 'SESSION' }), [`${who} has no proof`])
    assert.deepEqual(problems({ proof: 'PASSKEY' }), [`${who} lacks its signature`])
    const signed = {
      credentialId: Buffer.alloc(1),
      publicKey: Buffer.alloc(1),
      algorithm: -7,
      clientData: Buffer.from('{"origin":"https://panel.example"}'),
      authenticatorData: Buffer.alloc(37),
      signature: Buffer.alloc(1),
    }
    const unsigned = `${who} is not signed by its key over this digest`
    assert.deepEqual(problems({ proof: 'PASSKEY', signed }), [unsigned])
    assert.deepEqual(problems({ signed }), [`${who} lacks its signature`, unsigned])
    const nowhere = { ...signed, clientData: Buffer.from('{}') }
    assert.deepEqual(problems({ proof: 'PASSKEY', signed: nowhere }), [unsigned])
  })

  it('counts who approved and who refused, by how it ended', () => {
    const refusal = mine({ decision: 'REFUSED', proof: 'SESSION' })
    const isRight = (how: Parameters<typeof ended>[0] | null, ...decisions: ApprovalDecision[]) =>
      approvalProblems(how === null ? one : ended(how), decisions).length === 0
    assert.deepEqual([isRight('approve', mine()), isRight('approve', mine(), mine())], [true, true])
    assert.deepEqual([isRight('approve'), isRight('approve', mine(), refusal)], [false, false])
    assert.deepEqual([isRight('refuse', refusal), isRight('refuse', mine(), refusal)], [true, true])
    assert.deepEqual([isRight('refuse', mine()), isRight('refuse', refusal, refusal)], [false, false])
    for (const how of ['lapse', 'void', null] as const) {
      assert.deepEqual([isRight(how), isRight(how, mine())], [true, true], String(how))
      assert.equal(isRight(how, refusal), false, String(how))
    }
  })
})

describe('rules of approvals that cannot be', () => {
  const tier = (fromInCents: bigint, approvers: 0 | 1 | 2 = 1) => ({ fromInCents, approvers })

  it('are told by rule and by tier', () => {
    assert.deepEqual(
      ruleProblems([
        { kind: 'payout', tiers: [tier(0n), tier(5n), tier(5n)] },
        { kind: 'connection', tiers: [tier(1n)] },
        { kind: 'payout', tiers: [] },
        { kind: 'credential', tiers: [tier(0n), tier(9n)] },
        { kind: 'refund', tiers: [tier(7n)] },
      ]),
      [
        { rule: 0, tier: 2, message: 'must begin at a larger amount than the tier before it' },
        { rule: 1, tier: 0, message: 'must be the only tier, from 0: the kind connection has no amount' },
        { rule: 2, message: 'names the kind payout, which has a rule already' },
        { rule: 3, tier: 1, message: 'must be the only tier, from 0: the kind credential has no amount' },
      ],
    )
  })

  it('have amounts for whatever moves money, and for nothing else', () => {
    const kinds = ['payout', 'payout-batch', 'refund', 'suspense-return'] as const
    for (const kind of kinds) assert.deepEqual(ruleProblems([{ kind, tiers: [tier(1n)] }]), [], kind)
    for (const kind of ['connection', 'credential', 'approval-rule'] as const) {
      assert.deepEqual(ruleProblems([{ kind, tiers: [tier(0n)] }]), [], kind)
      assert.equal(ruleProblems([{ kind, tiers: [tier(1n)] }]).length, 1, kind)
    }
  })

  it('ask the largest number where the amount is not known, in whatever order it comes', () => {
    const rule = { kind: 'payout', tiers: [tier(0n, 2), tier(9n, 1)] } as const
    assert.equal(approversFor([rule], 'payout', null), 2)
  })
})
