// Resolves no name but this machine's own and the database's: whatever is under test, nobody outside is called. Import it for its
// effect.

import dns from 'node:dns'

type Lookup = (
  hostname: string,
  options: unknown,
  callback: (error: NodeJS.ErrnoException | null, ...found: unknown[]) => void,
) => void

const HERE = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|::1|::)$/i
const DATABASES = ['DATABASE_URL', 'TEST_DATABASE_URL', 'TEST_CITUS_URL', 'FUZZ_DATABASE_URL'].flatMap(
  (name) => {
    const [, hosts = ''] = /^\w+:\/\/(?:[^@/]*@)?([^/?]*)/.exec(process.env[name] ?? '') ?? []
    return hosts.split(',').map((host) => host.replace(/:\d+$/, ''))
  },
)
const resolve = dns.lookup as unknown as Lookup

const lookUp: Lookup = (hostname, options, callback) => {
  if (!hostname || HERE.test(hostname) || DATABASES.includes(hostname))
    return resolve(hostname, options, callback)
  const given = typeof options === 'function' ? (options as typeof callback) : callback
  const error = Object.assign(new Error(`${hostname} is not on this machine`), {
    code: 'ENOTFOUND',
    hostname,
  })
  process.nextTick(given, error)
}

dns.lookup = lookUp as unknown as typeof dns.lookup
