// Seals and opens the people of an organization. Its data keys are unwrapped once, kept in memory, and made when they are first
// needed. A key that does not unwrap any more leaves what it sealed unreadable, and the rest works: the next version takes over.

import { createSecretKey } from 'node:crypto'
import type { Payin } from '../../core/payins/payin.ts'
import type { Customer, Receiver } from '../../core/people/customer.ts'
import { type Note, noteFields, noteOf } from '../../core/people/note.ts'
import {
  DATA_KEY_BYTES,
  type DataKey,
  dataKeyOf,
  indexKeyOf,
  MAX_KEY_VERSION,
  sealedTextOpener,
  sealerOf,
} from '../../core/people/seal-text.ts'
import {
  customerFields,
  customerOf,
  ERASED,
  fieldsInPlaceOf,
  isSealed,
  receiverFields,
  receiverOf,
  type Sealed,
  UNREADABLE,
  type Unopened,
} from '../../core/people/sealed.ts'
import { evidenceAddressTag, type PersonTrait, personDigest } from '../../core/people/search.ts'
import { uuidBytes } from '../../core/uuid-token.ts'
import type { PayerDevice } from '../../rails/rail.ts'
import type { Db } from '../../store/db.ts'
import { insertDataKey, listDataKeys, type WrappedKey } from '../../store/people/data-keys.ts'
import { dataKeyLabel, type KeyWrapper } from './key-wrapper.ts'

export type Vault = {
  // `isAnswered`: it is opened at once, for the answer to whoever sent it.
  readonly seal: (objectId: string, fields: readonly string[], isAnswered?: boolean) => Sealed
  // `objectId`: the row that it stands in. A sealed text from another row does not open.
  readonly open: (sealed: Sealed, objectId?: string) => readonly string[] | Unopened
  readonly digest: (trait: PersonTrait) => Buffer
  // What makes the address of something that names a person one that nobody works out from ids.
  readonly evidenceAddressTag: (objectId: string) => string
}

export type VaultOf = (organizationId: string) => Vault | Promise<Vault>

export type VaultOptions = {
  readonly db: Db
  readonly wrapper: KeyWrapper
  readonly now: () => number
  readonly randomBytes: (count: number) => Uint8Array
}

// Organizations whose keys are kept in memory, in two generations: when the younger is full, the elder is forgotten.
const MAX_YOUNG_VAULTS = 5_000
// What a vault just sealed and opens once more at once. What is not kept is opened with its key.
const MAX_JUST_SEALED = 100

export function createVaults(options: VaultOptions): VaultOf {
  let young = new Map<string, Vault | Promise<Vault>>()
  let old = new Map<string, Vault | Promise<Vault>>()
  const keep = (organizationId: string, vault: Vault | Promise<Vault>): void => {
    if (young.size >= MAX_YOUNG_VAULTS) {
      old = young
      young = new Map()
    }
    young.set(organizationId, vault)
  }
  const load = async (organizationId: string): Promise<Vault> => {
    try {
      const vault = vaultOf(organizationId, await dataKeysOf(options, organizationId), options)
      if (young.has(organizationId)) young.set(organizationId, vault)
      return vault
    } catch (error) {
      young.delete(organizationId)
      old.delete(organizationId)
      throw error
    }
  }
  return (organizationId) => {
    const known = young.get(organizationId)
    if (known !== undefined) return known
    const found = old.get(organizationId) ?? load(organizationId)
    keep(organizationId, found)
    return found
  }
}

type Keys = { readonly all: readonly DataKey[]; readonly newest: DataKey; readonly index: Buffer }

async function dataKeysOf(options: VaultOptions, organizationId: string): Promise<Keys> {
  const stored = await listDataKeys(options.db, organizationId)
  const all = await unwrapped(options, organizationId, stored)
  const [first] = all
  const newest = all.at(-1)
  const latest = stored.at(-1)?.version ?? 0
  if (first !== undefined && newest?.version === latest) return { all, newest, index: indexKeyOf(first) }
  if (latest >= MAX_KEY_VERSION) throw new Error('an organization has too many data keys that do not open')
  const version = latest + 1
  const dataKey = Buffer.from(options.randomBytes(DATA_KEY_BYTES))
  const wrapped = await options.wrapper.wrap(dataKey, dataKeyLabel(organizationId, version))
  await insertDataKey(options.db, organizationId, { version, wrapped }, options.now())
  return dataKeysOf(options, organizationId)
}

