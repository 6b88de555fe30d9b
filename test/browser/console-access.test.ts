// What somebody sees at their next click, in a real browser, once a right or a session was taken away, or of another organization: no
// page of before comes back.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { updateRole } from '../../src/store/team/members.ts'
import { endSessions } from '../../src/store/team/sessions.ts'
import { signIn } from '../console/person.ts'
import { isDeep } from '../depth.ts'
import { brebPayin, createWorld, type World } from '../world.ts'
import { closeBrowser } from './payer.ts'
import { openStaff } from './staff.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

for (const javaScriptEnabled of [true, false])
  describe(`between two clicks, with the script ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    it('a role that was taken away leads to a page that names the right, and back shows nothing', async () => {
      await world.client('POST', '/webhook-endpoints', {
        url: 'https://shop.example/secret',
        description: 'Solo para algunos',
      })
      const support = await signIn(world, 'support')
      const { page, open, close } = await openStaff(world, support, { javaScriptEnabled })
      await open('/webhooks')
      await open('/webhooks/new')
      await page.goBack()
      assert.match(await page.innerText('main'), /Solo para algunos/)
      await updateRole(world.db, world.organization.organizationId, support.userId, 'accountant', Date.now())
      const [answer] = await Promise.all([
        page.waitForResponse(/\/webhooks\/[0-9a-f-]{36}$/),
        page.locator('.endpoint h2 a').first().click(),
      ])
      assert.equal(answer.status(), 403)
      await page.getByRole('heading', { name: 'Te falta un permiso' }).waitFor()
      assert.match(await page.innerText('main'), /Tu rol \(Contador\) no permite ver webhooks/)
      await page.goBack()
      await page.getByRole('heading', { name: 'Te falta un permiso' }).waitFor()
      assert.ok(!(await page.content()).includes('Solo para algunos'))
      await close()
    })

    it('a session that was ended leads to sign-in, and back shows nothing', async () => {
      await world.client('POST', '/payins', brebPayin({ reference: 'Pedido 301' }))
      const leaving = await signIn(world, 'support')
      const { page, open, close } = await openStaff(world, leaving, { javaScriptEnabled })
      await open('')
      await open('/payins')
      assert.match(await page.innerText('main'), /Pedido 301/)
      await endSessions(world.db, leaving.userId, null, Date.now())
      // With the script on, an open page hears of it and leaves by itself: perhaps before the click.
      await Promise.any([
        page.getByRole('link', { name: 'Pedido 301' }).first().click(),
        page.waitForURL(/\/console\/sign-in\?to=/),
      ])
      await page.waitForURL(/\/console\/sign-in\?to=/)
      await page.goBack()
      await page.waitForURL(/\/console\/sign-in/)
      assert.ok(!(await page.content()).includes('Pedido 301'))
      await close()
    })

    // It is the same answer with a script and without.
    if (javaScriptEnabled && !isDeep) return
    it('another organization’s id is a page that is not there, and back shows nothing of it', async () => {
      const other = await world.newMerchant()
      const theirs = (await other.client('POST', '/payins', brebPayin({ reference: 'Pedido ajeno' }))).json.id
      const stranger = await signIn(world, 'owner')
      const { page, open, close } = await openStaff(world, stranger, { javaScriptEnabled })
      await open('/payins')
      const foreign = `/console/${other.organization.organizationId}/payins`
      for (const path of [`/payins/${theirs}`, foreign, `${foreign}/${theirs}`, `${foreign}.csv`]) {
        const address = path.startsWith('/console') ? path : stranger.home + path
        assert.equal((await page.goto(world.baseUrl + address))?.status(), 404, path)
        assert.match(await page.innerText('main'), /No encontramos esta página/)
        assert.ok(!(await page.content()).includes('Pedido ajeno'))
      }
      await page.goBack()
      assert.ok(!(await page.content()).includes('Pedido ajeno'))
      await close()
    })
  })
