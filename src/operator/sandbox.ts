// recaudo sandbox: runs the simulated networks, alone or beside the service that `recaudo start` runs.

import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Instant } from '../core/instant.ts'
import { makeDirectory } from '../embedded/directory.ts'
import { NO_FAULTS } from '../sandbox/faults.ts'
import { type Sandbox, startSandbox } from '../sandbox/server.ts'
import { OperatorFailure } from './failure.ts'

// The simulated networks obey anyone who can reach them, so they listen on this machine only.
const HOST = '127.0.0.1'

export async function openSandbox(config: Config): Promise<Sandbox> {
  if (config.sandbox === null) {
    throw new OperatorFailure(
      'There are no simulated networks in production, nor where BREB_BASE_URL or PSE_BASE_URL is set.',
    )
  }
  const { port, delayMs, seed } = config.sandbox
  makeDirectory(config.dataDir, 0o700)
  try {
    return await startSandbox({
      host: HOST,
      port,
      storageFile: join(config.dataDir, 'sandbox.sqlite'),
      notifyUrl: {
        breb: `${config.publicUrl}/notifications/breb`,
        pse: `${config.publicUrl}/notifications/pse`,
      },
      credentials: { breb: config.breb, pse: config.pse },
      delayMs,
      seed,
      faults: NO_FAULTS,
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      code === 'EADDRINUSE'
        ? 'another program listens there already; set SANDBOX_PORT to a free one'
        : message
    throw new OperatorFailure(`The simulated networks cannot listen on ${HOST}:${port}: ${reason}.`)
  }
}

// The service and the sandbox each store their own clock. If one lost its data, the slower clock is advanced to match.
// Otherwise signed notices would look too old.
export async function alignClocks(
  sandbox: Sandbox,
  now: () => Instant,
  advanceOurs: (ms: number) => Promise<void>,
): Promise<void> {
  const leadMs = now() - sandbox.now()
  if (leadMs > CLOCKS_AGREE_WITHIN_MS) await sandbox.advance(leadMs)
  else if (leadMs < -CLOCKS_AGREE_WITHIN_MS) await advanceOurs(-leadMs)
}

const CLOCKS_AGREE_WITHIN_MS = 2_000
