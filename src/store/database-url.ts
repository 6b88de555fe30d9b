// Reads the address of the database. It may name several servers, in the form that libpq and psql know, and Recaudo works on the
// one that takes writes: postgresql://user:password@db1:5432,db2:5432/recaudo?target_session_attrs=read-write. The driver knows
// one server in an address, so each server gets an address of its own.

import { isThisMachine } from '../core/network-address.ts'

// `name` is printed, so it has no user and no password.
export type Server = { readonly name: string; readonly url: string }

export type DatabaseUrl = {
  readonly servers: readonly Server[]
  // Whether a standby is turned down when it is connected to. With one server this must be asked for.
  readonly skipsStandby: boolean
}

// A mistake ends the sentence "DATABASE_URL must be …".
export type DatabaseUrlMistake = { readonly mistake: string }

const PARTS = /^(\w+:\/\/)(?:([^/]*)@)?([^/@]*)(\/[^?]*)(?:\?(.*))?$/s
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s
// Recaudo writes, so the other values of libpq, which take a standby, make no sense.
const WRITABLE = ['read-write', 'primary']

export function readDatabaseUrl(url: string): DatabaseUrl | DatabaseUrlMistake {
  const parts = PARTS.exec(url)
  // Some other form of the driver's, such as that of a unix socket.
  if (parts === null) return { servers: [{ name: 'the database', url }], skipsStandby: false }
  const [, scheme = '', user, authority = '', database = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  const session = parameters.get('target_session_attrs')
  if (session !== null && !WRITABLE.includes(session)) {
    return {
      mistake:
        'an address with target_session_attrs=read-write, or without that: Recaudo writes, and a standby takes no writes',
    }
  }
  const named = hostsOf(authority, parameters)
  if ('mistake' in named) return named
  const skipsStandby = named.hosts.length > 1 || session !== null
  const [only] = named.hosts
  // One server keeps its address as it was given.
  if (named.hosts.length === 1 && only !== undefined)
    return { servers: [{ name: nameOf(only), url }], skipsStandby }

  const servers = named.hosts.map((host) => {
    const own = new URLSearchParams(parameters)
    own.delete('target_session_attrs')
    own.set('host', host.name)
    if (host.port === '') own.delete('port')
    else own.set('port', host.port)
    return { name: nameOf(host), url: `${scheme}${user === undefined ? '' : `${user}@`}${database}?${own}` }
  })
  return { servers, skipsStandby }
}

// The servers that would be spoken to in the clear, though they are not on this machine: what goes over the network can be
// read and changed there. An address without a host leaves it to the driver, and counts as elsewhere.
export function hostsWithoutTls(url: string): string[] {
  const [, , , , , query = ''] = PARTS.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  // The driver takes the last of several, and `sslmode` before `ssl`.
  const mode = parameters.getAll('sslmode').at(-1)
  // With it, the driver believes any server, unless the mode says that it must verify.
  const modes = parameters.has('uselibpqcompat') ? VERIFYING_MODES : TLS_MODES
  const isEncrypted =
    mode === undefined ? ['true', '1'].includes(parameters.getAll('ssl').at(-1) ?? '') : modes.includes(mode)
  return isEncrypted ? [] : hostNames(url).filter((host) => !isOnThisMachine(host))
}

// Every host that the address names, however the driver reads it.
export function hostNames(url: string): string[] {
  const [, , , authority = '', , query = ''] = PARTS.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const named = hostsOf(authority, parameters)
  const hosts = 'mistake' in named ? [] : named.hosts.map(({ name }) => name)
  const repeated = parameters.getAll('host').flatMap((list) => list.split(','))
  return [...new Set([...hosts, ...repeated])]
}

// `prefer` and weaker go on in the clear where the server has no TLS, and `no-verify` believes any server.
const VERIFYING_MODES = ['verify-ca', 'verify-full']
const TLS_MODES = ['require', ...VERIFYING_MODES]

// A path is a unix socket.
export function isOnThisMachine(host: string): boolean {
  return host.startsWith('/') || isThisMachine(host)
}

// An empty port is the default one.
type Host = { name: string; port: string }

// The parameters host and port win over what stands before the database, as they do in the driver.
function hostsOf(authority: string, parameters: URLSearchParams): { hosts: Host[] } | DatabaseUrlMistake {
  const hostList = parameters.get('host') || null
  const portList = parameters.get('port') || null
  const before = authority.split(',').map((one) => {
    const [, name = '', port = ''] = HOST_AND_PORT.exec(one) ?? []
    return { name: decoded(name.replace(/^\[(.*)\]$/s, '$1')), port }
  })
  const names = hostList?.split(',') ?? before.map(({ name }) => name)
  const ports = portList?.split(',') ?? before.map(({ port }) => port)
  if (names.length > 1 && names.includes(''))
    return { mistake: 'an address without an empty host: take out the comma too many, or name the host' }
  if (!ports.every(isPort)) return { mistake: 'an address whose ports are whole numbers from 1 to 65535' }
  if (ports.length > 1 && ports.length !== names.length) {
    return {
      mistake: `an address with one port for all hosts or one for each: it has ${ports.length} ports for ${names.length} ${names.length === 1 ? 'host' : 'hosts'}`,
    }
  }
  return { hosts: names.map((name, index) => ({ name, port: ports[index] ?? ports[0] ?? '' })) }
}

function isPort(text: string): boolean {
  return text === '' || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535)
}

function nameOf({ name, port }: Host): string {
  const host = name.includes(':') ? `[${name}]` : name
  return port === '' ? host : `${host}:${port}`
}

// A % that begins no code stands for itself.
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
