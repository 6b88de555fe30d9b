// A secret is sealed for its own row: whoever can write to the database cannot give one person the app of another, or one connection the
// credentials of another.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signingKeyLabel } from '../../src/core/organizations/signing-key.ts'
import { recordAnswer, recordedBody } from '../../src/flows/change-once.ts'
import { credentialsLabel } from '../../src/flows/connections/credentials.ts'
import { dataKeyLabel } from '../../src/flows/people/key-wrapper.ts'
import { invitationLabel, totpLabel } from '../../src/flows/team/sealed-secrets.ts'
import { endpointSecrets } from '../../src/flows/webhooks/endpoint-secrets.ts'
import { getEndpoint } from '../../src/store/webhooks/endpoints.ts'
import { createWorld, type World } from '../world.ts'

const [ONE, OTHER] = ['019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90', '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d91']
const LABELS: Readonly<Record<string, (id: string) => string>> = {
  'the secret of an authenticator app': totpLabel,
  'the token of an invitation': invitationLabel,
  'the credentials of a connection': credentialsLabel,
  'a key that signs': signingKeyLabel,
  'the data key of an organization': (id) => dataKeyLabel(id, 1),
  'a version of a data key': (id) => dataKeyLabel(ONE, id === ONE ? 1 : 2),
}

describe('what is sealed under a label', () => {
  for (const [what, labelOf] of Object.entries(LABELS))
    it(`${what}, is sealed for one row, and for nothing else`, () => {
      assert.notEqual(labelOf(ONE), labelOf(OTHER))
      const others = Object.values(LABELS).filter((one) => one !== labelOf)
      const same = others.filter((one) => one(OTHER) === labelOf(OTHER))
      assert.equal(same.length, 0)
    })
})

describe('what opens', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('as an answer that was kept, is the answer of this organization and this key alone', async () => {
    const { organizationId } = world.organization
    const answer = { status: 201, body: '{"secret":"s"}' }
    const kept = { key: 'one', fingerprint: Buffer.alloc(32), answer: () => answer, secret: true }
    await recordAnswer(world.ctx, world.db, organizationId, kept, null)
    const { rows } = await world.db.query<{ body: string }>({ text: 'select body from idempotency_records' })
    const body = rows[0]?.body ?? assert.fail()
    assert.doesNotMatch(body, /secret/)
    assert.equal(recordedBody(world.ctx, { organizationId, key: 'one' }, body), answer.body)
    for (const address of [
      { organizationId, key: 'other' },
      { organizationId: OTHER, key: 'one' },
    ])
      assert.throws(() => recordedBody(world.ctx, address, body), /does not open/)
  })

  it('as the secrets of an endpoint, is what was sealed for it', async () => {
    const { organizationId } = world.organization
    const { json } = await world.client('POST', '/webhook-endpoints', {
      url: 'https://shop.example/events',
      ed25519: true,
    })
    const endpoint = (await getEndpoint(world.db, organizationId, json.id)) ?? assert.fail()
    const { secrets, signingSeeds } = endpointSecrets(world.ctx, endpoint)
    assert.deepEqual([secrets.length, signingSeeds.length], [1, 1])
    const another = { ...endpoint, endpointId: OTHER }
    assert.throws(() => endpointSecrets(world.ctx, another), /does not open/)
    const swapped = { ...endpoint, sealedSigningKey: endpoint.sealedSecret }
    assert.throws(() => endpointSecrets(world.ctx, swapped), /does not open/)
  })
})
