// Who is asked, who may decide, and until when.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  APPROVAL_LIFETIME_MS,
  type Approval,
  type ApprovalDecision,
  endApproval,
  isLapsed,
  newApproval,
} from '../../../src/core/approvals/approval.ts'
import { approvalProblems } from '../../../src/core/approvals/check.ts'
import { endingAfter, refuseDecider } from '../../../src/core/approvals/decide.ts'
import { type ApprovalRule, approversFor, peopleNeeded } from '../../../src/core/approvals/rule.ts'
import type { Role } from '../../../src/core/team/role.ts'

const NOW = Date.UTC(2026, 10, 17)
const PERSON = { kind: 'person', id: 'maker', name: 'Marta' } as const
const APPROVAL: Approval = newApproval(
  'one',
  2,
  {
    ...{ organizationId: 'org', kind: 'payout', subjectId: 'payout', amountInCents: 5n, maker: PERSON },
    document: { amountInCents: 5n },
  },
  NOW,
)

describe('the rules of approvals', () => {
  const payout: ApprovalRule = {
    kind: 'payout',
    tiers: [
      { fromInCents: 10n, approvers: 1 },
      { fromInCents: 20n, approvers: 2 },
    ],
  }

  it('ask from the first cent of a tier on, and nobody of another kind', () => {
    const asked = [9n, 10n, 19n, 20n].map((cents) => approversFor([payout], 'payout', cents))
    assert.deepEqual(asked, [0, 1, 1, 2])
    assert.equal(approversFor([payout], 'refund', 20n), 0)
  })

  it('ask the most where nobody knows the amount', () => {
    assert.equal(approversFor([payout], 'payout', null), 2)
    assert.equal(approversFor([], 'payout', null), 0)
  })

  it('need as many people as they ask, and one more to change themselves', () => {
    assert.equal(peopleNeeded([payout]), 2)
    assert.equal(peopleNeeded([{ kind: 'approval-rule', tiers: [{ fromInCents: 0n, approvers: 2 }] }]), 3)
    assert.equal(peopleNeeded([{ kind: 'approval-rule', tiers: [{ fromInCents: 0n, approvers: 0 }] }]), 0)
  })
})

describe('what is signed', () => {
  const submission = { ...APPROVAL, document: { amountInCents: 5n } }

  it('is one thing of one organization and one maker: each part of it changes the digest', () => {
    const others = {
      organizationId: 'another',
      kind: 'refund',
      subjectId: 'another',
      amountInCents: 6n,
      maker: { ...PERSON, id: 'another' },
      document: { amountInCents: 6n },
    } as const
    const digestOf = (changes: object, approvalId = 'one', approvers = 2) =>
      newApproval(approvalId, approvers, { ...submission, ...changes }, NOW).digest.toString('hex')
    assert.equal(digestOf({}), APPROVAL.digest.toString('hex'))
    for (const [part, value] of Object.entries(others))
      assert.notEqual(digestOf({ [part]: value }), digestOf({}), part)
    assert.notEqual(digestOf({}, 'another'), digestOf({}))
    assert.notEqual(digestOf({}, 'one', 3), digestOf({}))
    assert.notEqual(digestOf({ maker: { ...PERSON, kind: 'key' } }), digestOf({}))
  })
})

