// A database that stops answering while its connections stay open, as one does whose machine hangs: a TCP proxy before it that
// can be frozen.

import { connect, createServer, type Socket } from 'node:net'

export type FreezableDatabase = AsyncDisposable & {
  // The way to the database through the proxy.
  via: (url: string) => Promise<string>
  freeze: () => void
  thaw: () => void
}

export function freezableDatabase(): FreezableDatabase {
  const sockets = new Set<Socket>()
  let target: { host: string; port: number } | { path: string }
  let isFrozen = false

  const forward = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (bytes) => to.write(bytes))
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    const database = connect(target)
    forward(client, database)
    forward(database, client)
    // The database sees what is sent, and its answers stay on the way.
    if (isFrozen) database.pause()
    answers.add(database)
    database.on('close', () => answers.delete(database))
  })
  const answers = new Set<Socket>()

  return {
    via: async (url) => {
      const { hostname, port, searchParams } = new URL(url.replace(/^(\w+:\/\/[^/@]*@?)(?=\/)/, '$1socket'))
      const directory = searchParams.get('host')
      target =
        directory === null
          ? { host: hostname, port: Number(port || 5432) }
          : { path: `${directory}/.s.PGSQL.${searchParams.get('port') ?? (port || '5432')}` }
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port: own } = server.address() as { port: number }
      return throughPort(url, own)
    },
    freeze: () => {
      isFrozen = true
      for (const answer of answers) answer.pause()
    },
    thaw: () => {
      isFrozen = false
      for (const answer of answers) answer.resume()
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function throughPort(url: string, port: number): string {
  const [, scheme, user = '', database] = /^(\w+:\/\/)([^/@]*@)?[^/]*(\/[^?]*)/.exec(url) ?? []
  return `${scheme}${user}127.0.0.1:${port}${database}`
}
