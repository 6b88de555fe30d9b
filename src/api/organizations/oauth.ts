// POST /oauth/token: OAuth 2.0 client credentials (RFC 6749 §4.4). Client id and secret are sent by HTTP Basic, in a
// form or as JSON. The response is an access token for an hour. Errors carry RFC 6749's members besides our own.

import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Instant } from '../../core/instant.ts'
import { isScope, type Scope } from '../../core/organizations/scope.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Context } from '../../flows/context.ts'
import { secretDigest } from '../../flows/organizations/issue-credential.ts'
import type { OAuthClient } from '../../store/organizations/credentials.ts'
import { ACCESS_TOKEN_SECONDS, type AccessTokens } from '../http/access-token.ts'
import type { Auth } from '../http/auth.ts'
import type { AddressCheck } from '../http/credential-limits.ts'
import { problemBody, STATUS_OF } from '../http/errors.ts'

type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
type TokenRequest = { grant_type?: unknown; client_id?: unknown; client_secret?: unknown; scope?: unknown }
type Failure = { error: OAuthError; refusal: Refusal }

// Compared against if the client is unknown, so that an unknown id takes as long as a wrong secret.
const UNKNOWN_CLIENT_DIGEST = Buffer.alloc(32)
const CLIENT_ID = /^[\x21-\x7e]{1,200}$/
// Longer than any that we issue.
export const TOKEN_REQUEST_MAX = { clientId: 200, clientSecret: 200, scope: 1_000 }

export function routeOAuth(
  app: FastifyInstance,
  ctx: Context,
  auth: Auth,
  tokens: AccessTokens,
  checkAddress: AddressCheck,
): void {
  app.post('/oauth/token', async (request, reply) => {
    const answer = await grantToken(ctx, auth, tokens, checkAddress, request)
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache').type('application/json')
    return 'error' in answer ? sendFailure(ctx, reply, request.id, answer) : JSON.stringify(answer)
  })

  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .type('application/json')
      .send(JSON.stringify(await tokens.publicKeys())),
  )
}

async function grantToken(
  ctx: Context,
  auth: Auth,
  tokens: AccessTokens,
  checkAddress: AddressCheck,
  request: FastifyRequest,
): Promise<Failure | object> {
  const form = (typeof request.body === 'object' && request.body !== null ? request.body : {}) as TokenRequest
  // A request that is not one is told so before anybody asks who sent it.
  if (form.grant_type === undefined || form.grant_type === '') {
    return failure('invalid_request', 'INVALID_INPUT', 'grant_type is required: send client_credentials.')
  }
  const { clientId, clientSecret } = presentedClient(request.headers.authorization, form)
  if (clientId === undefined || clientSecret === undefined) {
    return failure(
      'invalid_client',
      'UNAUTHORIZED',
      'Send client id and secret by HTTP Basic or in the body.',
    )
  }
  // Text that cannot be an id is not looked up, because PostgreSQL does not accept NUL in text.
  const mayExist = CLIENT_ID.test(clientId) && clientSecret.length <= TOKEN_REQUEST_MAX.clientSecret
  const client = mayExist ? await auth.findClient(clientId) : undefined
  const isItsSecret = isSecretOf(client, clientSecret, ctx.clock.now())
  if (client === undefined || !isItsSecret || client.revokedAt !== null) {
    return failure(
      'invalid_client',
      'UNAUTHORIZED',
      'The client id or secret is wrong, or the client was revoked.',
    )
  }
  const { organizationId, organization } = client
  const refusal = checkAddress(request.raw, { organization, credentialId: clientId, limits: client })
  if (refusal !== undefined) return { error: 'unauthorized_client', refusal }
  if (form.grant_type !== 'client_credentials') {
    return failure('unsupported_grant_type', 'INVALID_INPUT', 'grant_type must be client_credentials.')
  }
  const scopes = grantedScopes(client.scopes, form.scope)
  if (scopes === undefined) {
    return failure(
      'invalid_scope',
      'INVALID_INPUT',
      'scope names a scope that does not exist or that this client does not have.',
    )
  }
  return {
    access_token: await tokens.issue({ clientId, organizationId, scopes }),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    ...(scopes && { scope: scopes.join(' ') }),
  }
}

// Both are compared, whichever matches, so that the time it takes says nothing.
function isSecretOf(client: OAuthClient | undefined, secret: string, now: Instant): boolean {
  const digest = secretDigest(secret)
  const isPresent = timingSafeEqual(digest, client?.secretDigest ?? UNKNOWN_CLIENT_DIGEST)
  const isPrevious = timingSafeEqual(digest, client?.previousDigest ?? UNKNOWN_CLIENT_DIGEST)
  return isPresent || (isPrevious && (client?.previousUntil ?? 0) > now)
}

function presentedClient(authorization: string | undefined, form: TokenRequest) {
  const basic = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization ?? '')?.[1]
  if (basic !== undefined) {
    const [id, secret] = splitOnce(Buffer.from(basic, 'base64').toString('utf8'), ':')
    return { clientId: formDecoded(id), clientSecret: secret === undefined ? undefined : formDecoded(secret) }
  }
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return { clientId: text(form.client_id), clientSecret: text(form.client_secret) }
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

// RFC 6749 §2.3.1: both parts are form-encoded before they are joined. Ours contain no character that this changes.
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

// Null means every scope of the organization. A requested list narrows it.
function grantedScopes(own: Scope[] | null, requested: unknown): Scope[] | null | undefined {
  if (requested === undefined || requested === '') return own
  if (typeof requested !== 'string' || requested.length > TOKEN_REQUEST_MAX.scope) return undefined
  const scopes = requested.split(' ').filter((scope) => scope !== '')
  return scopes.every((scope) => isScope(scope) && (own === null || own.includes(scope)))
    ? (scopes as Scope[])
    : undefined
}

function failure(error: OAuthError, code: 'UNAUTHORIZED' | 'INVALID_INPUT', detail: string): Failure {
  return { error, refusal: refuse(code, detail) }
}

function sendFailure(
  ctx: Context,
  reply: FastifyReply,
  requestId: string,
  { error, refusal }: Failure,
): string {
  reply.code(STATUS_OF[refusal.refused])
  if (refusal.refused === 'UNAUTHORIZED') reply.header('www-authenticate', 'Basic realm="recaudo"')
  const problem = JSON.parse(problemBody(ctx.settings.publicUrl, refusal, requestId)) as object
  return JSON.stringify({ error, error_description: refusal.detail, ...problem })
}
