// Who has waited longest is served first, also where only one is served: each queue has a second row, that became due before the first or
// after it, whichever of the two an index has first.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listLapsedApprovals } from '../../src/store/approvals/approvals.ts'
import { connectionsToReconcile } from '../../src/store/connections/connection-days.ts'
import type { Db } from '../../src/store/db.ts'
import { listDueAlarmMails } from '../../src/store/ledger/alarm-mails.ts'
import { listDueMails } from '../../src/store/payins/receipt-mails.ts'
import { listDueInvitations } from '../../src/store/team/invitation-mails.ts'
import { openOneOrganizationDatabase } from './one-organization.ts'
import { DAY, IDS, LATER } from './twins.ts'

const FIRST = '00000000-0000-7000-8000-000000000001'
const LAST = 'ffffffff-ffff-7fff-8fff-ffffffffffff'

type Queue = {
  readonly table: string
  readonly id: string
  readonly own: string
  readonly due: string
  readonly changes?: string
  // The first of those that are due.
  readonly first: (tx: Db) => Promise<string | undefined>
}

const QUEUES: readonly Queue[] = [
  {
    ...{ table: 'approvals', id: 'approval_id', own: IDS.approval, due: 'lapses_at' },
    // Of one subject one approval waits.
    changes: `'status', 'WAITING', 'subject_id', 'another'`,
    first: async (tx) => (await listLapsedApprovals(tx, LATER, 1))[0]?.approvalId,
  },
  {
    ...{ table: 'receipt_mails', id: 'payin_id', own: IDS.payin, due: 'due_at' },
    first: async (tx) => (await listDueMails(tx, LATER, 1))[0]?.payinId,
  },
  {
    ...{ table: 'alarm_mails', id: 'mail_id', own: IDS.alarmMail, due: 'due_at' },
    first: async (tx) => (await listDueAlarmMails(tx, LATER, 1))[0]?.mailId,
  },
  {
    ...{ table: 'connections', id: 'connection_id', own: IDS.connection, due: 'reconcile_after' },
    first: async (tx) => (await connectionsToReconcile(tx, ['wompi'], DAY, LATER, 1))[0]?.connectionId,
  },
  {
    ...{ table: 'invitations', id: 'invitation_id', own: IDS.invitations[0] as string, due: 'mail_due_at' },
    changes: `'digest', '\\x${'00'.repeat(32)}'`,
    first: async (tx) => (await listDueInvitations(tx, LATER, 1))[0],
  },
]

describe('whoever waits longest', () => {
  const { readAfter } = openOneOrganizationDatabase()

  for (const { table, id, own, due, changes, first } of QUEUES)
    it(`is the first of ${table}`, async () => {
      const firstOf = (other: string, minutesLater: number) =>
        readAfter(
          [
            `update ${table} set ${due} = to_timestamp(${LATER / 1_000}) - interval '1 hour'
                    ${table === 'approvals' ? `, status = 'WAITING'` : ''}`,
            `insert into ${table}
             select made.* from ${table} t,
                    jsonb_populate_record(t, jsonb_build_object(${[`'${id}', '${other}'`, `'${due}', t.${due} + interval '${minutesLater} minutes'`, changes].filter(Boolean).join(', ')})) made`,
          ],
          first,
        )
      for (const other of [FIRST, LAST])
        assert.deepEqual([await firstOf(other, -1), await firstOf(other, 1)], [other, own])
    })
})
