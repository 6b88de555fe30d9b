// recaudo webhooks portal: an address that shows how events were delivered, for somebody without an account.

import type { CreateWebhookPortalLink } from '@recaudo/sdk/administration'
import { callOptions, openAdministration } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { usageFailure } from './failure.ts'
import { shownTime } from './time.ts'

export async function createPortalLink(call: Call): Promise<Shown> {
  const { language, 'can-send': canSend, 'frame-ancestors': frameAncestors } = call.flags
  const body = {
    endpointIds: listIn(call.argument),
    ...(canSend === true && { readOnly: false }),
    ...minutesIn(call),
    ...(typeof frameAncestors === 'string' && { frameAncestors: listIn(frameAncestors) }),
    ...(typeof language === 'string' && { language }),
  } as CreateWebhookPortalLink
  const administration = await openAdministration()
  const link = await administration.webhookPortalLinks.create(body, callOptions(call))
  return {
    json: link,
    text: () =>
      `${fields([
        ['id', link.id],
        ['works until', shownTime(link.expiresAt)],
        ['may', link.readOnly ? 'look' : 'look and send again'],
        ['framed by', link.frameAncestors.join(', ')],
        ['link', link.url],
      ])}\nWhoever has it may open it.`,
  }
}

function minutesIn({ flags }: Call): { expiresInMinutes?: number } {
  const minutes = flags['expires-in-minutes']
  if (typeof minutes !== 'string') return {}
  if (!/^\d{1,5}$/.test(minutes))
    throw usageFailure(`--expires-in-minutes takes a whole number, not ${minutes}.`)
  return { expiresInMinutes: Number(minutes) }
}

function listIn(text: string): string[] {
  return text.split(',').map((one) => one.trim())
}
