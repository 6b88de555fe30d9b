// What stands before the APIs in production: each connection goes to the next node, or to the other one if that does not listen. It
// ends with its node. Networks and payers come through here, so they notice when a node is killed.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export async function startBalancer(port: number, nodePorts: readonly number[]): Promise<AsyncDisposable> {
  const open = new Set<Socket>()
  const remember = (socket: Socket): void => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
  }
  let turn = 0
  const join = (client: Socket, triesLeft: number): void => {
    const nodePort = nodePorts[turn++ % nodePorts.length] as number
    const node = connect(nodePort, '127.0.0.1')
    node.once('error', () =>
      triesLeft > 0 && !client.destroyed ? join(client, triesLeft - 1) : client.destroy(),
    )
    node.once('connect', () => {
      remember(node)
      client.once('close', () => node.destroy())
      node.once('close', () => client.destroy())
      client.pipe(node)
      node.pipe(client)
    })
  }
  const server = createServer((client) => {
    remember(client)
    join(client, nodePorts.length - 1)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
