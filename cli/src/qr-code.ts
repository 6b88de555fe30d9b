// Draws a QR code with half blocks, two rows per line of text. With colours it is black on white, whatever the terminal's
// own colours. Without colours, light blocks mean white, as on a dark terminal.

import encodeQR from 'qr'
import { isColoured } from './terminal.ts'

// The quiet zone that scanners need.
const BORDER = 4
const BLACK_ON_WHITE = '\x1b[30;107m'
const PLAIN = '\x1b[0m'

export function qrInTerminal(text: string): string {
  const dark = encodeQR(text, 'raw', { border: BORDER, ecc: 'low' })
  const coloured = isColoured()
  const lines: string[] = []
  for (let y = 0; y < dark.length; y += 2) {
    const upper = dark[y] as boolean[]
    // If the number of rows is odd, a white row is added below the last.
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
