// The limits of one credential: the addresses that it may be used from, and its requests a second. They are read with the credential
// and cost no question of their own.

import type { IncomingMessage } from 'node:http'
import { type AddressRanges, addressRanges } from '../../core/network-address.ts'
import type { CredentialLimits } from '../../core/organizations/limits.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { AbuseAlarms } from './abuse-alarms.ts'
import type { AddressLimits } from './address-limits.ts'

type Presented = {
  organization: { organizationId: string }
  credentialId: string
  limits: CredentialLimits
}

// Undefined where the credential may be used from the address of the request. Who it is that a proxy does not name cannot be on
// a list.
export type AddressCheck = (request: IncomingMessage, presented: Presented) => Refusal | undefined

// Does not tell what is on the list.
const NOT_FROM_HERE = refuse('ADDRESS_NOT_ALLOWED', 'This credential may not be used from your address.')

export function createAddressCheck(
  addressLimits: Pick<AddressLimits, 'clientOf'>,
  alarms: AbuseAlarms,
): AddressCheck {
  // By the list itself: it lives as long as the credential is remembered.
  const known = new WeakMap<readonly string[], AddressRanges>()
  const rangesOf = (list: readonly string[]): AddressRanges => {
    const ranges = known.get(list) ?? addressRanges(list)
    known.set(list, ranges)
    return ranges
  }
  return (request, { organization, credentialId, limits }) => {
    const { allowedAddresses } = limits
    if (allowedAddresses === null) return undefined
    const address = addressLimits.clientOf(request)
    if (address !== null && rangesOf(allowedAddresses)(address)) return undefined
    alarms.addressRefused(organization.organizationId, credentialId, address)
    return NOT_FROM_HERE
  }
}
