// A payer who is typed on a page long after the payin was made is found like anybody, whatever is interrupted.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Payin } from '../../../src/core/payins/payin.ts'
import { setPayer } from '../../../src/flows/payins/payer-actions.ts'
import { sealStored } from '../../../src/flows/people/seal-stored.ts'
import { findCustomer } from '../../../src/operator/customers.ts'
import { createWorld, psePayin } from '../../world.ts'
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
