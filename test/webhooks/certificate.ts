// A self-signed certificate made at run time, so that no key is in the repository and none expires. Only the fields
// that TLS checks are written.

import { generateKeyPairSync, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export type Certificate = { readonly key: string; readonly cert: string }

export function selfSigned(host: string, lastDay = '21260101000000Z'): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid(0x55, 0x04, 0x03), tlv(0x0c, Buffer.from(host)))))
  const altName = isIPv4(host)
    ? tlv(0x87, Buffer.from(host.split('.').map(Number)))
    : tlv(0x82, Buffer.from(host))
  const toBeSigned = sequence(
    tlv(0xa0, integer(2)),
    integer(1),
    ECDSA_SHA256,
    name,
    sequence(moment('20200101000000Z'), moment(lastDay)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(sequence(oid(0x55, 0x1d, 0x11), tlv(0x04, sequence(altName))))),
  )
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey))
  const der = sequence(toBeSigned, ECDSA_SHA256, signature)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

function tlv(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...contents: Buffer[]): Buffer {
  return tlv(0x30, ...contents)
}

function set(content: Buffer): Buffer {
  return tlv(0x31, content)
}

function integer(value: number): Buffer {
  return tlv(0x02, Buffer.from([value]))
}

function oid(...bytes: number[]): Buffer {
  return tlv(0x06, Buffer.from(bytes))
}

function moment(text: string): Buffer {
  return tlv(0x18, Buffer.from(text))
}

const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
