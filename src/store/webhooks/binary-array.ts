// Arrays as parameters in PostgreSQL's own form. Where thousands of values are written in a second, the database would spend more
// time on parsing their text than on storing them.

type ElementType = { oid: number; bytes: number; write: (to: Buffer, value: never, at: number) => void }

const ELEMENT_TYPES = {
  uuid: { oid: 2950, bytes: 16, write: writeUuid },
  integer: {
    oid: 23,
    bytes: 4,
    write: (to: Buffer, value: number, at: number) => to.writeInt32BE(value, at),
  },
  float8: {
    oid: 701,
    bytes: 8,
    write: (to: Buffer, value: number, at: number) => to.writeDoubleBE(value, at),
  },
} satisfies Record<string, ElementType>

type ElementTypes = typeof ELEMENT_TYPES
type ValueOf<Name extends keyof ElementTypes> = Parameters<ElementTypes[Name]['write']>[1]

// How many dimensions, whether a value is null, the type, how many values, and the number of the first.
const HEAD_BYTES = 20
const LENGTH_BYTES = 4

// One dimension, without nulls.
export function binaryArray<Item, Name extends keyof ElementTypes>(
  type: Name,
  items: readonly Item[],
  of: (item: Item) => ValueOf<Name>,
): Buffer {
  const { oid, bytes, write } = ELEMENT_TYPES[type] as ElementType
  const array = Buffer.allocUnsafe(HEAD_BYTES + items.length * (LENGTH_BYTES + bytes))
  array.writeInt32BE(items.length === 0 ? 0 : 1, 0)
  array.writeInt32BE(0, 4)
  array.writeInt32BE(oid, 8)
  array.writeInt32BE(items.length, 12)
  array.writeInt32BE(1, 16)
  let at = HEAD_BYTES
  for (const item of items) {
    array.writeInt32BE(bytes, at)
    write(array, of(item) as never, at + LENGTH_BYTES)
    at += LENGTH_BYTES + bytes
  }
  return items.length === 0 ? array.subarray(0, EMPTY_BYTES) : array
}

// Without a dimension, nothing follows the type.
const EMPTY_BYTES = 12
const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function writeUuid(to: Buffer, uuid: string, at: number): void {
  // Node would stop at the first character that is no digit, and leave what the memory held before.
  if (!UUID_TEXT.test(uuid)) throw new Error('not a uuid')
  const digits =
    uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24)
  to.write(digits, at, 'hex')
}
