// recaudo audit verify | overview: proves that audit entries are as they were written, and shows what operators did to the
// installation. Merchants read their own by `recaudo audit list`.

import { headText, parseNotedHead } from '../../core/audit/check.ts'
import { isoInstant } from '../../core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../core/organizations/organization.ts'
import { verifyChain } from '../../flows/audit/verify.ts'
import type { Context } from '../../flows/context.ts'
import { auditList, type ListedEntry } from '../../store/audit/entries.ts'
import { listOrganizations } from '../../store/organizations/organizations.ts'
import { organizationOf } from '../credentials.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from '../failure.ts'
import type { Flags, Row } from '../flags.ts'

// Stands for the organization that owns what is no merchant's.
const INSTALLATION = 'installation'
const SHOWN = 50

// Exits with an error if a chain does not hold, so that a nightly script needs only the exit code.
export async function verifyAudit(ctx: Context, flags: Flags): Promise<Row[]> {
  const organizationIds = await organizationsOf(ctx, flags)
  const noted = notedOf(flags)
  const rows: Row[] = []
  const problems: string[] = []
  for (const organizationId of organizationIds) {
    const { head, waiting, problem } = await verifyChain(ctx, organizationId, noted)
    if (problem !== null) problems.push(`  ${organizationId}: ${problem.detail}.`)
    rows.push({ organizationId, entries: head.sequence, waiting, head: headText(head) })
  }
  if (problems.length > 0)
    throw new OperatorFailure(`The audit log is not as it was written:\n${problems.join('\n')}`)
  return rows
}

export async function showAudit(ctx: Context, flags: Flags): Promise<Row[]> {
  const [organizationId = UNATTRIBUTED_ORGANIZATION] =
    flags.org === undefined ? [] : await organizationsOf(ctx, flags)
  const list = auditList(ctx.db, organizationId, {})
  return (await list.seek({ direction: 'older', from: null }, SHOWN)).map(entryRow)
}

function entryRow(entry: ListedEntry): Row {
  const { actor } = entry
  return {
    at: isoInstant(entry.at),
    actor: [actor.kind, actor.name].filter((part) => part !== null).join(' '),
    address: actor.address,
    act: entry.act,
    object: entry.objectId,
    outcome: entry.refusal ?? entry.outcome,
    changes: entry.changes,
    sequence: entry.sequence,
  }
}

async function organizationsOf(ctx: Context, flags: Flags): Promise<string[]> {
  if (flags.org === INSTALLATION) return [UNATTRIBUTED_ORGANIZATION]
  if (typeof flags.org === 'string') return [await organizationOf(ctx, flags)]
  return (await listOrganizations(ctx.db)).map(({ organizationId }) => organizationId)
}

// A head is one organization's.
function notedOf({ noted, org }: Flags) {
  if (noted === undefined) return undefined
  const head = parseNotedHead(String(noted))
  if (head !== undefined && org !== undefined) return head
  throw new OperatorFailure(
    org === undefined
      ? '--noted is of one organization: say which with --org.'
      : '--noted is the head that an earlier run printed, such as 42:9f3a… with 64 digits.',
    USAGE_EXIT_CODE,
  )
}
