// Responses and events contain the image of a QR code, and both are stored: the image would be most of what a payin takes on
// disk. Texts inside the service name the image by what it encodes, and whoever sends a text renders it. The same payload gives
// the same image, byte for byte, so a replayed response equals the first.

import { qrPngDataUri } from './qr-image.ts'

const SCHEME = 'qr:'
// Inside a string of JSON a quote is escaped, so this is always the field itself, and never what somebody typed.
const FIELD = `"qrString":"${SCHEME}`
const REFERENCE = new RegExp(`"qrString":("${SCHEME}(?:[^"\\\\]|\\\\.)*")`, 'g')

export function qrImageReference(payload: string): string {
  return SCHEME + payload
}

// Takes JSON text and returns it with every image in place of its reference.
export function renderQrImages(text: string): string {
  if (!text.includes(FIELD)) return text
  return text.replace(REFERENCE, (_, quoted: string) => {
    const payload = (JSON.parse(quoted) as string).slice(SCHEME.length)
    return `"qrString":"${qrPngDataUri(payload)}"`
  })
}
