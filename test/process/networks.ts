// The simulated networks in the test's process, for services in others: what `recaudo sandbox` runs, without its start, and a log
// that the test can read.

import { notificationKeysOf } from '../../src/operator/secrets-key.ts'
import { NO_FAULTS } from '../../src/sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts'

type Networks = {
  // Where notices go.
  notified: number | string
  port: number | string
  // That of the services, from which they derive what signs the notices.
  secretsKey: string
  delayMs: number
}

export function openNetworks(
  { notified, port, secretsKey, delayMs }: Networks,
  storageFile = ':memory:',
): Promise<Sandbox> {
  const simulated = { clientId: 'staging', clientSecret: 'staging-only-secret' }
  const keys = notificationKeysOf(Buffer.from(secretsKey, 'hex'))
  return startSandbox({
    host: '127.0.0.1',
    port: Number(port),
    storageFile,
    notifyUrl: {
      breb: `http://127.0.0.1:${notified}/notifications/breb`,
      pse: `http://127.0.0.1:${notified}/notifications/pse`,
    },
    credentials: {
      breb: { ...simulated, notificationKey: keys.breb },
      pse: { ...simulated, notificationKey: keys.pse },
    },
    delayMs,
    seed: 1,
    faults: NO_FAULTS,
  })
}
