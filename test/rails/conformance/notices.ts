// What the notices of the installation's own networks have in common. They settle payments by themselves, so all of what they say is
// signed and read.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { RailNotice } from '../../../src/core/connections/notice.ts'
import type { Rail } from '../../../src/core/connections/rail.ts'
import type { Rails } from '../../../src/rails/rail.ts'
import { ID_HEADER, SIGNATURE_HEADER, signNotice, TIMESTAMP_HEADER } from '../../../src/rails/signature.ts'
import { type Bench, NOW } from './bench.ts'

export type SignedNotices = {
  readonly key: string
  // Notifications in the network's format; `id` is filled in here.
  readonly notices: readonly { readonly body: object; readonly notice: Partial<RailNotice> }[]
  readonly faulty: Readonly<Record<string, object>>
}

export function noticeConformance(
  rail: Rail,
  { key, notices, faulty }: SignedNotices,
  { withRails }: Bench<Rails>,
): void {
  const read = (body: object | string, alter: Partial<Signed> = {}) => {
    const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify({ id: 'ntf_1', ...body }))
    const at = alter.at ?? NOW / 1_000
    const headers = {
      [ID_HEADER]: 'ntf_1',
      [TIMESTAMP_HEADER]: String(at),
      [SIGNATURE_HEADER]: signNotice(alter.key ?? key, 'ntf_1', at, raw),
      ...alter.headers,
    }
    return withRails((rails) => rails.readNotice[rail](headers, alter.body ?? raw, NOW))
  }

  for (const { body, notice } of notices) {
    it(`reads ${JSON.stringify(body)}`, async () => {
      const reading = await read(body)
      assert.ok(reading !== undefined && 'notice' in reading)
      assert.deepEqual(reading.notice, {
        rail: rail,
        noticeId: 'ntf_1',
        ...notice,
      })
    })
  }

  for (const [what, body] of Object.entries(faulty)) {
    it(`rejects ${what}`, async () => {
      const reading = await read(body)
      assert.ok(reading !== undefined && 'fault' in reading)
    })
  }

  const { body } = notices[0] as { body: object }
  it('rejects a signed body that is no notification', async () => {
    for (const wrong of ['', 'hello', 'null', '[]', '{}', JSON.stringify(body).slice(0, -1)]) {
      const reading = await read(wrong)
      assert.ok(reading !== undefined && 'fault' in reading, wrong)
      assert.deepEqual(reading.unreadable, { noticeId: 'ntf_1', content: wrong })
    }
  })

  it('reads a signed body under another id, and says so', async () => {
    const reading = await read(JSON.stringify({ ...body, id: 'ntf_2' }))
    assert.ok(reading !== undefined && 'notice' in reading)
    assert.deepEqual([reading.notice.noticeId, reading.notice.idInBody], ['ntf_1', 'ntf_2'])
  })

  it('reads a notice whatever reference it has', async () => {
    for (const [reference, text] of [
      [undefined, ''],
      [null, ''],
      ['', ''],
      ['P 1', 'P 1'],
      [1, '1'],
      ['X'.repeat(65), 'X'.repeat(64)],
    ]) {
      const reading = await read({ ...body, reference })
      assert.ok(reading !== undefined && 'notice' in reading)
      assert.equal(reading.notice.reference, text)
    }
  })

  it('does not read a body unless its signature is for it, current and unaltered', async () => {
    const altered = Buffer.from(JSON.stringify({ id: 'ntf_1', ...body, reference: 'P_other' }))
    const forgeries: Record<string, Partial<Signed>> = {
      'another key': { key: 'another key' },
      'too old': { at: NOW / 1_000 - 301 },
      'too new': { at: NOW / 1_000 + 301 },
      'an altered body': { body: altered },
      'another id': { headers: { [ID_HEADER]: 'ntf_2' } },
      'another time': { headers: { [TIMESTAMP_HEADER]: String(NOW / 1_000 - 1) } },
      'no signature': { headers: { [SIGNATURE_HEADER]: undefined } },
      'an empty signature': { headers: { [SIGNATURE_HEADER]: '' } },
      'two signatures': { headers: { [SIGNATURE_HEADER]: ['v1=0', 'v1=1'] } },
    }
    for (const [what, forgery] of Object.entries(forgeries))
      assert.equal(await read(body, forgery), undefined, what)
    assert.notEqual(await read(body, { at: NOW / 1_000 - 299 }), undefined)
  })
}

type Signed = {
  key: string
  at: number
  body: Buffer
  headers: Record<string, string | string[] | undefined>
}
