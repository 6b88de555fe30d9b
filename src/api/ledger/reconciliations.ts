// How an organization's books compare with the networks' own record, day by day, and where they do not agree.

import { RAILS } from '../../core/connections/rail.ts'
import { MOVEMENTS } from '../../core/connections/statement.ts'
import { isUuid } from '../../core/ids.ts'
import { isoInstant, isoOrNull } from '../../core/instant.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { FINDING_KINDS, type Reconciliation, type Tally } from '../../core/ledger/reconciliation.ts'
import { centsToNumber } from '../../core/money.ts'
import { isRefusal, refuse } from '../../core/refusal.ts'
import {
  type Finding,
  findingList,
  getReconciliation,
  type ReconciliationFilters,
  reconciliationList,
} from '../../store/ledger/reconciliations.ts'
import { json, type Operation } from '../http/operation.ts'
import { PAGE_QUERY, PAGE_SIZE, PageInfoObject, readPage } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Uuid } from '../http/schema.ts'
import { RECONCILIATION_EXAMPLE, RECONCILIATION_WITH_FINDINGS_EXAMPLE } from './reconciliation-examples.ts'

const Count = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ description: 'How many.' }),
      amountInCents: Type.Integer({ description: 'What they add up to.' }),
    },
    { description },
  )

const RECONCILIATION_PROPERTIES = {
  id: Uuid('Identifier of the reconciliation.'),
  rail: OneOf(RAILS),
  day: Type.String({ format: 'date', description: 'The day in Bogotá.', examples: ['2026-11-14'] }),
  run: Type.Integer({ description: 'How often the day was compared. Networks correct their record later.' }),
  matchedIn: Count('Credits that the network and the books have alike.'),
  matchedOut: Count('Debits, returns and chargebacks that the network and the books have alike.'),
  networkOnly: Count('Movements that only the network has. They are booked as if it had notified us.'),
  oursOnly: Count('Movements that only the books have.'),
  amountDiffers: Count('Movements that both have, with other amounts.'),
  traceDiffers: Count('Payouts that the network lists under another end-to-end id than it told us.'),
  doubled: Count('Movements that the network lists more than once, on one day or several. They count once.'),
  otherDay: Count('Movements that the network lists under another day than their own.'),
  unreadable: Count('Lines that could not be read.'),
  openFindings: Type.Integer({ description: 'Findings that are not resolved.' }),
  finishedAt: DateTime('When it was compared last.'),
}

export const ReconciliationObject = Type.Object({ ...RECONCILIATION_PROPERTIES })
export const ReconciliationList = Type.Object({
  data: Type.Array(ReconciliationObject),
  pageInfo: PageInfoObject,
})

export const FindingObject = Type.Object({
  id: Uuid('Identifier of the finding.'),
  kind: OneOf(FINDING_KINDS, { description: 'What does not agree.' }),
  state: OneOf(['OPEN', 'RESOLVED'] as const, {
    description: 'Resolved when a later comparison no longer finds it.',
  }),
  movement: Nullable(
    OneOf(MOVEMENTS, { description: 'What the money did. Null if the line is unreadable.' }),
  ),
  subjectId: Nullable(Uuid('The payin, payout or suspense item, where it is known.')),
  networkId: Nullable(Type.String({ description: 'The network’s id of the movement.' })),
  networkReference: Nullable(Type.String({ description: 'The reference in the network’s record.' })),
  networkAmountInCents: Nullable(Type.Integer({ description: 'The amount in the network’s record.' })),
  bookedAmountInCents: Nullable(Type.Integer({ description: 'The amount in the books.' })),
  times: Type.Integer({ description: 'How often the network lists it.' }),
  createdAt: DateTime('When it was found.'),
  resolvedAt: Nullable(DateTime('When it was resolved.')),
})

export const ReconciliationWithFindings = Type.Object({
  ...RECONCILIATION_PROPERTIES,
  findings: Type.Array(FindingObject),
  pageInfo: PageInfoObject,
})

const ListReconciliationsQuery = Type.Object({
  ...PAGE_QUERY,
  rail: Type.Optional(OneOf(RAILS, { description: 'Only this rail.' })),
  day: Type.Optional(Type.String({ format: 'date', description: 'Only this day.' })),
})

