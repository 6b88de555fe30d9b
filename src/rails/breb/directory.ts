// Looks up who holds a key, before money is sent to it. Names and numbers are returned in full; the code that shows them
// decides who sees how much. The key itself stays out of the record of exchanges.

import { Type } from '../../core/json-schema.ts'
import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { type Directory, unknown } from '../rail.ts'
import { NetworkText, reader, unreadable } from '../wire-format.ts'
import { ACCOUNT_TYPES, directoryMeaning, WIRE_KEY_TYPES } from './codes.ts'
import type { KeyRecord } from './wire.ts'

export function brebDirectory(gateway: Gateway, limits: Limits): Directory {
  return {
    lookUp: async (keyString, keyType) => {
      const wireType = WIRE_KEY_TYPES[keyType]
      const reply = await gateway.ask({
        method: 'GET',
        resource: `/keys/${wireType}`,
        id: keyString,
        idIsPersonal: true,
        // The key's own bank determines the answer time.
        timeoutKeepsCircuitClosed: true,
        deadlineMs: limits.lookUpMs,
        mayAskAgain: true,
      })
      if (reply.outcome === 'unknown') return reply
      if (reply.outcome === 'refused') {
        const meaning = directoryMeaning(reply.code)
        return 'refusal' in meaning
          ? { outcome: 'rejected', reason: meaning.refusal, networkCode: reply.code }
          : unknown(meaning.trouble, `the directory answered ${reply.code} (HTTP ${reply.httpStatus})`)
      }
      const record = readKeyRecord(reply.body)
      // Directories differ in letter case. None holds two keys that differ only in case.
      if (record?.key.toUpperCase() !== keyString.toUpperCase() || record.keyType !== wireType)
        return unreadable('the answer is not the key that was asked for')
      const { person, participant, account } = record
      return {
        outcome: 'accepted',
        value: {
          keyString,
          keyType,
          holder: {
            name: person.name,
            personType: person.type === 'N' ? 'INDIVIDUAL' : 'BUSINESS',
            idType: person.idType,
            idNumber: person.idNumber,
          },
          participant: { name: participant.name, code: participant.nit },
          account: { type: ACCOUNT_TYPES[account.type], lastFour: lastFour(account.number) },
        },
      }
    },
  }
}

// The last four digits of a short number would be the whole number.
function lastFour(number: string): string {
  return number.length > 4 ? number.slice(-4) : '*'.repeat(number.length)
}

// Shown to people unchanged, so control, direction and invisible characters are refused.
const ShownText = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\p{C}\\u2028\\u2029]*$' })

const readKeyRecord: (body: unknown) => KeyRecord | undefined = reader(
  Type.Object({
    key: Type.String({ maxLength: 92 }),
    keyType: Type.Union([
      Type.Literal('NRIC'),
      Type.Literal('M'),
      Type.Literal('E'),
      Type.Literal('O'),
      Type.Literal('B'),
    ]),
    status: Type.Literal('ACTIVE'),
    person: Type.Object({
      type: Type.Union([Type.Literal('N'), Type.Literal('L')]),
      idType: NetworkText,
      idNumber: ShownText,
      name: ShownText,
    }),
    participant: Type.Object({ nit: NetworkText, name: ShownText }),
    account: Type.Object({
      type: Type.Union([
        Type.Literal('CAHO'),
        Type.Literal('CCTE'),
        Type.Literal('DBMO'),
        Type.Literal('DBMI'),
        Type.Literal('DORD'),
      ]),
      number: Type.String({ minLength: 1, maxLength: 40 }),
    }),
  }),
)
