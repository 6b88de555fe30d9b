// The pages of settings in a real browser: light and dark, narrow and wide, and without a script.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CONNECTION_EXAMPLES } from '../../src/api/connections/examples.ts'
import { type Person, signIn } from '../console/person.ts'
import { createWorld, type World } from '../world.ts'
import { axeViolations, closeBrowser, sidewaysScroll } from './payer.ts'
import { openStaff, pictures, type Staff, WIDTHS } from './staff.ts'

let world: World
let owner: Person
before(async () => {
  world = await createWorld()
  owner = await signIn(world, 'owner')
  const { client } = world
  const made = async (path: string, body: unknown) => (await client('POST', path, body)).json.id as string
  const connectionId = await made('/connections', CONNECTION_EXAMPLES.create)
  await made('/connections', { ...CONNECTION_EXAMPLES.createMono, name: 'Mono' })
  const keyId = await made('/api-keys', {
    name: 'Tienda web',
    scopes: ['payins:read', 'payins:write'],
    allowedAddresses: ['203.0.113.7'],
  })
  const clientId = await made('/oauth-clients', { name: 'Contabilidad', scopes: ['ledger:read'] })
  const endedId = await made('/api-keys', { name: 'Prueba vieja' })
  await client('DELETE', `/api-keys/${endedId}`)
  Object.assign(OBJECTS, {
    connection: `/settings/connections/${connectionId}`,
    key: `/settings/keys/${keyId}`,
    'key-ended': `/settings/keys/${endedId}`,
    client: `/settings/clients/${clientId}`,
  })
})
after(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

const PAGES: Readonly<Record<string, string>> = {
  index: '/settings',
  business: '/settings/business',
  look: '/settings/look',
  notifications: '/settings/notifications',
  connections: '/settings/connections',
  'connection-choose': '/settings/connections/new',
  'connection-new': '/settings/connections/new?provider=wompi',
  keys: '/settings/keys',
  'key-new': '/settings/keys/new',
  'client-new': '/settings/clients/new',
}
// Pages of things that must be made first.
const OBJECTS: Record<string, string> = {}

for (const colorScheme of ['light', 'dark'] as const)
  describe(`settings, ${colorScheme}`, () => {
    let staff: Staff
    before(async () => {
      staff = await openStaff(world, owner, { colorScheme })
    })
    after(() => staff.close())

    // test/browser/console-pages.test.ts looks at every route in the dark.
    const names = [...Object.keys(PAGES), 'connection', 'key', 'key-ended', 'client']
    for (const name of colorScheme === 'light' ? names : ['connection-new', 'key-ended'])
      it(`${name} fits every width, and axe finds nothing`, async () => {
        const { page, complaints } = staff
        await staff.open(PAGES[name] ?? OBJECTS[name] ?? '')
        await pictures(page, `${name}-${colorScheme}`)
        for (const width of WIDTHS) assert.equal(await sidewaysScroll(page, width), 0, `${width}`)
        assert.deepEqual(await axeViolations(page, colorScheme === 'light' ? 'all' : 'colours'), [])
        assert.deepEqual(complaints, [])
      })
  })
