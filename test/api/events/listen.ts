// Listens to server-sent events as a client would, and keeps the raw frames.

import { type IncomingHttpHeaders, request } from 'node:http'
import { eventually } from '../../world.ts'

export type Frame = { id?: string; event?: string; data?: string; retry?: string; comment?: string }

export type Listener = {
  status: number
  headers: IncomingHttpHeaders
  // Every frame, and only those with data.
  frames: Frame[]
  events: () => Frame[]
  // Waits for this many events, and returns them.
  received: (count: number) => Promise<Frame[]>
  // Resolves when the stream ends, whoever ended it.
  ended: Promise<void>
  hasEnded: () => boolean
  close: () => void
}

export function listen(url: string, headers: Record<string, string>): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const frames: Frame[] = []
    const outgoing = request(url, { headers, agent: false }, (incoming) => {
      let over = false
      let rest = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (text: string) => {
        const parts = (rest + text).split('\n\n')
        rest = parts.pop() ?? ''
        frames.push(...parts.map(readFrame))
      })
      // A reset is an end too; 'close' follows.
      incoming.on('error', () => {})
      const ended = new Promise<void>((end) =>
        incoming.once('close', () => {
          over = true
          end()
        }),
      )
      const events = () => frames.filter((frame) => frame.data !== undefined)
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        frames,
        events,
        received: (count) =>
          eventually(
            async () => events(),
            (seen) => seen.length >= count,
          ),
        ended,
        hasEnded: () => over,
        close: () => outgoing.destroy(),
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function readFrame(text: string): Frame {
  const frame: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? []
    frame[name === '' ? 'comment' : name] = value
  }
  return frame
}
