// recaudo search: everything by whatever is known of it.

import type { FoundObject, SearchResult } from '@recaudo/sdk/administration'
import { openAdministration } from './client.ts'
import { table } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { readCount } from './listing.ts'
import { pesos } from './money.ts'
import { dim } from './terminal.ts'
import { shownTime } from './time.ts'

const MAX_LIMIT = 50

export async function search({ flags, argument }: Call): Promise<Shown> {
  const limit = readCount(flags, 'limit', 1, MAX_LIMIT)
  const resource = flags.kind as FoundObject['resource'] | undefined
  const administration = await openAdministration()
  const result = await administration.search({
    q: argument,
    ...(limit !== undefined && { limit }),
    ...(resource !== undefined && { resource }),
  })
  return { json: result, text: () => shown(result) }
}

function shown({ found, more, isPartial }: SearchResult): string {
  const rows = found.map((one) => [
    one.resource,
    one.id,
    one.name,
    one.status,
    pesos(one.amountInCents),
    shownTime(one.createdAt),
    one.foundBy.join(', '),
  ])
  const hints = [
    ...(more.length === 0 ? [] : [`There are more of: ${more.join(', ')}. --limit ${MAX_LIMIT} shows them.`]),
    ...(isPartial
      ? ['Very many have this name: only the newest were looked at. Add another word of it.']
      : []),
  ]
  return [
    table(['what', 'id', 'name', 'status', 'amount', 'created', 'found by'], rows),
    ...hints.map(dim),
  ].join('\n')
}