async function unwrapped(
  { wrapper }: VaultOptions,
  organizationId: string,
  stored: readonly WrappedKey[],
): Promise<DataKey[]> {
  const keys = await Promise.all(
    stored.map(async ({ version, wrapped }) => {
      const bytes = await wrapper.unwrap(wrapped, dataKeyLabel(organizationId, version))
      return bytes === undefined ? [] : [dataKeyOf(version, createSecretKey(bytes))]
    }),
  )
  return keys.flat()
}

function vaultOf(organizationId: string, { all, newest, index }: Keys, { randomBytes }: VaultOptions): Vault {
  const owner = uuidBytes(organizationId)
  const sealText = sealerOf(newest, owner, randomBytes)
  const openText = sealedTextOpener(all, owner)
  const justSealed = new Map<string, readonly string[]>()
  return {
    seal: (objectId, fields, isAnswered = false) => {
      const sealed = sealText(objectId, fields)
      if (!isAnswered) return { sealed }
      if (justSealed.size >= MAX_JUST_SEALED) justSealed.delete(justSealed.keys().next().value as string)
      justSealed.set(sealed, fields)
      return { sealed }
    },
    open: (sealed, objectId) => {
      if (sealed.sealed === ERASED) return ERASED
      // Whoever sends a text names no row.
      const just = objectId === undefined ? justSealed.get(sealed.sealed) : undefined
      if (just !== undefined) justSealed.delete(sealed.sealed)
      return just ?? openText(sealed.sealed, objectId) ?? UNREADABLE
    },
    digest: (trait) => personDigest(index, trait),
    evidenceAddressTag: (objectId) => evidenceAddressTag(index, objectId),
  }
}

// The fields for a text that is sent: what cannot be opened says so in each of them.
export function fieldsShown(vault: Vault, sealed: Sealed): readonly string[] {
  const fields = vault.open(sealed)
  return typeof fields === 'string' ? fieldsInPlaceOf(fields) : fields
}

export function sealCustomer(
  vault: Vault,
  objectId: string,
  customer: Customer | Sealed | null,
  isAnswered = true,
): Sealed | null {
  return customer === null || isSealed(customer)
    ? customer
    : vault.seal(objectId, customerFields(customer), isAnswered)
}

export function sealReceiver(vault: Vault, objectId: string, receiver: Receiver | Sealed): Sealed {
  return isSealed(receiver) ? receiver : vault.seal(objectId, receiverFields(receiver), true)
}

// Rows from before people were sealed hold them as they are.
export function openCustomer(
  vault: Vault,
  objectId: string,
  customer: Customer | Sealed | null,
): Customer | Unopened | null {
  if (customer === null || !isSealed(customer)) return customer
  const fields = vault.open(customer, objectId)
  return typeof fields === 'string' ? fields : customerOf(fields)
}

// The payer's browser, if it was on our page and was not erased.
export function deviceOf(vault: Vault, { payinId, frozenOrder }: Payin): PayerDevice | null {
  if (frozenOrder.device === null) return null
  const fields = vault.open(frozenOrder.device, payinId)
  if (typeof fields === 'string') return null
  const [ipAddress = '', userAgent = ''] = fields
  return { ipAddress, userAgent }
}

export function openReceiver(
  vault: Vault,
  objectId: string,
  receiver: Receiver | Sealed,
): Receiver | Unopened {
  if (!isSealed(receiver)) return receiver
  const fields = vault.open(receiver, objectId)
  return typeof fields === 'string' ? fields : receiverOf(fields)
}

export function sealNote(vault: Vault, objectId: string, note: Note | Sealed | null): Sealed | null {
  return note === null || isSealed(note) ? note : vault.seal(objectId, noteFields(note), true)
}

// What cannot be opened is no note: its description would say why, and a payer would read it.
export function openNote(vault: Vault, objectId: string, note: Note | Sealed | null): Note | null {
  if (note === null || !isSealed(note)) return note
  const fields = vault.open(note, objectId)
  return typeof fields === 'string' ? null : noteOf(fields)
}

// A text that may name people. What was written before people were sealed does not begin so.
const SEALED_TEXT = 'sealed:'

export function sealText(vault: Vault, objectId: string, text: string): string {
  return SEALED_TEXT + vault.seal(objectId, [text]).sealed
}

export function openText(vault: Vault, objectId: string, text: string): string {
  if (!text.startsWith(SEALED_TEXT)) return text
  const opened = vault.open({ sealed: text.slice(SEALED_TEXT.length) }, objectId)
  return typeof opened === 'string' ? opened : (opened[0] ?? '')
}
