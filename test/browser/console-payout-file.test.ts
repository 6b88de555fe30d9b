// From a file to money that has left, with the keyboard alone, in a real browser: one person uploads, corrects and sends, another one
// approves with a passkey. The one who sent it cannot approve it, and whatever they change takes the approval back.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSignInLink } from '../../src/flows/team/sign-in-links.ts'
import { goodRow, HEAD } from '../api/payout-batches/files.ts'
import { setRules } from '../flows/approvals/approving.ts'
import { PASSWORD, type People, peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'
import { openConsole, type Visitor, withAuthenticator } from './console-visitor.ts'
import { keysOf, memberWithApp } from './keyboard.ts'
import { closeBrowser } from './payer.ts'

describe('from a file to an approved payout, with the keyboard alone', () => {
  let world: World
  let people: People
  let maker: Visitor
  let checker: Visitor
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
    maker = await openConsole(world)
    checker = await openConsole(world)
  })
  after(async () => {
    for (const visitor of [maker, checker]) await visitor[Symbol.asyncDispose]()
    await closeBrowser()
    await world[Symbol.asyncDispose]()
  })

  const home = () => `/${world.organization.organizationId}`
  const batch = async (batchId: string) => (await world.client('GET', `/payout-batches/${batchId}`)).json
  const approvalsOf = async (batchId: string) =>
    (await world.client('GET', `/approvals?subjectId=${batchId}`)).json.data as {
      id: string
      status: string
      digest: string
    }[]
  const payouts = async () => (await world.client('GET', '/payouts')).json.data as { status: string }[]

  it('two people bring it about, each with their keys', async () => {
    const { user, codes } = await memberWithApp(people)
    const other = await people.newMember('approver')
    await setRules(world, [{ kind: 'payout-batch', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])

    // An approver with a passkey stands ready.
    await withAuthenticator(checker)
    const { url } = await createSignInLink(people.ctx, other.userId, 60_000)
    await checker.page.goto(checker.at(new URL(url).pathname.slice('/console'.length)))
    const theirs = keysOf(checker.page)
    await theirs.press(/^Entrar|^Ingresar|^Continuar/)
    await checker.page.waitForURL(checker.at(home()))
    await checker.page.goto(checker.at('/account/access'))
    await theirs.press(/^Agregar una llave de acceso$/)
    await checker.page.waitForURL(/done=passkey-added/)

    // The maker signs in, and uploads a file with a row that is wrong.
    const { page, at } = maker
    const { press, typeInto } = keysOf(page)
    await page.goto(at('/sign-in'))
    await page.evaluate('document.activeElement.blur()')
    await typeInto(/^Correo/, user.email)
    await typeInto(/^Contraseña/, PASSWORD)
    await press(/^Ingresar$/)
    await page.waitForURL(/\/sign-in\/code/)
    await page.locator('[name=code]:focus').waitFor()
    await page.keyboard.type(codes[0])
    await page.keyboard.press('Enter')
    await page.waitForURL(at(home()))
    await press(/^Pagos$/)
    await page.waitForURL(/\/payouts$/)
    await press(/^Lotes$/)
    await page.waitForURL(/\/batches$/)
    await press(/^Subir un archivo$/)
    await page.waitForURL(/\/batches\/new$/)
    const buffer = Buffer.from([HEAD, goodRow(1), goodRow(2, '-1'), goodRow(3)].join('\r\n'))
    await page.locator('[name="/file"]').setInputFiles({ name: 'nomina.csv', mimeType: 'text/csv', buffer })
    await press(/^Revisar el archivo$/)
    await page.waitForURL(/\/batches\/[0-9a-f-]{36}/)
    const batchId = /batches\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
    await world.work()
    // The page shows by itself that the keys were looked up.
    await page.getByText('Una fila tiene errores').waitFor()
    await press(/^Con errores/)
    await page.waitForURL(/only=errors/)
    await press(/^Corregir$/)
    await page.waitForURL(/\/rows\/3\?only=errors$/)
    await typeInto(/^Valor/, '')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('70.000')
    await press(/^Guardar la fila$/)
    await page.waitForURL(new RegExp(`/batches/${batchId}\\?`))
    await world.work()
    await page.locator('form[action$="/submit"]').waitFor()
    await press(/^Enviar 3 pagos por \$\s170\.000$/)
    await page.waitForURL(/done=submitPayoutBatch/)
    assert.equal((await batch(batchId)).status, 'WAITING')
    const [first] = await approvalsOf(batchId)

    // It is theirs, so they see why they cannot; and who tries anyway is refused, and written down.
    await page.goto(at(`${home()}/approvals/${first?.id}`))
    assert.ok(await page.locator('#approve button.main').first().isDisabled())
    assert.match(await page.locator('#approve').innerText(), /otra persona/i)
    const status = await page.evaluate(
      async ([address, digest]) => {
        const body = new URLSearchParams({ '/digest': digest as string, '/code': '123456' })
        return (await fetch(address as string, { method: 'POST', body })).status
      },
      [at(`${home()}/approvals/${first?.id}/approve`), first?.digest],
    )
    assert.equal(status, 403)
    const { data: written } = (await world.client('GET', `/audit?objectId=${first?.id}`)).json
    assert.ok(
      written.some(
        (entry: { act: string; outcome: string; actor: { id: string } }) =>
          entry.act === 'approval.approve' && entry.outcome !== 'done' && entry.actor.id === user.userId,
      ),
      JSON.stringify(written),
    )

    // The approver has it open while the maker changes a row: what they saw cannot be approved any more.
    await checker.page.route('**/live*', (route) => route.abort())
    await checker.page.goto(checker.at(`${home()}/approvals/${first?.id}`))
    await page.goto(at(`${home()}/batches/${batchId}/rows/2`))
    await typeInto(/^Referencia/, '')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('nomina-noviembre')
    await press(/^Guardar la fila$/)
    await page.waitForURL(new RegExp(`/batches/${batchId}\\?`))
    await theirs.press(/^Aprobar con llave de acceso$/)
    await checker.page.locator('[role=alert]').waitFor()
    assert.equal((await approvalsOf(batchId))[0]?.status, 'VOIDED')
    assert.deepEqual(await payouts(), [])

    await world.work()
    await page.locator('form[action$="/submit"]').waitFor()
    await press(/^Enviar 3 pagos por/)
    await page.waitForURL(/done=submitPayoutBatch/)
    await checker.page.unroute('**/live*')
    await checker.page.goto(checker.at(home()))
    await theirs.press(/^Aprobaciones$/)
    await checker.page.waitForURL(/\/approvals$/)
    await theirs.press(/^Lote de pagos/)
    await checker.page.waitForURL(/\/approvals\/[0-9a-f-]{36}$/)
    await theirs.press(/^Aprobar con llave de acceso$/)
    await checker.page.waitForURL(/done=approveApproval/)
    assert.match(await checker.page.innerText('main'), /firmado con su llave de acceso/)

    // The payouts leave, and the maker's page tells of it by itself.
    for (let step = 0; step < 4; step += 1) await world.passTime(2_000)
    assert.equal((await batch(batchId)).status, 'COMPLETED')
    assert.deepEqual(
      (await payouts()).map((payout) => payout.status),
      ['CONFIRMED', 'CONFIRMED', 'CONFIRMED'],
    )
    await page.locator('.head .status', { hasText: 'Terminado' }).waitFor()
    assert.deepEqual([...maker.complaints, ...checker.complaints], [])
  })
})
