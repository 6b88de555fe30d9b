// A QR code of half blocks, two rows of it in one line of text. Where colours are allowed it is black on white whatever
// the terminal's own are; else light blocks stand for white, as on a dark terminal.

import encodeQR from 'qr'
import { isColoured } from './terminal.ts'

// What scanners need around it.
const BORDER = 4
const BLACK_ON_WHITE = '\x1b[30;107m'
const PLAIN = '\x1b[0m'

export function qrInTerminal(text: string): string {
  const dark = encodeQR(text, 'raw', { border: BORDER, ecc: 'low' })
  const coloured = isColoured()
  const lines: string[] = []
  for (let y = 0; y < dark.length; y += 2) {
    const upper = dark[y] as boolean[]
    // Of an odd number of rows the last has a white one below.
    const lower = dark[y + 1] ?? upper.map(() => false)
    const line = upper.map((isDark, x) => halfBlocks(isDark === coloured, lower[x] === coloured)).join('')
    lines.push(coloured ? BLACK_ON_WHITE + line + PLAIN : line)
  }
  return lines.join('\n')
}

function halfBlocks(isUpper: boolean, isLower: boolean): string {
  if (isUpper) return isLower ? '█' : '▀'
  return isLower ? '▄' : ' '
}
