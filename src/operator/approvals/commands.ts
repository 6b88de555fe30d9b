// recaudo approvals verify: proves that everything that was approved was approved by whom it says, and is what they approved.

import { verifyApprovals } from '../../flows/approvals/verify.ts'
import type { Context } from '../../flows/context.ts'
import { listMerchants } from '../../store/organizations/organizations.ts'
import { organizationOf } from '../credentials.ts'
import { OperatorFailure } from '../failure.ts'
import type { Flags, Row } from '../flags.ts'

// Exits with an error if one does not hold, so that a nightly script needs only the exit code.
export async function verifyApprovalsCommand(ctx: Context, flags: Flags): Promise<Row[]> {
  const organizationIds =
    flags.org === undefined
      ? (await listMerchants(ctx.db)).map(({ organizationId }) => organizationId)
      : [await organizationOf(ctx, flags)]
  const rows: Row[] = []
  const problems: string[] = []
  for (const organizationId of organizationIds) {
    const { problems: found, ...counted } = await verifyApprovals(ctx, organizationId)
    problems.push(...found.map(({ approvalId, problem }) => `  ${organizationId} ${approvalId}: ${problem}.`))
    rows.push({ organizationId, ...counted })
  }
  if (problems.length > 0)
    throw new OperatorFailure(`Approvals are not as they were decided:\n${problems.join('\n')}`)
  return rows
}
