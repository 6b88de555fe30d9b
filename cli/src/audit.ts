// recaudo audit and recaudo requests: who did what, and what was asked of the API.

import type { AuditEntry, ListAuditQuery, ListRequestsQuery } from '@recaudo/sdk/audit'
import type { Call, Flags, Shown } from './command.ts'
import { readSignIn } from './credentials.ts'
import { filters, listed, pageSizeFor, readCount, readLimit } from './listing.ts'
import { readSpanSeconds, readTimeMs, shownTime, wrongTime } from './time.ts'

export async function listAudit({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = auditQuery(flags)
  const audit = await openAudit()
  return listed(
    audit.entries({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['line', 'when', 'who', 'from', 'act', 'object', 'outcome', 'changed'],
    (entry) => [
      entry.sequence === null ? null : String(entry.sequence),
      shownTime(entry.createdAt),
      [entry.actor.kind, entry.actor.name].filter((part) => part !== null).join(' '),
      entry.actor.address,
      entry.act,
      entry.object.id,
      entry.refusal ?? entry.outcome,
      Object.keys(entry.changes).join(', ') || null,
    ],
  )
}

// One entry a line, oldest or newest first as the server gives them, and none kept in memory.
export async function exportAudit({ flags }: Call): Promise<undefined> {
  const query = auditQuery(flags)
  const audit = await openAudit()
  for await (const entry of audit.entries(query)) await writeLine(entry)
  return undefined
}

async function writeLine(entry: AuditEntry): Promise<void> {
  if (process.stdout.write(`${JSON.stringify(entry)}\n`)) return
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve))
}

export async function listRequests({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const status = readCount(flags, 'status', 100, 599)
  const query = {
    ...filters(flags, { method: 'method', object: 'objectId', key: 'credentialId' }),
    ...(status !== undefined && { status }),
    ...since(flags),
  } as ListRequestsQuery
  const audit = await openAudit()
  return listed(
    audit.requests({ ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['when', 'method', 'path', 'status', 'took', 'refused', 'object', 'key or client', 'request'],
    (one) => [
      shownTime(one.createdAt),
      one.method,
      one.path,
      String(one.status),
      `${one.durationMs} ms`,
      one.refusal,
      one.objectId,
      one.credential.id,
      one.requestId,
    ],
  )
}

function auditQuery(flags: Flags): ListAuditQuery {
  const named = { actor: 'actorId', act: 'act', object: 'objectId', outcome: 'outcome' } as const
  return { ...filters(flags, named), ...since(flags) } as ListAuditQuery
}

// A time, or so long ago.
function since({ since: text }: Flags): { createdFrom?: string } {
  if (typeof text !== 'string') return {}
  const seconds = readSpanSeconds(text)
  const ms = seconds === undefined ? readTimeMs(text) : Date.now() - seconds * 1_000
  if (ms === undefined) throw wrongTime('--since', text)
  return { createdFrom: new Date(ms).toISOString() }
}

export async function openAudit() {
  const { Audit } = await import('@recaudo/sdk/audit')
  const { credentials, baseUrl } = readSignIn()
  return new Audit(credentials, { baseUrl })
}
