// Notices as a network sends them: over HTTP, signed.

import { randomUUID } from 'node:crypto'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../../src/rails/signature.ts'
import type { World } from '../../world.ts'

const FIELDS = {
  breb: { type: 'collection.paid', paymentId: null, amount: null, endToEndId: null, reasonCode: null },
  pse: { type: 'session.ok', causeCode: null },
} as const

// The status that we answer.
export async function notify(
  world: World,
  fields: Record<string, unknown>,
  network: keyof typeof FIELDS = 'breb',
): Promise<number> {
  const id = (fields.id as string | undefined) ?? `ntf_${randomUUID()}`
  const occurredAt = new Date(world.ctx.clock.now()).toISOString()
  const body = JSON.stringify({ id, occurredAt, ...FIELDS[network], ...fields })
  const at = Math.floor(world.ctx.clock.now() / 1_000)
  const answer = await fetch(`${world.baseUrl}/notifications/${network}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [ID_HEADER]: id,
      [TIMESTAMP_HEADER]: String(at),
      [SIGNATURE_HEADER]: signNotice(world.config[network].notificationKey, id, at, Buffer.from(body)),
    },
    body,
  })
  await answer.text()
  return answer.status
}
