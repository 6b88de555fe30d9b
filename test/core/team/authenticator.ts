// An authenticator in software: makes passkeys and signs with them, as a browser's JSON. Everything that a check looks at can be
// made wrong.

import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'

export type Made = { publicKey: KeyObject; privateKey: KeyObject; credentialId: Buffer; userHandle: Buffer }

export type Answering = {
  challenge: string
  origin: string
  rpId: string
  userHandle?: Buffer | null
  // Present and verified.
  flags?: number
  signCount?: number
  type?: string
  clientData?: Record<string, unknown>
}

export const KINDS = ['ES256', 'EdDSA', 'RS256'] as const
export type Kind = (typeof KINDS)[number]

export const PRESENT = 1
export const VERIFIED = 4
const CREDENTIAL = 64

export function makePasskey(kind: Kind = 'ES256', userHandle = randomBytes(16)): Made {
  const pair =
    kind === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : kind === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return { ...pair, credentialId: randomBytes(32), userHandle }
}

export function registrationOf(made: Made, answering: Answering, coseKey = coseOf(made.publicKey)) {
  const { credentialId } = made
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credentialId.length)
  const authData = Buffer.concat([
    dataOf({ ...answering, flags: (answering.flags ?? PRESENT | VERIFIED) | CREDENTIAL }),
    Buffer.alloc(16),
    length,
    credentialId,
    coseKey,
  ])
  const attestationObject = cbor(
    new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  )
  const id = credentialId.toString('base64url')
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: clientDataOf('webauthn.create', answering).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
    },
  }
}

export function assertionOf({ privateKey, credentialId, userHandle }: Made, answering: Answering) {
  const authenticatorData = dataOf(answering)
  const clientDataJson = clientDataOf('webauthn.get', answering)
  const signed = Buffer.concat([authenticatorData, hash('sha256', clientDataJson, 'buffer')])
  const digest = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const id = credentialId.toString('base64url')
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: clientDataJson.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign(digest, signed, privateKey).toString('base64url'),
      userHandle: (answering.userHandle === undefined ? userHandle : answering.userHandle)?.toString(
        'base64url',
      ),
    },
  }
}

function dataOf({ rpId, flags = PRESENT | VERIFIED, signCount = 0 }: Answering): Buffer {
  const fixed = Buffer.alloc(5)
  fixed[0] = flags
  fixed.writeUInt32BE(signCount, 1)
  return Buffer.concat([hash('sha256', rpId, 'buffer'), fixed])
}

function clientDataOf(type: string, { challenge, origin, clientData, ...given }: Answering): Buffer {
  return Buffer.from(JSON.stringify({ type: given.type ?? type, challenge, origin, ...clientData }))
}

export function coseOf(publicKey: KeyObject): Buffer {
  const { kty, x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  const entries: Record<string, [number, unknown][]> = {
    EC: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    OKP: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ],
    RSA: [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  }
  return cbor(new Map(entries[kty as string]))
}

export function cbor(value: unknown): Buffer {
  const head = (major: number, argument: number): Buffer => {
    if (argument < 24) return Buffer.from([(major << 5) | argument])
    const length = argument < 0x100 ? 1 : argument < 0x10000 ? 2 : 4
    const bytes = Buffer.alloc(1 + length)
    bytes[0] = (major << 5) | (24 + Math.log2(length))
    bytes.writeUIntBE(argument, 1, length)
    return bytes
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'boolean') return Buffer.from([value ? 0xf5 : 0xf4])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const map = value as Map<unknown, unknown>
  return Buffer.concat([head(5, map.size), ...[...map].flat().map(cbor)])
}
