// Chooses how to compress a body: the smallest encoding we produce that the client's Accept-Encoding allows.

export type ContentEncoding = 'br' | 'gzip' | 'identity'

export function encodingFor(acceptEncoding: string | string[] | undefined): ContentEncoding {
  const allowed = new Map<string, boolean>()
  for (const part of String(acceptEncoding ?? '').split(',')) {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
    allowed.set(name.trim(), !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter)))
  }
  const accepts = (name: ContentEncoding) => allowed.get(name) ?? allowed.get('*') ?? false
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
}
