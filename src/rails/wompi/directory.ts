// Looks up who holds a key. Wompi masks the name ("JUA*** PER***") and tells neither document nor account.

import type { Gateway } from '../gateway.ts'
import type { Limits } from '../limits.ts'
import { type Directory, unknown } from '../rail.ts'
import { unreadable } from '../wire-format.ts'
import { directoryMeaning, WIRE_KEY_TYPES } from './codes.ts'
import { readKey } from './wire.ts'

export function wompiDirectory(gateway: Gateway, limits: Limits): Directory {
  return {
    lookUp: async (keyString, keyType) => {
      const wireType = WIRE_KEY_TYPES[keyType]
      const reply = await gateway.ask({
        method: 'GET',
        resource: '/v2/breb/keys/resolve',
        id: keyString,
        idIsPersonal: true,
        query: { keyType: wireType },
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
      const found = readKey(reply.body)
      // The key itself comes masked. Only its type can be compared with what was asked.
      if (found?.keyType !== wireType) return unreadable('the answer is not the key that was asked for')
      const { holderName: name, financialEntity: participant } = found
      return {
        outcome: 'accepted',
        value: {
          keyString,
          keyType,
          isMasked: true,
          holder: { name, personType: null, idType: null, idNumber: null },
          participant: { name: participant.name, code: participant.code ?? null },
          account: null,
        },
      }
    },
  }
}
