// A tunnel through an HTTP proxy (CONNECT). The proxy is asked for the address that was checked, not for the name, so it cannot
// be led elsewhere by a second lookup.

import { isIPv6, type Socket } from 'node:net'
import { SendFailure } from './failure.ts'

// Far more than any proxy says before the tunnel is open.
const MAX_ANSWER_BYTES = 8_192

// Waits for the proxy to open the tunnel on a socket that is connected to it.
export async function openTunnel(socket: Socket, proxy: URL, address: string, port: number): Promise<void> {
  const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const authorization =
    proxy.username === ''
      ? ''
      : `proxy-authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${authorization}\r\n`)
  const status = await readStatus(socket)
  if (status >= 200 && status < 300) return
  if (status === 403) throw new SendFailure('BLOCKED_ADDRESS')
  // The proxy could not reach the endpoint. Anything else is between us and the proxy.
  throw new SendFailure(status >= 500 ? 'CONNECTION' : 'NOT_SENT')
}

function readStatus(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = Buffer.alloc(0)
    const end = (act: () => void): void => {
      socket.off('data', onData).off('close', onClose)
      act()
    }
    const fail = (): void => end(() => reject(new SendFailure('NOT_SENT')))
    const onClose = fail
    const onData = (bytes: Buffer): void => {
      answer = Buffer.concat([answer, bytes])
      const headEnd = answer.indexOf('\r\n\r\n')
      if (headEnd < 0) {
        if (answer.length > MAX_ANSWER_BYTES) fail()
        return
      }
      const status = Number(/^HTTP\/1\.[01] (\d{3})[ \r]/.exec(answer.toString('latin1'))?.[1])
      // Nothing was sent through the tunnel yet, so nothing can have come back.
      if (!(status >= 200) || answer.length > headEnd + 4) fail()
      else end(() => resolve(status))
    }
    socket.on('data', onData).on('close', onClose)
  })
}
