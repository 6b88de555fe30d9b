// recaudo reconciliations: the books against the networks' own record, day by day.

import type { ListReconciliationsQuery, ReconciliationFinding } from '@recaudo/sdk'
import { openClient } from './client.ts'
import { fields, table } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

const FINDINGS_SHOWN = 100

export async function listReconciliations({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, { rail: 'rail', day: 'day' }) as ListReconciliationsQuery
  const { recaudo } = await openClient()
  return listed(
    recaudo.reconciliations.list({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    [
      'id',
      'day',
      'rail',
      'matched in',
      'amount in',
      'matched out',
      'amount out',
      'open findings',
      'compared',
    ],
    (one) => [
      one.id,
      one.day,
      one.rail,
      String(one.matchedIn.count),
      pesos(one.matchedIn.amountInCents),
      String(one.matchedOut.count),
      pesos(one.matchedOut.amountInCents),
      String(one.openFindings),
      shownTime(one.finishedAt),
    ],
  )
}

export async function getReconciliation({ argument }: Call): Promise<Shown> {
  const { recaudo } = await openClient()
  const one = await recaudo.reconciliations.get(argument, { pageSize: FINDINGS_SHOWN })
  const tally = ({ count, amountInCents }: { count: number; amountInCents: number }) =>
    count === 0 ? null : `${count}, ${pesos(amountInCents)}`
  return {
    json: one,
    text: () =>
      [
        fields([
          ['id', one.id],
          ['day', one.day],
          ['rail', one.rail],
          ['matched in', tally(one.matchedIn) ?? '0'],
          ['matched out', tally(one.matchedOut) ?? '0'],
          ['only the network', tally(one.networkOnly)],
          ['only the books', tally(one.oursOnly)],
          ['other amount', tally(one.amountDiffers)],
          ['other end-to-end id', tally(one.traceDiffers)],
          ['listed twice', tally(one.doubled)],
          ['other day', tally(one.otherDay)],
          ['unreadable', tally(one.unreadable)],
          ['open findings', String(one.openFindings)],
          ['compared', shownTime(one.finishedAt)],
        ]),
        ...(one.findings.length === 0 ? [] : ['', findingTable(one.findings)]),
      ].join('\n'),
  }
}

function findingTable(findings: readonly ReconciliationFinding[]): string {
  const amount = (cents: number | null) => (cents === null ? null : pesos(cents))
  return table(
    ['finding', 'state', 'movement', 'network id', 'network', 'booked', 'subject'],
    findings.map((one) => [
      one.kind,
      one.state,
      one.movement,
      one.networkId,
      amount(one.networkAmountInCents),
      amount(one.bookedAmountInCents),
      one.subjectId,
    ]),
  )
}
