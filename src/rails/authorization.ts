// How we prove to a network who we are. Each attempt of a call carries a proof of its own.

import type { AccessTokens } from './access-token.ts'
import type { Unknown } from './rail.ts'

// Goes into the headers, or into the body as fields of its own.
export type Proof = {
  readonly headers?: Readonly<Record<string, string>>
  readonly fields?: Readonly<Record<string, unknown>>
}

export type Authorization = {
  readonly prove: (signal: AbortSignal) => Promise<Proof | Unknown>
  // The network answered 401.
  readonly refused: (proof: Proof) => void
  // The next proof is another one, so it is worth trying again.
  readonly isRenewable: boolean
}

export function byAccessToken(tokens: AccessTokens): Authorization {
  const bearer = 'Bearer '
  return {
    prove: async (signal) => {
      const token = await tokens.get(signal)
      return typeof token === 'string' ? { headers: { authorization: `${bearer}${token}` } } : token
    },
    refused: ({ headers }) => tokens.drop((headers?.authorization ?? '').slice(bearer.length)),
    isRenewable: true,
  }
}

export function byHeaders(headers: Readonly<Record<string, string>>): Authorization {
  return { prove: async () => ({ headers }), refused: () => {}, isRenewable: false }
}

// Fields that are made anew for each attempt, such as a nonce.
export function byFields(fields: () => Readonly<Record<string, unknown>>): Authorization {
  return { prove: async () => ({ fields: fields() }), refused: () => {}, isRenewable: false }
}
