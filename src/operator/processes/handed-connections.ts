// Connections that were handed to a process and that it has not taken yet. node:cluster keeps its own end of each open until the
// process says that it has it. If the process dies first, nobody ever answers and nobody closes it: whoever asked would wait for
// as long as they have patience. They are closed here, as the connections are that the process had.

import type { Worker } from 'node:cluster'

type Handed = { readonly act?: string; readonly seq?: number; readonly ack?: number }
type Connection = { close: () => void }

export function closeUntakenConnections(worker: Worker): void {
  const { process: child } = worker
  const untaken = new Map<number | undefined, Connection>()
  const send = child.send.bind(child)
  // What cluster sends with a connection, and its answer, have the same number.
  child.send = ((...sent: Parameters<typeof send>) => {
    const [message, connection] = sent as [Handed, unknown]
    if (message.act === 'newconn') untaken.set(message.seq, connection as Connection)
    return send(...sent)
  }) as typeof child.send
  child.on('internalMessage', ({ ack }: Handed) => void untaken.delete(ack))
  worker.once('exit', () => {
    for (const connection of untaken.values()) connection.close()
  })
}
