// How a person may sign in, and what they can show again that it is them.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { accountEmail } from '../../../src/core/team/email.ts'
import { canProve, countWaysIn, type SignInWays } from '../../../src/core/team/sign-in.ts'
import { readAssertion, readRegistration } from '../../../src/core/team/webauthn-response.ts'

const NONE: SignInWays = {
  ...{ userId: 'u', email: 'a@b.co', passwordHash: null, sealedTotp: null, totpEnabledAt: null },
  ...{ totpLastStep: 0, recoveryDigests: [], passkeys: 0, externalIdentities: 0 },
}

it('a password, each passkey and each account of a company is a way in; a code of an app is none', () => {
  const count = (changes: Partial<SignInWays>) => countWaysIn({ ...NONE, ...changes })
  assert.equal(count({}), 0)
  assert.equal(count({ passwordHash: 'x' }), 1)
  assert.equal(count({ passwordHash: 'x', passkeys: 2, externalIdentities: 4 }), 7)
  assert.equal(count({ totpEnabledAt: 5, recoveryDigests: [Buffer.alloc(1)] }), 0)
})

it('a password, a code or a passkey proves who somebody is; an account of a company does not', () => {
  const proves = (changes: Partial<SignInWays>) => canProve({ ...NONE, ...changes })
  assert.deepEqual(
    [{}, { passwordHash: 'x' }, { totpEnabledAt: 0 }, { passkeys: 1 }, { externalIdentities: 3 }].map(proves),
    [false, true, true, true, false],
  )
})

it('an address is stored in one form, and is as long as one before it is put into form', () => {
  assert.equal(accountEmail(` ANA@Example.COM${' '.repeat(384)}`), 'ana@example.com')
  assert.equal(accountEmail(` ANA@Example.COM${' '.repeat(385)}`), undefined)
  for (const wrong of ['', 'ana', 'a\u200bna@example.com', 'ana\u0301\u0301@example.com'])
    assert.equal(accountEmail(wrong), undefined, JSON.stringify(wrong))
})

it('what a browser sends of a passkey is read if each part is letters of base64url, sixteen thousand at most', () => {
  const [text, bytes] = ['AQID', Buffer.of(1, 2, 3)]
  const longest = 'A'.repeat(16_384)
  const registration = (clientDataJSON: unknown, attestationObject: unknown = text) =>
    readRegistration({ response: { clientDataJSON, attestationObject } })
  assert.deepEqual(registration(text), { clientDataJson: bytes, attestationObject: bytes })
  assert.equal(registration(longest)?.clientDataJson.length, 12_288)
  for (const wrong of [null, 7, '', 'A=', 'A+', `${longest}A`]) {
    assert.equal(registration(wrong), undefined, `${wrong}`.slice(0, 9))
    assert.equal(registration(text, wrong), undefined, `${wrong}`.slice(0, 9))
  }
  const response = { clientDataJSON: text, authenticatorData: text, signature: text, userHandle: text }
  const parts = { credentialId: bytes, clientDataJson: bytes, authenticatorData: bytes, signature: bytes }
  assert.deepEqual(readAssertion({ rawId: text, response }), { ...parts, userHandle: bytes })
  assert.deepEqual(readAssertion({ rawId: text, response: { ...response, userHandle: null } }), {
    ...parts,
    userHandle: null,
  })
  for (const part of ['clientDataJSON', 'authenticatorData', 'signature'] as const)
    assert.equal(readAssertion({ rawId: text, response: { ...response, [part]: '' } }), undefined, part)
  assert.equal(readAssertion({ rawId: '', response }), undefined)
})
