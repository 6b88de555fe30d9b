// Sends a response or a refusal.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasSealedPeople, showPeople } from '../../core/people/shown.ts'
import { renderQrImages } from '../../core/qr-image-reference.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { Needs, Settings } from '../../flows/context.ts'
import { fieldsShown } from '../../flows/people/vault.ts'
import { sendFile } from '../export/send-file.ts'
import { problemBody, STATUS_OF } from './errors.ts'
import type { ApiAnswer } from './operation.ts'

export function sendAnswer(reply: FastifyReply, answer: ApiAnswer): FastifyReply {
  if (answer.headers !== undefined) reply.headers(answer.headers)
  if (answer.image !== undefined)
    return reply.code(answer.status).header('content-type', answer.image.mediaType).send(answer.image.bytes)
  if (answer.file !== undefined) return sendFile(reply.code(answer.status), answer.file)
  return reply
    .code(answer.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(renderQrImages(answer.body))
}

// Sealed people are opened, for the organization that asks.
export async function openedAnswer(
  ctx: Needs<'vault'>,
  organizationId: string,
  answer: ApiAnswer,
): Promise<ApiAnswer> {
  if (!hasSealedPeople(answer.body)) return answer
  const vault = await ctx.vault(organizationId)
  return { ...answer, body: showPeople(answer.body, (sealed) => fieldsShown(vault, sealed)) }
}

export function sendRefusal(
  settings: Pick<Settings, 'publicUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): FastifyReply {
  request.refusal = refusal.refused
  if (refusal.headers !== undefined) reply.headers(refusal.headers)
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds))
  if (refusal.refused === 'UNAUTHORIZED') {
    const error = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
    reply.header('www-authenticate', `Bearer realm="recaudo"${error}`)
  }
  // The unread body may still be arriving, so the connection cannot be reused.
  if (refusal.refused === 'BODY_TOO_LARGE') reply.header('connection', 'close')
  return reply
    .code(STATUS_OF[refusal.refused])
    .header('content-type', 'application/json; charset=utf-8')
    .send(problemBody(settings.publicUrl, refusal, request.id))
}
