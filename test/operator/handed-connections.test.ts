// Connections that no process has taken. With real servers: test/process/many.test.ts and many-ends.test.ts.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { followConnections } from '../../src/operator/processes/handed-connections.ts'

it('a connection that a process has not taken is closed when it ends, and no other', () => {
  const sent: unknown[] = []
  const child = Object.assign(new EventEmitter(), {
    send: (...args: unknown[]) => sent.push(args),
  })
  const worker = Object.assign(new EventEmitter(), { process: child })
  followConnections()(worker as unknown as Worker)

  const closed: string[] = []
  const connection = (name: string) => ({ close: () => closed.push(name) })
  const handed = ['taken', 'refused', 'waiting'].map((name, seq) => [
    { cmd: 'NODE_CLUSTER', act: 'newconn', seq },
    connection(name),
  ])
  const other = [{ cmd: 'NODE_CLUSTER', act: 'disconnect', seq: 3 }]
  for (const message of [...handed, other]) child.send(...message)
  assert.deepEqual(sent, [...handed, other], 'everything is sent as it was')

  // One that was refused goes to another process, if one listens.
  child.emit('internalMessage', { cmd: 'NODE_CLUSTER', act: 'queryServer' })
  child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 0, accepted: true })
  child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 1, accepted: false })
  assert.deepEqual(closed, [])
  worker.emit('exit', null, 'SIGKILL')
  assert.deepEqual(closed, ['waiting', 'refused'])
})

it('a connection that a process gives back is closed when no process listens any more', async () => {
  const program = join(import.meta.dirname, 'connection-given-back.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 30_000 })
  assert.equal(stdout, 'closed\n')
})
