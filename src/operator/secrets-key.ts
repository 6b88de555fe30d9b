// The key that seals secrets at rest. Production reads it from its configuration. Staging creates one on its first start
// and stores it in DATA_DIR.

import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, RailSettings } from '../config.ts'
import { SECRETS_KEY_BYTES } from '../core/seal.ts'
import { makeDirectory } from '../embedded/directory.ts'
import { OperatorFailure } from './failure.ts'

// While SECRETS_KEY is being changed there are two. Which one seals is said by the database (secrets.ts).
export function secretsKeysOf(config: Config): readonly [Buffer, ...Buffer[]] {
  const { previousSecretsKey: previous } = config
  return previous === null ? [secretsKeyOf(config)] : [secretsKeyOf(config), previous]
}

function secretsKeyOf(config: Config): Buffer {
  if (config.secretsKey !== null) return config.secretsKey
  const file = join(config.dataDir, 'secrets.key')
  if (!existsSync(file)) makeFirstKey(config.dataDir, file)
  const text = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new OperatorFailure(
      `${file} does not hold a key of 64 hex digits. Restore it from a backup: without it, sealed secrets are lost.`,
    )
  }
  return Buffer.from(text, 'hex')
}

// A container whose file system is read-only has no place for it.
function makeFirstKey(dataDir: string, file: string): void {
  try {
    makeDirectory(dataDir, 0o700)
    makeKey(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined || !UNWRITABLE.has(code)) throw error
    throw new OperatorFailure(
      `No key for secrets could be stored in ${file} (${message}): set SECRETS_KEY (openssl rand -hex 32 makes one), or let Recaudo write there. Nothing was changed.`,
      1,
      { cause: error },
    )
  }
}

const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'])

// The key is written to disk in full before it is linked to its final name. The link fails if another process was first.
// A half-written or overwritten key would make secrets already sealed with it unreadable.
function makeKey(file: string): void {
  const unfinished = `${file}.${randomBytes(8).toString('hex')}`
  const key = randomBytes(SECRETS_KEY_BYTES).toString('hex')
  writeFileSync(unfinished, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished)
  }
}

// The keys with which staging's simulated networks sign what they tell us. Whoever knows one can forge a notice, so none is in
// the source: they are derived from the key that seals secrets, which staging draws on its first start and keeps in DATA_DIR,
// readable by its owner alone. Whoever has the same DATA_DIR or SECRETS_KEY, such as `recaudo sandbox` in a process of its own,
// has the same keys.
export function withNotificationKeys(config: Config): Config {
  // Real networks have keys of their own.
  if (config.sandbox === null) return config
  // While SECRETS_KEY is being changed, the networks may sign with what the other one gives.
  const [present, previous] = secretsKeysOf(config)
  const keys = notificationKeysOf(present)
  const before = previous && notificationKeysOf(previous)
  const withKeys = (network: 'breb' | 'pse'): RailSettings =>
    Object.freeze({
      ...config[network],
      notificationKey: keys[network],
      previousNotificationKey: before?.[network] ?? null,
    })
  return Object.freeze({ ...config, breb: withKeys('breb'), pse: withKeys('pse') })
}

export function notificationKeysOf(secretsKey: Buffer): { breb: string; pse: string } {
  const derive = (network: string): string =>
    Buffer.from(hkdfSync('sha256', secretsKey, 'recaudo', `notification key of ${network}`, 32)).toString(
      'hex',
    )
  return { breb: derive('breb'), pse: derive('pse') }
}
