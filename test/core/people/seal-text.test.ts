import assert from 'node:assert/strict'
import { createCipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  type DataKey,
  dataKeyOf,
  objectOf,
  sealedTextOpener,
  sealerOf,
} from '../../../src/core/people/seal-text.ts'
import { uuidBytes } from '../../../src/core/uuid-token.ts'

const OBJECT = '01912345-6789-7abc-8def-0123456789ab'
const ANA = ['Ana Gómez', 'CO_CC', '1000000001', '+573001234567', 'ana@example.com']
const HEAD_BYTES = 34
const TAG_BYTES = 16

function openSealed(keys: readonly DataKey[], organization: Buffer, sealed: string, objectId?: string) {
  return sealedTextOpener(keys, organization)(sealed, objectId)
}

describe('a sealed text', () => {
  const secret = createSecretKey(randomBytes(32))
  const dataKey = dataKeyOf(7, secret)
  const organization = randomBytes(16)
  const seal = sealerOf(dataKey, organization, randomBytes)

  it('opens for its organization under its key, and names its object', () => {
    for (const fields of [ANA, [], ['ñandú 🦤'.repeat(40)], ['a'.repeat(64 * 1_024)]]) {
      const sealed = seal(OBJECT, fields)
      assert.deepEqual(openSealed([dataKey], organization, sealed), fields)
      assert.equal(objectOf(sealed), OBJECT)
    }
  })

  it('opens in any order, between texts of another key and texts that are longer than a stream', () => {
    const older = dataKeyOf(6, createSecretKey(randomBytes(32)))
    const seals = [
      seal,
      sealerOf(older, organization, randomBytes),
      sealerOf(dataKey, organization, randomBytes),
    ]
    const texts = Array.from({ length: 90 }, (_, at) => [`text ${at}`, 'x'.repeat(at % 7 === 0 ? 3_000 : at)])
    const sealed = texts.map((fields, at) => (seals[at % 3] as typeof seal)(OBJECT, fields))
    const open = sealedTextOpener([older, dataKey], organization)
    for (const at of [...texts.keys(), ...[...texts.keys()].reverse()])
      assert.deepEqual(open(sealed[at] as string, OBJECT), texts[at])
  })

  it('opens whatever was drawn for it, also nothing but zeros', () => {
    const plain = sealerOf(dataKey, organization, (count) => new Uint8Array(count))
    for (const fields of [ANA, ['second']]) {
      const sealed = plain(OBJECT, fields)
      assert.deepEqual(openSealed([dataKey], organization, sealed, OBJECT), fields)
    }
  })

  it('opens for nobody else: another organization, version, key', () => {
    const sealed = seal(OBJECT, ANA)
    assert.equal(openSealed([dataKey], randomBytes(16), sealed), undefined)
    assert.equal(openSealed([dataKeyOf(8, secret)], organization, sealed), undefined)
    const other = dataKeyOf(7, createSecretKey(randomBytes(32)))
    assert.equal(openSealed([other], organization, sealed), undefined)
  })

  it('opens only for its object where one is named', () => {
    const sealed = seal(OBJECT, ANA)
    assert.deepEqual(openSealed([dataKey], organization, sealed, OBJECT), ANA)
    const other = OBJECT.replace(/b$/, 'c')
    assert.equal(openSealed([dataKey], organization, sealed, other), undefined)
  })

  it('does not open when any byte of it was changed, or any was cut off', () => {
    const bytes = Buffer.from(seal(OBJECT, ANA), 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      assert.equal(
        openSealed([dataKey], organization, changed.toString('base64url')),
        undefined,
        `byte ${at}`,
      )
      const cut = bytes.subarray(0, at).toString('base64url')
      assert.equal(openSealed([dataKey], organization, cut), undefined, `${at} bytes`)
    }
  })

  it('is authenticated by HMAC-SHA256', () => {
    const bytes = Buffer.from(seal(OBJECT, ANA), 'base64url')
    const key = Buffer.from(hkdfSync('sha256', secret, 'recaudo', 'people-mac', 32))
    const authenticated = Buffer.concat([organization, bytes.subarray(0, -TAG_BYTES)])
    const expected = createHmac('sha256', key).update(authenticated).digest().subarray(0, TAG_BYTES)
    assert.deepEqual(bytes.subarray(-TAG_BYTES), expected)
  })

  it('shares no block of the key stream with another', () => {
    const blocks = new Set<string>()
    let count = 0
    for (let text = 0; text < 200; text += 1) {
      const fields = text % 50 === 0 ? ['x'.repeat(5_000)] : ANA.slice(0, 1 + (text % 5))
      const bytes = Buffer.from(seal(OBJECT, fields), 'base64url')
      const stream = bytes.subarray(18, 32).toString('hex')
      const first = bytes.readUInt16BE(32)
      for (let block = 0; block * 16 < bytes.length - HEAD_BYTES - TAG_BYTES; block += 1, count += 1)
        blocks.add(`${stream} ${first + block}`)
    }
    assert.equal(blocks.size, count)
  })

  it('hides what it holds', () => {
    const bytes = Buffer.from(seal(OBJECT, ANA), 'base64url')
    for (const field of ANA) assert.equal(bytes.includes(field), false)
    assert.notDeepEqual(seal(OBJECT, ANA), seal(OBJECT, ANA))
  })

  it('of AES-256-GCM, from before, still opens, and only unchanged', () => {
    const nonce = randomBytes(12)
    const head = Buffer.concat([Buffer.of(7), uuidBytes(OBJECT)])
    const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.concat([organization, head]))
    const data = Buffer.concat([cipher.update(JSON.stringify(ANA)), cipher.final()])
    const old = Buffer.concat([head, nonce, cipher.getAuthTag(), data])
    assert.deepEqual(openSealed([dataKey], organization, old.toString('base64url')), ANA)
    assert.equal(objectOf(old.toString('base64url')), OBJECT)
    assert.deepEqual(openSealed([dataKey], organization, old.toString('base64url'), OBJECT), ANA)
    assert.equal(openSealed([dataKeyOf(8, secret)], organization, old.toString('base64url')), undefined)
    for (const length of [1, 17, 28, 29, 44, 45, old.length - 1])
      assert.equal(
        openSealed([dataKey], organization, old.subarray(0, length).toString('base64url')),
        undefined,
        `${length} bytes`,
      )
    assert.equal(objectOf(old.subarray(0, 44).toString('base64url')), undefined)
    assert.equal(objectOf(old.subarray(0, 45).toString('base64url')), OBJECT)
    assert.equal(openSealed([dataKey], randomBytes(16), old.toString('base64url')), undefined)
    old[old.length - 1] = (old.at(-1) as number) ^ 1
    assert.equal(openSealed([dataKey], organization, old.toString('base64url')), undefined)
  })
})
