// Speaks OpenID Connect with the company's accounts: authorization code with PKCE, state and nonce; the identity's signature is
// checked against the issuer's keys. The library is loaded when somebody signs in so for the first time.

import type { Configuration } from 'openid-client'
import type { OidcSettings } from '../core/setting-values.ts'
import type { CompanySignIn } from '../core/team/company-sign-in.ts'

const TIMEOUT_SECONDS = 10
// OpenID Connect Core 1.0, §2.
const MAX_SUBJECT_LENGTH = 255
// The issuer's addresses are read anew after this, and its keys as the library needs them.
const METADATA_LASTS_MS = 60 * 60_000

export function openCompanySignIn(settings: OidcSettings, now: () => number): CompanySignIn {
  let known: { configuration: Promise<Configuration>; until: number } | undefined
  const configured = (): Promise<Configuration> => {
    if (known === undefined || known.until <= now()) {
      const configuration = discover(settings)
      known = { configuration, until: now() + METADATA_LASTS_MS }
      configuration.catch(() => {
        known = undefined
      })
    }
    return known.configuration
  }
  return {
    begin: async ({ redirectUri, state, nonce, verifier }) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      try {
        const url = buildAuthorizationUrl(await configured(), {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href }
      } catch {
        return 'unavailable'
      }
    },
    finish: async ({ redirectUri, state, nonce, verifier }, parameters) => {
      const { authorizationCodeGrant } = await import('openid-client')
      let configuration: Configuration
      try {
        configuration = await configured()
      } catch {
        return 'unavailable'
      }
      try {
        const tokens = await authorizationCodeGrant(configuration, new URL(`?${parameters}`, redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) return 'refused'
        const { iss: issuer, sub: subject, email, email_verified: isVerified } = claims
        // The library takes one without a name.
        if (subject === '' || subject.length > MAX_SUBJECT_LENGTH) return 'refused'
        const verifiedEmail = isVerified === true && typeof email === 'string' ? email : null
        return { issuer, subject, verifiedEmail }
      } catch (error) {
        return isOutage(error) ? 'unavailable' : 'refused'
      }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client')
  const isOpen = issuer.startsWith('http:')
  return discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    // Only a developer's own machine is spoken to without encryption: config.ts sees to that.
    execute: [enableNonRepudiationChecks, ...(isOpen ? [allowInsecureRequests] : [])],
  })
}

// Nobody answered, or not in time. Everything else is an answer that we do not take.
function isOutage(error: unknown): boolean {
  const { code, name, cause } = error as { code?: string; name?: string; cause?: unknown }
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'OAUTH_TIMEOUT') return true
  if (name === 'TypeError' && (error as Error).message === 'fetch failed') return true
  return cause !== undefined && cause !== null && typeof cause === 'object' && isOutage(cause)
}
