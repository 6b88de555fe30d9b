// The text inside a Bre-B QR code: the EMVCo merchant-presented payload in its Colombian dialect (EASPBV), a chain of
// two-digit tag, two-digit length, value. We write the tags in order and in plain ASCII. Real networks write them in
// any order, so the reader relies only on 00 coming first and 63, the CRC, last.
import assert from 'node:assert/strict'
import { type KeyType, parseBrebKey } from './directory/breb-key.ts'

export type EmvCharge = {
  key: string
  amountInCents: bigint
  merchantName: string
  merchantCity: string
  /** 1 to 19 letters and digits, unique among open charges. */
  transactionId: string
  networkId?: string
  terminal?: string
}

/**
 * The payload of a dynamic code: one charge with a fixed amount. The tax tags 81–85 are left out: they are optional,
 * would add 140 characters, and we do not know the merchant's taxes.
 */
export function emvPayload(charge: EmvCharge): string {
  const { networkId = NETWORK_ID, terminal = TERMINAL, transactionId } = charge
  const key = parseBrebKey(charge.key)
  assert(key !== undefined, 'the key is a Bre-B key')
  assert(charge.amountInCents > 0n, 'a dynamic code asks for money')
  assert(/^[A-Z]{3,4}$/.test(networkId), 'a network id is 3 or 4 letters')
  assert(/^[A-Za-z0-9]{1,19}$/.test(transactionId), 'a transaction id is 1 to 19 letters and digits')
  const guid = (name: string) => field('00', `CO.COM.${networkId}.${name}`)
  const unsigned =
    field('00', '01') +
    field('01', DYNAMIC) +
    field('26', guid('LLA') + field(KEY_SUB_TAG[key.keyType], key.keyString)) +
    field('49', guid('RED') + field('01', networkId)) +
    field('52', '0000') +
    field('53', COLOMBIAN_PESO) +
    field('54', writeAmount(charge.amountInCents)) +
    field('58', 'CO') +
    field('59', plainText(charge.merchantName, MAX_NAME_LENGTH) || 'COMERCIO') +
    field('60', plainText(charge.merchantCity, MAX_CITY_LENGTH) || 'BOGOTA') +
    field('62', field('07', terminal) + field('08', PURPOSE_PURCHASE)) +
    field('80', guid('CANAL') + field('01', 'ECOMM')) +
    field('90', guid('TRXID') + field('01', transactionId)) +
    '6304'
  return unsigned + crcHex(unsigned)
}

export type EmvFields = {
  key: string
  keyType: KeyType
  /** null: the payer types the amount. */
  amountInCents: bigint | null
  merchantName: string
  merchantCity: string
  transactionId: string | null
  dynamic: boolean
}
export type EmvProblem = 'NOT_EMV' | 'CRC_MISMATCH' | 'MALFORMED' | 'NOT_COP' | 'NO_KEY' | 'AMOUNT_INVALID'
export type EmvReading = { ok: true; fields: EmvFields } | { ok: false; reason: EmvProblem }

/** Reads a payload of any network. Never throws: the text comes from a camera. */
export function readEmvPayload(text: string): EmvReading {
  const payload = text.trim()
  if (!payload.startsWith('000201') || payload.length > MAX_PAYLOAD_LENGTH) return refuse('NOT_EMV')
  if (payload.slice(-8, -4) !== '6304') return refuse('MALFORMED')
  if (payload.slice(-4).toUpperCase() !== crcHex(payload.slice(0, -4))) return refuse('CRC_MISMATCH')
  const tags = readFields(payload)
  const account = readFields(tags?.get('26') ?? '')
  const transaction = readFields(tags?.get('90') ?? '')
  if (tags === undefined || account === undefined || transaction === undefined) return refuse('MALFORMED')
  if (tags.get('53') !== COLOMBIAN_PESO) return refuse('NOT_COP')
  // Other countries put their own keys in tag 26. Only the network's name in it identifies a llave.
  if (!/\.LLA$/i.test(account.get('00') ?? '')) return refuse('NO_KEY')
  const keys = KEY_TYPES.filter((keyType) => account.get(KEY_SUB_TAG[keyType]))
  const [keyType, second] = keys
  if (keyType === undefined || second !== undefined) return refuse('NO_KEY')
  const amount = tags.get('54')
  const amountInCents = amount === undefined ? null : readAmount(amount)
  if (amountInCents === undefined) return refuse('AMOUNT_INVALID')
  return {
    ok: true,
    fields: {
      key: account.get(KEY_SUB_TAG[keyType]) ?? '',
      keyType,
      amountInCents,
      merchantName: tags.get('59') ?? '',
      merchantCity: tags.get('60') ?? '',
      transactionId: transaction.get('01') ?? null,
      dynamic: tags.get('01') === DYNAMIC,
    },
  }
}

