// recaudo approvals: what waits for a second pair of eyes, and the rules of who is asked. A key reads and sets rules, and never decides.

import type {
  Approval,
  ApprovalRules,
  Approvals,
  ListApprovalsQuery,
  ReplaceApprovalRules,
} from '@recaudo/sdk/approvals'
import { bodyOf } from './body.ts'
import { callOptions } from './client.ts'
import { fields, table } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { readSignIn } from './credentials.ts'
import { usageFailure } from './failure.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos, readCents } from './money.ts'
import { shownTime } from './time.ts'

export async function listApprovals({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, {
    status: 'status',
    kind: 'kind',
    subject: 'subjectId',
    'created-from': 'createdFrom',
    'created-to': 'createdTo',
  }) as ListApprovalsQuery
  const approvals = await openApprovals()
  return listed(
    approvals.list({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'created', 'kind', 'amount', 'status', 'approved', 'asked for by'],
    (one) => [
      one.id,
      shownTime(one.createdAt),
      one.kind,
      pesos(one.amountInCents),
      one.status,
      approvedOf(one),
      one.maker.name,
    ],
  )
}

export async function getApproval({ argument }: Call): Promise<Shown> {
  const one = await (await openApprovals()).get(argument)
  return {
    json: one,
    text: () =>
      fields([
        ['id', one.id],
        ['kind', one.kind],
        ['about', one.subjectId],
        ['status', one.status],
        ['amount', pesos(one.amountInCents)],
        ['asked for by', one.maker.name],
        ['approved', approvedOf(one)],
        ...one.decisions.map(
          ({ userName, decision, proof, reason }) =>
            [userName, `${decision} (${proof})${reason === null ? '' : `: ${reason}`}`] as const,
        ),
        ['digest', one.digest],
        ['what', JSON.stringify(one.document)],
        ['created', shownTime(one.createdAt)],
        ['lapses', one.status === 'WAITING' ? shownTime(one.lapsesAt) : null],
        ['decided', shownTime(one.decidedAt)],
        ['used', shownTime(one.usedAt)],
      ]),
  }
}

function approvedOf({ decisions, approvers }: Approval): string {
  return `${decisions.filter(({ decision }) => decision === 'APPROVED').length} of ${approvers}`
}

export async function showRules(): Promise<Shown> {
  return shownRules(await (await openApprovals()).rules())
}

export async function setRules(call: Call): Promise<Shown> {
  const { rule, data } = call.flags
  if (rule === undefined && data === undefined)
    throw usageFailure(`--rule or --data is required. To ask nobody any more: --data '{"rules":[]}'.`)
  const body = bodyOf(call.flags, [], () => ({}))
  const rules = Array.isArray(rule) ? rule.map(ruleOf) : body.rules
  const replaced = await (await openApprovals()).replaceRules(
    { ...body, rules } as ReplaceApprovalRules,
    callOptions(call),
  )
  return shownRules(replaced)
}

// `payout=500000000:1,900000000:2`, or `credential=1`. Which kinds there are and what makes sense, the service says.
function ruleOf(text: string): { kind: string; tiers: object[] } {
  const [kind = '', tiers = ''] = text.split('=')
  return {
    kind,
    tiers: tiers.split(',').map((tier) => {
      const [from, people] = tier.includes(':') ? tier.split(':') : ['0', tier]
      const [fromAmountInCents, approvers] = [readCents(from ?? ''), readCents(people ?? '')]
      if (kind === '' || fromAmountInCents === undefined || approvers === undefined)
        throw usageFailure(
          `--rule must be like payout=500000000:1,900000000:2 or credential=1; not ${JSON.stringify(text)}.`,
        )
      return { fromAmountInCents, approvers }
    }),
  }
}

function shownRules(rules: ApprovalRules): Shown {
  const rows = rules.rules.flatMap(({ kind, tiers }) =>
    tiers.map(({ fromAmountInCents, approvers }) => [kind, pesos(fromAmountInCents), String(approvers)]),
  )
  const waiting = rules.waitingApprovalId
  return {
    json: rules,
    text: () =>
      [
        table(['kind', 'from', 'people who must approve'], rows),
        ...(waiting === null
          ? []
          : [`A change waits until people approve it: recaudo approvals get ${waiting}`]),
      ].join('\n'),
  }
}

export async function openApprovals(): Promise<Approvals> {
  const { Approvals } = await import('@recaudo/sdk/approvals')
  const { credentials, baseUrl } = readSignIn()
  return new Approvals(credentials, { baseUrl })
}
