// How a client gets its access token, as a line for the terminal.

import { quoted } from '../../core/shell-text.ts'

export function tokenCurl(publicUrl: string, clientId: string, secret: string): string {
  return [
    `curl ${quoted(`${publicUrl}/oauth/token`)}`,
    `-u ${quoted(`${clientId}:${secret}`)}`,
    "-d 'grant_type=client_credentials'",
  ].join(' \\\n  ')
}
