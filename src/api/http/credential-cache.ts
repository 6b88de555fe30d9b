// Short-lived cache of credentials. A revoked credential must be refused on every node within a second, so an entry is
// renewed in the background at less than half that age and is never used near it. An entry also holds the organization's
// settings, so it is dropped as soon as we hear that they have changed.

export type CredentialCache<Key, Credential> = {
  readonly get: (key: Key) => Credential | undefined | Promise<Credential | undefined>
  // Whether it was found before, however long ago.
  readonly has: (key: Key) => boolean
  // Reads begun before this are not kept either: they may have seen the old settings.
  readonly drop: (isStale: (credential: Credential) => boolean) => void
}

const RENEW_AFTER_MS = 400
const USE_UNTIL_MS = 800
// Far more than are in use at once. Unknown credentials are not cached, so a flood of them cannot grow it.
const MAX_ENTRIES = 10_000

type Entry<Credential> = { credential: Credential; loadStartedAtMs: number; renewing: boolean }

// `load` reads one credential from the store. `clockMs` is monotonic, because the staging clock can be moved.
export function createCredentialCache<Credential>(
  load: (key: string) => Promise<Credential | undefined>,
  clockMs: () => number,
): CredentialCache<string, Credential> {
  const entries = new Map<string, Entry<Credential>>()
  let lastDropAtMs = Number.NEGATIVE_INFINITY

  const loadAndCache = async (key: string): Promise<Credential | undefined> => {
    // The age counts from before the read, because the credential may change while we wait.
    const loadStartedAtMs = clockMs()
    const credential = await load(key)
    if (loadStartedAtMs <= lastDropAtMs) return credential
    entries.delete(key)
    if (credential === undefined) return undefined
    if (entries.size >= MAX_ENTRIES) entries.delete(entries.keys().next().value as string)
    entries.set(key, { credential, loadStartedAtMs, renewing: false })
    return credential
  }

  const get: CredentialCache<string, Credential>['get'] = (key) => {
    const entry = entries.get(key)
    const ageMs = entry === undefined ? Number.POSITIVE_INFINITY : clockMs() - entry.loadStartedAtMs
    if (entry === undefined || ageMs > USE_UNTIL_MS) return loadAndCache(key)
    if (ageMs > RENEW_AFTER_MS && !entry.renewing) {
      entry.renewing = true
      // If the store fails, the entry expires and a later request loads it again.
      loadAndCache(key).catch(() => {
        entry.renewing = false
      })
    }
    return entry.credential
  }
  return {
    get,
    has: (key) => entries.has(key),
    drop: (isStale) => {
      lastDropAtMs = clockMs()
      for (const [key, { credential }] of entries) if (isStale(credential)) entries.delete(key)
    },
  }
}
