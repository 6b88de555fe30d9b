// The directory of Bre-B keys, without stored entries: the holder is derived from the key itself, so the same key always
// names the same person. Keys that misbehave are recognized by their beginning.

import { createHash } from 'node:crypto'
import { nitCheckDigit } from '../core/identity-document.ts'
import type { DIRECTORY_CODES, KeyRecord, WireKeyType } from '../rails/breb/wire.ts'

export type DirectoryCode = keyof typeof DIRECTORY_CODES

/** What is wrong with a key; undefined if nothing is. */
export function keyRefusal(keyType: string, key: string): DirectoryCode | undefined {
  if (!isWireKeyType(keyType) || !FORMAT[keyType].test(key)) return 'DIFE-5005'
  if (key.startsWith('@NOEXISTE')) return 'DIFE-0004'
  if (key.startsWith('@SUSPENDIDA')) return 'DIFE-0005'
  return undefined
}

export const participantIsDown = (key: string): boolean => key.startsWith('@CAIDA')
export const isSlow = (key: string): boolean => key.startsWith('@LENTA')
export const SLOW_LOOKUP_MS = 10_000

/** The same key in the directory's spelling. */
export function canonicalKey(keyType: string, key: string): string {
  return keyType === 'E' ? key.toLowerCase() : key.toUpperCase()
}

export function keyRecord(keyType: WireKeyType, key: string): KeyRecord {
  const pick = pickerOf(key)
  const record = { key, keyType, status: 'ACTIVE' as const, participant: pick(PARTICIPANTS, 'participant') }
  const isBusiness =
    keyType === 'B' ||
    (keyType === 'NRIC' && NIT.test(key)) ||
    (keyType === 'O' && pick(ONE_IN_THREE, 'is business'))
  if (isBusiness) {
    const base = keyType === 'NRIC' ? key : `90${digits(pick, 7)}`
    const idNumber = `${base}-${nitCheckDigit(base)}`
    const name = `${pick(TRADES, 'trade')} ${pick(SURNAMES, 'surname')} S.A.S.`
    return {
      ...record,
      person: { type: 'L', idType: 'CO_NIT', idNumber, name },
      account: { type: pick(['CCTE', 'CAHO'] as const, 'account type'), number: digits(pick, 11) },
    }
  }
  const isNumber = /^\d+$/.test(key)
  const idNumber = keyType === 'NRIC' ? key : `10${digits(pick, 8)}`
  const names = [pick(GIVEN_NAMES, 'given name'), pick(SURNAMES, 'surname'), pick(SURNAMES, 'second surname')]
  const idType = keyType === 'NRIC' && !isNumber ? 'PASSPORT' : 'CO_CC'
  return {
    ...record,
    person: { type: 'N', idType, idNumber, name: names.join(' ') },
    // A wallet's account number is its holder's phone.
    account:
      keyType === 'M'
        ? { type: 'DBMO', number: key }
        : { type: pick(['CAHO', 'CAHO', 'DORD', 'DBMI'] as const, 'account type'), number: digits(pick, 11) },
  }
}

/** The key of an open collection belongs to the merchant who collects. */
export function merchantRecord(key: string, merchantName: string): KeyRecord {
  const base = `90${digits(pickerOf(merchantName), 7)}`
  return {
    key,
    keyType: 'O',
    status: 'ACTIVE',
    person: { type: 'L', idType: 'CO_NIT', idNumber: `${base}-${nitCheckDigit(base)}`, name: merchantName },
    participant: COLLECTING_PARTICIPANT,
    account: { type: 'CCTE', number: digits(pickerOf(merchantName), 11) },
  }
}

type Pick = <Value>(from: readonly Value[], what: string) => Value

function pickerOf(key: string): Pick {
  return (from, what) => {
    const hash = createHash('sha256').update(`${what}\n${key}`).digest()
    return from[hash.readUInt32BE() % from.length] as (typeof from)[number]
  }
}

function digits(pick: Pick, count: number): string {
  return Array.from({ length: count }, (_, place) => pick(DIGITS, `digit ${place}`)).join('')
}

function isWireKeyType(text: string): text is WireKeyType {
  return Object.hasOwn(FORMAT, text)
}

// A phone number is also a well-formed document number, so the caller says which is meant.
const FORMAT: Readonly<Record<WireKeyType, RegExp>> = {
  NRIC: /^[A-Z0-9]{1,18}$/,
  M: /^3[0-9]{9}$/,
  E: /^[^\s@\p{C}]{1,30}@[a-z0-9.-]{1,61}$/u,
  O: /^@[A-Z0-9]{5,20}$/,
  B: /^00[0-9]{8}$/,
}
const NIT = /^[89][0-9]{8}$/
const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
const ONE_IN_THREE = [true, false, false] as const

const PARTICIPANTS = [
  { nit: '890903938', name: 'Bancolombia' },
  { nit: '860034313', name: 'Davivienda' },
  { nit: '860002964', name: 'Banco de Bogotá' },
  { nit: '860003020', name: 'BBVA Colombia' },
  { nit: '890300279', name: 'Banco de Occidente' },
  { nit: '860007738', name: 'Banco Popular' },
  { nit: '860007335', name: 'Banco Caja Social' },
  { nit: '860034594', name: 'Scotiabank Colpatria' },
] as const
const COLLECTING_PARTICIPANT = { nit: '900000000', name: 'Banco de Pruebas' }

const GIVEN_NAMES = [
  'Ana María',
  'Andrés Felipe',
  'Camila',
  'Carlos Alberto',
  'Daniela',
  'Diana Marcela',
  'Jorge Iván',
  'Juan David',
  'Juliana',
  'Luis Fernando',
  'Luz Marina',
  'Mateo',
  'Óscar',
  'Paula Andrea',
  'Santiago',
  'Valentina',
] as const
const SURNAMES = [
  'Arango',
  'Bedoya',
  'Cárdenas',
  'Castaño',
  'Echeverri',
  'Gómez',
  'Gutiérrez',
  'Londoño',
  'Martínez',
  'Muñoz',
  'Ospina',
  'Quintero',
  'Restrepo',
  'Rodríguez',
  'Vargas',
  'Zuluaga',
] as const
const TRADES = [
  'Almacén',
  'Cafetería',
  'Comercializadora',
  'Distribuciones',
  'Droguería',
  'Ferretería',
  'Inversiones',
  'Panadería',
  'Papelería',
  'Restaurante',
] as const
