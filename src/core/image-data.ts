// Images that travel inside a page, as data URIs. What says that it is a PNG must begin like one: a browser would show nothing, and
// the merchant would learn it from a customer.

const SIGNATURES: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  png: (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
  jpeg: (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff,
  gif: (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  webp: (bytes) => /^RIFF....WEBP/s.test(bytes.toString('latin1', 0, 12)),
  'svg+xml': (bytes) => /^\uFEFF?\s*(?:<\?xml|<!--|<!doctype svg|<svg[\s>])/i.test(bytes.toString('utf8')),
}

/** Whether the bytes are what the data URI says they are. */
export function isImage(dataUri: string): boolean {
  const [, kind = '', base64 = ''] = /^data:image\/([a-z+]+);base64,(.+)$/s.exec(dataUri) ?? []
  return SIGNATURES[kind]?.(Buffer.from(base64, 'base64')) ?? false
}
