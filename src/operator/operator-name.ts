// Who runs a command: the account on this machine.

import { userInfo } from 'node:os'

// Some containers give their processes a number without a name.
export function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
