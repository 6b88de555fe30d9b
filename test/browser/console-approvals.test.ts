// Approvals in a real browser: the one who asked sees it disabled, and a second person approves with a passkey whose signature is
// over the digest and nothing else. On a phone too. SCREENSHOTS=1 leaves pictures in test/screenshots.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { User } from '../../src/core/team/user.ts'
import { verifyApprovals } from '../../src/flows/approvals/verify.ts'
import { createSignInLink } from '../../src/flows/team/sign-in-links.ts'
import { listDecisions } from '../../src/store/approvals/decisions.ts'
import { approvalOf, payoutBody, setRules } from '../flows/approvals/approving.ts'
import { type People, peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'
import { consolePageFaults } from './console-look.ts'
import { openConsole, type Visitor, withAuthenticator } from './console-visitor.ts'
import { closeBrowser } from './payer.ts'
import { pictures } from './staff.ts'

describe('approvals in a browser', () => {
  let world: World
  let people: People
  let carla: User
  let visitor: Visitor
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
    carla = await people.newMember('owner')
    await people.newMember('administrator')
    await setRules(world, [{ kind: 'payout', tiers: [{ fromAmountInCents: 0, approvers: 1 }] }])
    visitor = await openConsole(world)
    await withAuthenticator(visitor)
    const { url } = await createSignInLink(people.ctx, carla.userId, 60_000)
    const { page, at } = visitor
    await page.goto(at(new URL(url).pathname.slice('/console'.length)))
    await page.click('main button')
    await page.goto(at('/account/access'))
    await page.click('text=Agregar una llave de acceso')
    await page.waitForURL(/done=passkey-added/)
  })
  after(async () => {
    await visitor[Symbol.asyncDispose]()
    await closeBrowser()
    await world[Symbol.asyncDispose]()
  })

  const home = () => `/${world.organization.organizationId}`
  const waiting = async () => {
    const { json } = await world.client('POST', '/payouts', payoutBody())
    return approvalOf(world, json.id)
  }

  it('a passkey signs the digest, the payout goes on, and the proof holds', async () => {
    const { page, at, complaints } = visitor
    const approval = await waiting()
    await page.goto(at(`${home()}/approvals`))
    await pictures(page, 'approvals')
    await page.click(`#approval-${approval.id} a`)
    await pictures(page, 'approval')
    await page.click('text=Aprobar con llave de acceso')
    await page.waitForURL(/done=approveApproval/)
    assert.match(await page.innerText('main'), /firmado con su llave de acceso/)
    const [decision] = await listDecisions(world.db, {
      organizationId: approval.organizationId,
      approvalId: approval.id,
    })
    const { challenge } = JSON.parse(decision?.signed?.clientData.toString() ?? '{}')
    assert.equal(Buffer.from(challenge, 'base64url').toString('hex'), approval.digest)
    const { signed, problems } = await verifyApprovals(world.ctx, approval.organizationId)
    assert.deepEqual({ signed, problems }, { signed: 1, problems: [] })
    const { json } = await world.client('GET', `/payouts/${approval.subjectId}`)
    assert.equal(json.stage, null)
    assert.deepEqual(complaints, [])
  })

  it('what was canceled while the page stood open cannot be approved from it', async () => {
    const { page, at } = visitor
    const approval = await waiting()
    // The page would show by itself that it is over.
    await page.route('**/live*', (route) => route.abort())
    await page.goto(at(`${home()}/approvals/${approval.id}`))
    await world.client('POST', `/payouts/${approval.subjectId}/cancel`)
    await page.click('text=Aprobar con llave de acceso')
    await page.waitForSelector('[role=alert]')
    assert.equal((await approvalOf(world, approval.subjectId)).status, 'VOIDED')
    const { json } = await world.client('GET', `/payouts/${approval.subjectId}`)
    assert.equal(json.status, 'CANCELED')
  })

  it('is good on a phone and in the dark: no fault that axe finds, nothing beside the screen', async () => {
    const { page, at } = visitor
    const approval = await waiting()
    await page.goto(at(`${home()}/approvals/${approval.id}`))
    assert.deepEqual(await consolePageFaults(page, 'content'), [])
    await pictures(page, 'approval-by-passkey')
  })
})
