// The address of a chat's webhook is its own secret: whoever has it can write there. It is shown by its host and last characters, enough to
// know it again.

const CUT = '…'
const SHOWN_CHARACTERS = 4
// Of something shorter, so many would tell too much.
const SECRET_FROM_CHARACTERS = 12

export function maskedAddress(address: string): string {
  const { origin, pathname, search, hash } = new URL(address)
  const secret = `${pathname}${search}${hash}`
  const end = secret.length < SECRET_FROM_CHARACTERS ? '' : secret.slice(-SHOWN_CHARACTERS)
  return `${origin}/${CUT}${end}`
}

export function isMasked(address: string): boolean {
  return address.includes(CUT)
}
