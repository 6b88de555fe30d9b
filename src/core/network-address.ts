// Whose request it is, as far as addresses tell. A proxy names its client in X-Forwarded-For, and anybody can write that header:
// it is believed only as far as known proxies wrote it. Addresses of IPv6 are counted by /64, which is what one customer of a
// provider has, so that nobody is many.

import { BlockList, isIP } from 'node:net'

/** Null if it is no range: an address, or an address and the length of its prefix. */
export function parseAddressRange(text: string): string | null {
  const [, address = '', length] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  if (version === 0) return null
  const longest = version === 4 ? 32 : 128
  const prefix = length === undefined ? longest : Number(length)
  // A prefix of zero names everybody, and then everybody may say who he is.
  return prefix >= 1 && prefix <= longest ? `${address}/${prefix}` : null
}

export type AddressRanges = (address: string) => boolean

/** Takes ranges as `parseAddressRange` writes them. */
export function addressRanges(ranges: readonly string[]): AddressRanges {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}

/**
 * The client that a proxy names, nearest first: every address to the right of it was written by a proxy that we know. Null if
 * it names none. Read from the right, hop by hop: however much a client wrote before them, what the proxies added is at the
 * end.
 */
export function forwardedClient(forwardedFor: string, isProxy: AddressRanges): string | null {
  let end = forwardedFor.length
  while (end >= 0) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1)
    const address = plainAddress(forwardedFor.slice(comma + 1, end))
    if (address === null || !isProxy(address)) return address
    end = comma
  }
  return null
}

/** Without port, brackets and zone; an IPv4 address inside an IPv6 one by itself. Null if it is none. */
export function plainAddress(text: string): string | null {
  const trimmed = text.trim()
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  const address = bare.split('%', 1)[0] ?? ''
  if (isIP(address) === 4) return address
  if (isIP(address) === 0) return null
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return address.toLowerCase()
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** What is counted: the address, or the /64 that it is in. */
export function countedAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const network = groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

// The eight groups of an IPv6 address, which must be one.
function groupsOf(address: string): number[] {
  const read = (text: string): number[] =>
    text === ''
      ? []
      : text.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)]
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
          return [a * 256 + b, c * 256 + d]
        })
  const [left = '', right] = address.split('::')
  const [before, behind] = [read(left), read(right ?? '')]
  return right === undefined
    ? before
    : [...before, ...Array(8 - before.length - behind.length).fill(0), ...behind]
}

// The host by which this machine reaches a server that listens on `host`.
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

// A host as an address of a server names it.
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host)
}
