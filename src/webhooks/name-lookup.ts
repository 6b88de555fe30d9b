// Resolves a host name to all its addresses, in two ways. A merchant's name server may be slow on purpose, and the system's
// own lookup occupies one of a few threads that the whole process shares, so that one serves trusted targets only.

import { Resolver, lookup as systemLookup } from 'node:dns/promises'

// Rejects if the name does not resolve.
export type Lookup = (hostname: string) => Promise<readonly string[]>

// Knows the hosts file, local domains and container names. For private targets.
export const lookupBySystem: Lookup = async (hostname) => {
  const answers = await systemLookup(hostname, { all: true })
  return answers.map(({ address }) => address)
}

// Queries name servers only, without a thread. Tests replace the system's with `nameServers`.
export function lookupByNameServers(nameServers?: readonly string[]): Lookup {
  return async (hostname) => {
    // A new resolver each time, to notice a change of the system's name servers.
    const resolver = new Resolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS })
    if (nameServers !== undefined) resolver.setServers(nameServers)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    // Many names have only one kind. IPv4 goes first, because a dead IPv6 route takes a quarter of a second to detect.
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value : []),
      ...(v6.status === 'fulfilled' ? v6.value : []),
    ]
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason
    return addresses
  }
}

// The second attempt waits longer. Both end within two and a half seconds, before the time limit for connecting.
const ATTEMPT_MS = 700
const ATTEMPTS = 2
