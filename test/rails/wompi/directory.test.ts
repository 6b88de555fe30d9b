// Who holds a key, as Wompi tells it: against its simulator, and against answers that are none.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Directory } from '../../../src/rails/rail.ts'
import { wompiPayouts } from '../../../src/sandbox/providers/wompi/payouts.ts'
import { simulate } from '../../sandbox/providers/simulated.ts'
import { openFakeNetwork } from '../fake-network.ts'
import { accepted, assertRecords, assertUnknown, type Opened, open, rejection } from './wompi.ts'

const directoryOf = (rails: Opened) => rails.directory as Directory

describe('the directory of Wompi', () => {
  it('tells a masked name and the participant, in an envelope or bare', async () => {
    for (const seed of [1, 2, 3, 4]) {
      await using simulated = await simulate(wompiPayouts, { seed })
      await using rails = open({ payouts: simulated.url })
      assert.deepEqual(accepted(await directoryOf(rails).lookUp('3001234567', 'PHONE')), {
        keyString: '3001234567',
        keyType: 'PHONE',
        isMasked: true,
        holder: { name: 'JUA*** PER***', personType: null, idType: null, idNumber: null },
        participant: { name: 'BANCO DE PRUEBAS', code: '9999' },
        account: null,
      })
      accepted(await directoryOf(rails).lookUp('ecolon@wompi.com', 'EMAIL'))
      accepted(await directoryOf(rails).lookUp('1020304050', 'DOCUMENT'))
      assertRecords(rails.exchanges, '')
    }
  })

  it('says what is wrong with a key, or that it cannot say', async () => {
    await using simulated = await simulate(wompiPayouts)
    await using rails = open({ payouts: simulated.url })
    const { lookUp } = directoryOf(rails)
    assert.deepEqual(await lookUp('12345', 'DOCUMENT'), rejection('KEY_INVALID', 'EXC_033'))
    assert.deepEqual(await lookUp('noexiste@test.com', 'EMAIL'), rejection('KEY_NOT_FOUND', 'EXC_034'))
    assert.deepEqual(await lookUp('inactiva@test.com', 'EMAIL'), rejection('KEY_SUSPENDED', 'EXC_035'))
    assertUnknown(await lookUp('error@test.com', 'EMAIL'), 'unavailable')
    assertUnknown(await lookUp('timeout@test.com', 'EMAIL'), 'timeout')
    await using wrong = open({ payouts: simulated.url }, { credentials: { payoutsUserPrincipalId: 'else' } })
    assertUnknown(await directoryOf(wrong).lookUp('3001234567', 'PHONE'), 'unavailable')
  })

  it('takes nothing else for an answer', async () => {
    await using server = await openFakeNetwork()
    const good = {
      holderName: 'JUA*** PER***',
      financialEntity: { name: 'BANCO' },
      keyType: 'PHONE',
      keyValue: '300***',
    }
    const ask = async () => {
      await using rails = open({ payouts: server.url })
      return await directoryOf(rails).lookUp('3001234567', 'PHONE')
    }
    server.willAnswer({ status: 200, json: good })
    assert.equal(accepted(await ask()).participant.code, null)
    for (const changes of [
      { keyType: 'MAIL' },
      { keyType: undefined },
      { holderName: undefined },
      { holderName: '' },
      { holderName: 'JUA\u202e***' },
      { holderName: 7 },
      { financialEntity: undefined },
      { financialEntity: { name: null } },
    ]) {
      server.willAnswer({ status: 200, json: { ...good, ...changes } })
      assertUnknown(await ask(), 'unreadable', JSON.stringify(changes))
    }
    server.willAnswer({ status: 400, json: { code: 'EXC_999', message: 'Canaria' } })
    assertUnknown(await ask(), 'unavailable')
  })

  it('keeps payouts going while it is away', async () => {
    await using server = await openFakeNetwork()
    await using rails = open({ payouts: server.url }, { limits: { tries: 1, breakAfterFailures: 1 } })
    server.willAnswer('reset')
    assertUnknown(await directoryOf(rails).lookUp('3001234567', 'PHONE'), 'unavailable')
    assertUnknown(await directoryOf(rails).lookUp('3001234567', 'PHONE'), 'unavailable')
    assert.equal(server.asked.length, 1)
    assert.equal(rails.isAway('BRE_B_OUT'), false)
  })
})