describe('whoever decides', () => {
  const refused = (
    changes: object = {},
    now = NOW,
    approval = APPROVAL,
    before: { userId: string }[] = [],
  ) => {
    const decider = { userId: 'other', role: 'approver' as Role | null, holdsCredential: false, ...changes }
    return refuseDecider(approval, before, decider, APPROVAL.digest, now)?.refused
  }

  it('is another person than the maker, in a role that approves, and has not decided before', () => {
    assert.equal(refused(), undefined)
    assert.equal(refused({ userId: 'maker', role: 'owner' }), 'APPROVAL_OWN')
    assert.equal(refused({ holdsCredential: true, role: 'owner' }), 'APPROVAL_OWN')
    for (const role of ['preparer', 'accountant', null]) assert.equal(refused({ role }), 'INSUFFICIENT_SCOPE')
    assert.equal(refused({}, NOW, APPROVAL, [{ userId: 'other' }]), 'APPROVAL_DECIDED_BEFORE')
  })

  it('is told why not', () => {
    const told = (changes: object, approval = APPROVAL, digest = APPROVAL.digest, now = NOW) => {
      const decider = { userId: 'other', role: 'approver' as Role | null, holdsCredential: false, ...changes }
      const refusal = refuseDecider(approval, [{ userId: 'third' }], decider, digest, now)
      return refusal && `${refusal.refused}: ${refusal.detail}`
    }
    const ended = (how: 'approve' | 'refuse' | 'lapse' | 'void') =>
      endApproval(APPROVAL, how, NOW) as Approval
    assert.equal(told({}), undefined)
    assert.equal(
      told({ role: 'accountant' }),
      'INSUFFICIENT_SCOPE: To decide needs a role with the scope approvals:write.',
    )
    assert.equal(told({}, ended('lapse')), 'APPROVAL_LAPSED: Nobody decided within seven days.')
    assert.equal(told({}, ended('approve')), 'APPROVAL_ENDED: The approval is APPROVED already.')
    assert.equal(told({}, ended('refuse')), 'APPROVAL_ENDED: The approval is REFUSED already.')
    assert.equal(told({}, ended('void')), 'APPROVAL_ENDED: The approval is VOIDED already.')
    assert.equal(
      told({ userId: 'maker' }),
      'APPROVAL_OWN: Whoever asked for it cannot decide about it. Somebody else must.',
    )
    assert.equal(
      told({ holdsCredential: true }),
      'APPROVAL_OWN: It was asked for with a key or client that this person made or rolled. Somebody else must decide.',
    )
    assert.equal(
      told({ userId: 'third' }),
      'APPROVAL_DECIDED_BEFORE: This person has decided about it already.',
    )
    assert.equal(
      told({}, APPROVAL, Buffer.alloc(32)),
      'APPROVAL_STALE: The digest is not the one of this approval: read it again.',
    )
    const ofKey = { ...APPROVAL, maker: { kind: 'key', id: 'other', name: null } } as const
    assert.equal(told({}, ofKey), undefined, 'a key with the id of a person is no person')
  })

  it('does so within seven days, and not at their end', () => {
    const end = NOW + APPROVAL_LIFETIME_MS
    assert.equal(APPROVAL_LIFETIME_MS, 7 * 86_400_000)
    assert.deepEqual([refused({}, end - 1), refused({}, end)], [undefined, 'APPROVAL_LAPSED'])
    assert.deepEqual([isLapsed(APPROVAL, end - 1), isLapsed(APPROVAL, end)], [false, true])
  })

  it('counts while they may approve; one refusal is enough', () => {
    const by = (userId: string, decision: 'APPROVED' | 'REFUSED' = 'APPROVED') => ({ userId, decision })
    const roles = new Map<string, Role>([
      ['a', 'approver'],
      ['b', 'owner'],
      ['c', 'support'],
    ])
    assert.equal(endingAfter(APPROVAL, [by('a')], roles), undefined)
    assert.equal(endingAfter(APPROVAL, [by('a'), by('c'), by('gone')], roles), undefined)
    assert.equal(endingAfter(APPROVAL, [by('a'), by('b')], roles), 'approve')
    assert.equal(endingAfter(APPROVAL, [by('a'), by('b', 'REFUSED')], roles), 'refuse')
  })
})

describe('the proof of an approval', () => {
  const by = (userId: string, changes: Partial<ApprovalDecision> = {}): ApprovalDecision => ({
    ...{ organizationId: 'org', approvalId: 'one', userId, userName: userId, role: 'approver' },
    ...{ decision: 'APPROVED', proof: 'TOTP', reason: null, digest: APPROVAL.digest, signed: null },
    ...{ decidedAt: NOW, ...changes },
  })
  const approved = endApproval(APPROVAL, 'approve', NOW) as Approval

  it('finds nothing wrong with as many decisions as were asked for, each in its time', () => {
    const lastMoment = { decidedAt: APPROVAL.lapsesAt - 1 }
    assert.deepEqual(approvalProblems(approved, [by('one'), by('two', lastMoment)]), [])
    assert.deepEqual(approvalProblems(APPROVAL, [by('one')]), [])
  })

  it('finds what was approved by too few, beside a refusal, or when its time was over', () => {
    const problemsOf = (...decisions: ApprovalDecision[]) => approvalProblems(approved, decisions).join()
    assert.equal(problemsOf(by('one')), 'it is APPROVED with 1 of 2 approvals and 0 refusals')
    const refusal = by('three', { decision: 'REFUSED' })
    assert.match(problemsOf(by('one'), by('two'), refusal), /with 2 of 2 approvals and 1 refusals/)
    const late = by('two', { decidedAt: APPROVAL.lapsesAt })
    assert.match(problemsOf(by('one'), late), /^the decision of two .* came after the approval had lapsed$/)
  })
})
