// Passkeys: the specification's own test vectors, passkeys of every algorithm that we take, and every check made to fail.

import assert from 'node:assert/strict'
import { generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readCbor } from '../../../src/core/team/cbor.ts'
import {
  challengeIn,
  type Expected,
  type NewPasskey,
  originIn,
  type PasskeyProblem,
  verifyAssertion,
  verifyRegistration,
} from '../../../src/core/team/webauthn.ts'
import { type Assertion, readAssertion, readRegistration } from '../../../src/core/team/webauthn-response.ts'
import {
  type Answering,
  assertionOf,
  cbor,
  coseOf,
  KINDS,
  makePasskey,
  PRESENT,
  registrationOf,
  VERIFIED,
} from './authenticator.ts'

type Vector = {
  name: string
  seed: string
  credentialId: string
  registration: { challenge: string; clientDataJSON: string; attestationObject: string }
  authentication: { challenge: string; clientDataJSON: string; authenticatorData: string; signature: string }
}
const { vectors } = JSON.parse(readFileSync(join(import.meta.dirname, 'webauthn-vectors.json'), 'utf8')) as {
  vectors: Vector[]
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const expecting = (challenge: Buffer, userVerification: Expected['userVerification']): Expected => ({
  challenge: challenge.toString('base64url'),
  origin: 'https://example.org',
  rpId: 'example.org',
  userVerification,
})

// What a vector is refused for. Nothing: we take it, unless the person must have been verified and was not.
const REFUSED: Readonly<Record<string, PasskeyProblem>> = {
  'none.ES256.crossOrigin': 'WRONG_ORIGIN',
  'none.ES256.topOrigin': 'WRONG_ORIGIN',
  'packed.ES384': 'WRONG_KEY',
  'packed.ES512': 'WRONG_KEY',
  'packed.Ed448': 'WRONG_KEY',
}

describe('the test vectors of the specification', () => {
  it('are those that it describes: derived from its seed', () => {
    assert.equal(vectors.length, 15)
    for (const { seed, registration } of vectors) {
      const length = registration.challenge.length / 2
      const derived = hkdfSync('sha256', 'WebAuthn test vectors', Buffer.from([0]), seed, length)
      assert.equal(Buffer.from(derived).toString('hex'), registration.challenge, seed)
    }
  })

  for (const { name, seed, credentialId, registration, authentication } of vectors) {
    const made = {
      clientDataJson: hex(registration.clientDataJSON),
      attestationObject: hex(registration.attestationObject),
    }
    const signed: Assertion = {
      credentialId: hex(credentialId),
      clientDataJson: hex(authentication.clientDataJSON),
      authenticatorData: hex(authentication.authenticatorData),
      signature: hex(authentication.signature),
      userHandle: null,
    }
    const register = (userVerification: Expected['userVerification']) =>
      verifyRegistration(made, expecting(hex(registration.challenge), userVerification))
    const refusal = REFUSED[seed]
    if (refusal !== undefined) {
      it(`${name}: is refused as ${refusal}`, () => {
        assert.equal(register('any'), refusal)
      })
      continue
    }
    it(`${name}: the credential is made, and signs in`, () => {
      const passkey = register('any') as NewPasskey
      assert.ok(typeof passkey === 'object', String(passkey))
      assert.equal(passkey.credentialId.toString('hex'), credentialId)
      assert.equal(challengeIn(signed.clientDataJson), hex(authentication.challenge).toString('base64url'))
      const signIn = (userVerification: Expected['userVerification'], one = signed) =>
        verifyAssertion(one, expecting(hex(authentication.challenge), userVerification), passkey)
      assert.deepEqual(signIn('any'), { signCount: 0 })
      const wasVerified = ((signed.authenticatorData[32] as number) & VERIFIED) !== 0
      assert.deepEqual(signIn('required'), wasVerified ? { signCount: 0 } : 'NOT_VERIFIED')
      for (const part of ['clientDataJson', 'authenticatorData', 'signature'] as const) {
        const altered = Buffer.from(signed[part])
        // Not a byte that another check reads: a space more in the JSON, another count, another signature.
        if (part === 'clientDataJson') assert.equal(altered.indexOf('"crossOrigin"') > 0, true)
        const other =
          part === 'clientDataJson' ? Buffer.from(`${altered.toString().slice(0, -1)} }`) : altered
        if (part !== 'clientDataJson') other[other.length - 1] = (other.at(-1) as number) ^ 1
        assert.equal(signIn('any', { ...signed, [part]: other }), 'WRONG_SIGNATURE', part)
      }
      const wasVerifiedFirst = register('required')
      assert.ok(wasVerifiedFirst === 'NOT_VERIFIED' || typeof wasVerifiedFirst === 'object')
    })
  }
})

const challenge = randomBytes(32).toString('base64url')
const answering: Answering = { challenge, origin: 'https://pay.example', rpId: 'pay.example' }
const expected: Expected = { ...answering, userVerification: 'required' }

function registered(made = makePasskey(), changes: Partial<Answering> = {}, cose = coseOf(made.publicKey)) {
  const registration = readRegistration(registrationOf(made, { ...answering, ...changes }, cose))
  assert.ok(registration)
  return verifyRegistration(registration, expected)
}

function asserted(
  made: ReturnType<typeof makePasskey>,
  passkey: NewPasskey,
  changes: Partial<Answering> = {},
) {
  const assertion = readAssertion(assertionOf(made, { ...answering, ...changes }))
  assert.ok(assertion)
  return verifyAssertion(assertion, expected, passkey)
}

describe('a passkey', () => {
  for (const kind of KINDS)
    it(`of ${kind} is made and signs in, and another's signature is refused`, () => {
      const made = makePasskey(kind)
      const passkey = registered(made) as NewPasskey
      assert.deepEqual(passkey.credentialId, made.credentialId)
      assert.deepEqual(asserted(made, passkey), { signCount: 0 })
      const other = makePasskey(kind)
      assert.equal(asserted({ ...other, credentialId: made.credentialId }, passkey), 'WRONG_SIGNATURE')
    })

  const WRONG: readonly [string, Partial<Answering>, PasskeyProblem][] = [
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }, 'WRONG_CHALLENGE'],
    ['no challenge', { challenge: '' }, 'WRONG_CHALLENGE'],
    ['another origin', { origin: 'https://pay.example.evil.example' }, 'WRONG_ORIGIN'],
    ['the same host without encryption', { origin: 'http://pay.example' }, 'WRONG_ORIGIN'],
    ['another port', { origin: 'https://pay.example:8443' }, 'WRONG_ORIGIN'],
    ['a frame of another site', { clientData: { crossOrigin: true } }, 'WRONG_ORIGIN'],
    ['a page inside another', { clientData: { topOrigin: 'https://pay.example' } }, 'WRONG_ORIGIN'],
    ['another site', { rpId: 'example' }, 'WRONG_SITE'],
    ['nobody present', { flags: VERIFIED }, 'NOT_PRESENT'],
    ['nobody verified', { flags: PRESENT }, 'NOT_VERIFIED'],
    ['a copy of what cannot be copied', { flags: PRESENT | VERIFIED | 16 }, 'MALFORMED'],
    ['extensions that are not there', { flags: PRESENT | VERIFIED | 128 }, 'MALFORMED'],
  ]
  for (const [what, changes, problem] of WRONG)
    it(`is refused with ${what}, when it is made and when it signs in`, () => {
      const made = makePasskey()
      assert.equal(registered(made, changes), problem)
      assert.equal(asserted(made, registered(made) as NewPasskey, changes), problem)
    })

  it('is refused where the one ceremony is taken for the other', () => {
    const made = makePasskey()
    assert.equal(registered(made, { type: 'webauthn.get' }), 'WRONG_TYPE')
    assert.equal(asserted(made, registered(made) as NewPasskey, { type: 'webauthn.create' }), 'WRONG_TYPE')
  })

  it('is refused with a signature that is none', () => {
    for (const kind of KINDS) {
      const made = makePasskey(kind)
      const passkey = registered(made) as NewPasskey
      const assertion = readAssertion(assertionOf(made, answering)) as Assertion
      for (const signature of [Buffer.alloc(0), Buffer.alloc(64), randomBytes(70), Buffer.alloc(300, 0x30)])
        assert.equal(verifyAssertion({ ...assertion, signature }, expected, passkey), 'WRONG_SIGNATURE')
    }
  })

  it('counts up, or never counts', () => {
    const made = makePasskey()
    const passkey = registered(made, { signCount: 5 }) as NewPasskey
    assert.equal(passkey.signCount, 5)
    assert.deepEqual(asserted(made, passkey, { signCount: 6 }), { signCount: 6 })
    for (const signCount of [0, 4, 5]) assert.equal(asserted(made, passkey, { signCount }), 'COUNTED_BACK')
    assert.deepEqual(asserted(made, { ...passkey, signCount: 0 }, { signCount: 0 }), { signCount: 0 })
  })

  it('may bring extensions, and nothing behind them', () => {
    const made = makePasskey()
    const passkey = registered(made) as NewPasskey
    const withBytes = (bytes: Buffer, flags = PRESENT | VERIFIED | 128) => {
      const assertion = readAssertion(assertionOf(made, { ...answering, flags })) as Assertion
      const authenticatorData = Buffer.concat([assertion.authenticatorData, bytes])
      return verifyAssertion({ ...assertion, authenticatorData }, expected, passkey)
    }
    // Other bytes than were signed, so as far as the signature is as far as a reader can come.
    assert.equal(withBytes(cbor(new Map([['credProtect', 2]]))), 'WRONG_SIGNATURE')
    assert.equal(withBytes(cbor('credProtect')), 'MALFORMED')
    assert.equal(withBytes(Buffer.concat([cbor(new Map()), Buffer.alloc(1)])), 'MALFORMED')
    assert.equal(withBytes(Buffer.alloc(1), PRESENT | VERIFIED), 'MALFORMED')
    const assertion = readAssertion(assertionOf(made, answering)) as Assertion
    for (let length = 0; length < 37; length += 1) {
      const authenticatorData = assertion.authenticatorData.subarray(0, length)
      assert.equal(verifyAssertion({ ...assertion, authenticatorData }, expected, passkey), 'MALFORMED')
    }
  })

  it('may be one that is copied between devices, and one that was', () => {
    const made = makePasskey()
    for (const flags of [8, 8 | 16]) {
      const passkey = registered(made, { flags: PRESENT | VERIFIED | flags })
      assert.ok(typeof passkey === 'object', String(passkey))
    }
  })

  it('has an id of one byte to 1,023', () => {
    const id = (length: number) => registered({ ...makePasskey(), credentialId: Buffer.alloc(length, 7) })
    for (const length of [1, 1_023]) assert.ok(typeof id(length) === 'object', `${length}`)
    const shortest = registered({ ...makePasskey('EdDSA'), credentialId: Buffer.alloc(1, 7) })
    assert.ok(typeof shortest === 'object', 'with the shortest key')
    for (const length of [0, 1_024]) assert.equal(id(length), 'MALFORMED', `${length}`)
  })

  it('was asked by the page that its browser names', () => {
    const data = (value: unknown) => Buffer.from(JSON.stringify(value))
    assert.equal(originIn(data({ origin: 'https://pay.example' })), 'https://pay.example')
    for (const none of [data({ origin: 1 }), data({}), data(null), Buffer.from('no JSON')])
      assert.equal(originIn(none), undefined)
  })

  it('is refused with a key that is weak, of another kind than it says, or no key', () => {
    const made = makePasskey()
    const cose = (key: Map<number, unknown>) => registered(made, {}, cbor(key))
    const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey
    assert.equal(registered(made, {}, coseOf(weak)), 'WRONG_KEY')
    const { x = '', y = '' } = made.publicKey.export({ format: 'jwk' })
    const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    const point = (changes: [number, unknown][]) =>
      cose(new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], [-2, left], [-3, right], ...changes]))
    assert.ok(typeof point([]) === 'object')
    assert.equal(point([[-3, left]]), 'WRONG_KEY', 'not on the curve')
    assert.equal(
      point([
        [-2, Buffer.alloc(32)],
        [-3, Buffer.alloc(32)],
      ]),
      'WRONG_KEY',
      'nowhere',
    )
    assert.equal(point([[3, -8]]), 'WRONG_KEY')
    assert.equal(point([[-1, 2]]), 'WRONG_KEY')
    assert.equal(point([[1, 1]]), 'WRONG_KEY')
    assert.equal(cose(new Map()), 'WRONG_KEY')
  })

  it('is refused with a key whose labels do not fit together, whatever its kind', () => {
    for (const kind of KINDS) {
      const made = makePasskey(kind)
      const cose = readCbor(coseOf(made.publicKey))?.value as Map<number, unknown>
      const changed = (label: number, value: unknown) =>
        registered(made, {}, cbor(new Map([...cose, [label, value]])))
      assert.ok(typeof changed(1, cose.get(1)) === 'object', kind)
      for (const type of [1, 2, 3, 4].filter((one) => one !== cose.get(1)))
        assert.equal(changed(1, type), 'WRONG_KEY', `${kind} of type ${type}`)
      for (const algorithm of [-7, -8, -257, -35, 'ES256'].filter((one) => one !== cose.get(3)))
        assert.equal(changed(3, algorithm), 'WRONG_KEY', `${kind} by ${algorithm}`)
      assert.equal(changed(kind === 'RS256' ? -1 : -2, 'text'), 'WRONG_KEY', kind)
    }
  })

  it('is refused if a byte is missing or too many, and never throws', () => {
    const made = makePasskey()
    const { response } = registrationOf(made, answering)
    const clientDataJson = Buffer.from(response.clientDataJSON, 'base64url')
    const whole = Buffer.from(response.attestationObject, 'base64url')
    const verify = (attestationObject: Buffer) =>
      verifyRegistration({ clientDataJson, attestationObject }, expected)
    for (let length = 0; length < whole.length; length += 1)
      assert.equal(verify(whole.subarray(0, length)), 'MALFORMED', `${length}`)
    assert.equal(verify(Buffer.concat([whole, Buffer.alloc(1)])), 'MALFORMED')
    for (let at = 0; at < whole.length; at += 1) {
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] as number) ^ 0xff
      verify(flipped)
    }
  })

  it('is read from JSON only if every part is there, and short', () => {
    const made = makePasskey()
    const json = assertionOf(made, answering)
    assert.ok(readAssertion(json))
    for (const wrong of [
      null,
      1,
      'x',
      [],
      {},
      { ...json, rawId: 1 },
      { ...json, rawId: 'a b' },
      { ...json, response: null },
    ])
      assert.equal(readAssertion(wrong), undefined)
    const long = { ...json, response: { ...json.response, signature: 'A'.repeat(20_000) } }
    assert.equal(readAssertion(long), undefined)
    assert.equal(readRegistration({ response: {} }), undefined)
    assert.equal(challengeIn(Buffer.from('{"challenge":1}')), undefined)
    assert.equal(challengeIn(Buffer.from('no JSON')), undefined)
    assert.equal(challengeIn(Buffer.from('null')), undefined)
  })
})
