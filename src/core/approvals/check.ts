// Proves an approval from what is stored of it, years later: that the digest is of the text, that the text says what the row says,
// and that those who decided were others than the maker, enough of them, and signed that digest.

import { siteOfOrigin } from '../team/site.ts'
import { originIn, verifyAssertion } from '../team/webauthn.ts'
import {
  type Approval,
  type ApprovalDecision,
  canonicalApproval,
  digestOf,
  documentOf,
  type SignedProof,
} from './approval.ts'
import { isMaker } from './decide.ts'

// What is wrong, each in words. None: it is as it was decided.
export function approvalProblems(approval: Approval, decisions: readonly ApprovalDecision[]): string[] {
  return [
    ...bindingProblems(approval),
    ...decisions.flatMap((one) => decisionProblems(approval, one)),
    ...countProblems(approval, decisions),
  ]
}

function bindingProblems(approval: Approval): string[] {
  const { approvalId, approvers, canonicalText, digest } = approval
  if (!digestOf(canonicalText).equals(digest)) return ['the digest is not that of the text']
  const text = canonicalApproval(approvalId, approvers, { ...approval, document: documentOf(approval) })
  return text === canonicalText ? [] : ['the row says something else than the text that was approved']
}

function decisionProblems(approval: Approval, one: ApprovalDecision): string[] {
  const who = `the decision of ${one.userName} (${one.userId})`
  const problems: string[] = []
  if (isMaker(approval, one.userId)) problems.push(`${who} is the maker’s own`)
  if (!one.digest.equals(approval.digest)) problems.push(`${who} is about another digest`)
  if (one.decidedAt >= approval.lapsesAt) problems.push(`${who} came after the approval had lapsed`)
  if (one.decision === 'APPROVED' && one.proof === 'SESSION') problems.push(`${who} has no proof`)
  if ((one.proof === 'PASSKEY') !== (one.signed !== null)) problems.push(`${who} lacks its signature`)
  if (one.signed !== null && !isSigned(one.signed, approval.digest))
    problems.push(`${who} is not signed by its key over this digest`)
  return problems
}

// By the key as it was then. Which site it was is in what was signed.
export function isSigned(signed: SignedProof, digest: Buffer): boolean {
  const site = siteOfOrigin(originIn(signed.clientData) ?? '')
  if (site === undefined) return false
  const expected = { challenge: digest.toString('base64url'), ...site, userVerification: 'required' } as const
  const assertion = { ...signed, clientDataJson: signed.clientData, userHandle: null }
  try {
    // How far it had counted is not asked again.
    return typeof verifyAssertion(assertion, expected, { ...signed, signCount: 0 }) !== 'string'
  } catch {
    return false
  }
}

// There may be more approvals than were asked for: whoever had left the team by then was not counted. So one that has not been approved
// may have enough of them. What matters is that nothing was approved by too few.
function countProblems({ status, approvers }: Approval, decisions: readonly ApprovalDecision[]): string[] {
  const approved = decisions.filter(({ decision }) => decision === 'APPROVED').length
  const refused = decisions.length - approved
  const isRight =
    status === 'APPROVED'
      ? approved >= approvers && refused === 0
      : refused === (status === 'REFUSED' ? 1 : 0)
  return isRight ? [] : [`it is ${status} with ${approved} of ${approvers} approvals and ${refused} refusals`]
}
