// Sends a table as a file while it is read, however long it is: rows come in parts, and nothing waits in memory for whoever reads slowly.
// A file takes long where there is much, and others must still get their answers: so many at once, and no more.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { UserLanguage } from '../../core/team/user.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { type FileRows, type Sheet, xlsx } from './xlsx.ts'

export const FILE_KINDS = ['csv', 'xlsx'] as const
export type FileKind = (typeof FILE_KINDS)[number]

const MAX_FILES = 8
const MAX_FILES_PER_ORGANIZATION = 2
export const FILE_RETRY_AFTER_SECONDS = 10
// Whoever takes nothing for so long has gone away, and whoever takes longer than that is as good as gone: others wait for the place.
export const EXPORT_TIME_LIMITS = { idleMs: 60_000, totalMs: 30 * 60_000 }

export const FILE_MEDIA_TYPES: Readonly<Record<FileKind, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

export type SentFile = {
  readonly organizationId: string
  readonly kind: FileKind
  // Without its ending.
  readonly name: string
  readonly language: UserLanguage
  readonly heads: readonly string[]
  readonly rows: AsyncIterable<FileRows>
}

const open = new Map<string, number>()

export function hasRoomForFile(organizationId: string): boolean {
  const all = [...open.values()].reduce((sum, count) => sum + count, 0)
  return all < MAX_FILES && (open.get(organizationId) ?? 0) < MAX_FILES_PER_ORGANIZATION
}

// What a file is called and what is in it, wherever it goes. It is read part by part, as fast as it is taken.
export function contentOf(sent: SentFile): {
  name: string
  mediaType: string
  content: AsyncIterable<string | Buffer>
} {
  const { kind, name } = sent
  return {
    name: `${name.replaceAll(' ', '-')}.${kind}`,
    mediaType: FILE_MEDIA_TYPES[kind],
    content: kind === 'csv' ? csvText(sent) : xlsx(sent satisfies Sheet),
  }
}

export function sendFile(reply: FastifyReply, sent: SentFile): FastifyReply {
  const { organizationId } = sent
  open.set(organizationId, (open.get(organizationId) ?? 0) + 1)
  // Also for the last part, behind which nothing is asked for.
  const total = setTimeout(() => reply.raw.destroy(), EXPORT_TIME_LIMITS.totalMs).unref()
  reply.raw.once('close', () => {
    clearTimeout(total)
    const left = (open.get(organizationId) ?? 1) - 1
    if (left > 0) open.set(organizationId, left)
    else open.delete(organizationId)
  })
  const { name: file, mediaType, content } = contentOf(sent)
  return reply
    .header(
      'content-disposition',
      `attachment; filename="${asciiName(file)}"; filename*=UTF-8''${encodeURIComponent(file)}`,
    )
    .type(mediaType)
    .send(Readable.from(endedInTime(reply, content), { objectMode: false }))
}

async function* csvText({ heads, rows, language }: SentFile): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK +
    csvLine(
      heads.map((head) => ({ text: head })),
      language,
    )
  for await (const part of rows) yield part.map((row) => csvLine(row, language)).join('')
}

// The next part is read when there is room for it: whoever stands still asks for none.
async function* endedInTime(
  { raw }: FastifyReply,
  content: AsyncIterable<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  for await (const part of content) {
    const idle = setTimeout(() => raw.destroy(), EXPORT_TIME_LIMITS.idleMs).unref()
    yield part
    clearTimeout(idle)
  }
}

function asciiName(name: string): string {
  return name.normalize('NFD').replaceAll(/[^\w.-]/g, '')
}
