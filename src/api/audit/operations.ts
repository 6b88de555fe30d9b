// The audit log and the request log, as their organization reads them.

import { isUuid } from '../../core/ids.ts'
import type { Static } from '../../core/json-schema.ts'
import { isRefusal } from '../../core/refusal.ts'
import { auditList, type EntryFilters, type ListedEntry } from '../../store/audit/entries.ts'
import { type LoggedRequest, type RequestFilters, requestList } from '../../store/audit/requests.ts'
import { json, type Operation } from '../http/operation.ts'
import { idBounds, PAGE_SIZE, readPage } from '../http/pagination.ts'
import {
  AUDIT_EXAMPLE,
  AuditEntryList,
  ListAuditQuery,
  ListRequestsQuery,
  LoggedRequestList,
  presentEntry,
  presentRequest,
  REQUEST_EXAMPLE,
} from './schema.ts'

const ONLY_PAGE = { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null }

export const listAuditOperation: Operation = {
  method: 'GET',
  path: '/audit',
  operationId: 'listAudit',
  tag: 'Audit',
  summary: 'List audit entries',
  description:
    'Who did what, newest first: people, API keys, clients and operators, with what changed, and what they were refused. Entries are never changed or removed, and each is a line of a chain of digests that shows if one was. ' +
    'What API keys and clients create (payins, payouts, payment links) is not here but in the request log: `GET /requests`.',
  access: { scope: 'audit:read', shown: 'apiKey' },
  query: ListAuditQuery,
  success: {
    status: 200,
    description: 'A page of entries.',
    schema: AuditEntryList,
    examples: { page: { summary: 'A page', value: { data: [AUDIT_EXAMPLE], pageInfo: ONLY_PAGE } } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, ...asked } = query as Static<typeof ListAuditQuery>
    const { organizationId } = caller.organization
    const { actorId, act, objectId, outcome } = asked
    const filters: EntryFilters = {
      ...(actorId !== undefined && { actorId: canonicalId(actorId) }),
      ...(act !== undefined && { act }),
      ...(objectId !== undefined && { objectId: canonicalId(objectId) }),
      ...(outcome !== undefined && { outcome }),
      ...idBounds(asked),
    }
    const page = await readPage(
      {
        ...auditList(ctx.db, organizationId, filters),
        idOf: (entry: ListedEntry) => entry.entryId,
      },
      { key: ctx.settings.keys.cursor, context: `audit ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    return isRefusal(page) ? page : json(200, { data: page.rows.map(presentEntry), pageInfo: page.pageInfo })
  },
}

export const listRequestsOperation: Operation = {
  method: 'GET',
  path: '/requests',
  operationId: 'listRequests',
  tag: 'Audit',
  summary: 'List requests',
  description:
    'What was asked of the API with the organization’s API keys and clients, newest first: every request that may change something, and every one that was refused. They appear within about a second, and are kept for 30 days unless the operator says otherwise. Bodies and queries are not kept.',
  access: { scope: 'events:read', shown: 'apiKey' },
  query: ListRequestsQuery,
  success: {
    status: 200,
    description: 'A page of requests.',
    schema: LoggedRequestList,
    examples: { page: { summary: 'A page', value: { data: [REQUEST_EXAMPLE], pageInfo: ONLY_PAGE } } },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize, ...asked } = query as Static<typeof ListRequestsQuery>
    const { organizationId } = caller.organization
    const { status, method, objectId, credentialId } = asked
    const filters: RequestFilters = {
      ...(status !== undefined && { status }),
      ...(method !== undefined && { method }),
      ...(objectId !== undefined && { objectId: objectId.toLowerCase() }),
      ...(credentialId !== undefined && { credentialId: canonicalId(credentialId) }),
      ...idBounds(asked),
    }
    const page = await readPage(
      {
        ...requestList(ctx.db, organizationId, filters),
        idOf: (request: LoggedRequest) => request.logId,
      },
      { key: ctx.settings.keys.cursor, context: `requests ${organizationId} ${JSON.stringify(filters)}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    return isRefusal(page)
      ? page
      : json(200, { data: page.rows.map(presentRequest), pageInfo: page.pageInfo })
  },
}

// Ids of clients are not UUIDs, and have capital letters.
function canonicalId(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id
}
