// What one address may have of us before we know whose it is: open connections, and requests a second without a credential that
// holds. Whoever comes through a proxy is counted by the address that the proxy names, and his open requests stand for his
// connections, which are the proxy's. A proxy that names nobody is not limited: all of its clients would pay for one.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressRanges, countedAddress, forwardedClient, plainAddress } from '../../core/network-address.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { createTokenBuckets } from '../../core/token-buckets.ts'

export type AddressLimitSettings = {
  readonly trustedProxies: readonly string[]
  // 0 = off
  readonly maxConnectionsPerAddress: number
  readonly unauthenticatedPerSecond: number
}

export type AddressLimits = {
  // Closes what one address opens beyond its number.
  watchConnections: (server: Server, onRefused: () => void) => void
  // As it was written or named; null if nobody is named.
  clientOf: (request: IncomingMessage) => string | null
  // As it is counted.
  addressOf: (request: IncomingMessage) => string | null
  // Counts a request that came through a proxy as open until its response is closed.
  holdRequest: (request: IncomingMessage, response: ServerResponse) => Refusal | undefined
  // For a request that nobody will authenticate, or that somebody has failed to.
  takeUnauthenticated: (request: IncomingMessage) => Refusal | undefined
  // Too many of its credentials did not hold: another one is not looked up now.
  isExhausted: (request: IncomingMessage) => boolean
}

type Peer = { client: string | null; address: string | null; isProxy: boolean }

// A burst may be twice the rate, as for an organization.
const BURST = 2

export function createAddressLimits(settings: AddressLimitSettings, clockMs: () => number): AddressLimits {
  const isProxy = addressRanges(settings.trustedProxies)
  const { maxConnectionsPerAddress: maxOpen, unauthenticatedPerSecond: perSecond } = settings
  const buckets = perSecond > 0 ? createTokenBuckets({ perSecond, burst: perSecond * BURST }) : null
  // Connections, and requests that came through proxies. An address that has none has no entry.
  const open = new Map<string, number>()
  const peers = new WeakMap<Socket, Peer>()

  const peerOf = (socket: Socket): Peer => {
    const known = peers.get(socket)
    if (known !== undefined) return known
    const address = plainAddress(socket.remoteAddress ?? '')
    const peer =
      address === null || isProxy(address)
        ? { client: null, address: null, isProxy: true }
        : { client: address, address: countedAddress(address), isProxy: false }
    peers.set(socket, peer)
    return peer
  }
  const hold = (
    address: string,
    until: { once: (event: 'close', release: () => void) => unknown },
  ): boolean => {
    const held = open.get(address) ?? 0
    if (maxOpen > 0 && held >= maxOpen) return false
    open.set(address, held + 1)
    until.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    return true
  }
  const clientOf = (request: IncomingMessage): string | null => {
    const peer = peerOf(request.socket)
    if (!peer.isProxy) return peer.client
    const named = request.headers['x-forwarded-for']
    return named === undefined ? null : forwardedClient([named].flat().join(), isProxy)
  }
  const addressOf = (request: IncomingMessage): string | null => {
    const peer = peerOf(request.socket)
    if (!peer.isProxy) return peer.address
    const client = clientOf(request)
    return client === null ? null : countedAddress(client)
  }

  return {
    clientOf,
    addressOf,
    watchConnections: (server, onRefused) => {
      server.on('connection', (socket: Socket) => {
        const { address } = peerOf(socket)
        if (address === null || hold(address, socket)) return
        socket.destroy()
        onRefused()
      })
    },
    holdRequest: (request, response) => {
      if (!peerOf(request.socket).isProxy) return undefined
      const address = addressOf(request)
      if (address === null || hold(address, response)) return undefined
      return tooMany(`More than ${maxOpen} requests of your address are open.`, 1)
    },
    takeUnauthenticated: (request) => {
      const address = buckets && addressOf(request)
      if (buckets === null || address === null) return undefined
      const { allowed, retryAfterSeconds } = buckets.take(address, clockMs())
      return allowed ? undefined : tooMany(tooOften(perSecond), retryAfterSeconds)
    },
    isExhausted: (request) => {
      const address = buckets && addressOf(request)
      return buckets !== null && address !== null && buckets.isEmpty(address, clockMs())
    },
  }
}

function tooOften(perSecond: number): string {
  return `More than ${perSecond} requests a second from your address without a credential that holds.`
}

function tooMany(detail: string, retryAfterSeconds: number): Refusal {
  return refuse('RATE_LIMITED', detail, { retryAfterSeconds })
}
