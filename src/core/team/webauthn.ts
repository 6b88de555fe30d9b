// Passkeys: checks what a browser answers when one is made and when somebody signs in with it (WebAuthn Level 3, §7.1 and §7.2).
// We ask for no attestation, so what the authenticator says of its make is not read. The caller knows that the challenge is ours,
// fresh and unused.

import { createPublicKey, hash, type KeyObject, verify, type webcrypto } from 'node:crypto'
import { type Cbor, readCbor } from './cbor.ts'
import type { Passkey } from './passkey.ts'
import type { Assertion, Registration } from './webauthn-response.ts'

export type Expected = {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
  // Whether the authenticator must have checked who holds it: by finger, face or PIN.
  readonly userVerification: 'required' | 'any'
}

export type PasskeyProblem =
  | 'MALFORMED'
  | 'WRONG_TYPE'
  | 'WRONG_CHALLENGE'
  | 'WRONG_ORIGIN'
  | 'WRONG_SITE'
  | 'NOT_PRESENT'
  | 'NOT_VERIFIED'
  | 'WRONG_KEY'
  | 'WRONG_SIGNATURE'
  | 'COUNTED_BACK'

export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'algorithm' | 'signCount'>

// COSE's numbers, in the order in which we prefer them.
export const EDDSA = -8
export const ES256 = -7
export const RS256 = -257
export const ALGORITHMS = [EDDSA, ES256, RS256] as const

export function verifyRegistration(
  { clientDataJson, attestationObject }: Registration,
  expected: Expected,
): NewPasskey | PasskeyProblem {
  const attestation = readCbor(attestationObject)
  const authData = attestation?.value instanceof Map ? attestation.value.get('authData') : undefined
  if (attestation?.end !== attestationObject.length || !Buffer.isBuffer(authData)) return 'MALFORMED'
  const data = readAuthenticatorData(authData)
  if (data?.credential === undefined) return 'MALFORMED'
  const problem =
    clientDataProblem(clientDataJson, 'webauthn.create', expected) ?? dataProblem(data, expected)
  if (problem !== undefined) return problem
  const { credentialId, coseKey } = data.credential
  const key = publicKeyOf(coseKey)
  if (key === undefined) return 'WRONG_KEY'
  const publicKey = key.publicKey.export({ type: 'spki', format: 'der' })
  return { credentialId, publicKey, algorithm: key.algorithm, signCount: data.signCount }
}

// What the passkey counts now. It must count up, or not at all: one that counts back was copied.
export function verifyAssertion(
  { clientDataJson, authenticatorData, signature }: Assertion,
  expected: Expected,
  passkey: Pick<Passkey, 'publicKey' | 'algorithm' | 'signCount'>,
): { readonly signCount: number } | PasskeyProblem {
  const data = readAuthenticatorData(authenticatorData)
  if (data === undefined) return 'MALFORMED'
  const problem = clientDataProblem(clientDataJson, 'webauthn.get', expected) ?? dataProblem(data, expected)
  if (problem !== undefined) return problem
  const signed = Buffer.concat([authenticatorData, hash('sha256', clientDataJson, 'buffer')])
  const key = createPublicKey({ key: passkey.publicKey, type: 'spki', format: 'der' })
  // An Ed25519 signature hashes by itself.
  const digest = passkey.algorithm === EDDSA ? null : 'sha256'
  if (!verify(digest, signed, key, signature)) return 'WRONG_SIGNATURE'
  const counts = data.signCount > 0 || passkey.signCount > 0
  return counts && data.signCount <= passkey.signCount ? 'COUNTED_BACK' : { signCount: data.signCount }
}

// Undefined if it is no client data. What it says of itself is not believed before it is looked up.
export function challengeIn(clientDataJson: Buffer): string | undefined {
  const { challenge } = readClientData(clientDataJson) ?? {}
  return typeof challenge === 'string' ? challenge : undefined
}

// The page that asked the passkey, as the browser says.
export function originIn(clientDataJson: Buffer): string | undefined {
  const { origin } = readClientData(clientDataJson) ?? {}
  return typeof origin === 'string' ? origin : undefined
}

