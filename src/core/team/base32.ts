// Bytes as letters and digits that people type: 32 characters, five bits each.

export const RFC_4648 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
// Without letters that look like digits, and none that spells.
export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

// Without padding. Bits that are missing at the end count as zero.
export function base32(bytes: Uint8Array, alphabet: string): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(held >> bits) & 31]
    }
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31]
}
