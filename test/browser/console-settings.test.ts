// The pages of settings in a real browser: light and dark, narrow and wide, and without a script.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Person, signIn } from '../console/person.ts'
import { createWorld, type World } from '../world.ts'
import { axeViolations, closeBrowser, sidewaysScroll } from './payer.ts'
import { openStaff, pictures, type Staff, WIDTHS } from './staff.ts'

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

const PAGES: Readonly<Record<string, string>> = {
  index: '/settings',
  business: '/settings/business',
  look: '/settings/look',
}

for (const colorScheme of ['light', 'dark'] as const)
  describe(`settings, ${colorScheme}`, () => {
    let staff: Staff
    before(async () => {
      staff = await openStaff(world, owner, { colorScheme })
    })
    after(() => staff.close())

    for (const [name, path] of Object.entries(PAGES))
      it(`${name} fits every width, and axe finds nothing`, async () => {
        const { page, complaints } = staff
        await staff.open(path)
        await pictures(page, `${name}-${colorScheme}`)
        for (const width of WIDTHS) {
          assert.equal(await sidewaysScroll(page, width), 0, `${width}`)
          assert.deepEqual(await axeViolations(page, colorScheme === 'light' ? 'all' : 'colours'), [])
        }
        assert.deepEqual(complaints, [])
      })
  })
