// kill -9 in the middle of a stream of payins. Every answered request is still there afterwards, byte for byte. Every
// other one can be sent again and takes effect once.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { findRunningEmbeddedPostgres } from '../../src/embedded/postgres.ts'
import { byDepth } from '../depth.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, clientOf, psePayin } from '../world.ts'
import { dataDirectory, postgresPid, readGreeting, start, stop } from './process.ts'

const CLIENTS = 8
const ANSWERS_BEFORE_THE_KILL = byDepth(40, 100)
const KILLS = byDepth(['recaudo', 'recaudo and PostgreSQL'], ['recaudo', 'recaudo and PostgreSQL', 'recaudo'])

type Sent = { key: string; body: Record<string, unknown>; answer: string | undefined }

const dataDir = dataDirectory({ after })
const env: Record<string, string> = { DATA_DIR: dataDir, RATE_LIMIT_PER_SECOND: '0' }
before(async () => {
  env.PORT = String(await freePort())
})

test('no answered payin is lost and none is created twice, however often the process is killed', async (t) => {
  let server = await start(t, { env })
  const { apiKey } = readGreeting(server.stdout())
  const everything: Sent[] = []

  for (const victims of KILLS) {
    const client = clientOf(server.baseUrl, { 'x-api-key': apiKey })
    const sent: Sent[] = []
    const enough = Promise.withResolvers<void>()
    let answered = 0
    const send = async (): Promise<void> => {
      for (;;) {
        const key = `key-${everything.length + sent.length}`
        const one: Sent = { key, body: sent.length % 2 === 0 ? brebPayin() : psePayin(), answer: undefined }
        sent.push(one)
        const answer = await client('POST', '/payins', one.body, { 'idempotency-key': key }).catch(() => null)
        if (answer === null) return
        assert.equal(answer.status, 201, answer.text)
        one.answer = answer.text
        answered += 1
        if (answered === ANSWERS_BEFORE_THE_KILL) enough.resolve()
      }
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, send))
    await Promise.race([enough.promise, clients])
    const postgres = (await postgresPid(dataDir)) as number
    const gone = once(server.child, 'exit')
    if (victims === 'recaudo and PostgreSQL') process.kill(postgres, 'SIGKILL')
    server.child.kill('SIGKILL')
    assert.deepEqual(await gone, [null, 'SIGKILL'])
    await clients
    const unanswered = sent.filter(({ answer }) => answer === undefined)
    assert.ok(unanswered.length > 0, 'the kill came while requests were under way')
    everything.push(...sent)

    server = await start(t, { env })
    await sendAgain(server.baseUrl, apiKey, unanswered)
    assert.deepEqual(await countPayins(), { payins: everything.length, references: everything.length })
  }
  await sendAgain(server.baseUrl, apiKey, everything)
  // As when the terminal was closed.
  await stop(server, 'SIGHUP')
})

// Every answered request gets the same answer again. The rest are answered now, and count as answered from here on.
async function sendAgain(baseUrl: string, apiKey: string, sent: Sent[]): Promise<void> {
  const client = clientOf(baseUrl, { 'x-api-key': apiKey })
  const queue = sent.values()
  const work = async (): Promise<void> => {
    for (const one of queue) {
      const answer = await client('POST', '/payins', one.body, { 'idempotency-key': one.key })
      assert.equal(answer.status, 201, answer.text)
      if (one.answer !== undefined) {
        assert.equal(answer.text, one.answer)
        assert.equal(answer.headers['idempotent-replayed'], 'true')
      }
      one.answer = answer.text
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, work))
}

async function countPayins(): Promise<{ payins: number; references: number }> {
  const running = await findRunningEmbeddedPostgres(dataDir)
  const database = new pg.Client({ connectionString: running?.url })
  await database.connect()
  try {
    const { rows } = await database.query(
      'select count(*)::int as payins, count(distinct reference)::int as "references" from payins',
    )
    return rows[0]
  } finally {
    await database.end()
  }
}
