// The chain of digests: every entry is a line of it within a moment, whoever adds them and however many do, and whatever is removed,
// changed, moved or put in afterwards shows.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { SERVICE } from '../../../src/core/audit/actor.ts'
import { headText, parseNotedHead } from '../../../src/core/audit/check.ts'
import { chainDigest, FIRST_DIGEST } from '../../../src/core/audit/entry.ts'
import type { Organization } from '../../../src/core/organizations/organization.ts'
import { chainEntries } from '../../../src/flows/audit/chain.ts'
import { verifyChain } from '../../../src/flows/audit/verify.ts'
import { recordAct } from '../../../src/flows/record-act.ts'
import { verifyAudit } from '../../../src/operator/audit/commands.ts'
import { grantRole } from '../../../src/operator/service-role.ts'
import { lastLine } from '../../../src/store/audit/chain.ts'
import { openDb } from '../../../src/store/db.ts'
import { entriesOf } from '../../api/audit/entries.ts'
import { citusUrl } from '../../citus.ts'
import { signIn } from '../../console/person.ts'
import { createWorld, onServer, type World } from '../../world.ts'

describe('the chain', () => {
  let world: World
  let organization: Organization
  before(async () => {
    world = await createWorld()
  })
  beforeEach(async () => {
    organization = (await world.newMerchant()).organization
  })
  after(() => world[Symbol.asyncDispose]())

  const act = (db = world.db) =>
    db.inTransaction((tx) => {
      const { organizationId } = organization
      const act = { act: 'clock.advance', before: null, after: { seconds: 1 } } as const
      return recordAct(world.ctx, tx, { ...act, organizationId, objectId: null })
    })
  const chained = async (entries: number): Promise<void> => {
    const { length } = await entriesOf(world, organization)
    for (let made = length; made < entries; made += 1) await act()
    while ((await chainEntries(world.ctx, organization.organizationId)) > 0) {}
  }
  const verified = () => verifyChain(world.ctx, organization.organizationId)
  const planted = async (...statements: string[]): Promise<void> => {
    await world.db.inTransaction(async (tx) => {
      for (const text of statements)
        await tx.query({ text, ...(/\$1/.test(text) && { values: [organization.organizationId] }) })
    })
  }

  it('follows the entries in the order in which they are found, each digest made of the one before', async () => {
    await chained(5)
    const entries = await entriesOf(world, organization)
    assert.deepEqual(
      entries.map(({ sequence }) => sequence),
      [1, 2, 3, 4, 5],
    )
    let digest = FIRST_DIGEST
    for (const entry of entries) {
      digest = chainDigest(digest, entry)
      assert.deepEqual(entry.digest, digest)
    }
    const { head, waiting, problem } = await verified()
    assert.deepEqual([head, waiting, problem], [{ sequence: 5, digest }, 0, null])
  })

  it('is added to by the workers, within a moment', async () => {
    await act()
    assert.ok((await entriesOf(world, organization)).every(({ sequence }) => sequence === null))
    await world.work()
    assert.ok((await entriesOf(world, organization)).every(({ sequence }) => sequence !== null))
    const { rows } = await world.db.query({ text: 'select from audit_unchained' })
    assert.equal(rows.length, 0)
  })

  it('takes an entry that commits late with an older id, as the next line', async () => {
    await chained(2)
    const gate = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const late = world.db.inTransaction(async (tx) => {
      const { organizationId } = organization
      const act = { act: 'clock.advance', before: null, after: { seconds: 2 } } as const
      await recordAct(world.ctx, tx, { ...act, organizationId, objectId: null })
      written.resolve()
      await gate.promise
    })
    await written.promise
    await chained(3)
    gate.resolve()
    await late
    await chained(0)
    const entries = await entriesOf(world, organization)
    assert.deepEqual(
      entries.map(({ sequence }) => sequence),
      [1, 2, 4, 3],
    )
    const { head, problem } = await verified()
    assert.deepEqual([head.sequence, problem], [4, null])
  })

  it('stays one chain when several processes add to it at once, and entries come meanwhile', async () => {
    const others = [1, 2, 3].map(() =>
      // On a busy machine one waits longer for another than a service would.
      openDb({ url: world.databaseUrl, poolSize: 2, statementTimeoutMs: 20_000 }),
    )
    const total = 300
    let done = false
    const chaining = others.map(async (db) => {
      while (!done || (await chainEntries({ db }, organization.organizationId)) > 0) {
        await chainEntries({ db }, organization.organizationId)
      }
    })
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let made = 0; made < total / 10; made += 1) await act()
      }),
    )
    done = true
    await Promise.all(chaining)
    await Promise.all(others.map((db) => db.close()))
    const entries = await entriesOf(world, organization)
    // With the two by which the organization was made.
    assert.deepEqual(
      entries.map(({ sequence }) => sequence as number).sort((a, b) => a - b),
      Array.from({ length: total + 2 }, (_, at) => at + 1),
    )
    assert.deepEqual([(await verified()).problem, (await verified()).waiting], [null, 0])
  })

  it('is not held up by an entry that is said to be due though it is chained', async () => {
    await chained(3)
    await planted(
      `insert into audit_unchained select organization_id, entry_id, now() from audit_chain where organization_id = $1`,
    )
    await act()
    await chained(0)
    const { head, problem } = await verified()
    assert.deepEqual([head.sequence, problem], [4, null])
  })

  it('tells how many entries wait for a line', async () => {
    await chained(2)
    await act()
    const { head, waiting, problem } = await verified()
    assert.deepEqual([head.sequence, waiting, problem], [2, 1, null])
  })

  // What somebody who owns the tables may do, and what shows.
  const OF = 'where organization_id = $1'
  const ENTRY = (sequence: number) =>
    `${OF} and entry_id = (select entry_id from audit_chain ${OF} and sequence = ${sequence})`
  const LOOSE = 'alter table audit_chain drop constraint audit_chain_organization_id_entry_id_fkey'
  const PLANTED: Record<string, { statements: string[]; shows: [string, number | null, RegExp] }> = {
    'an entry that was changed': {
      statements: [`update audit_entries set actor_name = 'somebody else' ${ENTRY(3)}`],
      shows: ['changed', 3, /line 3 /],
    },
    'changes that were rewritten': {
      statements: [`update audit_entries set changes = '{}' ${ENTRY(4)}`],
      shows: ['changed', 4, /line 4 /],
    },
    'a time that was moved by a millisecond': {
      statements: [`update audit_entries set at = at + interval '1 millisecond' ${ENTRY(2)}`],
      shows: ['changed', 2, /line 2 /],
    },
    'a line that was removed': {
      statements: [`delete from audit_chain ${OF} and sequence = 3`],
      shows: ['removed', 3, /line 3 was removed/],
    },
    'the last line that was removed': {
      statements: [`delete from audit_chain ${OF} and sequence = 6`],
      shows: ['added', null, /is in no line of the chain/],
    },
    'an entry that was removed': {
      statements: [LOOSE, `delete from audit_entries ${ENTRY(3)}`],
      shows: ['removed', 3, /of line 3 was removed/],
    },
    'a line that was removed with its entry, and the rest renumbered': {
      statements: [
        LOOSE,
        `delete from audit_entries ${ENTRY(3)}`,
        `delete from audit_chain ${OF} and sequence = 3`,
        `update audit_chain set sequence = sequence + 1000 ${OF} and sequence > 3`,
        `update audit_chain set sequence = sequence - 1001 ${OF} and sequence > 1000`,
      ],
      shows: ['changed', 3, /lines before it were taken out/],
    },
    'two lines that changed places': {
      statements: [
        `update audit_chain set sequence = 1000 ${OF} and sequence = 2`,
        `update audit_chain set sequence = 2 ${OF} and sequence = 3`,
        `update audit_chain set sequence = 3 ${OF} and sequence = 1000`,
      ],
      shows: ['changed', 2, /line 2 /],
    },
    'an entry that was put in': {
      statements: [
        `insert into audit_entries (organization_id, entry_id, at, actor_kind, act, object_kind, changes, outcome)
         values ($1, '${randomUUID()}', now(), 'operator', 'payin.cancel', 'payin', '{}', 'done')`,
      ],
      shows: ['added', null, /was put in/],
    },
    'a line that was put in': {
      statements: [
        `insert into audit_entries (organization_id, entry_id, at, actor_kind, act, object_kind, changes, outcome)
         values ($1, '00000000-0000-7000-8000-00000000000a', now(), 'operator', 'payin.cancel', 'payin', '{}', 'done')`,
        `update audit_chain set sequence = sequence + 1000 ${OF} and sequence > 3`,
        `insert into audit_chain values ($1, 4, '00000000-0000-7000-8000-00000000000a', sha256('x'))`,
        `update audit_chain set sequence = sequence - 999 ${OF} and sequence > 1000`,
      ],
      shows: ['changed', 4, /line 4 /],
    },
  }
  for (const [what, { statements, shows }] of Object.entries(PLANTED)) {
    it(`shows ${what}`, async () => {
      await chained(6)
      const [kind, sequence, detail] = shows
      const undo = new Error('undone')
      // Undone afterwards: constraints are of all organizations.
      await world.db
        .inTransaction(async (tx) => {
          for (const text of statements)
            await tx.query({ text, ...(/\$1/.test(text) && { values: [organization.organizationId] }) })
          const db = { ...world.db, query: tx.query }
          const { problem } = await verifyChain({ db }, organization.organizationId)
          assert.deepEqual([problem?.kind, problem?.sequence], [kind, sequence])
          assert.match(problem?.detail ?? '', detail)
          await assert.rejects(verifyAudit({ ...world.ctx, db }, { org: organization.organizationId }), {
            message: new RegExp(`${organization.organizationId}: .*${detail.source}`),
          })
          throw undo
        })
        .catch((error) => assert.equal(error, undo))
      assert.equal((await verified()).problem, null)
    })
  }

  it('is looked through to its end, however long it is, and so are the entries that no line has', async () => {
    const { organizationId } = organization
    const [{ length: before }, ids] = [
      await entriesOf(world, organization),
      Array.from({ length: 1_100 }, () => world.ctx.ids.next()),
    ]
    await world.db.query({
      text: `with made as (
               insert into audit_entries (organization_id, entry_id, at, actor_kind, act, object_kind, changes, outcome)
               select $1, entry_id, now(), 'service', 'clock.advance', 'clock', '{}', 'done'
                 from unnest($2::uuid[]) as ids (entry_id)
            returning organization_id, entry_id
             )
             insert into audit_unchained select organization_id, entry_id, now() from made`,
      values: [organizationId, ids],
    })
    await chained(0)
    const end = before + ids.length
    const { head, waiting, problem } = await verified()
    assert.deepEqual([head.sequence, waiting, problem], [end, 0, null])
    const owner = await signIn(world, 'owner', { organization })
    await chained(0)
    // The page checks the newest lines, each by the one before it.
    const seen = async () =>
      /<p class="note-line is-(\w+)">/.exec((await owner.get('/settings/audit')).text)?.[1]
    assert.equal(await seen(), 'good')

    const late = ids.at(-10)
    await planted(`update audit_entries set actor_name = 'somebody else' ${OF} and entry_id = '${late}'`)
    const changed = (await verified()).problem
    assert.deepEqual([changed?.kind, changed?.sequence, changed?.entryId], ['changed', end - 9, late])
    assert.equal(await seen(), 'bad')
    await planted(`update audit_entries set actor_name = null ${OF} and entry_id = '${late}'`)

    await planted(`delete from audit_chain ${OF} and sequence >= ${end}`)
    const added = (await verified()).problem
    assert.deepEqual([added?.kind, added?.entryId], ['added', ids.at(-1)])
    await planted(
      `insert into audit_unchained
       select organization_id, entry_id, now() from audit_entries ${OF} and entry_id >= '${ids.at(-1)}'`,
    )
    await chained(0)
    assert.equal((await verified()).problem, null)
  })

  it('shows what was cut off its end, and a chain that was made anew, to whoever noted its head', async () => {
    await chained(5)
    const { head } = await verified()
    const noted = parseNotedHead(headText(head))
    const verify = () => verifyChain(world.ctx, organization.organizationId, noted)
    assert.equal((await verify()).problem, null)
    await chained(7)
    assert.equal((await verify()).problem, null, 'it goes on from there')
    const org = organization.organizationId
    assert.deepEqual(await verifyAudit(world.ctx, { org, noted: headText(head) }), [
      { organizationId: org, entries: 7, waiting: 0, head: headText((await verified()).head) },
    ])
    const cut = [`delete from audit_chain ${OF} and sequence > 3`]
    await planted(
      ...cut,
      `delete from audit_entries e ${OF} and not exists (select from audit_chain c
         where c.organization_id = e.organization_id and c.entry_id = e.entry_id)`,
    )
    assert.equal((await verified()).problem, null, 'the chain alone does not show it')
    const shorter = (await verify()).problem
    assert.deepEqual([shorter?.kind, shorter?.sequence], ['removed', 4])
    await planted(
      `delete from audit_chain ${OF}`,
      `update audit_entries set actor_name = 'somebody else' ${OF}`,
      `insert into audit_unchained select organization_id, entry_id, now() from audit_entries ${OF}`,
    )
    await chained(8)
    assert.equal((await verified()).problem, null, 'nor this')
    const anew = (await verify()).problem
    assert.deepEqual([anew?.kind, anew?.sequence], ['changed', 5])
  })

  it('a head is noted of one organization, in its form', async () => {
    const org = organization.organizationId
    await assert.rejects(verifyAudit(world.ctx, { noted: `1:${'0'.repeat(64)}` }), /say which with --org/)
    await assert.rejects(verifyAudit(world.ctx, { org, noted: 'x' }), /the head that an earlier run printed/)
  })

  it('is verified for every organization, and for what operators did to the installation', async () => {
    await world.work()
    const rows = await verifyAudit(world.ctx, {})
    assert.ok(rows.length > 3)
    assert.ok(rows.some(({ organizationId }) => organizationId === organization.organizationId))
    const [installation] = await verifyAudit(world.ctx, { org: 'installation' })
    assert.equal(installation?.organizationId, '00000000-0000-0000-0000-000000000000')
  })

  const skip = citusUrl() !== undefined && 'on a cluster, roles are made on every machine by hand'
  it('can be added to by the service’s role, and not be changed', { skip }, async () => {
    const role = `service_${randomUUID().replaceAll('-', '')}`
    await grantRole(world.db, role)
    await onServer(`alter role ${role} password 'secret'`)
    const url = world.databaseUrl.replace(/^(\w+:\/\/)(?:[^/@]*@)?/, `$1${role}:secret@`)
    const db = openDb({ url, poolSize: 2 })
    try {
      await act(db)
      assert.ok((await chainEntries({ db }, organization.organizationId)) > 0)
      assert.equal((await verifyChain({ db }, organization.organizationId)).problem, null)
      const last = await lastLine(db, organization.organizationId)
      for (const table of ['audit_entries', 'audit_chain']) {
        for (const statement of [
          `update ${table} set entry_id = entry_id`,
          `delete from ${table}`,
          `truncate ${table}`,
          `alter table ${table} add column more text`,
          `drop table ${table}`,
        ])
          await assert.rejects(db.query({ text: statement }), { code: '42501' }, statement)
      }
      assert.deepEqual(await lastLine(db, organization.organizationId), last)
    } finally {
      await db.close()
      await world.db.query({ text: `drop owned by ${role}` })
      await onServer(`drop role ${role}`)
    }
  })

  it('has the service’s own acts under its name', async () => {
    const [made] = await entriesOf(world, organization)
    assert.deepEqual([made?.act, made?.actor], ['organization.create', SERVICE])
  })
})
