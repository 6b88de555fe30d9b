// How a body may be compressed for whoever asks: the smallest of what we make that their Accept-Encoding takes.

export type ContentEncoding = 'br' | 'gzip' | 'identity'

export function encodingFor(acceptEncoding: string | string[] | undefined): ContentEncoding {
  const offered = new Map<string, boolean>()
  for (const part of String(acceptEncoding ?? '').split(',')) {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
    offered.set(name.trim(), !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter)))
  }
  const takes = (name: ContentEncoding) => offered.get(name) ?? offered.get('*') ?? false
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}
