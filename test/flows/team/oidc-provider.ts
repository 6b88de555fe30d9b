// A small OpenID Connect provider on this machine: what a company has. A test says who signs in there, and what is wrong with the
// answer.

import { hash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export type Approval = {
  subject: string
  email?: string
  emailVerified?: unknown
  // Replaces claims, after they are right.
  claims?: JWTPayload
  // Signs with a key that the provider does not publish.
  forged?: boolean
}

export type OidcProvider = AsyncDisposable & {
  issuer: string
  // How often it was asked for its addresses.
  discoveries: number
  // 'down': it answers 503. 'silent': it closes connections.
  state: 'up' | 'down' | 'silent'
  // The person agrees at the address that the browser was sent to. Returns what the browser comes back with.
  approve: (url: string, approval: Approval) => URLSearchParams
}

export const CLIENT = { id: 'recaudo', secret: 'secret of the client' }

export async function startOidcProvider(): Promise<OidcProvider> {
  const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }
  const codes = new Map<string, { asked: URLSearchParams; approval: Approval }>()
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (provider.state === 'silent') return void request.socket.destroy()
    if (provider.state === 'down') return answer(503, {})
    if (request.url === '/.well-known/openid-configuration') {
      provider.discoveries += 1
      return answer(200, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
        code_challenge_methods_supported: ['S256'],
      })
    }
    if (request.url === '/keys') return answer(200, { keys: [jwk] })
    const form = new URLSearchParams(await bodyOf(request))
    const found = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (!isClient(request, form)) return answer(401, { error: 'invalid_client' })
    if (found === undefined) return answer(400, { error: 'invalid_grant' })
    const { asked, approval } = found
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    if (asked.get('code_challenge') !== challenge || asked.get('redirect_uri') !== form.get('redirect_uri'))
      return answer(400, { error: 'invalid_grant' })
    const claims = {
      nonce: asked.get('nonce'),
      ...(approval.email !== undefined && {
        email: approval.email,
        email_verified: 'emailVerified' in approval ? approval.emailVerified : true,
      }),
    }
    const now = Math.floor(Date.now() / 1_000)
    const payload: JWTPayload = {
      iss: provider.issuer,
      aud: CLIENT.id,
      sub: approval.subject,
      iat: now,
      exp: now + 300,
      ...claims,
      ...approval.claims,
    }
    const idToken = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid: 'own' })
      .sign(approval.forged === true ? other.privateKey : own.privateKey)
    answer(200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: idToken })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const provider: OidcProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    discoveries: 0,
    state: 'up',
    approve: (url, approval) => {
      const asked = new URL(url).searchParams
      const code = randomUUID()
      codes.set(code, { asked, approval })
      return new URLSearchParams({ code, state: asked.get('state') ?? '' })
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}

function isClient({ headers }: IncomingMessage, form: URLSearchParams): boolean {
  const given = form.get('client_secret')
  if (given !== null) return form.get('client_id') === CLIENT.id && given === CLIENT.secret
  const encoded = [CLIENT.id, CLIENT.secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+'))
  return headers.authorization === `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
