// The keys with which staging's simulated networks sign what they tell us. Whoever knows one can forge a notice, so none is in
// the source: they are derived from the key that seals secrets, which staging draws on its first start and keeps in DATA_DIR,
// readable by its owner alone. Whoever has the same DATA_DIR or SECRETS_KEY, such as `recaudo sandbox` in a process of its own,
// has the same keys.

import { hkdfSync } from 'node:crypto'
import type { Config, RailSettings } from '../config.ts'
import { secretsKeysOf } from './secrets-key.ts'

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
