// The service as a role that does not own its tables: everything works, and what happened cannot be changed. The rights are those
// that statements need, and PostgreSQL refuses the rest.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { DAY_MS } from '../../src/core/instant.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { startAttempt } from '../../src/flows/payment-links/start-attempt.ts'
import { migrateDatabase } from '../../src/operator/database.ts'
import { grantRole, keepAllPartitions } from '../../src/operator/service-role.ts'
import { type Db, openDb } from '../../src/store/db.ts'
import { OLD_TABLES } from '../../src/store/old-rows.ts'
import { EXCHANGE_PARTITIONS, listPartitions } from '../../src/store/partitions.ts'
import { getLink } from '../../src/store/payment-links/payment-links.ts'
import { missingRights, ownsTables, SERVICE_RIGHTS } from '../../src/store/service-role.ts'
import { applyRetention } from '../../src/workers/retention.ts'
import { callWith, makeSubjects, newApproval, newPayout, STAGING_OPERATIONS } from '../api/http/calls.ts'
import { startReceiver } from '../api/webhooks/receiver.ts'
import { citusUrl } from '../citus.ts'
import { decideAs } from '../flows/approvals/approving.ts'
import { endDay, openDay, reconcileAll } from '../flows/ledger/reconciling.ts'
import { peopleIn } from '../flows/team/people.ts'
import { recaudoInProcess } from '../process/in-process.ts'
import { brebPayin, CUSTOMER, createDatabase, onServer, psePayin, type World } from '../world.ts'

// Statements that an operator runs as the owner: migrations, and what changes or erases what was written.
const OWNERS_FILES = [
  '/migrate.ts',
  '/online-steps.ts',
  '/people/copies.ts',
  '/organizations/retired-signing-keys.ts',
]
const ROOT = join(import.meta.dirname, '../..')
const newRole = (): string => `service_${randomUUID().replaceAll('-', '')}`

// The same address, as another user.
function asRole(url: string, role: string): string {
  return url.replace(/^(\w+:\/\/)(?:[^/@]*@)?/, `$1${role}:secret@`)
}

const LINK = {
  amountType: 'FIXED',
  amountInCents: 5_000_000,
  reference: 'role',
  callbackUrl: 'https://shop.example/return',
}

const skip = citusUrl() !== undefined && 'on a cluster, roles are made on every machine by hand'

