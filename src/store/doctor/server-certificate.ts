// The certificate that a PostgreSQL shows when it is connected to, as the driver connects to it: with the address's own demands.

import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { CONNECT_TIMEOUT_MS } from '../db.ts'

export type ServerCertificate = {
  readonly validTo: number
  // False: the address asks for no proof of who the server is.
  readonly isVerified: boolean
}

// Null: the connection is not encrypted. A certificate that the address does not accept is an error with a code of Node's.
export async function readServerCertificate(url: string): Promise<ServerCertificate | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    const { stream } = client.connection
    if (!(stream instanceof TLSSocket)) return null
    return { validTo: Date.parse(stream.getPeerCertificate().valid_to), isVerified: stream.authorized }
  } finally {
    await client.end().catch(() => {})
  }
}
