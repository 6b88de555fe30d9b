// Connections that were handed to a process which died before it took them. With real processes: test/process/many-ends.test.ts.

import assert from 'node:assert/strict'
import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { it } from 'node:test'
import { closeUntakenConnections } from '../../src/operator/processes/handed-connections.ts'

it('a connection that a process has not taken is closed when it ends, and no other', () => {
  const sent: unknown[] = []
  const child = Object.assign(new EventEmitter(), {
    send: (...args: unknown[]) => sent.push(args),
  })
  const worker = Object.assign(new EventEmitter(), { process: child })
  closeUntakenConnections(worker as unknown as Worker)

  const closed: string[] = []
  const connection = (name: string) => ({ close: () => closed.push(name) })
  const handed = ['taken', 'refused', 'waiting'].map((name, seq) => [
    { cmd: 'NODE_CLUSTER', act: 'newconn', seq },
    connection(name),
  ])
  const other = [{ cmd: 'NODE_CLUSTER', act: 'disconnect', seq: 3 }]
  for (const message of [...handed, other]) child.send(...message)
  assert.deepEqual(sent, [...handed, other], 'everything is sent as it was')

  // One that was refused goes to another process.
  child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 0, accepted: true })
  child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 1, accepted: false })
  assert.deepEqual(closed, [])
  worker.emit('exit', null, 'SIGKILL')
  assert.deepEqual(closed, ['waiting'])
})
