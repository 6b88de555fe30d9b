// Connections that node:cluster has accepted in the parent and that no process has taken. It forgets two kinds of them, and whoever
// asked would wait for as long as they have patience: one that was handed to a process which died before it took it, and one that
// a process gave back because it does not listen any more, when no other does either. Both are closed here.

import type { Worker } from 'node:cluster'

type Message = {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
  readonly accepted?: boolean
}
type Connection = { close: () => void }

// What it returns is called with every process that is started.
export function followConnections(): (worker: Worker) => void {
  const addressesOf = new Map<Worker, number>()
  const givenBack = new Set<Connection>()

  const closeGivenBack = (): void => {
    if ([...addressesOf.values()].some((count) => count > 0)) return
    for (const connection of givenBack) connection.close()
    givenBack.clear()
  }

  return (worker) => {
    const { process: child } = worker
    const untaken = new Map<number, Connection>()
    const send = child.send.bind(child)
    // What cluster sends with a connection, and its answer, have the same number.
    child.send = ((...sent: Parameters<typeof send>) => {
      const [{ act, seq }, connection] = sent as unknown as [Message, Connection]
      if (act === 'newconn' && seq !== undefined) {
        untaken.set(seq, connection)
        givenBack.delete(connection)
      }
      return send(...sent)
    }) as typeof child.send

    const listen = (more: 1 | -1): void => {
      addressesOf.set(worker, (addressesOf.get(worker) ?? 0) + more)
    }
    const listener = ({ act, ack, accepted }: Message): void => {
      if (act === 'queryServer') listen(1)
      else if (act === 'close') listen(-1)
      const connection = ack === undefined ? undefined : untaken.get(ack)
      if (ack !== undefined) untaken.delete(ack)
      if (connection !== undefined && accepted === false) givenBack.add(connection)
      closeGivenBack()
    }
    // Before cluster's own listener, which may hand the connection to another process at once.
    child.prependListener('internalMessage', listener)
    worker.once('exit', () => {
      child.off('internalMessage', listener)
      addressesOf.delete(worker)
      for (const connection of untaken.values()) connection.close()
      untaken.clear()
      closeGivenBack()
    })
  }
}
