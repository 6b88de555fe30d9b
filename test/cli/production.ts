// Settings that make a world production. Its network addresses lead nowhere.

import { randomBytes } from 'node:crypto'

export const PRODUCTION: Record<string, string> = {
  RECAUDO_ENV: 'production',
  PUBLIC_URL: 'https://pay.example',
  SECRETS_KEY: randomBytes(32).toString('hex'),
  ...Object.fromEntries(
    ['BREB', 'PSE'].flatMap((rail) => [
      [`${rail}_BASE_URL`, 'https://network.example'],
      [`${rail}_CLIENT_ID`, 'id'],
      [`${rail}_CLIENT_SECRET`, 'secret'],
      [`${rail}_NOTIFICATION_KEY`, randomBytes(32).toString('hex')],
    ]),
  ),
}
