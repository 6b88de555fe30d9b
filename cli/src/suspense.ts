// recaudo unmatched: money that fits no open payin. Whoever runs the service has `recaudo suspense` for that of every organization.

import type { ListSuspenseQuery, Suspense, SuspenseItem } from '@recaudo/sdk/suspense'
import { callOptions } from './client.ts'
import { fields, table } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { readSignIn } from './credentials.ts'
import { usageFailure } from './failure.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

export async function listUnmatched({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const names = {
    state: 'state',
    reason: 'reason',
    rail: 'rail',
    'created-from': 'createdFrom',
    'created-to': 'createdTo',
  } as const
  const query = filters(flags, names) as ListSuspenseQuery
  return listed(
    (await openSuspense()).list({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['id', 'arrived', 'amount', 'rail', 'reason', 'state', 'payin'],
    (one) => [
      one.id,
      shownTime(one.createdAt),
      pesos(one.amountInCents),
      one.rail,
      one.reason,
      one.state,
      one.payinId,
    ],
  )
}

export async function getUnmatched({ argument }: Call): Promise<Shown> {
  const item = await (await openSuspense()).get(argument)
  return {
    json: item,
    text: () => {
      const candidates = item.candidates.map((one) => [
        one.payinId,
        one.reference,
        pesos(one.amountInCents),
        one.status,
        shownTime(one.createdAt),
        one.fits.join(', '),
      ])
      const head = ['payin', 'reference', 'amount', 'status', 'created', 'fits']
      return [textOf(item), ...(candidates.length === 0 ? [] : ['', table(head, candidates)])].join('\n')
    },
  }
}

export async function returnUnmatched(call: Call): Promise<Shown> {
  return shown(await (await openSuspense()).return(call.argument, callOptions(call)))
}

export async function attachUnmatched(call: Call): Promise<Shown> {
  const payinId = textFlag(call, 'payin')
  return shown(await (await openSuspense()).attach(call.argument, { payinId }, callOptions(call)))
}

// The word none takes the note away.
export async function noteUnmatched(call: Call): Promise<Shown> {
  const text = textFlag(call, 'note')
  return shown(await (await openSuspense()).note(call.argument, { note: text === 'none' ? null : text }))
}

export function textFlag({ flags }: Call, name: string): string {
  const text = flags[name]
  if (typeof text !== 'string') throw usageFailure(`--${name} is required.`)
  return text
}

function shown(item: SuspenseItem): Shown {
  return { json: item, text: () => textOf(item) }
}

function textOf(item: SuspenseItem): string {
  return fields([
    ['id', item.id],
    ['state', item.state],
    ['what next', item.message],
    ['reason', item.reason],
    ['amount', pesos(item.amountInCents)],
    ['left', item.leftInCents === item.amountInCents ? null : pesos(item.leftInCents)],
    ['rail', item.rail],
    ['payment', item.paymentId],
    ['payin', item.payinId],
    ['attached to', item.attachedTo],
    ['note', item.note],
    ['arrived', shownTime(item.createdAt)],
  ])
}

export async function openSuspense(): Promise<Suspense> {
  const { Suspense } = await import('@recaudo/sdk/suspense')
  const { credentials, baseUrl } = readSignIn()
  return new Suspense(credentials, { baseUrl })
}
