// The name by which a network knows a payment of ours. It carries the organization, so that a network's report can be
// routed without a lookup table. It is derived from the id, so one payment never has two references.

import { uuidBytes, uuidText } from '../uuid-token.ts'

export type ReferenceKind = 'payin' | 'payout' | 'return'

const PREFIX: Readonly<Record<ReferenceKind, string>> = { payin: 'P', payout: 'O', return: 'R' }
const REFERENCE = /^([POR])([A-Za-z0-9_-]{43})$/

export function railReference(kind: ReferenceKind, organizationId: string, id: string): string {
  return PREFIX[kind] + Buffer.concat([uuidBytes(organizationId), uuidBytes(id)]).toString('base64url')
}

export function parseRailReference(
  reference: string,
): { kind: ReferenceKind; organizationId: string; id: string } | undefined {
  const [, prefix, encoded] = REFERENCE.exec(reference) ?? []
  if (prefix === undefined || encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64url')
  if (bytes.toString('base64url') !== encoded) return undefined
  const kind = (Object.keys(PREFIX) as ReferenceKind[]).find(
    (name) => PREFIX[name] === prefix,
  ) as ReferenceKind
  return { kind, organizationId: uuidText(bytes.subarray(0, 16)), id: uuidText(bytes.subarray(16)) }
}
