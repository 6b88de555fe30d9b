// Tells when a provider stops letting us in, and when it does so again. Each address of a provider has its own credentials. One refusal
// may be an access token that has just ended, or a wall in front of the provider; several in a row are our credentials.

export type ProviderAccess = { readonly url: string; readonly refusal: string | null }

const REFUSALS_TO_TELL = 3

export function watchProviderAccess(
  tell: (access: ProviderAccess) => void,
): (access: ProviderAccess) => void {
  // Refusals in a row. An address that is not here was not asked yet: an earlier process may have told that it refuses us.
  const refusals = new Map<string, number>()
  return (access) => {
    const before = refusals.get(access.url)
    const inARow = access.refusal === null ? 0 : (before ?? 0) + 1
    refusals.set(access.url, inARow)
    const isServedAgain = inARow === 0 && before !== 0
    if (isServedAgain || inARow === REFUSALS_TO_TELL) tell(access)
  }
}
