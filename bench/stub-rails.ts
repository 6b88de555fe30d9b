// Stub networks that accept every request at once, because the networks' own time is not what we measure. Shared by the
// service in process and the server under test.

import type { Rails } from '../src/rails/rail.ts'

export function stubRails(): Rails {
  const accepted =
    <Value>(value: Value) =>
    async () =>
      ({ outcome: 'accepted', value }) as const
  const open = accepted({ state: 'open' } as const)
  const payin = {
    submit: accepted({
      providerId: null,
      traceId: null,
      instructions: { keyString: null, qrPayload: null, pageUrl: null, isReady: true },
    }),
    query: open,
    cancel: open,
    returnPayment: accepted({ traceId: null }),
  }
  return {
    payins: { BRE_B: payin, PSE: payin },
    payouts: {
      submit: accepted({ state: 'processing' } as const),
      query: accepted({ state: 'processing' } as const),
    },
    directory: {
      lookUp: async (keyString, keyType) => ({
        outcome: 'accepted',
        value: {
          keyString,
          keyType,
          holder: { name: 'Ana', personType: 'INDIVIDUAL', idType: 'CO_CC', idNumber: '1' },
          participant: { name: 'Banco', code: '1' },
          account: { type: 'SAVINGS', lastFour: '0001' },
        },
      }),
    },
    banks: null,
    terms: null,
    statement: {},
    isAway: () => false,
    check: async () => [],
    readNotice: { BRE_B: () => undefined, PSE: () => undefined },
    close: async () => {},
  }
}