/** CRC-16/CCITT-FALSE of the text's bytes, as four upper-case hex digits. */
export function crcHex(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) crc = ((crc << 8) ^ (CRC_TABLE[(crc >> 8) ^ byte] ?? 0)) & 0xffff
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

// The id of the simulated network. A real network assigns its own (RBM, CRB, ACH …) to those who issue codes on it.
export const NETWORK_ID = 'RCD'
const TERMINAL = 'WEB'
const DYNAMIC = '12'
const COLOMBIAN_PESO = '170'
const PURPOSE_PURCHASE = '00'
const MAX_NAME_LENGTH = 25
const MAX_CITY_LENGTH = 15
// EMVCo allows 13 characters for an amount: ten digits of pesos, a point and two digits of cents.
const MAX_PESO_DIGITS = 10
// The capacity of the largest QR code.
const MAX_PAYLOAD_LENGTH = 2_953

const PRINTABLE_ASCII = /^[\x20-\x7e]{1,99}$/

const KEY_SUB_TAG = {
  DOCUMENT: '01',
  PHONE: '02',
  EMAIL: '03',
  ALPHANUMERIC: '04',
  MERCHANT_CODE: '05',
} as const satisfies Record<KeyType, string>
const KEY_TYPES = Object.keys(KEY_SUB_TAG) as KeyType[]

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})

function field(tag: string, value: string): string {
  // The length counts characters and the CRC counts bytes; in printable ASCII they are equal.
  assert(PRINTABLE_ASCII.test(value), 'a value is 1 to 99 printable ASCII characters')
  return tag + String(value.length).padStart(2, '0') + value
}

function readFields(chain: string): Map<string, string> | undefined {
  const fields = new Map<string, string>()
  for (let at = 0; at < chain.length; ) {
    const tag = chain.slice(at, at + 2)
    const length = chain.slice(at + 2, at + 4)
    const value = chain.slice(at + 4, at + 4 + Number(length))
    // A repeated tag is ambiguous, so the payload is malformed.
    if (!/^\d\d$/.test(tag) || !/^\d\d$/.test(length) || fields.has(tag)) return undefined
    if (value.length !== Number(length)) return undefined
    fields.set(tag, value)
    at += 4 + value.length
  }
  return fields
}

function writeAmount(amountInCents: bigint): string {
  const pesos = String(amountInCents / 100n)
  assert(pesos.length <= MAX_PESO_DIGITS, `an amount has at most ${MAX_PESO_DIGITS} digits of pesos`)
  return `${pesos}.${String(amountInCents % 100n).padStart(2, '0')}`
}

function readAmount(amount: string): bigint | undefined {
  const [, pesos, cents = ''] = /^([0-9]{1,10})(?:\.([0-9]{0,2}))?$/.exec(amount) ?? []
  return pesos === undefined ? undefined : BigInt(pesos + cents.padEnd(2, '0'))
}

/** Upper-case printable ASCII. Accents are dropped, and anything without an ASCII letter becomes a space. */
function plainText(text: string, maxLength: number): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()
  const printable = letters.replace(/[^\x21-\x7e]+/g, ' ').trim()
  return printable.slice(0, maxLength).trimEnd()
}

const refuse = (reason: EmvProblem): EmvReading => ({ ok: false, reason })
