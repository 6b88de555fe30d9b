// Keeps one access token for all calls of a client: asked for when first needed, and anew before it runs out or when the
// server refuses it. Many calls that need one at once share the asking.

type Granted = { access_token: string; expires_in: number }

/** The token to use now; never the one that was refused. */
export type AccessTokens = (refused?: string) => Promise<string>

// The server counts an hour from its own clock; a call that begins now must still find the token good when it arrives.
const RENEW_BEFORE_MS = 60_000

export function createAccessTokens(ask: () => Promise<Granted>): AccessTokens {
  let current: { token: string; renewAtMs: number } | undefined
  let asking: Promise<string> | undefined

  const renew = async (): Promise<string> => {
    // Counted from before the asking, and by a clock that nobody sets.
    const askedAtMs = performance.now()
    try {
      const { access_token: token, expires_in } = await ask()
      current = { token, renewAtMs: askedAtMs + expires_in * 1_000 - RENEW_BEFORE_MS }
      return token
    } finally {
      asking = undefined
    }
  }

  return async (refused) => {
    if (current && current.token !== refused && performance.now() < current.renewAtMs) return current.token
    asking ??= renew()
    return asking
  }
}
