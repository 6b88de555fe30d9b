// The payout script, run twice, twice at once, and with rows that are wrong: nobody is paid twice.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { World } from '../world.ts'
import { createWorldWithWorkers, makeWorkspace, startProgram, type Workspace } from './workspace.ts'

const HEAD = 'reference,key,amountInCents,name,idType,idNumber,phone,email'
const row = (reference: string, { idNumber = '1000000001', amount = '100000', key = '@ANAMARIA36' } = {}) =>
  `${reference},${key},${amount},Ana Gómez,CO_CC,${idNumber},+573001234567,ana@example.com`

describe('examples/payout-script', () => {
  let world: World
  let place: Workspace
  before(async () => {
    world = await createWorldWithWorkers(200)
    place = await makeWorkspace('example-payouts', 'examples/payout-script')
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await place?.[Symbol.asyncDispose]()
  })

  const fileOf = (name: string, lines: string[]): string => {
    const file = join(place.directory, name)
    writeFileSync(file, `${[HEAD, ...lines].join('\n')}\n`)
    return file
  }
  const run = async (file: string, env: Record<string, string> = {}) => {
    const program = startProgram(process.execPath, [join(place.directory, 'pay.js'), file], {
      cwd: place.directory,
      env: { RECAUDO_API_KEY: world.apiKey, RECAUDO_BASE_URL: world.baseUrl, ...env },
    })
    const code = await program.exit
    return { code, lines: program.output().trim().split('\n') }
  }
  const payouts = async (reference: string) =>
    (await world.client('GET', `/payouts?reference=${reference}`)).json.data as { status: string }[]

  it('prints what its README shows, and prints the same again without paying again', async () => {
    const readme = readFileSync(join(place.directory, 'README.md'), 'utf8')
    const [, promised = ''] = /^```text\n(.*?)^```/ms.exec(readme) ?? []
    const before = (await world.client('GET', '/balance')).json.availableInCents
    const first = await run(join(place.directory, 'payouts.csv'))
    assert.deepEqual(first.lines.toSorted(), promised.trim().split('\n').toSorted())
    assert.equal(first.code, 1, 'one was declined')
    const after = (await world.client('GET', '/balance')).json.availableInCents
    assert.equal(before - after, 430_000_000)

    const second = await run(join(place.directory, 'payouts.csv'))
    assert.deepEqual(second.lines.toSorted(), first.lines.toSorted())
    assert.equal((await world.client('GET', '/balance')).json.availableInCents, after)
    assert.equal((await payouts('salary-2026-11-ana')).length, 1)
  })

  it('two runs at once pay once', async () => {
    const file = fileOf(
      'race.csv',
      ['race-1', 'race-2', 'race-3'].map((reference) => row(reference)),
    )
    const runs = await Promise.all([run(file), run(file)])
    assert.deepEqual(
      runs.map(({ code, lines }) => [code, lines.at(-1)]),
      Array(2).fill([0, '3 rows, 0 failed, 0 still open']),
    )
    for (const reference of ['race-1', 'race-2', 'race-3'])
      assert.deepEqual(
        (await payouts(reference)).map(({ status }) => status),
        ['CONFIRMED'],
      )
  })

  it('a payout without an outcome is reported as open, and as paid by a later run', async () => {
    const file = fileOf('open.csv', [row('open-1', { idNumber: '1000000007' })])
    const first = await run(file, { WAIT_SECONDS: '1' })
    assert.deepEqual([first.code, first.lines.at(-1)], [1, '1 rows, 0 failed, 1 still open'])
    const [payout] = (await world.client('GET', '/payouts?reference=open-1')).json.data
    const simulated = await world.client('POST', `/sandbox/payouts/${payout.id}/simulate`, {
      outcome: 'confirmed',
    })
    assert.equal(simulated.status, 200)
    const second = await run(file)
    assert.deepEqual(
      [second.code, second.lines],
      [0, ['open-1 to @ANAMARIA36: CONFIRMED COP 1000', '1 rows, 0 failed, 0 still open']],
    )
  })

  it('a wrong row is refused and the others are paid; a file with a mistake pays nobody', async () => {
    const some = await run(fileOf('some.csv', [row('bad-key', { key: '@NO' }), row('good-key')]))
    assert.equal(some.code, 1)
    assert.match(some.lines.join('\n'), /^bad-key to @NO: refused, KEY_INVALID: /m)
    assert.match(some.lines.join('\n'), /^good-key to @ANAMARIA36: CONFIRMED COP 1000$/m)
    const none = await run(fileOf('none.csv', [row('none-1'), row('none-1')]))
    assert.equal(none.code, 1)
    assert.match(none.lines.join('\n'), /Line 3: every row needs a reference of its own/)
    assert.deepEqual(await payouts('none-1'), [])
  })
})
