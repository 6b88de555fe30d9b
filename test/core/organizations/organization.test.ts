// What an organization begins with, and how the address of a chat's webhook is shown.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isMasked, maskedAddress } from '../../../src/core/organizations/masked-address.ts'
import { newOrganization } from '../../../src/core/organizations/organization.ts'

it('a new organization has every rail, no limits and no charges, and nobody is told or asked', () => {
  const unlimited = { payoutsPerDay: null, payoutSumPerDay: null, quietHours: null }
  const { accounting: _, ...organization } = newOrganization('o', 'Café', 7)
  assert.deepEqual(organization, {
    organizationId: 'o',
    name: 'Café',
    taxId: null,
    contactEmail: null,
    contactPhone: null,
    logoUrl: null,
    accentColor: null,
    rails: ['BRE_B', 'PSE'],
    onAmountMismatch: 'decline',
    requireKeyLookup: false,
    payinExpiryMinutes: 15,
    alarmEmails: [],
    alarmLanguage: 'es',
    minimumBalanceInCents: null,
    charges: { fees: {}, payoutFees: {}, withholdings: [] },
    alarmWebhookUrl: null,
    routes: [],
    approvalRules: [],
    limits: unlimited,
    createdAt: 7,
    updatedAt: 7,
  })
})

it('the address of a chat is shown by its host and its last four characters, and a short one by its host', () => {
  assert.equal(maskedAddress('https://chat.example/hooks/SECRET-1234'), 'https://chat.example/…1234')
  assert.equal(maskedAddress('https://chat.example/?key=SECRET#abcd'), 'https://chat.example/…abcd')
  assert.equal(maskedAddress('https://chat.example/1234567890'), 'https://chat.example/…')
  assert.equal(maskedAddress('https://chat.example/12345678901'), 'https://chat.example/…8901')
  assert.equal(isMasked('https://chat.example/…1234'), true)
  assert.equal(isMasked('https://chat.example/1234'), false)
})
