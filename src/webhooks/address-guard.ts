// Keeps merchants' URLs away from our own network. The check is on the address the socket really connects to, never on the
// name. A literal, every DNS answer and the connected peer must all be public, or nothing is sent.

import {
  BlockList,
  connect as connectTcp,
  isIP,
  isIPv4,
  isIPv6,
  type LookupFunction,
  type Socket,
} from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type AttemptFailure, SendFailure } from './failure.ts'
import type { Lookup } from './name-lookup.ts'
import { openTunnel } from './proxy.ts'

export type ConnectGuard = {
  readonly permits: (address: string) => boolean
  readonly lookup: Lookup
  // From the name lookup to the end of the TLS handshake.
  readonly timeoutMs: number
  // Replaces the well-known certificate authorities.
  readonly ca?: string | undefined
  // Connects to the checked address in our place.
  readonly proxy?: URL | undefined
}

export type ConnectTarget = {
  readonly protocol: 'http:' | 'https:'
  // An IPv6 address without its brackets.
  readonly hostname: string
  // Empty for the protocol's default port.
  readonly port: string
}

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !V4_DENIED.check(address, 'ipv4')
  // An address with a zone (fe80::1%eth0) names an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  return V6_GLOBAL.check(address, 'ipv6') && !V6_DENIED.check(address, 'ipv6')
}

const V4_DENIED = ranges('ipv4', [
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, and metadata at Alibaba
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host agent, a public address that never leaves the machine
  '169.254.0.0/16', // link-local, and metadata in most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, and metadata at Oracle
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
])

// Only one range is allowed. That excludes loopback, mapped and compatible IPv4, NAT64, private, link-local and multicast.
const V6_GLOBAL = ranges('ipv6', ['2000::/3'])
const V6_DENIED = ranges('ipv6', [
  '2001::/23', // protocol assignments, Teredo among them, which carries an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries an IPv4 address
  '3fff::/20', // documentation
])

function ranges(family: 'ipv4' | 'ipv6', blocks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const block of blocks) {
    const [network = '', prefix] = block.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

export async function connectGuarded(target: ConnectTarget, guard: ConnectGuard): Promise<Socket> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new SendFailure('TIMEOUT')), guard.timeoutMs)
  let socket: Socket | undefined
  try {
    const addresses = await Promise.race([addressesOf(target.hostname, guard.lookup), timeout.promise])
    if (!addresses.every(guard.permits)) throw new SendFailure('BLOCKED_ADDRESS')

    const isTls = target.protocol === 'https:'
    const port = Number(target.port) || (isTls ? 443 : 80)
    socket = connectTcp(
      guard.proxy === undefined
        ? { host: target.hostname, port, lookup: fixedLookup(addresses), ...TCP_OPTIONS }
        : { ...proxyAddress(guard.proxy), ...TCP_OPTIONS },
    )
    if (guard.proxy === undefined) {
      await Promise.race([untilOpen(socket, 'connect', 'CONNECTION'), timeout.promise])
      if (!guard.permits(socket.remoteAddress ?? '')) throw new SendFailure('BLOCKED_ADDRESS')
    } else {
      // A proxy that is away says nothing about the endpoint.
      await Promise.race([untilOpen(socket, 'connect', 'NOT_SENT'), timeout.promise])
      await Promise.race([openTunnel(socket, guard.proxy, addresses[0] ?? '', port), timeout.promise])
    }
    if (!isTls) return socket

    socket = connectTls({
      socket,
      host: target.hostname,
      // The handshake may contain neither an address nor a name with its final dot.
      servername: isIP(target.hostname) === 0 ? target.hostname.replace(/\.$/, '') : '',
      ALPNProtocols: ['http/1.1'],
      // Set explicitly, because an environment variable can turn the default off.
      rejectUnauthorized: true,
      ca: guard.ca,
    })
    await Promise.race([untilOpen(socket, 'secureConnect', 'TLS'), timeout.promise])
    return socket
  } catch (error) {
    socket?.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function proxyAddress({ hostname, port }: URL): { host: string; port: number } {
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 }
}

const TCP_OPTIONS = { autoSelectFamily: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }

async function addressesOf(hostname: string, lookup: Lookup): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname]
  const addresses = await lookup(hostname).catch((cause) => {
    throw new SendFailure('DNS', cause)
  })
  if (addresses.length === 0) throw new SendFailure('DNS')
  return addresses
}

// The socket uses exactly the addresses that were checked. A second lookup could return others.
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, _options, callback) => callback(null, answers)
}

function untilOpen(socket: Socket, event: string, failure: AttemptFailure): Promise<void> {
  return new Promise((resolve, reject) => {
    // The listener stays: a later error without a listener would end the process.
    socket.on('error', (cause) => reject(new SendFailure(failure, cause)))
    socket.once('close', () => reject(new SendFailure(failure)))
    socket.once(event, () => resolve())
  })
}