function clientDataProblem(json: Buffer, type: string, expected: Expected): PasskeyProblem | undefined {
  const data = readClientData(json)
  if (data === undefined) return 'MALFORMED'
  if (data.type !== type) return 'WRONG_TYPE'
  if (data.challenge !== expected.challenge) return 'WRONG_CHALLENGE'
  // Our pages stand in no other site's frame.
  const isFramed = data.crossOrigin === true || data.topOrigin !== undefined
  return data.origin !== expected.origin || isFramed ? 'WRONG_ORIGIN' : undefined
}

function readClientData(json: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

// Bits of the flags: somebody was there; the authenticator knows who; the passkey may be copied between devices, and was; a
// credential follows, and extensions.
const FLAGS = { present: 1, verified: 4, copyable: 8, copied: 16, credential: 64, extensions: 128 } as const

type AuthenticatorData = {
  readonly rpIdHash: Buffer
  readonly flags: number
  readonly signCount: number
  readonly credential?: { readonly credentialId: Buffer; readonly coseKey: Map<number | string, Cbor> }
}

// §6.1. Undefined unless every byte has its meaning.
function readAuthenticatorData(bytes: Buffer): AuthenticatorData | undefined {
  if (bytes.length < 37) return undefined
  const flags = bytes[32] as number
  const fixed = { rpIdHash: bytes.subarray(0, 32), flags, signCount: bytes.readUInt32BE(33) }
  let end = 37
  let credential: AuthenticatorData['credential']
  if (flags & FLAGS.credential) {
    if (bytes.length < 55) return undefined
    const idEnd = 55 + bytes.readUInt16BE(53)
    const credentialId = bytes.subarray(55, idEnd)
    const key = readCbor(bytes, idEnd)
    if (credentialId.length < 1 || credentialId.length > 1_023 || !(key?.value instanceof Map))
      return undefined
    credential = { credentialId, coseKey: key.value }
    end = key.end
  }
  if (flags & FLAGS.extensions) {
    const extensions = readCbor(bytes, end)
    if (!(extensions?.value instanceof Map)) return undefined
    end = extensions.end
  }
  return end === bytes.length ? { ...fixed, ...(credential && { credential }) } : undefined
}

function dataProblem({ rpIdHash, flags }: AuthenticatorData, expected: Expected): PasskeyProblem | undefined {
  if (!rpIdHash.equals(hash('sha256', expected.rpId, 'buffer'))) return 'WRONG_SITE'
  if (flags & FLAGS.copied && !(flags & FLAGS.copyable)) return 'MALFORMED'
  if (!(flags & FLAGS.present)) return 'NOT_PRESENT'
  const isMissed = expected.userVerification === 'required' && !(flags & FLAGS.verified)
  return isMissed ? 'NOT_VERIFIED' : undefined
}

// COSE's labels (RFC 9052, RFC 9053): 1 is the type, 3 the algorithm, what is below zero belongs to the type.
function publicKeyOf(
  cose: Map<number | string, Cbor>,
): { publicKey: KeyObject; algorithm: number } | undefined {
  const [type, algorithm] = [cose.get(1), cose.get(3)]
  const text = (label: number): string => {
    const value = cose.get(label)
    return Buffer.isBuffer(value) ? value.toString('base64url') : ''
  }
  let key: webcrypto.JsonWebKey | undefined
  if (algorithm === ES256 && type === 2 && cose.get(-1) === 1)
    key = { kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) }
  if (algorithm === EDDSA && type === 1 && cose.get(-1) === 6)
    key = { kty: 'OKP', crv: 'Ed25519', x: text(-2) }
  if (algorithm === RS256 && type === 3) key = { kty: 'RSA', n: text(-1), e: text(-2) }
  if (key === undefined || typeof algorithm !== 'number') return undefined
  try {
    const publicKey = createPublicKey({ key, format: 'jwk' })
    const bits = publicKey.asymmetricKeyDetails?.modulusLength
    return bits !== undefined && bits < MIN_RSA_BITS ? undefined : { publicKey, algorithm }
  } catch {
    return undefined
  }
}

const MIN_RSA_BITS = 2_048
