// Looks up who holds a key, before money is sent to it. Mono answers at once or later, and publishes no way to ask what became of a
// look-up: one that is not decided at once has timed out. Names and numbers come in full. The key stays out of the record.

import { Type } from '../../core/json-schema.ts'
import type { PersonType } from '../../core/payins/payin.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { type Directory, type KeyHolder, unknown } from '../rail.ts'
import { NetworkText, orNull, reader, undecided, unreadable } from '../wire-format.ts'
import { accountType, directoryMeaning, idTypeOf, WIRE_KEY_TYPES } from './codes.ts'
import { RESOLVE, type ResolutionRequest, readResolution } from './wire.ts'

export function monoDirectory(gateway: Gateway, limits: Limits, accountId: string): Directory {
  return {
    lookUp: async (keyString, keyType) => {
      const body: ResolutionRequest = {
        tenant_account_id: accountId,
        format: 'plain_key',
        value: keyString,
      }
      const reply = await gateway.ask({
        method: 'POST',
        resource: RESOLVE,
        id: null,
        body,
        deadlineMs: limits.lookUpMs,
        // The key's own bank determines the answer time.
        timeoutKeepsCircuitClosed: true,
        // Each call is a look-up of its own, and the directory counts them.
        mayAskAgain: false,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused') return undecided(reply)
      const resolution = readResolution(reply.body)
      if (resolution === undefined) return unreadable('the answer is not a look-up')
      const { state, state_reason: reason } = resolution
      if (state === 'created' || state === 'retrying')
        return unknown('timeout', 'the directory has not answered yet')
      if (state === 'failed') {
        const networkCode = reason ?? state
        const meaning = directoryMeaning(networkCode)
        return 'refusal' in meaning
          ? { outcome: 'rejected', reason: meaning.refusal, networkCode }
          : unknown(meaning.trouble, `the look-up failed with ${networkCode}`)
      }
      const target = readTarget(resolution.target)
      // Directories differ in letter case. None holds two keys that differ only in case.
      if (target?.key_value.toUpperCase() !== keyString.toUpperCase())
        return unreadable('the answer is not the key that was asked for')
      if (target.key_type !== WIRE_KEY_TYPES[keyType])
        return unreadable('the answer is not a key of the type that was asked for')
      const { creditor, creditor_account: account, participant_nit: nit } = target
      const holder: KeyHolder = {
        keyString,
        keyType,
        holder: {
          name: creditor.full_name,
          personType: personType(creditor.type),
          idType: creditor.document_type ? idTypeOf(creditor.document_type) : null,
          idNumber: creditor.document_number ?? null,
        },
        // Mono gives the participant's NIT and not its name.
        participant: { name: `NIT ${nit}`, code: nit },
        account: accountOf(account),
      }
      return { outcome: 'accepted', value: holder }
    },
  }
}

function personType(type: string | null | undefined): PersonType | null {
  if (type === 'natural') return 'INDIVIDUAL'
  return type === 'legal' ? 'BUSINESS' : null
}

function accountOf({ type, number }: { type: string; number: string }): KeyHolder['account'] {
  const known = accountType(type)
  return known === undefined ? null : { type: known, lastFour: lastFour(number) }
}

// The last four digits of a short number would be the whole number.
function lastFour(number: string): string {
  return number.length > 4 ? number.slice(-4) : '*'.repeat(number.length)
}

// Shown to people unchanged, so control, direction and invisible characters are refused.
const ShownText = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\p{C}\\u2028\\u2029]*$' })

const readTarget = reader(
  Type.Object({
    creditor: Type.Object({
      full_name: ShownText,
      // Told only to whoever may know it.
      document_type: Type.Optional(orNull(NetworkText)),
      document_number: Type.Optional(orNull(ShownText)),
      type: Type.Optional(orNull(Type.String())),
    }),
    creditor_account: Type.Object({
      type: Type.String(),
      number: Type.String({ minLength: 1, maxLength: 40 }),
    }),
    key_type: Type.String(),
    key_value: Type.String({ maxLength: 92 }),
    participant_nit: NetworkText,
  }),
)
