// What becomes of a message to a chat: sent, to be tried again, or refused for good because the chat took its webhook away.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createChatPost } from '../../src/webhooks/chat.ts'
import type { Attempt, SendRequest } from '../../src/webhooks/send.ts'

const MESSAGE = { url: 'https://chat.example/hook', text: 'an “alarm”', id: 'mail-1' }

async function post(status: number | null, failure: Attempt['failure']) {
  const sent: SendRequest[] = []
  const send = async (request: SendRequest): Promise<Attempt> => {
    sent.push(request)
    const delivered = failure === null
    return {
      status,
      failure,
      delivered,
      latencyMs: 1,
      response: '',
      retryAfterSeconds: null,
      gone: status === 410,
    }
  }
  const outcome = await createChatPost({ send })(MESSAGE)
  return { outcome, sent }
}

it('a message to a chat is its text, and unsigned', async () => {
  const { outcome, sent } = await post(200, null)
  assert.deepEqual(outcome, { outcome: 'sent' })
  const { url, id, text } = MESSAGE
  assert.deepEqual(sent, [{ url, id, timestampSeconds: 0, body: JSON.stringify({ text }), secrets: null }])
})

it('a message to a webhook that was taken away is refused for good, and any other is tried again', async () => {
  for (const [status, failure, expected] of [
    [404, 'STATUS', { outcome: 'refused', reason: 'STATUS 404' }],
    [410, 'STATUS', { outcome: 'refused', reason: 'STATUS 410' }],
    [403, 'STATUS', { outcome: 'failed', reason: 'STATUS 403' }],
    [500, 'STATUS', { outcome: 'failed', reason: 'STATUS 500' }],
    [302, 'REDIRECT', { outcome: 'failed', reason: 'REDIRECT 302' }],
    [null, 'DNS', { outcome: 'failed', reason: 'DNS' }],
  ] as const)
    assert.deepEqual((await post(status, failure)).outcome, expected)
})
