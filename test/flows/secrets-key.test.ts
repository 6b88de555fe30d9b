// A process that is not given the new SECRETS_KEY seals nothing once that key seals: what it had acknowledged would be lost.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { sealSecret } from '../../src/core/seal.ts'
import { adoptSecretsKey, followSecretsKey } from '../../src/flows/secrets-key.ts'
import { endpointSecrets } from '../../src/flows/webhooks/endpoint-secrets.ts'
import { rotateSecrets } from '../../src/operator/secrets.ts'
import { createContext, createMetrics } from '../../src/service.ts'
import { activateSecretsKey, activeSecretsKey } from '../../src/store/secrets.ts'
import { getEndpoint, insertEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { createWorld } from '../world.ts'

const OLD = randomBytes(32)
const NEW = randomBytes(32)
const MORE_THAN_A_PAGE = 501

it('a process that was forgotten refuses what it would seal, says what to do, and loses nothing it has answered', async () => {
  await using world = await createWorld({ env: { SECRETS_KEY: OLD.toString('hex') } })
  const { organizationId } = world.organization
  const contextWith = (...keys: [Buffer, ...Buffer[]]) =>
    createContext(world.config, world.db, keys, createMetrics(), { baseNow: world.ctx.clock.now })
  const addEndpoint = () => world.client('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:1/x' })
  assert.equal(await adoptSecretsKey(world.ctx), undefined)
  const following = followSecretsKey(world.ctx)
  const before = await addEndpoint()
  assert.equal(before.status, 201, before.text)

  const both = contextWith(NEW, OLD)
  const rotating = rotateSecrets(both)
  assert.match(await following.lost, /SECRETS_KEY is not the one.*SECRETS_KEY_PREVIOUS/)
  const refused = await addEndpoint()
  assert.equal(refused.status, 503, refused.text)
  await rotating
  following.stop()

  const next = contextWith(NEW)
  assert.equal(await adoptSecretsKey(next), undefined)
  const endpoint = await getEndpoint(world.db, organizationId, before.json.id)
  assert.doesNotThrow(() => endpointSecrets(next, endpoint as never))
  await Promise.all([both.networks.close(), next.networks.close()])

  // By a process whose clock is behind those of both before it.
  await activateSecretsKey(world.db, 'third', 0)
  assert.deepEqual(await activeSecretsKey(world.db), { keyId: 'third', isFinished: false })
})

it('a rotation seals more secrets than it reads at a time, each once', async () => {
  await using world = await createWorld({ env: { SECRETS_KEY: OLD.toString('hex') } })
  assert.equal(await adoptSecretsKey(world.ctx), undefined)
  const url = 'http://127.0.0.1:1/x'
  const first = (await world.client('POST', '/webhook-endpoints', { url })).json.id
  const { organizationId } = world.organization
  const endpoint = await getEndpoint(world.db, organizationId, first)
  assert.ok(endpoint !== undefined)
  const secret = randomBytes(32)
  const { ids, settings } = world.ctx
  for (let made = 0; made < MORE_THAN_A_PAGE; made += 1) {
    const endpointId = ids.next()
    const sealedSecret = sealSecret(settings.keys.rest, secret, `webhook ${endpointId}`, ids.randomBytes(12))
    await insertEndpoint(world.db, { ...endpoint, endpointId, sealedSecret })
  }
  const both = createContext(world.config, world.db, [NEW, OLD], createMetrics(), {
    baseNow: world.ctx.clock.now,
  })
  const counted = async () =>
    (await rotateSecrets(both)).find(({ sealed }) => sealed === 'webhook secrets') as object
  const all = MORE_THAN_A_PAGE + 1
  assert.deepEqual(await counted(), { sealed: 'webhook secrets', resealed: all, unreadable: 0 })
  assert.deepEqual(await counted(), { sealed: 'webhook secrets', resealed: 0, unreadable: 0 })
  await both.networks.close()
})
