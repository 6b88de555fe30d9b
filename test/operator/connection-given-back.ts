// A program for handed-connections.test.ts: one process that listens, and stops to listen while a connection is on its way to it.
// Prints what became of the client, and ends.

import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { followConnections } from '../../src/operator/processes/handed-connections.ts'

if (cluster.isPrimary) await serveByAnother()
else listenUntilTold()

async function serveByAnother(): Promise<void> {
  const follow = followConnections()
  cluster.setupPrimary({ exec: import.meta.filename })
  const worker = cluster.fork()
  follow(worker)
  const [{ port }] = await once(worker, 'listening')
  const { pid } = worker.process
  process.kill(pid as number, 'SIGSTOP')
  worker.send('stop to listen')
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  await handed(worker)
  process.kill(pid as number, 'SIGCONT')
  await once(client.resume(), 'close')
  console.log('closed')
  worker.process.kill('SIGKILL')
}

async function handed({ process: child }: Worker): Promise<void> {
  const send = child.send.bind(child)
  await new Promise<void>((resolve) => {
    child.send = ((...sent: Parameters<typeof send>) => {
      resolve()
      return send(...sent)
    }) as typeof send
  })
}

function listenUntilTold(): void {
  const server = createServer().listen(0, '127.0.0.1')
  process.once('message', () => server.close())
}
