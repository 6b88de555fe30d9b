// The certificates of the addresses that the settings name: the database's, and those that merchants and payers open. Nothing else
// is connected to.

import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Config } from '../../config.ts'
import type { Instant } from '../../core/instant.ts'
import { hostNames, isOnThisMachine, readDatabaseUrl } from '../../store/database-url.ts'
import { readServerCertificate } from '../../store/doctor/server-certificate.ts'
import { type DoctorFinding, type DoctorLimits, durationText, note, ok, problem } from './finding.ts'

const CONNECT_TIMEOUT_MS = 5_000

export async function examineTls(
  config: Pick<Config, 'databaseUrl' | 'publicUrl' | 'checkoutUrl'>,
  now: Instant,
  limits: DoctorLimits,
): Promise<DoctorFinding[]> {
  const addresses = [...new Set([config.publicUrl, config.checkoutUrl])].filter((url) =>
    url.startsWith('https:'),
  )
  const findings = await Promise.all([
    config.databaseUrl === null ? [] : examineDatabase(config.databaseUrl, now, limits),
    ...addresses.map(async (url) => [await examineAddress(url, now, limits)]),
  ])
  return findings.flat()
}

async function examineDatabase(url: string, now: Instant, limits: DoctorLimits): Promise<DoctorFinding[]> {
  const read = readDatabaseUrl(url)
  if ('mistake' in read) return []
  const findings = await Promise.all(
    read.servers.map(async (server): Promise<DoctorFinding[]> => {
      const about = `certificate of ${server.name}`
      try {
        const certificate = await readServerCertificate(server.url)
        if (certificate === null) {
          const isLocal = hostNames(server.url).every(isOnThisMachine)
          return isLocal
            ? [ok(about, 'none is needed: the database is on this machine')]
            : [
                problem(
                  about,
                  'what goes to the database could be read and changed on the way',
                  'add sslmode=verify-full to DATABASE_URL, and sslrootcert=… if its CA is your own',
                ),
              ]
        }
        if (!certificate.isVerified)
          return [
            problem(
              about,
              'is not checked: anybody on the way could pose as the database',
              'use sslmode=verify-full in DATABASE_URL, and sslrootcert=… if its CA is your own',
            ),
          ]
        return [expiryFinding(about, certificate.validTo, now, limits)]
      } catch (error) {
        const remedy = remedyOf(error)
        // Whatever else keeps us from the server is told where it is opened.
        return remedy === undefined ? [] : [problem(about, (error as Error).message, remedy)]
      }
    }),
  )
  return findings.flat()
}

async function examineAddress(url: string, now: Instant, limits: DoctorLimits): Promise<DoctorFinding> {
  const { hostname, port, origin } = new URL(url)
  const about = `certificate of ${origin}`
  try {
    const { validTo, failure } = await presentedCertificate(
      hostname.replace(/^\[|\]$/g, ''),
      Number(port || 443),
    )
    if (failure !== undefined)
      return problem(
        about,
        failure.message,
        remedyOf(failure) ?? 'have the proxy show a certificate that browsers accept',
      )
    return expiryFinding(about, validTo, now, limits)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return note(
      about,
      `could not be looked at from here (${code ?? message})`,
      `look from outside: \`curl -I ${origin}\`. Some networks do not lead back to their own public addresses`,
    )
  }
}

type Presented = { validTo: Instant; failure: NodeJS.ErrnoException | undefined }

// Connects without refusing, so that what is wrong can be told together with what is shown.
function presentedCertificate(host: string, port: number): Promise<Presented> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host, port, rejectUnauthorized: false, ...(isIP(host) === 0 && { servername: host }) },
      () => {
        const failure = socket.authorizationError as NodeJS.ErrnoException | string | null
        resolve({
          validTo: Date.parse(socket.getPeerCertificate().valid_to),
          failure: failure ? asError(failure) : undefined,
        })
        socket.destroy()
      },
    )
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
  })
}

// Node names most of them by their code alone.
function asError(failure: NodeJS.ErrnoException | string): NodeJS.ErrnoException {
  return typeof failure === 'string' ? Object.assign(new Error(failure), { code: failure }) : failure
}

// Undefined: the failure is none of a certificate.
function remedyOf(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'CERT_HAS_EXPIRED') return 'renew it now: nobody who checks it is let through'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'use the name that it is for, or have it made for this name'
  if (/SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|CERT_UNTRUSTED|CERT_SIGNATURE/.test(code))
    return 'name its CA: sslrootcert=… in DATABASE_URL, NODE_EXTRA_CA_CERTS for other addresses; a public address needs one that browsers know, with its whole chain'
  return /^CERT_|^ERR_TLS|^ERR_SSL/.test(code) ? 'have it made anew' : undefined
}

function expiryFinding(about: string, validTo: Instant, now: Instant, limits: DoctorLimits): DoctorFinding {
  const leftMs = validTo - now
  const text = leftMs < 0 ? `ended ${durationText(-leftMs)} ago` : `is valid for ${durationText(leftMs)}`
  const remedy = 'renew it, and have that done by a program (ACME): an expired one stops every payment'
  if (leftMs < limits.certificateMs) return problem(about, text, remedy)
  return leftMs < limits.certificateToNoteMs ? note(about, text, remedy) : ok(about, text)
}
