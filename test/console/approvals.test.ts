// Approvals in the console without any script: who asked sees why somebody else must decide, and a second person decides by code.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { User } from '../../src/core/team/user.ts'
import { updateRole } from '../../src/store/team/members.ts'
import { getUser } from '../../src/store/team/users.ts'
import { approvalOf, payoutBody, setRules } from '../flows/approvals/approving.ts'
import { type People, peopleIn } from '../flows/team/people.ts'
import { createWorld, type World } from '../world.ts'
import { type Person, signIn } from './person.ts'

describe('approvals in the console', () => {
  let world: World
  let people: People
  let maker: Person
  let checker: Person
  let codeAt: (at?: number) => string
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
    maker = await signIn(world, 'owner', { language: 'en', name: 'Marta Maker' })
    checker = await signIn(world, 'approver', { language: 'en', name: 'Carla Checker' })
    const user = (await getUser(world.db, checker.userId)) as User
    const app = await people.withApp(user)
    codeAt = app.codeAt
  })
  after(() => world[Symbol.asyncDispose]())

  // The code that enabled the app is used up, and so is each that is sent.
  let steps = 0
  const nextCode = async () => {
    steps += 1
    await world.db.query({
      text: 'update users set totp_last_step = 0 where user_id = $1',
      values: [checker.userId],
    })
    return codeAt(Date.now() + (steps % 2) * 1_000)
  }
  const typedPayout = (amount: string) => ({
    '/amountInCents': amount,
    '/reference': 'by hand',
    '/breb/keyString': '@ANAGOMEZ',
    '/inlineCustomer/name': 'Ana Gómez',
    '/inlineCustomer/idType': 'CO_CC',
    '/inlineCustomer/idNumber': '1000000001',
    '/inlineCustomer/phone': '+573001234567',
    '/inlineCustomer/email': 'ana@example.com',
    _reviewed: '1',
  })
  // A payout that the maker typed in the console.
  const made = async () => {
    const answer = await maker.post('/payouts/new', typedPayout('10000'))
    assert.equal(answer.status, 303, answer.text)
    const payoutId = /payouts\/([0-9a-f-]{36})/.exec(answer.location ?? '')?.[1] ?? ''
    return approvalOf(world, payoutId)
  }
  const refusals = async (approvalId: string) => {
    const { json } = await world.client('GET', `/audit?objectId=${approvalId}`)
    return json.data
      .filter(({ outcome }: { outcome: string }) => outcome === 'refused')
      .map((entry: { act: string; refusal: string; actor: { name: string } }) => [
        entry.act,
        entry.refusal,
        entry.actor.name,
      ])
  }

  it('rules are set in the settings, in amounts as people write them', async () => {
    const page = await maker.get('/settings/approvals')
    assert.match(page.text, /One person from/)
    const typed = { '/payout/1': '5.000', '/payout/2': '$ 5.000.000', '/approval-rule': '0' }
    assert.equal((await maker.post('/settings/approvals', typed)).status, 303)
    const { json } = await world.client('GET', '/approval-rules')
    assert.deepEqual(json.rules, [
      {
        kind: 'payout',
        tiers: [
          { fromAmountInCents: 500_000, approvers: 1 },
          { fromAmountInCents: 500_000_000, approvers: 2 },
        ],
      },
    ])
    assert.match((await maker.get('/settings/approvals')).text, /value="5,000"/)
    const wrong = await maker.post('/settings/approvals', { '/payout/1': '20', '/payout/2': '10' })
    assert.equal(wrong.status, 400)
    const unreadable = await maker.post('/settings/approvals', { '/payout/1': 'a lot' })
    assert.equal(unreadable.status, 400)
  })

  it('whoever asked sees it disabled with the reason; a POST answers 403 and is written down', async () => {
    const approval = await made()
    const page = await maker.get(`/approvals/${approval.id}`)
    assert.match(page.text, /You asked for it: somebody else must decide\./)
    assert.doesNotMatch(page.text, /<button class="button (main|grave)">/)
    assert.match((await maker.get('/approvals')).text, /You asked for it/)
    assert.doesNotMatch((await maker.get('')).text, /waits for you/)
    for (const way of ['approve', 'refuse']) {
      const typed = { '/digest': approval.digest, '/code': '123456' }
      assert.equal((await maker.post(`/approvals/${approval.id}/${way}`, typed)).status, 403)
    }
    const expected = [
      ['approval.approve', 'APPROVAL_OWN', 'Marta Maker'],
      ['approval.refuse', 'APPROVAL_OWN', 'Marta Maker'],
    ]
    assert.deepEqual((await refusals(approval.id)).sort(), expected)
    assert.equal((await approvalOf(world, approval.subjectId)).status, 'WAITING')
  })

  it('a second person reads exactly what will happen, and approves with a code', async () => {
    const approval = await made()
    const page = await checker.get(`/approvals/${approval.id}`)
    assert.match(page.text, /\$10,000 leaves for Ana Gómez, at the key @ANAGOMEZ/)
    assert.match(page.text, /Marta Maker/)
    const typed = { '/digest': approval.digest, '/code': '000000' }
    const wrong = await checker.post(`/approvals/${approval.id}/approve`, typed)
    assert.equal(wrong.status, 403)
    assert.match(wrong.text, /code is wrong/)
    const right = await checker.post(`/approvals/${approval.id}/approve`, {
      ...typed,
      '/code': await nextCode(),
    })
    assert.equal(right.status, 303, right.text)
    assert.match((await checker.get(`/approvals/${approval.id}?done=approveApproval`)).text, /Carla Checker/)
    assert.equal((await approvalOf(world, approval.subjectId)).status, 'APPROVED')
    const again = await checker.post(`/approvals/${approval.id}/approve`, {
      ...typed,
      '/code': await nextCode(),
    })
    assert.equal(again.status, 409)
  })

  it('a digest that is not the one that waits is refused, and nothing happens', async () => {
    const approval = await made()
    const typed = { '/digest': 'a'.repeat(64), '/code': await nextCode() }
    const stale = await checker.post(`/approvals/${approval.id}/approve`, typed)
    assert.equal(stale.status, 409)
    assert.equal((await approvalOf(world, approval.subjectId)).status, 'WAITING')
    const none = await checker.post(`/approvals/${approval.id}/approve`, { '/code': await nextCode() })
    assert.equal(none.status, 400)
  })

  it('refuses with a reason, after proving lately who they are', async () => {
    const approval = await made()
    const typed = { '/digest': approval.digest, '/reason': 'Nobody ordered this.' }
    const stale = `update sessions set proved_at = proved_at - interval '10 minutes' where user_id = $1`
    await world.db.query({ text: stale, values: [checker.userId] })
    assert.equal((await checker.post(`/approvals/${approval.id}/refuse`, typed)).status, 403)
    assert.equal((await approvalOf(world, approval.subjectId)).status, 'WAITING')
    await world.db.query({
      text: 'update sessions set proved_at = now() where user_id = $1',
      values: [checker.userId],
    })
    assert.equal((await checker.post(`/approvals/${approval.id}/refuse`, typed)).status, 303)
    const refused = await approvalOf(world, approval.subjectId)
    assert.deepEqual([refused.status, refused.decisions[0].reason], ['REFUSED', 'Nobody ordered this.'])
    const { json } = await world.client('GET', `/payouts/${approval.subjectId}`)
    assert.equal(json.errorCode, 'APPROVAL_REFUSED')
  })

  it('of two who must, one has decided and is told that another must, and counts as long as their role approves', async () => {
    const large = payoutBody({ amountInCents: 600_000_000 })
    const { json: payout } = await world.client('POST', '/payouts', large)
    const { id, digest } = await approvalOf(world, payout.id)
    const approved = await checker.post(`/approvals/${id}/approve`, {
      '/digest': digest,
      '/code': await nextCode(),
    })
    assert.equal(approved.status, 303, approved.text)
    assert.match((await checker.get(`/approvals/${id}`)).text, /You have decided\. One more person must\./)
    assert.doesNotMatch((await maker.get(`/approvals/${id}`)).text, /You have decided/)
    const { organizationId } = world.organization
    for (const [role, counted] of [
      ['support', '0 of 2'],
      ['approver', '1 of 2'],
    ] as const) {
      await updateRole(world.db, organizationId, checker.userId, role, Date.now())
      const { text } = await maker.get(`/approvals/${id}`)
      assert.ok(text.includes(counted), counted)
      assert.equal(text.includes('no longer counts'), role === 'support')
    }
  })

  it('somebody without a role that approves sees why, and another organization sees nothing', async () => {
    const approval = await made()
    const preparer = await signIn(world, 'preparer', { language: 'en' })
    assert.match((await preparer.get(`/approvals/${approval.id}`)).text, /role that approves|lacks|need/)
    const refused = await preparer.post(`/approvals/${approval.id}/approve`, { '/digest': approval.digest })
    assert.equal(refused.status, 403)
    const { organization } = await world.newMerchant()
    const stranger = await signIn(world, 'owner', { organization })
    assert.equal((await stranger.get(`/approvals/${approval.id}`)).status, 404)
    assert.equal(
      (await stranger.post(`/approvals/${approval.id}/approve`, { '/digest': approval.digest })).status,
      404,
    )
  })

  it('the home page says how many wait for whoever looks', async () => {
    await world.client('POST', '/payins', {
      ...payoutBody({ reference: 'first' }),
      breb: { keyType: 'SINGLE_USE' },
    })
    assert.match((await checker.get('')).text, /approvals? waits? for you|approvals wait for you/)
    const preparer = await signIn(world, 'preparer', { language: 'en' })
    assert.doesNotMatch(
      (await preparer.get('')).text,
      /waits? for you/,
      'nothing waits for who may not decide',
    )
    await setRules(world, [])
  })

  it('a key that must be approved: whoever typed it takes it from the approval once, and nobody else can', async () => {
    await setRules(world, [
      { kind: 'credential', tiers: [{ fromAmountInCents: 0, approvers: 1 }] },
      { kind: 'connection', tiers: [{ fromAmountInCents: 0, approvers: 1 }] },
    ])
    const typed = { '/name': 'Shop key', '/scopes': 'payins:read', '/payoutSumPerDayInCents': '1000' }
    const asked = await maker.post('/settings/keys/new', typed)
    assert.equal(asked.status, 303, asked.text)
    const at = (asked.location ?? '').replace(maker.home, '')
    assert.match(at, /^\/approvals\/[0-9a-f-]{36}$/)
    const { json: approval } = await world.client('GET', at)
    const page = await checker.get(at)
    assert.match(page.text, /whoever asked can create this key, once/)
    assert.match(page.text, /Shop key/)
    assert.doesNotMatch((await maker.get(at)).text, /Approved: now do it/)
    const decided = await checker.post(`${at}/approve`, {
      '/digest': approval.digest,
      '/code': await nextCode(),
    })
    assert.equal(decided.status, 303, decided.text)
    assert.doesNotMatch((await checker.get(at)).text, /Approved: now do it/)
    assert.match((await maker.get(at)).text, /Approved: now do it/)
    const other = await signIn(world, 'owner', { language: 'en' })
    assert.equal((await other.post(`${at}/apikey.create`)).status, 400)
    assert.equal((await maker.post(`${at}/client.create`)).status, 400)
    const key = { _key: 'console-019a5c40-3c4d-7e5f-8a61-7b8c9d0e1f2a' }
    const made = await maker.post(`${at}/apikey.create`, key)
    assert.equal(made.status, 200, made.text)
    const [secret = ''] = /rk_stg_[\w-]{43}/.exec(made.text) ?? []
    assert.notEqual(secret, '')
    const reloaded = await maker.post(`${at}/apikey.create`, key)
    assert.ok(reloaded.text.includes(secret), 'a reload shows the same again')
    assert.match((await maker.get(at)).text, /whoever asked has done it/)
    const { json } = await world.client('GET', '/api-keys')
    assert.equal(json.data.filter(({ name }: { name: string }) => name === 'Shop key').length, 1)
  })

  it('a connection that must be approved shows what is no secret, and is there afterwards', async () => {
    const typed = {
      _provider: 'wompi',
      '/name': 'Main account',
      '/uses': 'PSE_IN',
      '/priority': '100',
      '/credentials/publicKey': 'pub_test_shown',
      '/credentials/privateKey': 'prv_test_hidden',
      '/credentials/eventsSecret': 'test_events_hidden',
      '/credentials/integritySecret': 'test_integrity_hidden',
    }
    const asked = await maker.post('/settings/connections/new', typed)
    assert.equal(asked.status, 303, asked.text)
    const at = (asked.location ?? '').replace(maker.home, '')
    const { json: approval } = await world.client('GET', at)
    const page = await checker.get(at)
    assert.match(page.text, /this account is connected/)
    assert.match(page.text, /pub_test_shown/)
    assert.doesNotMatch(page.text, /_hidden/)
    const decided = await checker.post(`${at}/approve`, {
      '/digest': approval.digest,
      '/code': await nextCode(),
    })
    assert.equal(decided.status, 303, decided.text)
    assert.match((await maker.get(`/settings/connections/${approval.subjectId}`)).text, /Main account/)
  })
})
