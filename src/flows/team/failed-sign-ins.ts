// Sign-ins that failed, where the account is known: each organization of the person has an entry, with the address it came from. It
// is written after the answer, which would otherwise take longer for an account that exists.

import { createTokenBuckets } from '../../core/token-buckets.ts'
import { lockedUntil } from '../../store/team/sign-in-failures.ts'
import { getUser, membershipsOf } from '../../store/team/users.ts'
import type { Needs } from '../context.ts'
import { recordRefusal } from '../record-act.ts'
import type { Attempt } from './attempts.ts'
import type { Origin } from './sessions.ts'

type FailedSignIn = {
  readonly userId: string
  readonly method: 'password' | 'code' | 'passkey'
  readonly origin: Origin
  // Null: passkeys are not counted.
  readonly attempt: Attempt | null
}

// Of a person. Entries are kept for good, and whoever knows an address could fill the log with it: beyond these only locks are
// written, of which there is one in a quarter of an hour.
const BUDGET = { perSecond: 1 / 300, burst: 20 } as const
const budgets = createTokenBuckets(BUDGET)

// Nobody waits for it. What is begun while the database is away is not written.
export function noteFailedSignIn(ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>, failed: FailedSignIn): void {
  recordFailedSignIn(ctx, failed).catch(() => {})
}

async function recordFailedSignIn(
  ctx: Needs<'actor' | 'db' | 'clock' | 'ids'>,
  { userId, method, origin, attempt }: FailedSignIn,
): Promise<void> {
  const now = ctx.clock.wallClock()
  const until = attempt === null ? undefined : await lockedUntil(ctx.db, attempt.account)
  const isLocked = until !== undefined && until > now
  if (!isLocked && !budgets.take(userId, now).allowed) return
  const [user, memberships] = await Promise.all([getUser(ctx.db, userId), membershipsOf(ctx.db, userId)])
  if (user === undefined) return
  // Under the name of whom they said they were. That it was refused says that they have not shown it.
  const { address } = origin
  const actor = { ...ctx.actor, kind: 'person' as const, id: userId, name: user.name, address }
  for (const { organization } of memberships)
    await recordRefusal(
      { ...ctx, actor },
      {
        organizationId: organization.organizationId,
        act: 'user.signin',
        objectId: userId,
        refusal: isLocked ? 'RATE_LIMITED' : 'UNAUTHORIZED',
        after: { method },
      },
    )
}
