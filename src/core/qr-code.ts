// A text as the modules of a QR code. The merchant waits for the code when creating a payin, so we make only one kind:
// byte mode, medium error correction, one mask, sizes 1 to 20. What all codes of a size share is made once and cached,
// which leaves a few thousand steps for each code. The tests compare every module with a general encoder.

/** The modules with their quiet zone, 1 for dark. A row is `side` modules plus a light one, to make it even. */
export type QrGrid = { side: number; modules: Uint8Array }

export function qrGrid(text: string): QrGrid {
  const byteCount = Buffer.byteLength(text)
  const layout = layoutFor(byteCount)
  const codewords = withCheckCodewords(dataCodewords(text, byteCount, layout), layout)
  const modules = layout.blank.slice()
  const { path } = layout
  let step = 0
  for (let i = 0; i < codewords.length; i++) {
    const codeword = codewords[i] as number
    for (let shift = 7; shift >= 0; shift--) {
      const place = path[step++] as number
      modules[place] = (modules[place] as number) ^ ((codeword >> shift) & 1)
    }
  }
  return { side: layout.side, modules }
}

// The standard requires four light modules around the code.
const QUIET_ZONE = 4
// Dark every third column: of the eight masks, the one that scores best on average over payment payloads. Every reader
// knows all of them, and scoring the eight for each code would cost more than drawing it.
const MASK = 2
const maskIsDark = (x: number) => x % 3 === 0
// Blocks, and check codewords in each, by size at the medium level: about 15 % of a code may be unreadable.
// Size 20 holds 666 bytes, more than twice our longest payload.
const CORRECTION = (
  '1,10 1,16 1,26 2,18 2,24 4,16 4,18 4,22 5,22 5,26 ' +
  '5,30 8,22 9,22 9,24 10,24 10,28 11,28 13,26 14,26 16,26'
).split(' ')

type Layout = {
  side: number
  /** Bytes that hold the length of the text. */
  lengthBytes: number
  /** Every module that is the same in all codes of this size, and the mask everywhere else. */
  blank: Uint8Array
  /** Where each bit of the codewords goes. */
  path: Uint16Array
  dataCount: number
  blocks: number
  checkCount: number
  /** Every byte times the generator polynomial, four codewords to a word. */
  multiples: Int32Array
}

const layouts: Layout[] = []

function layoutFor(byteCount: number): Layout {
  for (let size = 1; size <= CORRECTION.length; size++) {
    const layout = layouts[size] ?? makeLayout(size)
    layouts[size] = layout
    // The extra byte is half a byte of mode before the text and half a byte of terminator after it.
    if (layout.lengthBytes + byteCount + 1 <= layout.dataCount) return layout
  }
  throw new RangeError(`a QR code of ${byteCount} bytes is larger than the largest we draw`)
}

function dataCodewords(text: string, byteCount: number, { lengthBytes, dataCount }: Layout): Uint8Array {
  const stream = Buffer.alloc(lengthBytes + byteCount + 1)
  stream.writeUIntBE(byteCount, 0, lengthBytes)
  stream.write(text, lengthBytes)
  const data = new Uint8Array(dataCount)
  // The half byte that says "byte mode" shifts all others by half a byte.
  let carry = 0b0100
  for (let i = 0; i < stream.length; i++) {
    const byte = stream[i] as number
    data[i] = (carry << 4) | (byte >> 4)
    carry = byte & 15
  }
  for (let i = stream.length, pad = 0xec; i < dataCount; i++, pad ^= 0xec ^ 0x11) data[i] = pad
  return data
}

/** Reed–Solomon by blocks, interleaved. If the data does not divide evenly, the last blocks are longer. */
function withCheckCodewords(data: Uint8Array, { blocks, checkCount, multiples }: Layout): Uint8Array {
  const codewords = new Uint8Array(data.length + blocks * checkCount)
  const shortLength = Math.floor(data.length / blocks)
  const shortBlocks = blocks - (data.length % blocks)
  const words = multiples.length / 256
  let from = 0
  for (let block = 0; block < blocks; block++) {
    const length = block < shortBlocks ? shortLength : shortLength + 1
    const rest = new Int32Array(words + 1)
    for (let i = 0; i < length; i++) {
      const byte = data[from++] as number
      codewords[i * blocks + block - (i < shortLength ? 0 : shortBlocks)] = byte
      const row = (byte ^ ((rest[0] as number) >>> 24)) * words
      for (let j = 0; j < words; j++) {
        const shifted = ((rest[j] as number) << 8) | ((rest[j + 1] as number) >>> 24)
        rest[j] = shifted ^ (multiples[row + j] as number)
      }
    }
    for (let j = 0; j < checkCount; j++) {
      codewords[data.length + j * blocks + block] = (rest[j >> 2] as number) >> (24 - 8 * (j & 3))
    }
  }
  return codewords
}

