// The list of payins.

import { RAILS } from '../../core/connections/rail.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { presentPayinInList } from '../../core/payins/object.ts'
import { isOpen, PAYIN_STATUSES, type Payin } from '../../core/payins/payin.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Needs } from '../../flows/context.ts'
import { openCustomer, type Vault } from '../../flows/people/vault.ts'
import { type PayinFilters, type PayinIdAndVersion, payinIdAndVersionList } from '../../store/payins/lists.ts'
import { getPayins } from '../../store/payins/payins.ts'
import type { Operation } from '../http/operation.ts'
import { idBounds, PAGE_QUERY, PAGE_SIZE, readPage, TIME_QUERY } from '../http/pagination.ts'
import { OneOf, Text, Uuid } from '../http/schema.ts'
import { PAYIN_EXAMPLES } from './examples.ts'
import { PayinList, REFERENCE_MAX_LENGTH } from './schema.ts'

const ListPayinsQuery = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(
    OneOf(PAYIN_STATUSES as readonly string[], { description: 'Only payins with this status.' }),
  ),
  rail: Type.Optional(OneOf(RAILS, { description: 'Only payins over this rail.' })),
  reference: Type.Optional(
    Text(REFERENCE_MAX_LENGTH, { description: 'Only the payin with this reference.' }),
  ),
  paymentLinkId: Type.Optional(Uuid('Only payins made on this payment link’s page.')),
  ...TIME_QUERY,
})

export const listPayinsOperation: Operation = {
  method: 'GET',
  path: '/payins',
  operationId: 'listPayins',
  tag: 'Payins',
  summary: 'List payins',
  description:
    'Newest first. Follow `pageInfo.nextCursor` with the same filters until `hasNext` is false: no payin that existed when you began is skipped or shown twice, however many are created meanwhile.',
  access: { scope: 'payins:read', shown: 'apiKey' },
  query: ListPayinsQuery,
  success: {
    status: 200,
    description: 'A page of payins.',
    schema: PayinList,
    examples: { page: { summary: 'A page', value: PAYIN_EXAMPLES.page } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, ...wanted } = query as Static<typeof ListPayinsQuery>
    const { organizationId } = caller.organization
    const filters = toFilters(wanted)
    const list = payinIdAndVersionList(ctx.db, organizationId, filters)
    const page = await readPage(
      {
        ...list,
        // The cursor's row still exists. It has left the list only if the list filters by status and its status has
        // changed.
        exists: async (side, id) => filters.status === undefined || list.exists(side, id),
        idOf: ({ payinId }: PayinIdAndVersion) => payinId,
      },
      { key: ctx.settings.keys.cursor, context: `payins ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    const data = await textsOf(ctx, organizationId, page.rows, filters)
    return {
      status: 200,
      body: `{"data":[${data.join(',')}],"pageInfo":${JSON.stringify(page.pageInfo)}}`,
    }
  },
}

// A payin at its end is shown as text again and again, and nothing that it shows changes without its version: so that text is kept, and
// only the rest is read.
async function textsOf(
  ctx: Needs<'db' | 'settings' | 'vault' | 'renderedPayins'>,
  organizationId: string,
  rows: readonly PayinIdAndVersion[],
  { status }: PayinFilters,
): Promise<string[]> {
  const texts = rows.map((row) => ctx.renderedPayins.get(keyOf(organizationId, row)))
  const unknown = rows.filter((_, index) => texts[index] === undefined)
  if (unknown.length > 0) {
    const vault = await ctx.vault(organizationId)
    const places = new Map(rows.map(({ payinId }, index) => [payinId, index]))
    const addresses = unknown.map(({ payinId }) => ({ organizationId, payinId }))
    for (const payin of await getPayins(ctx.db, addresses)) {
      // One that has moved since the page was read is no longer what was asked for.
      if (payin === undefined || (status !== undefined && payin.status !== status)) continue
      const text = JSON.stringify(presentPayinInList(ctx.settings, payin, nameOf(vault, payin)))
      texts[places.get(payin.payinId) as number] = text
      if (!isOpen(payin)) ctx.renderedPayins.keep(keyOf(organizationId, payin), text)
    }
  }
  return texts.filter((text) => text !== undefined)
}

function keyOf(organizationId: string, { payinId, version }: Pick<Payin, 'payinId' | 'version'>): string {
  return `${organizationId} ${payinId} ${version}`
}

function nameOf(vault: Vault, { payinId, customer }: Payin): string | null {
  const opened = openCustomer(vault, payinId, customer)
  return typeof opened === 'string' ? opened : (opened?.name ?? null)
}

function toFilters(wanted: Omit<Static<typeof ListPayinsQuery>, 'cursor' | 'pageSize'>): PayinFilters {
  return {
    ...(wanted.status !== undefined && { status: wanted.status as Payin['status'] }),
    ...(wanted.rail !== undefined && { rail: wanted.rail }),
    ...(wanted.reference !== undefined && { reference: wanted.reference }),
    ...(wanted.paymentLinkId !== undefined && { paymentLinkId: wanted.paymentLinkId.toLowerCase() }),
    ...idBounds(wanted),
  }
}
