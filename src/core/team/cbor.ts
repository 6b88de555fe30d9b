// Reads CBOR (RFC 8949) as far as authenticators write it: whole numbers, bytes, text, lists, maps and true or false, with known
// lengths. Undefined for anything else: it comes from a stranger.

export type Cbor = number | string | boolean | null | Buffer | Cbor[] | Map<number | string, Cbor>

const MAX_DEPTH = 8

// The first value in the bytes, and where the next begins.
export function readCbor(bytes: Buffer, from = 0, depth = 0): { value: Cbor; end: number } | undefined {
  const head = readHead(bytes, from)
  if (head === undefined || depth > MAX_DEPTH) return undefined
  const { major, argument, end } = head
  if (major === 0) return { value: argument, end }
  if (major === 1) return { value: -1 - argument, end }
  if (major === 2 || major === 3) {
    if (end + argument > bytes.length) return undefined
    const content = bytes.subarray(end, end + argument)
    return { value: major === 2 ? content : content.toString('utf8'), end: end + argument }
  }
  if (major === 4 || major === 5) {
    const items = readItems(bytes, end, major === 4 ? argument : 2 * argument, depth)
    if (items === undefined) return undefined
    const value = major === 4 ? items.values : mapOf(items.values)
    return value === undefined ? undefined : { value, end: items.end }
  }
  const simple = major === 7 ? SIMPLE.get(argument) : undefined
  return simple === undefined ? undefined : { value: simple, end }
}

const SIMPLE = new Map<number, boolean | null>([
  [20, false],
  [21, true],
  [22, null],
])

function readHead(bytes: Buffer, from: number): { major: number; argument: number; end: number } | undefined {
  const first = bytes[from]
  if (first === undefined) return undefined
  const [major, short] = [first >> 5, first & 31]
  if (short < 24) return { major, argument: short, end: from + 1 }
  const length = [1, 2, 4][short - 24]
  // Floats and longer simple values have the same heads as long numbers.
  if (length === undefined || major === 7 || from + 1 + length > bytes.length) return undefined
  return { major, argument: bytes.readUIntBE(from + 1, length), end: from + 1 + length }
}

function readItems(
  bytes: Buffer,
  from: number,
  count: number,
  depth: number,
): { values: Cbor[]; end: number } | undefined {
  const values: Cbor[] = []
  let end = from
  // Each takes a byte at least, so a count that lies ends with the bytes.
  while (values.length < count) {
    const item = readCbor(bytes, end, depth + 1)
    if (item === undefined) return undefined
    values.push(item.value)
    end = item.end
  }
  return { values, end }
}

// Undefined if a key is neither number nor text, or comes twice.
function mapOf(items: readonly Cbor[]): Map<number | string, Cbor> | undefined {
  const map = new Map<number | string, Cbor>()
  for (let at = 0; at < items.length; at += 2) {
    const key = items[at] as Cbor
    if ((typeof key !== 'number' && typeof key !== 'string') || map.has(key)) return undefined
    map.set(key, items[at + 1] as Cbor)
  }
  return map
}