function makeLayout(size: number): Layout {
  const width = 17 + 4 * size
  const side = width + 2 * QUIET_ZONE
  const blank = new Uint8Array(side * (side + 1))
  const taken = new Uint8Array(blank.length)
  const placeOf = (x: number, y: number) => (y + QUIET_ZONE) * (side + 1) + x + QUIET_ZONE
  const set = (x: number, y: number, dark: boolean) => {
    blank[placeOf(x, y)] = Number(dark)
    taken[placeOf(x, y)] = 1
  }
  drawPatterns(size, width, set)

  // Up and down in pairs of columns from the right, skipping the timing column.
  const path: number[] = []
  for (let right = width - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let step = 0; step < width; step++) {
      for (const x of [right, right - 1]) {
        const place = placeOf(x, up ? width - 1 - step : step)
        if (taken[place]) continue
        path.push(place)
        blank[place] = Number(maskIsDark(x))
      }
    }
  }

  const [blocks = 0, checkCount = 0] = (CORRECTION[size - 1] ?? '').split(',').map(Number)
  return {
    side,
    lengthBytes: size < 10 ? 1 : 2,
    blank,
    // A few modules at the end may be left over: they keep the mask.
    path: Uint16Array.from(path.slice(0, path.length & ~7)),
    dataCount: (path.length >> 3) - blocks * checkCount,
    blocks,
    checkCount,
    multiples: generatorMultiples(checkCount),
  }
}

/** What a reader needs to orient itself: timing lines, squares, and the mask and size of the code. */
function drawPatterns(size: number, width: number, set: (x: number, y: number, dark: boolean) => void): void {
  const drawRings = (centreX: number, centreY: number, darkByRing: boolean[]) => {
    const radius = darkByRing.length - 1
    for (let y = -radius; y <= radius; y++) {
      for (let x = -radius; x <= radius; x++) {
        set(centreX + x, centreY + y, darkByRing[Math.max(Math.abs(x), Math.abs(y))] ?? false)
      }
    }
  }
  for (let i = 0; i < width; i++) {
    set(i, 6, i % 2 === 0)
    set(6, i, i % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [width - 4, 3],
    [3, width - 4],
  ] as const) {
    drawRings(x, y, [true, true, false, true, false])
  }
  const centres = alignmentCentres(size)
  const [first, last] = [centres[0], centres.at(-1)]
  for (const y of centres) {
    for (const x of centres) {
      // Three corners belong to the large squares above.
      const corner = (x === first || x === last) && (y === first || y === last)
      if (!corner || (x === last && y === last)) drawRings(x, y, [true, false, true])
    }
  }

  // The two bits of the medium level are 00, so the format is only the mask.
  const format = withRemainder(MASK, 10, 0x537) ^ 0x5412
  for (let i = 0; i < 15; i++) {
    const dark = ((format >> i) & 1) === 1
    set(i < 8 ? width - 1 - i : i === 8 ? 7 : 14 - i, 8, dark)
    set(8, i < 6 ? i : i < 8 ? i + 1 : width - 15 + i, dark)
  }
  set(8, width - 8, true)
  if (size < 7) return
  const sizeBits = withRemainder(size, 12, 0x1f25)
  for (let i = 0; i < 18; i++) {
    const dark = ((sizeBits >> i) & 1) === 1
    set(width - 11 + (i % 3), Math.floor(i / 3), dark)
    set(Math.floor(i / 3), width - 11 + (i % 3), dark)
  }
}

function alignmentCentres(size: number): number[] {
  if (size === 1) return []
  const gaps = Math.floor(size / 7) + 1
  const gap = 2 * Math.ceil((2 * size + 2) / gaps)
  const last = 4 * size + 10
  return [6, ...Array.from({ length: gaps }, (_, i) => last - (gaps - 1 - i) * gap)]
}

/** A value followed by its remainder under a generator: the check bits of the format and of the size. */
function withRemainder(value: number, checkBits: number, generator: number): number {
  let rest = value << checkBits
  for (let bit = 31 - Math.clz32(rest); bit >= checkBits; bit--) {
    if ((rest >> bit) & 1) rest ^= generator << (bit - checkBits)
  }
  return (value << checkBits) | rest
}

function generatorMultiples(degree: number): Int32Array {
  let generator = [1]
  for (let i = 0, root = 1; i < degree; i++, root = product(root, 2)) {
    const shifted = [0, ...generator.map((factor) => product(factor, root))]
    generator = shifted.map((factor, j) => factor ^ (generator[j] ?? 0))
  }
  const words = Math.ceil(degree / 4)
  const multiples = new Int32Array(256 * words)
  for (let byte = 0; byte < 256; byte++) {
    for (const [j, factor] of generator.slice(1).entries()) {
      const word = byte * words + (j >> 2)
      multiples[word] = (multiples[word] as number) | (product(byte, factor) << (24 - 8 * (j & 3)))
    }
  }
  return multiples
}

/** Multiplication in the field of 256 elements that QR error correction uses. */
function product(a: number, b: number): number {
  let result = 0
  for (let bit = 7; bit >= 0; bit--) {
    result = (result << 1) ^ (result & 0x80 ? 0x11d : 0)
    if ((b >> bit) & 1) result ^= a
  }
  return result
}
