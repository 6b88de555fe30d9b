// The settings about the balance, about accounting and about the look of payment pages: saved by the operation of the API, wrong values
// named at their field, and nothing overwritten that somebody else changed meanwhile.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readableAccent } from '../../src/core/accent-color.ts'
import { changeCharges } from '../../src/flows/organizations/change-charges.ts'
import { getOrganization } from '../../src/store/organizations/organizations.ts'
import { brebPayin, createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'
import { seenFieldOf, shows } from './typed.ts'

const BALANCE = '/settings/balance'
const ACCOUNTING = '/settings/accounting'
const MINIMUM = '/minimumBalanceInCents'
const account = (entry: string) => `/accounting/pucAccounts/${entry}`
const ESTIMATE = '/accounting/estimatesMovementTax'

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
})
after(() => world[Symbol.asyncDispose]())

const seen = async (path: string): Promise<string> => seenFieldOf((await owner.get(path)).text)
const save = async (path: string, typed: Record<string, string>) =>
  owner.post(path, { ...typed, _seen: await seen(path) })
const organization = async () => (await world.client('GET', '/organization')).json

describe('the settings about money', () => {
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
    assert.match(text, /Para pagar hay ahora/)
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
    assert.ok((await owner.get(BALANCE)).text.includes('Ya hay menos que este valor'))
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

describe('the look of the payment pages', () => {
  const LOOK = '/settings/look'
  const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const uriOf = (type: string, bytes: Uint8Array) =>
    `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
  // As a browser sends the form with a picture, or with none chosen.
  const look = async (
    typed: Record<string, string>,
    picture = new File([], '', { type: 'application/octet-stream' }),
  ) => {
    const form = new FormData()
    const kept = await organization()
    const fields = { '/accentColor': kept.accentColor ?? '', _seen: await seen(LOOK), ...typed }
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('/logoUrl', picture)
    return owner.post(LOOK, form)
  }
  const kept = async () => {
    const { logoUrl, accentColor } = await organization()
    return { logoUrl, accentColor }
  }

  it('takes a picture and a colour, each without touching the other, and takes them away again', async () => {
    const saved = await look({ '/accentColor': '#0B5C4A' })
    assert.deepEqual([saved.status, saved.location?.split('?')[0]], [303, owner.home + LOOK])
    assert.deepEqual(await kept(), { logoUrl: null, accentColor: '#0B5C4A' })
    const other = await world.newMerchant()
    await look({}, new File([PNG], 'logo.png', { type: 'image/png' }))
    assert.deepEqual(await kept(), { logoUrl: uriOf('image/png', PNG), accentColor: '#0B5C4A' })
    const { text } = await owner.get(LOOK)
    assert.equal(text.split(`href="${uriOf('image/png', PNG)}"`).length - 1, 2, 'in light and in dark')
    const theirs = await getOrganization(world.db, other.organization.organizationId)
    assert.deepEqual([theirs?.logoUrl, theirs?.accentColor], [null, null], 'another merchant has its own')
    // Some systems do not say what an SVG is.
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
    await look({ '/accentColor': '' }, new File([svg], 'Logo.SVG', { type: '' }))
    assert.deepEqual(await kept(), { logoUrl: uriOf('image/svg+xml', svg), accentColor: null })
    await look({ _removeLogo: 'true' })
    assert.deepEqual(await kept(), { logoUrl: null, accentColor: null })
  })

  it('says at the field what is no picture, no colour or too large, and shows and keeps nothing of it', async () => {
    const before = await kept()
    for (const [bytes, type] of [
      [new TextEncoder().encode('<b>hello</b>'), 'image/png'],
      [PNG, 'image/jpeg'],
      [new TextEncoder().encode('<html><svg></svg>'), 'image/svg+xml'],
      [PNG, 'image/bmp'],
      [PNG, 'text/html'],
      [Buffer.concat([PNG, Buffer.alloc(5_000)]), 'image/png'],
    ] as const) {
      const { status, text } = await look({}, new File([bytes], 'logo', { type }))
      assert.equal(status, 400, type)
      shows(text, /id="field-logoUrl-problem">Sube una imagen/)
      assert.ok(!text.includes('<image'), `${type}: the drawing has the initial`)
    }
    const wrong = await look({ '/accentColor': 'rojo' })
    assert.equal(wrong.status, 400)
    shows(wrong.text, /id="field-accentColor-problem">Escribe un # y seis dígitos/)
    shows(wrong.text, 'value="rojo"')
    assert.ok(!/(?:fill|stroke)="rojo"/.test(wrong.text))
    assert.deepEqual(await kept(), before)
  })

  it('says where a colour cannot be read, and what payers see instead, before it is saved', async () => {
    const before = await kept()
    const notes = async (colour: string) => {
      const { status, text } = await look({ '/accentColor': colour, _show: 'preview' })
      assert.equal(status, 200)
      shows(text, new RegExp(`<rect [^>]*fill="${readableAccent(colour, 'light')}" data-accent`))
      shows(text, new RegExp(`<rect [^>]*fill="${readableAccent(colour, 'dark')}" data-accent`))
      return [...text.matchAll(/note-line (is-good|is-wait)">.*?<br>([\d,]+) a 1[^<]*</g)].map(
        ([, good, ratio]) => [good === 'is-good', ratio],
      )
    }
    assert.deepEqual(await notes('#ffff00'), [
      [false, '1,0'],
      [true, '15,5'],
    ])
    assert.deepEqual(await notes('#000000'), [
      [true, '19,2'],
      [false, '1,1'],
    ])
    // Read on the card, and not on the page around it.
    assert.deepEqual((await notes('#767676'))[0], [false, '4,2'])
    assert.deepEqual(await kept(), before)
  })

  it('overwrites nothing that somebody else changed meanwhile, and says what that was', async () => {
    await look({ '/accentColor': '', _removeLogo: 'true' })
    const _seen = await seen(LOOK)
    const logoUrl = uriOf('image/png', PNG)
    await world.client('PATCH', '/organization', { accentColor: '#112233', logoUrl })
    const late = await look({ '/accentColor': '#445566', _seen })
    assert.equal(late.status, 409)
    shows(late.text, /<b>Color<\/b>: nada → #112233/)
    shows(late.text, /<b>Imagen<\/b>: nada → Logo/)
    assert.deepEqual(await kept(), { logoUrl, accentColor: '#112233' })
  })

  it('is shown to whoever may not change it, without a way to', async () => {
    const support = await signIn(world, 'support')
    const before = await kept()
    shows((await support.get(LOOK)).text, /<button class="button main" disabled>/)
    assert.equal((await support.post(LOOK, { '/accentColor': '#ff0000' })).status, 403)
    assert.deepEqual(await kept(), before)
  })

  it('is what payers see, and what the forms of links and pages draw', async () => {
    const { logoUrl } = await kept()
    const { json } = await world.client('POST', '/payins', brebPayin())
    const page = await world.anonymous('GET', new URL(json.sourceData.checkoutUrl).pathname)
    shows(page.text, `<img class="logo" src="${logoUrl}"`)
    shows(
      page.text,
      `:root{--accent:#112233}@media(prefers-color-scheme:dark){:root{--accent:${readableAccent('#112233', 'dark')}}}`,
    )
    for (const path of ['/links/new', '/pages/new']) {
      const { text } = await owner.get(path)
      shows(text, `href="${logoUrl}"`)
      shows(text, 'fill="#112233" data-accent="fill"')
    }
  })
})
