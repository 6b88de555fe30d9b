// The address that providers know us by. Behind it is one API or another, as when a process ends and the next takes its place.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

export type SwitchedAddress = AsyncDisposable & {
  readonly url: string
  // To the API at this address from now on. Connections to the one before are cut.
  readonly leadTo: (baseUrl: string) => void
}

export async function openSwitchedAddress(): Promise<SwitchedAddress> {
  let port = 0
  const open = new Set<Socket>()
  const cutAll = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer((caller) => {
    const api = connect(port, '127.0.0.1')
    for (const socket of [caller, api]) {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    }
    // Whichever side ends or breaks, the other does too.
    pipeline(caller, api, caller, () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (baseUrl) => {
      port = Number(new URL(baseUrl).port)
      cutAll()
    },
    [Symbol.asyncDispose]: async () => {
      cutAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
