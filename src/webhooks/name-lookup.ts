// From a host's name to its addresses, all of them. Two ways, because merchants' name servers may be slow on purpose: the
// system's own lookup holds one of a few threads that the whole process shares, so it serves trusted targets only.

import { Resolver, lookup as systemLookup } from 'node:dns/promises'

// Rejects where the name does not resolve.
export type Lookup = (hostname: string) => Promise<readonly string[]>

// Knows the hosts file, local domains and container names. For private targets.
export const lookupBySystem: Lookup = async (hostname) => {
  const answers = await systemLookup(hostname, { all: true })
  return answers.map(({ address }) => address)
}

// Asks the name servers and nothing else, without a thread. `nameServers` in place of the system's is for tests.
export function lookupByNameServers(nameServers?: readonly string[]): Lookup {
  return async (hostname) => {
    // A new one each time, so that a change of the system's name servers is seen.
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (nameServers !== undefined) resolver.setServers(nameServers)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    // Many names have only one kind. IPv4 first: where IPv6 leads nowhere, it costs a quarter of a second to find out.
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value : []),
      ...(v6.status === 'fulfilled' ? v6.value : []),
    ]
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason
    return addresses
  }
}

// The second try waits longer; both together end after two and a half seconds, before the time for connecting does.
const TRY_MS = 700
const TRIES = 2
