// How people sign in is written down: in every organization that they belong to, under their own name, or under the operator's who
// did it for them.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ACT_NAMES } from '../../../src/core/audit/act.ts'
import { operatorNamed } from '../../../src/core/audit/actor.ts'
import type { User } from '../../../src/core/team/user.ts'
import {
  changePassword,
  changeSettings,
  disableTotp,
  renewRecoveryCodes,
} from '../../../src/flows/team/account.ts'
import { beginCompanySignIn, finishCompanySignIn } from '../../../src/flows/team/company-sign-in.ts'
import { letInOnce, resetUser } from '../../../src/flows/team/let-in.ts'
import { deleteOwnPasskey } from '../../../src/flows/team/passkeys.ts'
import { endOtherSessions, endOwnSession } from '../../../src/flows/team/sessions.ts'
import { entriesOf } from '../../api/audit/entries.ts'
import { createWorld, type World } from '../../world.ts'
import { newOrigin, type People, peopleIn } from './people.ts'

describe('how somebody signs in', () => {
  let world: World
  let people: People
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
  })
  after(() => world[Symbol.asyncDispose]())

  // What is written down of a person while something is done, in each of their two organizations.
  const written = async (work: (user: User) => Promise<unknown>) => {
    const second = (await world.newMerchant()).organization
    const user = await people.newMember('support')
    await people.join(user, 'owner', second)
    await work(user)
    const entries = []
    for (const organization of [world.organization, second])
      entries.push((await entriesOf(world, organization)).filter(({ objectId }) => objectId === user.userId))
    const told = entries.map((own) =>
      own.map(({ act, actor, changes }) => [act, actor.kind, actor.name, JSON.parse(changes)]),
    )
    assert.deepEqual(told[0], told[1], 'both organizations are told the same')
    return { user, entries: entries[0] ?? [], acts: (entries[0] ?? []).map(({ act }) => act) }
  }

  it('a sign-in, with how and from where', async () => {
    const { user, entries } = await written((one) => people.signedIn(one))
    const [entry] = entries
    assert.equal(entries.length, 1)
    assert.deepEqual([entry?.act, entry?.actor.kind, entry?.actor.id], ['user.signin', 'person', user.userId])
    assert.deepEqual(JSON.parse(entry?.changes ?? ''), { method: { before: null, after: 'link' } })
    assert.ok(entry?.actor.sessionId && entry.actor.address, 'session and address')
  })

  const OWN: Readonly<Record<string, (user: User) => Promise<unknown>>> = {
    'user.signin': (user) => people.signedIn(user),
    'user.signout': async (user) => {
      const [one, other] = [await people.signedIn(user), await people.signedIn(user)]
      await endOtherSessions(people.ctx, one)
      await endOwnSession(people.ctx, one, other.session.sessionId)
      await endOwnSession(people.ctx, one, one.session.sessionId)
    },
    'user.name': async (user) => changeSettings(people.ctx, await people.signedIn(user), { name: 'Otra' }),
    'user.password': async (user) => {
      const typed = { current: '', next: 'another horse battery' }
      await changePassword(people.ctx, await people.signedIn(user), typed, newOrigin())
    },
    'user.app': async (user) => {
      await people.withApp(user)
      await disableTotp(people.ctx, await people.signedIn(user))
    },
    'user.codes': async (user) => {
      await people.withApp(user)
      await renewRecoveryCodes(people.ctx, await people.signedIn(user))
    },
    'user.passkey': async (user) => {
      const { id } = await people.withPasskey(user)
      await people.withPasskey(user)
      await deleteOwnPasskey(people.ctx, await people.signedIn(user), id)
    },
    'user.company': async ({ email }) => {
      const identity = { issuer: 'https://id.example', subject: email, verifiedEmail: email }
      const companySignIn = {
        begin: async () => ({ url: 'https://id.example' }),
        finish: async () => identity,
      }
      const ctx = { ...people.ctx, networks: { ...people.ctx.networks, companySignIn } }
      for (let time = 0; time < 2; time += 1) {
        const begun = await beginCompanySignIn(ctx)
        assert.ok('state' in begun)
        const { state } = begun
        await finishCompanySignIn(ctx, state, new URLSearchParams({ state }), newOrigin())
      }
    },
    'user.signinlink': (user) => letInOnce({ ...people.ctx, actor: operatorNamed('maria') }, user),
    'user.reset': (user) => resetUser({ ...people.ctx, actor: operatorNamed('maria') }, user),
  }
  // How many times each is done above.
  const TIMES: Readonly<Record<string, number>> = { 'user.signout': 2, 'user.app': 2, 'user.passkey': 3 }

  // What stood there before and after, for each time that it is done above.
  const SAID: Readonly<Record<string, unknown[]>> = {
    'user.signin': [{ method: { before: null, after: 'link' } }],
    'user.signout': [
      { endedSessions: { before: null, after: 1 } },
      { endedSessions: { before: null, after: 1 } },
    ],
    'user.name': [{ name: { before: 'a name', after: 'Otra' } }],
    'user.password': [{ passwordHash: { before: null, after: '(secret)' } }],
    'user.app': [
      { totpEnabledAt: { before: null, after: 'time' }, recoveryCodes: { before: null, after: 10 } },
      { totpEnabledAt: { before: 'time', after: null } },
    ],
    'user.codes': [{ recoveryCodes: { before: null, after: 10 } }],
    'user.passkey': [
      { passkey: { before: null, after: 'Phone' } },
      { passkey: { before: null, after: 'Phone' } },
      { passkey: { before: 'Phone', after: null } },
    ],
    'user.company': [
      { issuer: { before: null, after: 'https://id.example' }, endedSessions: { before: null, after: 0 } },
    ],
    'user.signinlink': [{ expiresAt: { before: null, after: 'time' } }],
    'user.reset': [{ endedSessions: { before: null, after: 0 }, expiresAt: { before: null, after: 'time' } }],
  }

  // Times and the person's name are others each time.
  const saidOf = (entries: readonly { act: string; changes: string }[], act: string): unknown[] =>
    entries
      .filter((entry) => entry.act === act)
      .map(({ changes }) =>
        JSON.parse(
          changes.replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"time"').replaceAll(/"Person \d+"/g, '"a name"'),
        ),
      )

  const changesIn = (entries: readonly { act: string; changes: string }[], act: string) =>
    JSON.parse(entries.findLast((entry) => entry.act === act)?.changes ?? '{}')

  it('has a row here for every act', () => {
    assert.deepEqual(
      Object.keys(OWN),
      ACT_NAMES.filter((act) => act.startsWith('user.')),
    )
  })

  for (const [act, work] of Object.entries(OWN))
    it(`${act} is written down, and nothing secret with it`, async () => {
      const { entries, acts, user } = await written(work)
      assert.equal(acts.filter((one) => one === act).length, TIMES[act] ?? 1)
      assert.deepEqual(saidOf(entries, act), SAID[act])
      const last = entries.findLast((entry) => entry.act === act)
      const isOperators = act === 'user.signinlink' || act === 'user.reset'
      assert.deepEqual(
        [last?.actor.kind, last?.actor.name],
        isOperators ? ['operator', 'maria'] : ['person', user.name],
      )
      assert.doesNotMatch(JSON.stringify(entries), /horse|\$argon2|console\//)
    })

  it('a reset, with how many sessions it ended', async () => {
    const { entries } = await written(async (user) => {
      await people.signedIn(user)
      await people.signedIn(user)
      await resetUser({ ...people.ctx, actor: operatorNamed('maria') }, user)
    })
    const { endedSessions } = JSON.parse(entries.findLast(({ act }) => act === 'user.reset')?.changes ?? '{}')
    assert.deepEqual(endedSessions, { before: null, after: 2 })
  })

  it('a passkey by its name, an app with its codes, and a link with its end', async () => {
    let link = { expiresAt: 0 }
    const { entries } = await written(async (user) => {
      const { id } = await people.withPasskey(user)
      await people.withPasskey(user)
      await deleteOwnPasskey(people.ctx, await people.signedIn(user), id)
      await people.withApp(user)
      link = await letInOnce({ ...people.ctx, actor: operatorNamed('maria') }, user)
    })
    const last = (act: string) => changesIn(entries, act)
    const { before: enabledAt, after: disabledAt } = changesIn(
      (await written(OWN['user.app'] as (user: User) => Promise<void>)).entries,
      'user.app',
    ).totpEnabledAt
    assert.ok(
      enabledAt !== null && disabledAt === null,
      'since when it was there, and that it is not any more',
    )
    assert.deepEqual(last('user.passkey'), { passkey: { before: 'Phone', after: null } })
    assert.equal(last('user.app').recoveryCodes.after, 10)
    assert.equal(last('user.signinlink').expiresAt.after, new Date(link.expiresAt).toISOString())
  })

  it('an account at the company by whose it is, and how many sessions its link has ended', async () => {
    const { entries } = await written(async (user) => {
      await people.signedIn(user)
      await OWN['user.company']?.(user)
    })
    assert.deepEqual(changesIn(entries, 'user.company'), {
      issuer: { before: null, after: 'https://id.example' },
      endedSessions: { before: null, after: 1 },
    })
  })

  it('is not written down where nothing was done', async () => {
    const { acts } = await written(async (user) => {
      const session = await people.signedIn(user)
      await disableTotp(people.ctx, session)
      await endOtherSessions(people.ctx, session)
      await endOwnSession(people.ctx, session, world.organization.organizationId)
      await changeSettings(people.ctx, session, { name: session.user.name, language: 'en' })
    })
    assert.deepEqual(acts, ['user.signin'])
  })
})
