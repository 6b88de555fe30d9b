// Bold's notifications, as the example's adapter reads them: what is signed makes us ask, and nothing else does.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { boldHints, openBold } from '../../examples/adapter-bold/bold.ts'
import { boldSignature } from '../../examples/adapter-bold/wire.ts'
import { railReference } from '../../src/core/connections/reference.ts'

const ORGANIZATION = '01890a5d-ac96-774b-bcce-b302099a8057'
const ANOTHER = '11890a5d-ac96-774b-bcce-b302099a8057'
const PAYIN = '01890a5d-ac96-774b-bcce-000000000001'
const NOW = Date.UTC(2026, 10, 15, 13)
const SECRET = 'secret-key-of-the-test'
const BEFORE = 'secret-key-before'

const reference = railReference('payin', ORGANIZATION, PAYIN)
const sale = (named: string, type = 'SALE_APPROVED') =>
  Buffer.from(JSON.stringify({ id: 'n-1', type, subject: 'TX1', data: { metadata: { reference: named } } }))
const signed = (secret: string, body: Buffer) => ({ 'x-bold-signature': boldSignature(secret, body) })
const asks = (type: string) => ({ ask: [{ kind: 'payin', reference }], kind: type })
const read = boldHints(ORGANIZATION, [SECRET])

describe('examples/adapter-bold: notifications', () => {
  it('are signed over the body in base64', () => {
    assert.equal(
      boldSignature('SECRETKEY', Buffer.from('{"a":1}')),
      '1b559387a8b8c45a8278d285aca53fcb480af4f410c701aafd6312bdd172ddb8',
    )
  })

  it('make us ask, signed with the present secret or the one before', async () => {
    const rails = openBold(
      {
        organizationId: ORGANIZATION,
        environment: 'live',
        uses: [],
        credentials: { secretKey: SECRET },
        previousCredentials: { secretKey: BEFORE },
        notificationUrl: 'https://pay.example.com/notifications/a/b',
      },
      {
        now: () => NOW,
        wallClock: () => NOW,
        randomBytes: (length) => Buffer.alloc(length),
        record: () => {},
      },
    )
    for (const secret of [SECRET, BEFORE])
      for (const type of ['SALE_APPROVED', 'SALE_REJECTED', 'VOID_APPROVED']) {
        const body = sale(reference, type)
        assert.deepEqual(rails.readHint(signed(secret, body), body, NOW), asks(type))
      }
    await rails.close()
  })

  it('are not believed with another signature, with none, or if they were altered', () => {
    const body = sale(reference)
    const good = boldSignature(SECRET, body)
    const wrong = [boldSignature('wrong', body), good.slice(1), `${good}0`, good.toUpperCase(), '', 'x']
    for (const value of [...wrong, undefined, [good], [good, good]])
      assert.equal(read({ 'x-bold-signature': value }, body, NOW), undefined, String(value))
    for (let at = 0; at < body.length; at += 1) {
      const altered = Buffer.from(body)
      altered[at] = (altered[at] as number) ^ 1
      assert.equal(read({ 'x-bold-signature': good }, altered, NOW), undefined, `byte ${at}`)
    }
  })

  it('signed with an empty key are not believed, also where a connection has no secret', () => {
    const body = sale(reference)
    for (const secrets of [[], [''], ['', SECRET]])
      assert.equal(boldHints(ORGANIZATION, secrets)(signed('', body), body, NOW), undefined)
  })

  it('about other sales are left alone, and one that cannot be read is a fault', () => {
    const others = [sale('ORD-1'), sale(railReference('payin', ANOTHER, PAYIN)), sale(reference.slice(1))]
    for (const body of [...others, Buffer.from('{"type":"SALE_APPROVED","data":{"metadata":null}}')])
      assert.ok('ignored' in (read(signed(SECRET, body), body, NOW) ?? {}), String(body))
    for (const text of ['', '[]', '{"type":"SALE_APPROVED"}', '<html>']) {
      const body = Buffer.from(text)
      assert.ok('fault' in (read(signed(SECRET, body), body, NOW) ?? {}), text)
    }
  })
})
