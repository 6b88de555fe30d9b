// Holds one access token for all calls of a client. It is requested when first needed, and renewed before it expires or
// when the server rejects it. Concurrent calls that need a token share one request.

type Granted = { access_token: string; expires_in: number }

/** Returns the token to use now. Pass a token the server rejected to get another one. */
export type AccessTokens = (refused?: string) => Promise<string>

// The token's hour runs on the server's clock, and a token sent now must still be valid when the request arrives.
const RENEW_BEFORE_MS = 60_000

export function createAccessTokens(ask: () => Promise<Granted>): AccessTokens {
  let current: { token: string; renewAtMs: number } | undefined
  let pending: Promise<string> | undefined

  const renew = async (): Promise<string> => {
    // Measured from before the request, with a monotonic clock.
    const requestedAtMs = performance.now()
    try {
      const { access_token: token, expires_in } = await ask()
      current = { token, renewAtMs: requestedAtMs + expires_in * 1_000 - RENEW_BEFORE_MS }
      return token
    } finally {
      pending = undefined
    }
  }

  return async (refused) => {
    if (current && current.token !== refused && performance.now() < current.renewAtMs) return current.token
    pending ??= renew()
    return pending
  }
}