export const listReconciliationsOperation: Operation = {
  method: 'GET',
  path: '/reconciliations',
  operationId: 'listReconciliations',
  tag: 'Ledger',
  summary: 'List reconciliations',
  description:
    'Each closed day of each network, compared with the books, the latest first. A day on which nothing moved has none.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  query: ListReconciliationsQuery,
  success: {
    status: 200,
    description: 'A page of reconciliations.',
    schema: ReconciliationList,
    examples: {
      page: {
        summary: 'A page',
        value: {
          data: [RECONCILIATION_EXAMPLE],
          pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
        },
      },
    },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, rail, day } = query as Static<typeof ListReconciliationsQuery>
    const { organizationId } = caller.organization
    const filters: ReconciliationFilters = {
      ...(rail !== undefined && { rail }),
      ...(day !== undefined && { day }),
    }
    const page = await readPage(
      {
        ...reconciliationList(ctx.db, organizationId, filters),
        idOf: ({ reconciliationId }: Reconciliation) => reconciliationId,
      },
      {
        key: ctx.settings.keys.cursor,
        context: `reconciliations ${organizationId} ${JSON.stringify(filters)}`,
      },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    return isRefusal(page) ? page : json(200, { data: page.rows.map(present), pageInfo: page.pageInfo })
  },
}

const GetReconciliationQuery = Type.Object({ ...PAGE_QUERY })

export const getReconciliationOperation: Operation = {
  method: 'GET',
  path: '/reconciliations/{reconciliationId}',
  operationId: 'getReconciliation',
  tag: 'Ledger',
  summary: 'Get a reconciliation',
  description: 'One day of one network, with a page of what does not agree.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  params: {
    reconciliationId: {
      description: 'Identifier of the reconciliation.',
      example: RECONCILIATION_EXAMPLE.id,
    },
  },
  query: GetReconciliationQuery,
  success: {
    status: 200,
    description: 'The reconciliation.',
    schema: ReconciliationWithFindings,
    examples: { finding: { summary: 'With a finding', value: RECONCILIATION_WITH_FINDINGS_EXAMPLE } },
  },
  refusals: ['INVALID_INPUT', 'NOT_FOUND', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, params, query }) => {
    const { cursor, pageSize } = query as Static<typeof GetReconciliationQuery>
    const { organizationId } = caller.organization
    const id = params.reconciliationId ?? ''
    const found = isUuid(id) ? await getReconciliation(ctx.db, organizationId, id.toLowerCase()) : undefined
    if (found === undefined) return refuse('NOT_FOUND', `There is no reconciliation ${id}.`)
    const { rail, day } = found
    const page = await readPage(
      {
        ...findingList(ctx.db, organizationId, { rail, day }),
        idOf: ({ findingId }: Finding) => findingId,
      },
      { key: ctx.settings.keys.cursor, context: `findings ${organizationId} ${found.reconciliationId}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    return json(200, { ...present(found), findings: page.rows.map(presentFinding), pageInfo: page.pageInfo })
  },
}

function present({ found, ...reconciliation }: Reconciliation): Record<string, unknown> {
  return {
    id: reconciliation.reconciliationId,
    rail: reconciliation.rail,
    day: reconciliation.day,
    run: reconciliation.run,
    matchedIn: presentTally(reconciliation.matchedIn),
    matchedOut: presentTally(reconciliation.matchedOut),
    networkOnly: presentTally(found.NETWORK_ONLY),
    oursOnly: presentTally(found.OURS_ONLY),
    amountDiffers: presentTally(found.AMOUNT_DIFFERS),
    traceDiffers: presentTally(found.TRACE_DIFFERS),
    doubled: presentTally(found.DOUBLED),
    otherDay: presentTally(found.OTHER_DAY),
    unreadable: presentTally(found.UNREADABLE),
    openFindings: reconciliation.openFindings,
    finishedAt: isoInstant(reconciliation.finishedAt),
  }
}

function presentTally({ count, amountInCents }: Tally): Record<string, unknown> {
  return { count, amountInCents: centsToNumber(amountInCents) }
}

function presentFinding(finding: Finding): Record<string, unknown> {
  const cents = (amount: bigint | null) => (amount === null ? null : centsToNumber(amount))
  return {
    id: finding.findingId,
    kind: finding.kind,
    state: finding.state,
    movement: finding.movement,
    subjectId: finding.subjectId,
    networkId: finding.networkId,
    networkReference: finding.reference,
    networkAmountInCents: cents(finding.networkAmountInCents),
    bookedAmountInCents: cents(finding.ourAmountInCents),
    times: finding.times,
    createdAt: isoInstant(finding.createdAt),
    resolvedAt: isoOrNull(finding.resolvedAt),
  }
}
