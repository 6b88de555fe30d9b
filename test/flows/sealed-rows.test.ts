// A secret is sealed for its own row: whoever can write to the database cannot give one person the app of another, or one connection the
// credentials of another.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signingKeyLabel } from '../../src/core/organizations/signing-key.ts'
import { credentialsLabel } from '../../src/flows/connections/credentials.ts'
import { dataKeyLabel } from '../../src/flows/people/key-wrapper.ts'
import { invitationLabel, totpLabel } from '../../src/flows/team/sealed-secrets.ts'

const [ONE, OTHER] = ['019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90', '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d91']
const LABELS: Readonly<Record<string, (id: string) => string>> = {
  'the secret of an authenticator app': totpLabel,
  'the token of an invitation': invitationLabel,
  'the credentials of a connection': credentialsLabel,
  'a key that signs': signingKeyLabel,
  'the data key of an organization': (id) => dataKeyLabel(id, 1),
  'a version of a data key': (id) => dataKeyLabel(ONE, id === ONE ? 1 : 2),
}

describe('what is sealed under a label', () => {
  for (const [what, labelOf] of Object.entries(LABELS))
    it(`${what}, is sealed for one row, and for nothing else`, () => {
      assert.notEqual(labelOf(ONE), labelOf(OTHER))
      const others = Object.values(LABELS).filter((one) => one !== labelOf)
      const same = others.filter((one) => one(OTHER) === labelOf(OTHER))
      assert.equal(same.length, 0)
    })
})
