// What a run ends with is compared with what was answered, told and written by the networks. Here each of them is told otherwise.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Installation } from '../../soak/installation.ts'
import { findLosses } from '../../soak/losses.ts'
import type { Requests } from '../../soak/requests.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { freePort } from '../free-port.ts'
import { createDatabase } from '../world.ts'

describe('losses', () => {
  let db: Db
  let networksUrl: string
  let log: { status: number; entries: object[] }
  const opened = new AsyncDisposableStack()
  before(async () => {
    const database = await createDatabase()
    opened.defer(database.drop)
    db = openDb({ url: database.url, poolSize: 4 })
    opened.defer(() => db.close())
    const networks = createServer((_, response) =>
      response.writeHead(log.status).end(JSON.stringify({ entries: log.entries })),
    )
    const port = await freePort()
    await new Promise<void>((listening) => networks.listen(port, '127.0.0.1', listening))
    opened.defer(() => new Promise<void>((closed) => networks.close(() => closed())))
    networksUrl = `http://127.0.0.1:${port}`
  })
  after(() => opened.disposeAsync())

  const find = (answered: { payins?: string[]; batches?: string[] } = {}, refuted?: string) => {
    const command = async ([name = '']: string[]) => ({
      code: name === refuted ? 1 : 0,
      signal: null,
      stdout: '',
      stderr: 'it does not add up',
    })
    return findLosses({
      installation: { networksUrl, networksSecret: 'x', command } as unknown as Installation,
      requests: {} as Requests,
      db,
      receiver: { goodUrl: '', deadUrls: [], received: new Set(), async [Symbol.asyncDispose]() {} },
      answered: { payins: [], payouts: [], links: [], refunds: [], batches: [], ...answered },
    })
  }

  it('are none where nothing was begun', async () => {
    log = { status: 200, entries: [] }
    assert.deepEqual(await find(), [])
  })

  it('are what was answered and is not there', async () => {
    const [payin, batch] = [randomUUID(), randomUUID()]
    assert.deepEqual(await find({ payins: [payin], batches: [batch] }), [
      `payins has no ${payin}, which was answered 201`,
      `payout_batches has no ${batch}, which was answered 201`,
    ])
  })

  it('are what recaudo’s own proofs object to', async () => {
    for (const name of ['audit', 'closes'])
      assert.deepEqual(await find({}, name), [`recaudo ${name} verify ended with 1: it does not add up`])
  })

  it('are not judged without the networks’ log', async () => {
    log = { status: 500, entries: [] }
    await assert.rejects(find(), /log was answered 500/)
  })
})