describe('a service that does not own its tables', { skip }, () => {
  const role = newRole()
  // Undefined if there was none to begin with.
  let world: World
  let owner: Db
  before(async () => {
    await onServer(`create role ${role} login password 'secret'`)
    world = await openDay({
      databaseVia: async (url) => {
        owner = openDb({ url, poolSize: 2 })
        assert.deepEqual(await grantRole(owner, role), { role, made: false })
        return asRole(url, role)
      },
    })
  })
  after(async () => {
    await owner?.close()
    await world?.[Symbol.asyncDispose]()
    await onServer(`drop role ${role}`)
  })

  it('is that role, and not the owner', async () => {
    const { rows } = await world.db.query<{ name: string }>({ text: 'select current_user as name' })
    assert.equal(rows[0]?.name, role)
    assert.equal(await ownsTables(world.db), false)
    assert.equal(await ownsTables(owner), true)
  })

  it('knows what it lacks, such as rights on a table that is new', async () => {
    assert.deepEqual(await missingRights(owner), [])
    assert.deepEqual(await missingRights(world.db), [])
    await owner.query({ text: `revoke all on refunds from ${role}` })
    await owner.query({ text: `revoke update (sequence) on events from ${role}` })
    assert.deepEqual(await missingRights(world.db), [
      { table: 'events', right: 'update' },
      { table: 'refunds', right: 'insert' },
      { table: 'refunds', right: 'select' },
      { table: 'refunds', right: 'update' },
    ])
    await grantRole(owner, role)
    assert.deepEqual(await missingRights(world.db), [])
  })

  for (const operation of STAGING_OPERATIONS)
    it(`answers ${operation.method} ${operation.path}`, async () => {
      const { client } = await world.newMerchant()
      const { method, path, body } = callWith(operation, await makeSubjects(world, client, operation))
      const answer = await client(method, path, body)
      // A key decides about nothing.
      if (operation.tag === 'Approvals' && /\/(approve|refuse)$/.test(path))
        assert.equal(answer.json.code, 'PERSON_REQUIRED', answer.text)
      else assert.equal(answer.status, operation.success.status, answer.text)
    })

  it('lets a person decide about an approval', async () => {
    const { client, organization } = await world.newMerchant()
    const approval = (await client('GET', `/approvals/${await newApproval(world, client)}`)).json
    const people = peopleIn(world)
    const decider = await people.newMember('approver', organization)
    const decided = await decideAs(people.ctx, decider, approval, 'REFUSED')
    assert.ok(!isRefusal(decided) && decided.approval.status === 'REFUSED')
  })

  it('takes payins through their lives, a link too, pays out, sends webhooks, and compares the day', async () => {
    await using receiver = await startReceiver()
    const { client, organization } = await world.newMerchant()
    await client('POST', '/webhook-endpoints', { url: receiver.url })
    const { paymentLinkId } = (await client('POST', '/payment-links', LINK)).json
    const link = await getLink(world.db, organization.organizationId, paymentLinkId)
    assert.ok(link !== undefined)
    await startAttempt(world.ctx, organization, link, {
      customer: { ...CUSTOMER },
      way: { rail: 'BRE_B', keyType: 'SINGLE_USE' },
    })
    const payins = [brebPayin(), psePayin()].map((body) => client('POST', '/payins', body))
    const ids = (await Promise.all(payins)).map(({ json }) => json.id as string)
    const canceled = (await client('POST', '/payins', brebPayin())).json.id
    assert.equal((await client('POST', `/payins/${canceled}/cancel`)).status, 200)
    await world.passTime(60_000)
    for (const id of ids) assert.equal((await client('GET', `/payins/${id}`)).json.status, 'CONFIRMED')
    assert.equal((await client('GET', `/payment-links/${paymentLinkId}`)).json.status, 'COMPLETED')
    await endDay(world)
    await world.passTime(2 * DAY_MS)
    const payout = await client('POST', '/payouts', newPayout())
    await world.passTime(60_000)
    assert.equal((await client('GET', `/payouts/${payout.json.id}`)).json.status, 'CONFIRMED')
    const told = receiver.got.map(({ body }) => JSON.parse(body).event as string)
    for (const type of ['payin.confirmed', 'payin.canceled', 'payout.confirmed'])
      assert.ok(told.includes(type), type)
    const compared = await reconcileAll(world.ctx)
    assert.ok(compared.length > 0 && compared.every(({ result }) => result.outcome === 'compared'))
  })

  it('lets old rows leave, and leaves partitions to their owner, whom it tells in time', async () => {
    const heard: Record<string, unknown>[] = []
    const log = pino({ level: 'info', base: null }, { write: (line) => heard.push(JSON.parse(line)) })
    const before = await listPartitions(owner, EXCHANGE_PARTITIONS)
    await world.passTime(60 * DAY_MS)
    while ((await applyRetention(world.ctx, log)) > 0) {}
    assert.deepEqual(
      heard.filter(({ level }) => Number(level) >= 50),
      [],
      'nothing failed',
    )
    assert.ok(heard.some(({ msg }) => String(msg).includes('recaudo partitions')))
    assert.deepEqual(await listPartitions(owner, EXCHANGE_PARTITIONS), before)

    const asOwner = {
      ...world.ctx,
      db: owner,
      settings: { ...world.ctx.settings, environment: 'production' },
    }
    await assert.rejects(keepAllPartitions(world.ctx, {}), /as their owner/)
    assert.equal((await keepAllPartitions(asOwner as World['ctx'], {})).length, 3)
    const kept = await listPartitions(owner, EXCHANGE_PARTITIONS)
    assert.ok((kept.at(-1)?.to ?? '') > (before.at(-1)?.to ?? ''), 'made ahead')
    assert.ok((kept[0]?.to ?? '') > (before[0]?.to ?? ''), 'and old ones dropped')
    heard.length = 0
    await applyRetention(world.ctx, log)
    assert.deepEqual(heard, [])
    // What is new is read and written through the table, whichever partition it is in.
    assert.equal((await world.client('POST', '/payins', brebPayin())).status, 201)
    await world.passTime(60_000)
  })

  const FORBIDDEN = [
    ...Object.entries(SERVICE_RIGHTS).flatMap(([table, rights]) => [
      ...(rights.insert ? [] : [`insert into ${table} default values`]),
      ...(rights.update === undefined ? [`update ${table} set ${columnOf(table)} = ${columnOf(table)}`] : []),
      ...(rights.delete ? [] : [`delete from ${table}`]),
      `truncate ${table}`,
      `alter table ${table} add column more text`,
      `drop table ${table}`,
    ]),
    'update ledger_transfers set amount_cents = amount_cents + 1',
    'delete from ledger_transfers where true',
    `update events set data = '{}'`,
    'update events set organization_id = organization_id',
    `update alarms set detail = ''`,
    `update users set email = 'other@example.com'`,
    'update memberships set user_id = user_id',
    'update invitations set role = role',
    'update invitations set expires_at = now()',
    'update sessions set user_id = user_id',
    'update sessions set expires_at = now()',
    'update passkeys set public_key = public_key',
    'update events_default set sequence = 1',
    'delete from events_default',
    'delete from rail_exchanges_default',
    'create table more (a integer)',
    'create schema more',
    'alter table events detach partition events_default',
    'create index on ledger_transfers (created_at)',
    'create trigger t before insert on ledger_transfers execute function now()',
    'create role more',
  ]
  for (const text of FORBIDDEN)
    it(`is refused by PostgreSQL: ${text}`, async () => {
      await assert.rejects(
        world.db.inTransaction((tx) => tx.query({ text })),
        (error: Error & { code?: string; cause?: { code?: string } }) =>
          (error.code ?? error.cause?.code) === '42501',
      )
    })
})

