// Credentials we have looked up a moment ago. Bounded by the promise that a revoked one is refused on every node within a
// second: an entry is renewed in the background when it is half that age and never used near it.

export type CredentialCache<Key, Credential> = (
  key: Key,
) => Credential | undefined | Promise<Credential | undefined>

const RENEW_AFTER_MS = 400
const USE_UNTIL_MS = 800
// Far more credentials than are in use at once; a flood of wrong ones cannot grow it.
const MAX_ENTRIES = 10_000

type Entry<Credential> = { credential: Credential; askedAtMs: number; renewing: boolean }

// `load` reads one credential from the store; `clockMs` is monotonic, because staging's own clock may be moved.
export function createCredentialCache<Credential>(
  load: (key: string) => Promise<Credential | undefined>,
  clockMs: () => number,
): CredentialCache<string, Credential> {
  const entries = new Map<string, Entry<Credential>>()

  const ask = async (key: string): Promise<Credential | undefined> => {
    // The age counts from before the question: what was true when we asked may have changed while we waited.
    const askedAtMs = clockMs()
    const credential = await load(key)
    entries.delete(key)
    if (credential === undefined) return undefined
    if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value as string)
    entries.set(key, { credential, askedAtMs, renewing: false })
    return credential
  }

  return (key) => {
    const entry = entries.get(key)
    const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : clockMs() - entry.askedAtMs
    if (entry === undefined || ageMs > USE_UNTIL_MS) return ask(key)
    if (ageMs > RENEW_AFTER_MS && !entry.renewing) {
      entry.renewing = true
      // If the store does not answer, the entry grows old and the next request finds out for itself.
      ask(key).catch(() => {
        entry.renewing = false
      })
    }
    return entry.credential
  }
}
