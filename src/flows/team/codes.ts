// The second step: a code of the authenticator app, or a recovery code in its place. Each works once.

import { recoveryDigest } from '../../core/team/recovery-codes.ts'
import type { SignInWays } from '../../core/team/sign-in.ts'
import { stepOfCode } from '../../core/team/totp.ts'
import type { Queryable } from '../../store/db.ts'
import { useRecoveryDigest, useTotpStep } from '../../store/team/sign-in-ways.ts'
import type { Needs } from '../context.ts'
import { openFor, totpLabel } from './sealed-secrets.ts'

const LONGEST_CODE = 100

// Uses it up. False if it is wrong or used, and then nothing was written. Call it under the lock of the person's row.
export async function useCode(
  ctx: Needs<'clock' | 'settings'>,
  tx: Queryable,
  { userId, sealedTotp, totpEnabledAt, totpLastStep }: SignInWays,
  typed: string,
): Promise<boolean> {
  if (sealedTotp === null || totpEnabledAt === null || typed.length > LONGEST_CODE) return false
  const code = typed.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return useRecoveryDigest(tx, userId, recoveryDigest(code))
  const secret = openFor(ctx, sealedTotp, totpLabel(userId))
  const step = stepOfCode(secret, code, ctx.clock.wallClock(), totpLastStep)
  return step !== undefined && useTotpStep(tx, userId, step)
}