// Any column will do.
function columnOf(table: string): string {
  const others: Record<string, string> = {
    schema_migrations: 'version',
    signing_keys: 'key_id',
    external_identities: 'subject',
    sign_in_tokens: 'digest',
  }
  return others[table] ?? 'organization_id'
}

describe('the rights of the service', () => {
  it('are those that its statements need, for every table of the schema', () => {
    const schema = readFileSync(join(ROOT, 'db/schema.sql'), 'utf8')
    const tables = [...schema.matchAll(/^create table (\w+) \(/gm)].map(([, table]) => table as string)
    assert.ok(tables.length > 25)
    const needed = Object.fromEntries(
      [...tables, 'schema_migrations'].map((table) => [table, new Set<string>()]),
    )
    for (const file of globSync('src/store/**/*.ts', { cwd: ROOT })) {
      if (OWNERS_FILES.some((name) => file.endsWith(name))) continue
      let inserted = ''
      const sql = /\b(insert into|delete from|update) (\w+)|\bon conflict [^`]*?\bdo (update)/g
      for (const [, verb, table = '', conflict] of readFileSync(join(ROOT, file), 'utf8').matchAll(sql)) {
        if (verb === 'insert into') inserted = table
        if (conflict !== undefined) needed[inserted]?.add('update')
        else needed[table]?.add((verb as string).split(' ')[0] as string)
      }
    }
    for (const table of OLD_TABLES) needed[table]?.add('delete')
    const sorted = (rights: Iterable<string>): string[] => [...rights].sort()
    assert.deepEqual(
      Object.fromEntries(
        Object.entries(SERVICE_RIGHTS).map(([table, rights]) => [table, sorted(Object.keys(rights))]),
      ),
      Object.fromEntries(Object.entries(needed).map(([table, rights]) => [table, sorted(rights)])),
    )
  })
})

// What they change, the service may only add to.
const OWNERS_COMMANDS = [
  'migrate --grant anybody',
  'partitions',
  'secrets rotate',
  'signing-key rotate --now',
  'customer seal',
  'customer erase --email ana@example.com --yes',
]

describe('recaudo migrate --grant', { skip }, () => {
  const withDatabase = async (run: (db: Db, url: string) => Promise<void>): Promise<void> => {
    const database = await createDatabase()
    const db = openDb({ url: database.url, poolSize: 2 })
    try {
      await run(db, database.url)
    } finally {
      await db.close()
      await database.drop()
    }
  }

  it('makes the role if there is none, and takes from it what it had before', async () => {
    const role = newRole()
    await withDatabase(async (db) => {
      assert.deepEqual(await grantRole(db, role), { role, made: true })
      await db.query({ text: `grant all on ledger_transfers to ${role}` })
      assert.deepEqual(await grantRole(db, role), { role, made: false })
      const { rows } = await db.query<{ may: boolean }>({
        text: `select has_table_privilege($1, 'ledger_transfers', 'update, delete, truncate') as may`,
        values: [role],
      })
      assert.equal(rows[0]?.may, false)
    })
    await onServer(`drop role ${role}`)
  })

  it('refuses a role that no grant can bind, and changes nothing', async () => {
    const [superuser, member, creator] = [newRole(), newRole(), newRole()]
    await onServer(`create role ${superuser} superuser`)
    await onServer(`create role ${creator}`)
    await onServer(`create role ${member} in role current_user`)
    await withDatabase(async (db) => {
      await assert.rejects(grantRole(db, superuser), /is a superuser/)
      await assert.rejects(grantRole(db, member), /may act as their owner/)
      await db.query({ text: `grant create on schema public to ${creator}` })
      await assert.rejects(grantRole(db, creator), /may create tables/)
      const { rows } = await db.query<{ may: boolean }>({
        text: `select has_table_privilege($1, 'payins', 'select') as may`,
        values: [creator],
      })
      assert.equal(rows[0]?.may, false)
    })
    for (const role of [superuser, member, creator]) await onServer(`drop role ${role}`)
  })

  it('is the owner’s alone; another role may start on what is migrated, and is told what to do on what is not', async () => {
    const role = newRole()
    await onServer(`create role ${role} login password 'secret'`)
    await withDatabase(async (db, url) => {
      await grantRole(db, role)
      const service = openDb({ url: asRole(url, role), poolSize: 1 })
      await assert.rejects(grantRole(service, role), /as their owner/)
      const database = {
        db: service,
        url,
        description: 'PostgreSQL',
        lost: new Promise<Error>(() => {}),
        close: async () => {},
      }
      assert.deepEqual(await migrateDatabase(database), [])
      const env = { DATABASE_URL: asRole(url, role), SECRETS_KEY: 'a'.repeat(64) }
      for (const command of OWNERS_COMMANDS) {
        const { code, stderr } = await recaudoInProcess(command.split(' '), env)
        const said = /The tables are another role’s. Run `recaudo ([^`]+)` as their owner\.\n$/.exec(
          stderr,
        )?.[1]
        assert.ok(code === 1 && said !== undefined && command.startsWith(said), `${command}: ${stderr}`)
      }
      await db.query({ text: 'delete from schema_migrations where version = 27' })
      await assert.rejects(migrateDatabase(database), /run `recaudo migrate` as such a user/)
      await service.close()
    })
    await onServer(`drop role ${role}`)
  })
})
