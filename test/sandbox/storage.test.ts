// The networks' storage: a notification is taken once, a restart gives back what was taken and nothing that is over, and only open
// payments are open.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Payment } from '../../src/sandbox/records.ts'
import { openStorage } from '../../src/sandbox/storage.ts'

const notice = (reference: string, due: number) =>
  ({ network: 'breb', noticeId: `notice of ${reference}`, reference, body: '{}', due }) as const

it('a notification is taken once, and again after a restart unless it is over', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-storage-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'networks.sqlite')
  const storage = openStorage(file)
  for (const [reference, due] of [
    ['first', 10],
    ['second', 20],
    ['third', 30],
  ] as const)
    storage.addDelivery(notice(reference, due))
  const taken = (now: number) => storage.takeDeliveries(now, 10)
  assert.equal(storage.nextDeliveryDue(), 10)
  const [first] = taken(10)
  assert.equal(first?.reference, 'first')
  assert.deepEqual(taken(10), [])
  assert.equal(storage.nextDeliveryDue(), 20, 'what is taken is not due')
  storage.endDelivery(first?.id as number)
  assert.deepEqual(
    taken(20).map(({ reference }) => reference),
    ['second'],
  )
  storage.close()

  const again = openStorage(file)
  assert.deepEqual(
    again.takeDeliveries(40, 10).map(({ reference }) => reference),
    ['second', 'third'],
  )
  again.close()
})

it('the open references are of open payments', () => {
  const storage = openStorage(':memory:')
  const payment = (reference: string, state: Payment['state']): Payment => ({
    ...{ kind: 'collection', reference, state, amountInCents: 100n, scenario: 'confirmed', request: '{}' },
    ...{ key: null, traceId: null, pageToken: null, code: null, opened: false, chargedBack: false },
    ...{ createdAt: 0, expiresAt: null, noticeCount: 0 },
  })
  storage.addPayment(payment('open', 'open'))
  storage.addPayment(payment('over', 'paid'))
  assert.deepEqual(storage.openReferences(), ['open'])
  storage.close()
})
