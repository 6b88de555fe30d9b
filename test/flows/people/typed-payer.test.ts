// A payer who is typed on a page long after the payin was made is found like anybody, whatever is interrupted.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { confirmPayer, setPayer } from '../../../src/flows/payins/payer-actions.ts'
import { sealStored } from '../../../src/flows/people/seal-stored.ts'
import { findCustomer } from '../../../src/operator/customers.ts'
import { CUSTOMER, createWorld, psePayin } from '../../world.ts'
import { connect } from '../connections/scripted-provider.ts'
import { cutPower, newPerson } from './life.ts'

for (const statement of [/update payins/, /insert into people_digests/])
  it(`a payer whose page died before ${statement.source} fills it in again, and is found`, async () => {
    await using world = await createWorld()
    const person = newPerson()
    const { organizationId } = world.organization
    const { json } = await world.client('POST', '/payins', psePayin({ inlineCustomer: undefined }))
    await world.passTime(61_000)
    // The payin is behind the mark from here on: nobody looks at it again by themselves.
    await sealStored(world.ctx)
    const payin = (await world.ctx.batched.getPayin({ organizationId, payinId: json.id })) as Payin
    const dying = { ...world.ctx, db: cutPower(world.db, statement) }
    await assert.rejects(setPayer(dying, payin, person as never), /the power is cut/)
    assert.equal((await world.client('GET', `/payins/${json.id}`)).json.inlineCustomer, null)
    await setPayer(world.ctx, payin, person as never)
    assert.deepEqual((await world.client('GET', `/payins/${json.id}`)).json.inlineCustomer, person)
    assert.equal((await findCustomer(world.ctx, { email: person.email })).length, 1)
  })

it('a payer whom the provider wants on our page is found, and nobody in the place of a payer who was known', async () => {
  await using world = await createWorld()
  await connect(world, { uses: ['PSE_IN'], provider: 'wompi' })
  const { organizationId } = world.organization
  const unknown = (await world.client('POST', '/payins', psePayin({ inlineCustomer: undefined }))).json
  const known = (await world.client('POST', '/payins', psePayin())).json
  await world.passTime(61_000)
  // Nobody looks at them again by themselves.
  await sealStored(world.ctx)
  const presence = { acceptedTerms: [], device: { ipAddress: '203.0.113.7', userAgent: 'Firefox' } }
  const confirm = async (payinId: string) => {
    const person = newPerson()
    const payin = (await world.ctx.batched.getPayin({ organizationId, payinId })) as Payin
    await confirmPayer(world.ctx, payin, person as never, presence)
    const { inlineCustomer } = (await world.client('GET', `/payins/${payinId}`)).json
    return { person, inlineCustomer, found: (await findCustomer(world.ctx, { email: person.email })).length }
  }
  const typed = await confirm(unknown.id)
  assert.deepEqual([typed.inlineCustomer, typed.found], [typed.person, 1])
  const other = await confirm(known.id)
  assert.deepEqual([other.inlineCustomer, other.found], [CUSTOMER, 0])
})
