// An authenticator app that is set up anew, or taken away, leaves nothing of the one before.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Db, openDb } from '../../../src/store/db.ts'
import {
  clearTotp,
  enableTotp,
  getWays,
  setTotp,
  useRecoveryDigest,
  useTotpStep,
} from '../../../src/store/team/sign-in-ways.ts'
import { insertUser } from '../../../src/store/team/users.ts'
import { createDatabase } from '../../world.ts'
import { USER } from '../twins.ts'

const AT = USER.createdAt
const { userId } = USER

describe('an authenticator app', () => {
  let db: Db
  let drop: () => Promise<void>
  before(async () => {
    const database = await createDatabase()
    drop = database.drop
    db = openDb({ url: database.url, poolSize: 1 })
    await insertUser(db, USER)
  })
  after(async () => {
    await db.close()
    await drop()
  })

  it('has its first code in the same half minute as the last of the app before it', async () => {
    await setTotp(db, userId, Buffer.from('one'), AT)
    assert.equal(await useTotpStep(db, userId, 7), true)
    assert.equal(await useTotpStep(db, userId, 7), false)
    await setTotp(db, userId, Buffer.from('two'), AT)
    assert.equal(await useTotpStep(db, userId, 7), true)
  })

  it('takes its recovery codes with it', async () => {
    const digests = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    await enableTotp(db, userId, digests, AT)
    assert.equal(await useRecoveryDigest(db, userId, digests[0] as Buffer), true)
    await clearTotp(db, userId, AT)
    assert.equal(await useRecoveryDigest(db, userId, digests[1] as Buffer), false)
    const { sealedTotp, totpEnabledAt, recoveryDigests } = (await getWays(db, userId)) ?? assert.fail()
    assert.deepEqual([sealedTotp, totpEnabledAt, recoveryDigests], [null, null, []])
  })
})
