// A merchant whose payouts go over its own provider sees everywhere what lies there, and never what the installation holds for it.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PAYOUT_FORM_WORDS } from '../../src/console/create/payout-words.ts'
import { amountText, whenText } from '../../src/console/format.ts'
import { HOME_WORDS } from '../../src/console/home/words.ts'
import { PAYIN_WORDS } from '../../src/console/payins/words.ts'
import { MONEY_SETTING_WORDS } from '../../src/console/settings/money-words.ts'
import { transfer } from '../../src/core/ledger/bookings.ts'
import { watchMinimums } from '../../src/flows/ledger/watch-minimums.ts'
import { PAYOUT_SLOT, postTransfers } from '../../src/store/ledger/transfers.ts'
import { moveToProviders } from '../flows/connections/funds.ts'
import { accepted, connect, type ScriptedProvider } from '../flows/connections/scripted-provider.ts'
import { brebPayin, createWorld, eventually, type World } from '../world.ts'
import { plain, sentenceIn } from './objects/shown.ts'
import { type Person, signIn } from './person.ts'
import { formAt, shows } from './typed.ts'

const AT_PROVIDER = 7_000_000n
const PAYIN = 5_000_000n

describe('money at a provider', () => {
  let world: World
  let owner: Person
  let provider: ScriptedProvider
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    provider = await connect(world, { uses: ['BRE_B_IN', 'BRE_B_OUT'] })
    // It knows every key of the simulated Bre-B.
    provider.directory = world.ctx.networks.directory
    await moveToProviders(world, AT_PROVIDER)
  })
  after(() => world[Symbol.asyncDispose]())

  const review = async (amount: string) => {
    const found = await owner.post('/payouts/new/receiver', { '/breb/keyString': '@ANAGOMEZ' })
    const { text } = await owner.post('/payouts/new', {
      ...formAt(found.text, '/payouts/new'),
      '/amountInCents': amount,
      '/reference': `review ${amount}`,
      '/inlineCustomer/name': 'Ana María Gómez',
      '/inlineCustomer/idType': 'CO_CC',
      '/inlineCustomer/idNumber': '1000000001',
      '/inlineCustomer/phone': '300 123 4567',
      '/inlineCustomer/email': 'ana@example.com',
    })
    return plain(text)
  }
  const pesos = (cents: bigint): string => plain(amountText(cents, 'es'))

  it('is what a payout can be paid from, before it is made and in its review', async () => {
    shows(plain((await owner.get('/payouts/new')).text), `<b>${pesos(AT_PROVIDER)}</b>`)
    shows(await review('60.000'), new RegExp(`Te quedarán[\\s\\S]{0,60}\\${pesos(1_000_000n)}<`))
    shows(await review('70.001'), `Tienes para pagar ${pesos(AT_PROVIDER)}: faltan ${pesos(100n)}`)
    // All of it can be paid.
    const all = await review('70.000')
    assert.ok(!all.includes('faltan'), all)
    assert.ok(!all.includes(PAYOUT_FORM_WORDS.es.shortLock), all)
  })

  it('is shown at home, and what the installation holds is not told to be paid out', async () => {
    const words = HOME_WORDS.es
    const hints = async () =>
      [...(await owner.get('')).text.matchAll(/class="balance-hint">([^<]*)</g)].map(([, hint]) => hint)
    const shown = await hints()
    assert.ok(shown.includes(words.notOverConnections), shown.join())
    assert.ok(shown.includes(words.balanceHints.DEPOSITED), shown.join())
    assert.ok(!shown.includes(words.balanceHints.AVAILABLE), shown.join())
  })

  it('is what a minimum is compared with', async () => {
    const set = (minimumBalanceInCents: number | null) =>
      world.client('PATCH', '/organization', { minimumBalanceInCents })
    await set(Number(AT_PROVIDER))
    assert.equal(await watchMinimums(world.ctx), 0)
    const settings = async () => plain((await owner.get('/settings/balance')).text)
    const { below } = MONEY_SETTING_WORDS.es.minimum
    shows(await settings(), pesos(AT_PROVIDER))
    assert.ok(!(await settings()).includes(below), 'the minimum itself is enough')
    await set(Number(AT_PROVIDER) + 1)
    assert.equal(await watchMinimums(world.ctx), 1)
    shows(await settings(), below)
    const { data } = (await world.client('GET', '/alarms?kind=balance-below-minimum')).json
    assert.equal(data.length, 1)
    await set(null)
    assert.equal(await watchMinimums(world.ctx), 0)
  })

  it('is where the page of a payin says that its money is', async () => {
    const words = PAYIN_WORDS.es
    const payment = { paymentId: 'mono:C-1', amountInCents: PAYIN }
    provider.payin = () => accepted({ state: 'paid', payments: [payment], networkCode: 'paid' })
    const { id } = (await world.client('POST', '/payins', brebPayin())).json
    await world.passTime(60_000)
    const said = async () => sentenceIn((await owner.get(`/payins/${id}`)).text)
    const { resultAt } = (await world.client('GET', `/payins/${id}`)).json
    const settlesAt = Date.parse(resultAt) + world.ctx.settings.settlementDelayMs
    const settles = plain(whenText(settlesAt, world.ctx.clock.now(), 'es'))
    assert.ok((await said()).endsWith(words.atProviderFrom(settles)), await said())
    await world.passTime(world.ctx.settings.settlementDelayMs + 120_000)
    assert.ok((await said()).endsWith(words.atProvider), await said())
  })
})

describe('money at the provider of a merchant whose payouts go over the installation’s network', () => {
  let world: World
  let owner: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
    await connect(world, { uses: ['BRE_B_IN'] })
    const { availableInCents } = (await world.client('GET', '/balance')).json
    await moveToProviders(world, BigInt(availableInCents) - 1_000_000n)
  })
  after(() => world[Symbol.asyncDispose]())

  it('is not what can be paid out, nor what a minimum is compared with', async () => {
    const available = plain(amountText(1_000_000n, 'es'))
    shows(plain((await owner.get('/payouts/new')).text), `<b>${available}</b>`)
    shows(plain((await owner.get('/settings/balance')).text), available)
    for (const [minimumBalanceInCents, alarms] of [
      [1_000_000, 0],
      [1_000_001, 1],
    ]) {
      await world.client('PATCH', '/organization', { minimumBalanceInCents })
      assert.equal(await watchMinimums(world.ctx), alarms)
    }
  })

  it('is shown at home, also where it is owed', async () => {
    const words = HOME_WORDS.es.balanceHints
    const sums = async () => plain((await owner.get('')).text)
    shows(await sums(), words.DEPOSITED)
    shows(await sums(), words.AVAILABLE)
    const { organizationId } = world.organization
    const { depositedInCents } = (await world.client('GET', '/balance')).json
    const entry = { organizationId, transferId: world.ctx.ids.next(), subjectId: world.ctx.ids.next() }
    const owed = { ...entry, amountInCents: BigInt(depositedInCents) + 500n }
    await postTransfers(
      world.db,
      [transfer('collected money moved from deposits', 'BRE_B', owed)],
      PAYOUT_SLOT,
    )
    // The figures of the page are a moment old.
    const text = await eventually(sums, (found) => found.includes(plain(amountText(-500n, 'es'))))
    shows(text, words.DEPOSITED)
  })
})
