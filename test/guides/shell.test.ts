// Every `sh` block of every guide, run in order in a fresh folder against the real service, so that what a reader
// copies works.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createWorldWithWorkers, type WorldWithWorkers } from '../examples/workspace.ts'
import { freePort } from '../free-port.ts'
import { brebPayin, eventually, type World } from '../world.ts'
import { guideOf, guides } from './guide.ts'
import { atPorts, openTerminal } from './terminal.ts'

const ERROR_LEVEL = 50

describe('the guides in a terminal', () => {
  // One for all whose reader needs nobody else's silence: each has an organization of its own.
  let shared: WorldWithWorkers
  before(async () => {
    shared = await createWorldWithWorkers(200)
  })
  after(() => shared?.[Symbol.asyncDispose]())
  const newReader = async (): Promise<World> => ({ ...shared, ...(await shared.newMerchant()) })

  const shellBlocks = (slug: string): string[] =>
    guideOf(slug)
      .blocks.filter(({ language }) => language === 'sh')
      .map(({ text }) => text)
  // The time a reader takes to go on to the next block.
  const networksHaveAll = (world: World) =>
    eventually(
      async () =>
        (await world.db.query({ text: `select 1 from payins where rail_stage in ('TO_OPEN', 'OPENING')` }))
          .rowCount,
      (waiting) => waiting === 0,
    )
  const runAll = async (slug: string, terminal: ReturnType<typeof openTerminal>, world: World) => {
    const printed: string[] = []
    for (const block of shellBlocks(slug)) {
      await networksHaveAll(world)
      const ran = terminal.run(block).catch((error: Error) => {
        const broke = world.logLines().filter(({ level }) => Number(level) >= ERROR_LEVEL)
        throw new Error(`${error.message}\nthe server said: ${JSON.stringify(broke, null, 1)}`)
      })
      printed.push(await ran)
    }
    return printed.join('\n')
  }
  const outcomes = async (world: World, kind: 'payins' | 'payouts') => {
    const { json } = await world.client('GET', `/${kind}?pageSize=100`)
    return (json.data as Record<string, string>[]).map(({ reference, status, errorCode }) =>
      [reference, status, errorCode].filter(Boolean).join(' '),
    )
  }
  const ends = (world: World, kind: 'payins' | 'payouts', expected: string[]) =>
    eventually(
      () => outcomes(world, kind),
      (seen) => expected.every((one) => seen.includes(one)),
    )
  const signIn = `export RECAUDO_API_KEY=$(node -p "require('./.recaudo/demo-credentials.json').apiKey")`

  it('first-payin: a payin, its webhook in the terminal, a link, a payout, and one of each that fails', async () => {
    await using world = await createWorldWithWorkers(200)
    await using terminal = openTerminal(world)
    const listening = guideOf('first-payin').blocks.find(({ text }) => text.includes('recaudo listen'))
    const listener = terminal.start(listening?.text ?? '')
    try {
      await eventually(
        async () => (await world.anonymous('GET', '/metrics')).text,
        (metrics) => /^recaudo_event_streams 1$/m.test(metrics),
      )
      const printed = await runAll('first-payin', terminal, world)
      await ends(world, 'payins', [
        'order-1001 CONFIRMED',
        'order-1002 CONFIRMED',
        'order-1004 DECLINED RISK_REJECTED',
      ])
      await ends(world, 'payouts', ['salary-1 CONFIRMED', 'salary-2 DECLINED RISK_REJECTED'])
      for (const event of ['payin.confirmed', 'payin.declined', 'payout.confirmed', 'payout.declined'])
        await listener.said(new RegExp(event.replace('.', '\\.')))
      const { json } = await world.client('GET', '/payment-links')
      assert.ok(printed.includes(json.data[0].paymentLinkUrl), 'the address of the link is printed')
    } finally {
      await listener.stop()
    }
  })

  it('pse: the payin is created, its page is there, and it is paid', async () => {
    const world = await newReader()
    await using terminal = openTerminal(world)
    const printed = await runAllSignedIn('pse', terminal, world)
    assert.match(printed, /CO_BANCOLOMBIA/)
    const [address = ''] = /http\S+\/pay\/\S+/.exec(printed) ?? []
    assert.equal((await fetch(address, { redirect: 'manual' })).status, 200)
    await ends(world, 'payins', ['pse-1001 CONFIRMED'])
  })

  it('breb: the payin is created with a key, and it is paid', async () => {
    const world = await newReader()
    await using terminal = openTerminal(world)
    assert.match(await runAllSignedIn('breb', terminal, world), /^@RC[0-9A-Z]{12}$/m)
    await ends(world, 'payins', ['breb-1001 CONFIRMED'])
  })

  it('payouts: the key is looked up, the payout is paid, and a key that was not looked up is refused from then on', async () => {
    const world = await newReader()
    await using terminal = openTerminal(world)
    const [, sent = ''] = /-d '(\{.+?\})'\n/s.exec(shellBlocks('payouts').join('')) ?? []
    assert.match(await runAllSignedIn('payouts', terminal, world), /"keyType":"ALPHANUMERIC"/)
    await ends(world, 'payouts', ['refund-8841 CONFIRMED'])
    // A process may cache an organization's settings for a second.
    await eventually(
      async () => (await world.client('GET', '/organization')).json.requireKeyLookup,
      (isRequired) => isRequired === true,
    )
    const unknown = { ...JSON.parse(sent), breb: { keyString: '@NUNCAVISTA' } }
    assert.equal((await world.client('POST', '/payouts', unknown)).json.code, 'KEY_NOT_LOOKED_UP')
  })

  it('giving-money-back: a part of a confirmed payin goes back', async () => {
    const world = await newReader()
    await using terminal = openTerminal(world)
    const { id, reference } = (await world.client('POST', '/payins', brebPayin())).json
    await ends(world, 'payins', [`${reference} CONFIRMED`])
    await terminal.run(`export PAYIN=${id}`)
    assert.match(await runAllSignedIn('giving-money-back', terminal, world), /"amountInCents":2000000/)
    await eventually(
      async () => (await world.client('GET', `/payins/${id}`)).json.refundedAmountInCents,
      (refunded) => refunded === 2_000_000,
    )
  })

  it('paying-many: the file is handed in, and its rows are checked', async () => {
    const world = await newReader()
    await using terminal = openTerminal(world)
    const { id } = JSON.parse(await runAllSignedIn('paying-many', terminal, world))
    const checked = await eventually(
      async () => (await world.client('GET', `/payout-batches/${id}`)).json,
      ({ status }) => status === 'DRAFT',
    )
    assert.deepEqual([checked.rowsToSend, checked.rowsWithErrors], [2, 0])
  })

  it('payment-links: the link is created, its page is there, and it is ended', async () => {
    const world = await newReader()
    await using terminal = openTerminal(world)
    const printed = await runAllSignedIn('payment-links', terminal, world)
    const [address = ''] = /http\S+\/pay\/[^\s"]+/.exec(printed) ?? []
    assert.equal((await fetch(address)).status, 200)
    assert.equal((await world.client('GET', '/payment-links')).json.data[0].status, 'EXPIRED')
  })

  it('webhooks: an endpoint is created, tested, inspected, recovered, and gets a new secret', async () => {
    const world = await newReader()
    await using terminal = openTerminal(world)
    const printed = await runAllSignedIn('webhooks', terminal, world)
    assert.equal(new Set(printed.match(/whsec_[\w+/=]+/g)).size, 2, 'the first secret and the new one')
  })

  it('sandbox: outcomes by document, by key, by request, and time that passes', async () => {
    await using world = await createWorldWithWorkers(200)
    await using terminal = openTerminal(world)
    await runAllSignedIn('sandbox', terminal, world)
    await ends(world, 'payins', ['open-1 DECLINED INSUFFICIENT_FUNDS'])
  })

  it('connecting-wompi: the connection passes its test, and the payer accepts Wompi’s terms and pays', async () => {
    await withProvider('connecting-wompi', async (world, printed) => {
      assert.ok(await payerGoesOn(printed), 'there are terms')
      await ends(world, 'payins', ['wompi-1 CONFIRMED'])
    })
  })

  it('connecting-mono: the connection passes its test, and the key is paid', async () => {
    await withProvider('connecting-mono', (world) => ends(world, 'payins', ['mono-1 CONFIRMED']))
  })

  it('connecting-placetopay: the connection passes its test, and the payer pays at the bank', async () => {
    await withProvider('connecting-placetopay', async (world, printed) => {
      assert.match(printed, /"code":"CO_BANCO_DE_PRUEBAS"/)
      assert.ok(!(await payerGoesOn(printed)), 'there are no terms')
      await ends(world, 'payins', ['placetopay-1 CONFIRMED'])
    })
  })

  it('addresses are replaced once, also where the new port starts like another that is replaced', () => {
    const block = 'curl http://127.0.0.1:4000/payins http://127.0.0.1:4001/log http://127.0.0.1:3000/'
    assert.equal(
      atPorts(block, { 4000: 40012, 4001: 40005 }),
      'curl http://127.0.0.1:40012/payins http://127.0.0.1:40005/log http://127.0.0.1:3000/',
    )
  })

  it('no other guide has a block that is not run', () => {
    const connecting = ['connecting-wompi', 'connecting-mono', 'connecting-placetopay']
    const run = [
      'first-payin',
      'pse',
      'breb',
      'payouts',
      'giving-money-back',
      'paying-many',
      'payment-links',
      'webhooks',
      'sandbox',
      ...connecting,
    ]
    const others = guides.filter(
      ({ slug, blocks }) => !run.includes(slug) && blocks.some(({ language }) => language === 'sh'),
    )
    assert.deepEqual(
      others.map(({ path }) => path),
      [],
    )
  })

  // All blocks, with the simulated provider in the other terminal that the guide asks for.
  async function withProvider(
    slug: string,
    look: (world: World, printed: string) => Promise<unknown>,
  ): Promise<void> {
    const world = await newReader()
    await using terminal = openTerminal(world, { 4010: await freePort() })
    const printed: string[] = []
    let provider: ReturnType<typeof terminal.start> | undefined
    try {
      await terminal.run(signIn)
      for (const { language, text } of guideOf(slug).blocks) {
        if (language === 'sh') {
          await networksHaveAll(world)
          printed.push(await terminal.run(text))
        } else if (text.includes('--port 4010')) {
          provider = terminal.start(text)
          await provider.said(/Simulated/)
        }
      }
      assert.match(printed.join('\n'), /"passed":true/)
      await look(world, printed.join('\n'))
    } finally {
      await provider?.stop()
    }
  }

  // The payer's part, which the guide leaves to a person: accept what the page shows, and go on to the bank. True if there was
  // something to accept.
  async function payerGoesOn(printed: string): Promise<boolean> {
    const [address = ''] = /http\S+\/pay\/[^\s"]+/.exec(printed) ?? []
    const [, terms] = /name="terms" value="([^"]+)"/.exec(await (await fetch(address)).text()) ?? []
    const { status } = await fetch(address, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(address).origin },
      body: new URLSearchParams(terms === undefined ? {} : { terms }),
    })
    assert.equal(status, 303)
    return terms !== undefined
  }

  async function runAllSignedIn(slug: string, terminal: ReturnType<typeof openTerminal>, world: World) {
    await terminal.run(signIn)
    return runAll(slug, terminal, world)
  }
})
