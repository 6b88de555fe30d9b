// Whoever guesses is counted by their address, wherever the console looks up what they guess.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createWorld } from '../world.ts'

const A_SECOND = 5
const GUESSES = 60

for (const path of [
  '/ORGANIZATION',
  '/account',
  '/account/sessions',
  '/sign-in',
  '/invite/GUESS',
  '/sign-in/GUESS',
])
  it(`${path} is not guessed at without end`, async () => {
    await using world = await createWorld({ env: { UNAUTHENTICATED_PER_SECOND: String(A_SECOND) } })
    const url = `${world.baseUrl}/console${path.replace('ORGANIZATION', world.organization.organizationId)}`
    const statuses = await Promise.all(
      Array.from({ length: GUESSES }, async (_, at) => {
        const headers = { cookie: `recaudo_session=guess-${at}`, 'x-forwarded-for': '198.51.100.7' }
        const { status } = await fetch(url.replace('GUESS', `guess-${at}`), { headers, redirect: 'manual' })
        return status
      }),
    )
    assert.ok(statuses.includes(429), String([...new Set(statuses)]))
  })
