// Of some tables the service may change a few columns and no other. These are the ones: each statement that changes such a table works
// with the rights of the service. What it may not change is in service-role.test.ts.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { useApproval, writeApproval } from '../../src/store/approvals/approvals.ts'
import type { Db } from '../../src/store/db.ts'
import { sequenceEvents } from '../../src/store/events/events.ts'
import { claimAlarmMail, putOffAlarmMail, setAlarmsDue } from '../../src/store/ledger/alarm-mails.ts'
import { updateAlarm } from '../../src/store/ledger/alarms.ts'
import { grantServiceRights, SERVICE_RIGHTS } from '../../src/store/service-role.ts'
import { claimInvitation, finishInvitation } from '../../src/store/team/invitation-mails.ts'
import { revokeInvitation, useInvitation } from '../../src/store/team/invitations.ts'
import { updateRole } from '../../src/store/team/members.ts'
import { renamePasskey, usePasskey } from '../../src/store/team/passkeys.ts'
import { endSession, markSeen, proveSession } from '../../src/store/team/sessions.ts'
import {
  clearTotp,
  enableTotp,
  setPassword,
  setTotp,
  useTotpStep,
} from '../../src/store/team/sign-in-ways.ts'
import { updateUser } from '../../src/store/team/users.ts'
import { citusUrl } from '../citus.ts'
import { openOneOrganizationDatabase } from './one-organization.ts'
import {
  approvalEventOf,
  approvalOf,
  IDS,
  invitationDigest,
  LATER,
  PASSKEY,
  RECOVERY_DIGEST,
  type Subjects,
  USER,
} from './twins.ts'

type Change = (tx: Db, mine: Subjects) => Promise<unknown>

const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  approvals: [
    (tx, mine) =>
      writeApproval(
        tx,
        { ...approvalOf(mine, 1), status: 'APPROVED', version: 2, decidedAt: LATER },
        approvalEventOf(mine),
      ),
    async (tx, mine) => {
      const approved = { ...approvalOf(mine, 1), status: 'APPROVED', version: 2 } as const
      await writeApproval(tx, approved, approvalEventOf(mine))
      return useApproval(tx, approved, LATER)
    },
  ],
  events: [(tx, { organizationId }) => sequenceEvents(tx, [organizationId], 9, LATER)],
  alarms: [
    (tx, { organizationId }) =>
      updateAlarm(tx, organizationId, {
        ...{ alarmId: IDS.alarm, takenBy: null, takenAt: LATER },
        ...{ resolvedBy: null, resolvedAt: LATER, resolution: 'sealed' },
      }),
    (tx, { organizationId }) => setAlarmsDue(tx, organizationId, [IDS.toldAlarm], LATER),
  ],
  users: [
    (tx) => updateUser(tx, IDS.user, { ...USER, name: 'Eva María Ruiz' }, LATER),
    (tx) => setPassword(tx, IDS.user, 'hash', LATER),
    (tx) => setTotp(tx, IDS.user, Buffer.alloc(9), LATER),
    (tx) => useTotpStep(tx, IDS.user, 9),
    (tx) => enableTotp(tx, IDS.user, [RECOVERY_DIGEST], LATER),
    (tx) => clearTotp(tx, IDS.user, LATER),
  ],
  passkeys: [
    (tx) => usePasskey(tx, PASSKEY.credentialId, 9, LATER),
    (tx) => renamePasskey(tx, IDS.user, PASSKEY.credentialId, 'laptop'),
  ],
  memberships: [(tx, { organizationId }) => updateRole(tx, organizationId, IDS.user, 'support', LATER)],
  invitations: [
    async (tx, { invitation }) => {
      const claim = await claimInvitation(tx, invitation.invitationId, LATER, LATER + 1)
      await finishInvitation(tx, claim ?? assert.fail('it is not due'))
    },
    (tx, { invitation }) => useInvitation(tx, invitationDigest(invitation), LATER),
    (tx, { organizationId, invitation }) =>
      revokeInvitation(tx, organizationId, invitation.invitationId, LATER),
  ],
  sessions: [
    (tx) => markSeen(tx, IDS.session, LATER),
    (tx) => proveSession(tx, IDS.session, LATER),
    (tx) => endSession(tx, IDS.user, IDS.session, LATER),
  ],
  alarm_mails: [
    async (tx, { organizationId }) => {
      const claim = await claimAlarmMail(tx, { organizationId, mailId: IDS.alarmMail }, LATER, LATER + 1)
      await putOffAlarmMail(tx, claim ?? assert.fail('it is not due'), LATER + 2)
    },
  ],
}

const skip = citusUrl() !== undefined && 'on a cluster, roles are made on every machine by hand'

describe('a table of which the service may change some columns', { skip }, () => {
  const { subjects, readAfter } = openOneOrganizationDatabase()

  it('is one of these', () => {
    const some = Object.entries(SERVICE_RIGHTS).filter(([, { update }]) => Array.isArray(update))
    assert.deepEqual(some.map(([table]) => table).sort(), Object.keys(CHANGES).sort())
  })

  it('lets it do what it does there', async () => {
    await readAfter([], async (tx) => {
      // Gone again with the transaction.
      await tx.query({ text: 'create role service_of_this_test' })
      await grantServiceRights(tx, 'service_of_this_test')
      await tx.query({ text: 'set local role service_of_this_test' })
      for (const [table, changes] of Object.entries(CHANGES))
        for (const change of changes) {
          await tx.query({ text: 'savepoint untouched' })
          assert.notEqual(await change(tx, subjects()), false, `it changes ${table}`)
          await tx.query({ text: 'rollback to savepoint untouched' })
        }
    })
  })
})
