// Addresses that carry an id and sixteen more bytes, encoded for use in a URL.

const BYTES = 32

export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

export function encodeUuidToken(uuid: string, bytes: Buffer): string {
  return Buffer.concat([uuidBytes(uuid), bytes]).toString('base64url')
}

export function decodeUuidToken(text: string): { uuid: string; bytes: Buffer } | undefined {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return undefined
  return { uuid: uuidText(bytes.subarray(0, 16)), bytes: bytes.subarray(16) }
}
