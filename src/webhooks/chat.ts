// One message to a chat's incoming webhook: `{text}`, without a signature, because chats verify none. The address is a stranger's, so it
// goes out under the same guard and limits as events do.

import type { MailOutcome } from '../core/receipts/mail.ts'
import type { Sender } from './send.ts'

export type ChatMessage = { readonly url: string; readonly text: string; readonly id: string }

export function createChatPost({
  send,
}: Pick<Sender, 'send'>): (message: ChatMessage) => Promise<MailOutcome> {
  return async ({ url, text, id }) => {
    const body = JSON.stringify({ text })
    const { status, failure } = await send({ url, id, timestampSeconds: 0, body, secrets: null })
    if (failure === null) return { outcome: 'sent' }
    const reason = status === null ? failure : `${failure} ${status}`
    return { outcome: isGone(status) ? 'refused' : 'failed', reason }
  }
}

// The chat took the webhook away. Nothing that is sent later arrives.
function isGone(status: number | null): boolean {
  return status === 404 || status === 410
}
