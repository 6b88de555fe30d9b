// People for tests: who sign in, with a real time that a test moves, and an authenticator in software.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Organization } from '../../../src/core/organizations/organization.ts'
import { hashPassword } from '../../../src/core/team/password.ts'
import type { Role } from '../../../src/core/team/role.ts'
import { siteOf } from '../../../src/core/team/site.ts'
import { totpCode } from '../../../src/core/team/totp.ts'
import type { User, UserLanguage } from '../../../src/core/team/user.ts'
import type { Context } from '../../../src/flows/context.ts'
import { beginTotp, finishTotp } from '../../../src/flows/team/account.ts'
import {
  beginPasskeyRegistration,
  beginPasskeySignIn,
  finishPasskeyRegistration,
  finishPasskeySignIn,
} from '../../../src/flows/team/passkeys.ts'
import { type Origin, type SignedIn, signedInBy, startSession } from '../../../src/flows/team/sessions.ts'
import { setPassword } from '../../../src/store/team/sign-in-ways.ts'
import { insertMembership, insertUser } from '../../../src/store/team/users.ts'
import {
  type Answering,
  assertionOf,
  type Kind,
  makePasskey,
  registrationOf,
} from '../../core/team/authenticator.ts'
import type { World } from '../../world.ts'

export const PASSWORD = 'correct horse battery'
export const SITE = { origin: 'https://pay.example', rpId: 'pay.example' }
assert.deepEqual(siteOf('https://pay.example', SITE.origin), SITE)

let count = 0

// Of another network for everybody, so that no test locks another's.
export function newOrigin(): Origin {
  count += 1
  return { address: `203.0.${Math.floor(count / 250)}.${count % 250}`, browser: 'Firefox' }
}

export type People = ReturnType<typeof peopleIn>

export function peopleIn(world: World) {
  let offsetMs = 0
  const wallClock = () => Date.now() + offsetMs
  const ctx: Context = { ...world.ctx, clock: { ...world.ctx.clock, wallClock } }

  const newUser = async (language: UserLanguage = 'es'): Promise<User> => {
    count += 1
    const now = wallClock()
    const user: User = {
      userId: ctx.ids.next(),
      email: `person-${process.pid}-${count}@example.com`,
      name: `Person ${count}`,
      language,
      singleKeys: true,
      createdAt: now,
      updatedAt: now,
    }
    assert.ok(await insertUser(world.db, user))
    return user
  }

  const join = (user: User, role: Role, organization: Organization = world.organization) =>
    insertMembership(world.db, {
      organizationId: organization.organizationId,
      userId: user.userId,
      role,
      at: wallClock(),
    })

  const newMember = async (role: Role, organization?: Organization): Promise<User> => {
    const user = await newUser()
    await join(user, role, organization)
    return user
  }

  const withPassword = async (password = PASSWORD): Promise<User> => {
    const user = await newUser()
    await setPassword(world.db, user.userId, await hashPassword(password, randomBytes(16)), wallClock())
    return user
  }

  // As somebody who came by a link.
  const signedIn = async ({ userId }: User): Promise<SignedIn & { token: string }> => {
    const { token } = await startSession(ctx, userId, 'link', newOrigin())
    return { ...(await again(token)), token }
  }

  // As the next request finds them.
  const again = async (token: string): Promise<SignedIn> => {
    const found = await signedInBy(ctx, token)
    assert.ok(found, 'signed in')
    return found
  }

  // Enables the app, and returns what it shows at a time.
  const withApp = async (user: User) => {
    const session = await signedIn(user)
    const begun = await beginTotp(ctx, session)
    assert.ok('typed' in begun, JSON.stringify(begun))
    const secret = fromBase32(begun.typed)
    const codeAt = (at = wallClock()): string => totpCode(secret, Math.floor(at / 30_000))
    const enabledBy = codeAt()
    const enabled = await finishTotp(ctx, session, enabledBy)
    assert.ok('recoveryCodes' in enabled, JSON.stringify(enabled))
    return { codeAt, enabledBy, recoveryCodes: enabled.recoveryCodes }
  }

  // Makes a passkey, and returns what signs in with it.
  const withPasskey = async (user: User, kind: Kind = 'ES256', changes: Partial<Answering> = {}) => {
    const session = await signedIn(user)
    const options = await beginPasskeyRegistration(ctx, SITE, session)
    assert.ok('challenge' in options, JSON.stringify(options))
    const made = makePasskey(kind, Buffer.from(options.user.id, 'base64url'))
    const json = registrationOf(made, { ...SITE, challenge: options.challenge, ...changes })
    const passkey = await finishPasskeyRegistration(ctx, SITE, session, json, 'Phone')
    assert.ok('credentialId' in passkey, JSON.stringify(passkey))
    const answer = (challenge: string, more: Partial<Answering> = {}) =>
      assertionOf(made, { ...SITE, challenge, ...more })
    const signIn = async (more: Partial<Answering> = {}) => {
      const { challenge } = await beginPasskeySignIn(ctx, SITE)
      return finishPasskeySignIn(ctx, SITE, answer(challenge, more), newOrigin())
    }
    return { made, answer, signIn, id: made.credentialId.toString('base64url') }
  }

  // As ctx, and right after the first statement with these words something else happens.
  const afterRead = (words: string, happens: () => Promise<unknown>): Context => {
    let isDone = false
    const query: Context['db']['query'] = async (config) => {
      const result = await world.db.query<never>(config)
      if (!isDone && config.text.includes(words)) {
        isDone = true
        await happens()
      }
      return result
    }
    return { ...ctx, db: { ...world.db, query } }
  }

  return {
    ctx,
    afterRead,
    wallClock,
    pass: (ms: number) => {
      offsetMs += ms
    },
    newUser,
    newMember,
    join,
    withPassword,
    signedIn,
    again,
    withApp,
    withPasskey,
  }
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
