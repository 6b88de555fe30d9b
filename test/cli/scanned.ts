// Reads the QR code that a command has drawn.

import jsQR from 'jsqr'

// As a camera would read it from a dark terminal: light blocks on black.
export function scanned(text: string): string | undefined {
  const rows = text.split('\n').filter((line) => /^[█▀▄ ]{20,}$/.test(line))
  const modules = rows.flatMap((row) => [
    [...row].map((sign) => sign === '█' || sign === '▀'),
    [...row].map((sign) => sign === '█' || sign === '▄'),
  ])
  const scale = 4
  const size = (modules[0]?.length ?? 0) * scale
  const pixels = new Uint8ClampedArray(size * modules.length * scale * 4)
  for (let y = 0; y < modules.length * scale; y += 1)
    for (let x = 0; x < size; x += 1) {
      const isLight = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] ?? false
      pixels.fill(isLight ? 255 : 0, (y * size + x) * 4, (y * size + x) * 4 + 3)
      pixels[(y * size + x) * 4 + 3] = 255
    }
  const read = jsQR as unknown as (
    data: Uint8ClampedArray,
    width: number,
    height: number,
  ) => { data: string } | null
  return read(pixels, size, modules.length * scale)?.data
}
