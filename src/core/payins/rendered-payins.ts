// Payins as lists show them, kept as text: up to so many characters, in two generations. When the younger is full, the elder is
// forgotten. A key names all that its text is made of, so no text ever has to be taken back.

export type RenderedPayinCache = {
  readonly get: (key: string) => string | undefined
  readonly keep: (key: string, text: string) => void
}

export function createRenderedPayinCache(maxCharacters: number): RenderedPayinCache {
  const maxYoung = maxCharacters / 2
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  let characters = 0
  const keep = (key: string, text: string): void => {
    if (text.length > maxYoung || young.has(key)) return
    if (characters + text.length > maxYoung) {
      old = young
      young = new Map()
      characters = 0
    }
    young.set(key, text)
    characters += text.length
  }
  return {
    get: (key) => {
      const found = young.get(key) ?? old.get(key)
      // What is wanted again stays with the younger.
      if (found !== undefined) keep(key, found)
      return found
    },
    keep,
  }
}
