// The settings about the balance and about accounting: saved by the operation of the API, wrong values named at their field, and nothing
// overwritten that somebody else changed meanwhile.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeCharges } from '../../src/flows/organizations/change-charges.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

const BALANCE = '/settings/balance'
const ACCOUNTING = '/settings/accounting'
const MINIMUM = '/minimumBalanceInCents'
const account = (entry: string) => `/accounting/pucAccounts/${entry}`
const ESTIMATE = '/accounting/estimatesMovementTax'

describe('the settings about money', () => {
  let world: World
  let owner: Person
  before(async () => {
    world = await createWorld()
    owner = await signIn(world, 'owner')
  })
  after(() => world[Symbol.asyncDispose]())

  const seen = async (path: string): Promise<string> => {
    const { text } = await owner.get(path)
    const value = /name="_seen" value="([^"]*)"/.exec(text)?.[1] ?? assert.fail('the form has what it showed')
    return value.replaceAll('&quot;', '"').replaceAll('&#34;', '"')
  }
  const save = async (path: string, typed: Record<string, string>) =>
    owner.post(path, { ...typed, _seen: await seen(path) })
  const organization = async () => (await world.client('GET', '/organization')).json

  it('are among the settings', async () => {
    const { text } = await owner.get('/settings')
    for (const path of [BALANCE, ACCOUNTING]) assert.ok(text.includes(`href="${owner.home}${path}"`), path)
  })

  it('set a minimum balance as people write amounts, and take it away', async () => {
    const saved = await save(BALANCE, { [MINIMUM]: '1.250.000,50' })
    assert.deepEqual([saved.status, saved.location?.split('?')[0]], [303, owner.home + BALANCE])
    assert.equal((await organization()).minimumBalanceInCents, 125_000_050)
    const { text } = await owner.get(BALANCE)
    assert.ok(text.includes('value="1.250.000,50"'))
    assert.match(text, /curl[\s\S]*PATCH[\s\S]*minimumBalanceInCents/)
    assert.match(text, /Disponible ahora/)
    assert.equal((await save(BALANCE, { [MINIMUM]: '' })).status, 303)
    assert.equal((await organization()).minimumBalanceInCents, null)
  })

  it('say at the field what is wrong with a minimum', async () => {
    const problem = async (typed: string) => {
      const { status, text } = await save(BALANCE, { [MINIMUM]: typed })
      assert.equal(status, 400, typed)
      return /id="field-minimumBalanceInCents-problem">([^<]*)</.exec(text)?.[1] ?? ''
    }
    assert.match(await problem('0'), /más de cero/)
    assert.match(await problem('mucho'), /Escríbelo en pesos/)
    assert.match(await problem('1.25.0'), /Escríbelo en pesos/)
    assert.equal((await organization()).minimumBalanceInCents, null)
  })

  it('say that the balance is below the minimum already', async () => {
    await save(BALANCE, { [MINIMUM]: '90.000.000.000' })
    assert.ok((await owner.get(BALANCE)).text.includes('ya está por debajo'))
    await save(BALANCE, { [MINIMUM]: '' })
  })

  it('keep PUC accounts and the estimate, which reports then show', async () => {
    const saved = await save(ACCOUNTING, { [account('fees')]: '530515', [ESTIMATE]: 'true' })
    assert.equal(saved.status, 303)
    const kept = { pucAccounts: { fees: '530515' }, estimatesMovementTax: true }
    assert.deepEqual((await organization()).accounting, kept)
    assert.ok((await owner.get(ACCOUNTING)).text.includes('value="530515"'))
    const [day] = new Date(world.ctx.clock.now() - 5 * 3_600_000).toISOString().split('T')
    assert.match((await owner.get(`/reports/${day}`)).text, /GMF \(estimado\)/)
    assert.equal((await save(ACCOUNTING, {})).status, 303)
    assert.deepEqual((await organization()).accounting, { pucAccounts: {}, estimatesMovementTax: false })
  })

  it('name every account that is no account at its field', async () => {
    const { status, text } = await save(ACCOUNTING, {
      [account('fees')]: '53A',
      [account('settled')]: '123',
      [account('balance')]: '1110',
    })
    assert.equal(status, 400)
    const wrong = [...text.matchAll(/id="field-accounting-pucAccounts-(\w+)-problem">([^<]*)</g)]
    assert.deepEqual(
      wrong.map(([, entry]) => entry),
      ['settled', 'fees'],
    )
    assert.match(wrong[0]?.[2] ?? '', /solo números/)
    assert.ok(text.includes('value="1110"'), 'what was right is kept on the page')
    assert.deepEqual((await organization()).accounting.pucAccounts, {})
  })

  it('overwrite nothing that somebody else changed meanwhile, and say what that was', async () => {
    const _seen = await seen(ACCOUNTING)
    const accounting = { pucAccounts: { paidOut: '2205' }, estimatesMovementTax: false }
    await world.client('PATCH', '/organization', { accounting })
    const late = await owner.post(ACCOUNTING, { [account('fees')]: '530515', _seen })
    assert.equal(late.status, 409)
    assert.match(late.text, /<b>Pagos<\/b>: nada → 2205/)
    assert.deepEqual((await organization()).accounting, accounting)
  })

  it('show what the operator charges, and let nobody change it here', async () => {
    assert.ok((await owner.get(ACCOUNTING)).text.includes('Hoy no se descuenta nada'))
    await changeCharges(world.ctx, world.organization.organizationId, () => ({
      fees: { PSE: { fixedInCents: 90_000n, basisPoints: 265, taxBasisPoints: 1_900 } },
      payoutFees: { BRE_B: { fixedInCents: 77_700n, basisPoints: 0, taxBasisPoints: 0 } },
      withholdings: [
        { rail: 'PSE', from: '2026-01-01', basisPoints: 150 },
        { rail: 'PSE', from: '2026-06-01', basisPoints: 0 },
      ],
    }))
    const { text } = await owner.get(ACCOUNTING)
    assert.match(
      text,
      /PSE[\s\S]*900 \+ 2,65 %[\s\S]*19 %[\s\S]*0 % desde el 2026-06-01[\s\S]*1,5 % desde el 2026-01-01/,
    )
    assert.match(text, /Bre-B[\s\S]*Comisión de un pago<\/dt><dd>[^<]*777/)
    const before = await world.db.query({
      text: 'select charges from organizations order by organization_id',
    })
    await save(ACCOUNTING, { '/charges': '{}', '/accounting/charges': '{}' })
    const after = await world.db.query({ text: 'select charges from organizations order by organization_id' })
    assert.deepEqual(after.rows, before.rows)
  })

  it('are shown to whoever may not change them, without a way to', async () => {
    const accountant = await signIn(world, 'accountant')
    for (const path of [BALANCE, ACCOUNTING]) {
      assert.match((await accountant.get(path)).text, /<button class="button main" disabled>/)
      assert.equal((await accountant.post(path, { [MINIMUM]: '5' })).status, 403)
    }
  })
})
