// Somebody who has signed in to the console, for tests: with a role, in an organization, and with the session's cookie.

import type { Organization } from '../../src/core/organizations/organization.ts'
import type { Role } from '../../src/core/team/role.ts'
import type { UserLanguage } from '../../src/core/team/user.ts'
import { startSession } from '../../src/flows/team/sessions.ts'
import { insertMembership, insertUser } from '../../src/store/team/users.ts'
import type { World } from '../world.ts'

export type Answered = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly location: string | null
}

export type Person = {
  readonly userId: string
  readonly cookie: string
  readonly home: string
  // An address under the organization's, such as /payins.
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answered>
  // As a form of ours sends it, with files or without.
  readonly post: (
    path: string,
    typed?: Record<string, string> | FormData,
    headers?: Record<string, string>,
  ) => Promise<Answered>
}

let count = 0

export async function signIn(
  world: Pick<World, 'ctx' | 'db' | 'baseUrl' | 'organization'>,
  role: Role,
  changes: { organization?: Organization; language?: UserLanguage; name?: string; singleKeys?: boolean } = {},
): Promise<Person> {
  const {
    organization = world.organization,
    language = 'es',
    name = 'Lucía Peña',
    singleKeys = true,
  } = changes
  const { ctx, db } = world
  count += 1
  const userId = ctx.ids.next()
  const at = ctx.clock.wallClock()
  const email = `${role}-${count}@example.com`
  await insertUser(db, { userId, email, name, language, singleKeys, createdAt: at, updatedAt: at })
  await insertMembership(db, { organizationId: organization.organizationId, userId, role, at })
  const { token } = await startSession(ctx, userId, 'password', { address: '127.0.0.1', browser: null })
  return personWith(world, userId, token, organization)
}

export function personWith(
  { baseUrl }: Pick<World, 'baseUrl'>,
  userId: string,
  token: string,
  organization: Organization,
): Person {
  const cookie = `recaudo_session=${token}`
  const home = `/console/${organization.organizationId}`
  const ask = async (path: string, init: RequestInit): Promise<Answered> => {
    const address = path.startsWith('/console') ? path : home + path
    const response = await fetch(baseUrl + address, {
      redirect: 'manual',
      ...init,
      headers: { cookie, ...init.headers },
    })
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location'),
    }
  }
  return {
    userId,
    cookie,
    home,
    get: (path, headers = {}) => ask(path, { headers }),
    post: (path, typed = {}, headers = {}) =>
      ask(path, {
        method: 'POST',
        body: typed instanceof FormData ? typed : new URLSearchParams(typed),
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
      }),
  }
}
