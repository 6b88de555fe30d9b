// What an operator does at the command line is written down under their name: for the organization that it concerns, or for the
// installation. A table compares: every command that may change something has a row.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { operatorNamed } from '../../src/core/audit/actor.ts'
import { bogotaDay, daysAfter } from '../../src/core/bogota-day.ts'
import { DAY_MS } from '../../src/core/instant.ts'
import { UNATTRIBUTED_ORGANIZATION } from '../../src/core/organizations/organization.ts'
import type { Context } from '../../src/flows/context.ts'
import { showAudit } from '../../src/operator/audit/commands.ts'
import { organizationLimits, updateClient, updateKey } from '../../src/operator/change-limits.ts'
import { organizationCharges } from '../../src/operator/charges.ts'
import HELP from '../../src/operator/command-help.json' with { type: 'json' }
import {
  addOrganization,
  createClient,
  createKey,
  revokeClient,
  revokeKey,
  rollClient,
  rollKey,
} from '../../src/operator/credentials.ts'
import { eraseCustomer } from '../../src/operator/customers.ts'
import { attachSuspenseItem, resolveAlarmCommand, returnSuspenseItem } from '../../src/operator/ledger.ts'
import { reconcileDay } from '../../src/operator/reconciliation.ts'
import { rotateSecrets } from '../../src/operator/secrets.ts'
import { rotateSigningKeys } from '../../src/operator/signing-keys.ts'
import { inviteUser, letIn, makeSignInLink, removeUser } from '../../src/operator/team/users.ts'
import { enableEndpoint, recoverEndpoint } from '../../src/operator/webhooks.ts'
import { insertAlarm } from '../../src/store/ledger/alarms.ts'
import { listSuspense } from '../../src/store/ledger/suspense.ts'
import { auditedChangesOf } from '../api/audit/audited-changes.ts'
import { entriesOf } from '../api/audit/entries.ts'
import { type People, peopleIn } from '../flows/team/people.ts'
import { brebPayin, CUSTOMER, createWorld, eventually, type World } from '../world.ts'
import { CHANGES_BY_COMMAND } from './audited-changes.ts'

type Row = {
  act: string
  // Returns the id of the thing, where it is known before, and the organization if it is another.
  run: (ctx: Context, org: string) => Promise<{ objectId?: unknown; org?: unknown }>
  // How many entries the command makes.
  entries?: number
  of?: 'installation'
}

// Commands that change nothing of a merchant's or of the installation's, and those that change only the database itself.
const NOT_AUDITED: Readonly<Record<string, string>> = {
  start: 'the service',
  migrate: 'the schema, before there may be a table to write to',
  partitions: 'the schema',
  distribute: 'the schema',
  sandbox: 'the simulated networks',
  'data clean': 'files of databases that nobody uses, without a database to write to',
  'suspense release': 'as the others of suspense; test/flows/ledger/two-merchants.test.ts has it',
  'customer seal': 'what the workers do by themselves',
  'backup create': 'changes nothing',
  'doctor --operator': 'changes nothing',
  'backup release': 'of what is held back: test/operator/backups/about-to-be-paid.test.ts',
  'backup hold': 'of what a restore leaves: test/operator/backups/about-to-be-paid.test.ts',
  'backup restore': 'written down in the restored database: test/operator/backups/commands.test.ts',
}
const READS = /^(?:\w|-)+ (?:list|overview|backlog|held|verify|findings|find|erasures)$/

describe('an operator’s command', () => {
  let world: World
  let people: People
  let ctx: Context
  before(async () => {
    world = await createWorld()
    people = peopleIn(world)
    ctx = { ...world.ctx, actor: operatorNamed('maria') }
  })
  after(() => world[Symbol.asyncDispose]())

  const newEndpoint = async () =>
    (await world.client('POST', '/webhook-endpoints', { url: 'https://shop.example/events' })).json.id
  const lateMoney = async () => {
    const inlineCustomer = { ...CUSTOMER, idNumber: '1000000007' }
    const { json: payin } = await world.client('POST', '/payins', brebPayin({ inlineCustomer }))
    await world.work()
    await world.client('POST', `/payins/${payin.id}/cancel`)
    await world.client('POST', `/sandbox/payins/${payin.id}/simulate`, { outcome: 'confirmed' })
    const [item] = await eventually(
      async () => {
        await world.work()
        return (await listSuspense(world.db, false)).filter((one) => one.payinId === payin.id)
      },
      (items) => items.length === 1,
    )
    return { suspenseId: item?.suspenseId as string, payinId: payin.id as string }
  }

  const ROWS: Readonly<Record<string, Row>> = {
    'org create': {
      act: 'organization.create',
      run: async (ctx) => {
        const { organizationId } = await addOrganization(ctx, { name: 'Tienda' })
        return { objectId: organizationId, org: organizationId }
      },
    },
    'org limits': {
      act: 'organization.limits',
      run: async (ctx, org) => {
        await organizationLimits(ctx, { org, 'quiet-hours': '22-06' })
        await organizationLimits(ctx, { org })
        return { objectId: org }
      },
    },
    'org charges': {
      act: 'organization.charges',
      run: async (ctx, org) => {
        await organizationCharges(ctx, { org, rail: 'PSE', 'fee-percent': '2.65' })
        await organizationCharges(ctx, { org })
        return { objectId: org }
      },
    },
    'key create': {
      act: 'apikey.create',
      run: async (ctx, org) => ({ objectId: (await createKey(ctx, { org })).apiKeyId }),
    },
    'key update': {
      act: 'apikey.limits',
      run: async (ctx, org) => {
        const { apiKeyId } = await createKey(world.ctx, { org })
        await updateKey(ctx, { 'max-per-second': '5' }, apiKeyId as string)
        return { objectId: apiKeyId }
      },
    },
    'key roll': {
      act: 'apikey.roll',
      run: async (ctx, org) => {
        const { apiKeyId } = await createKey(world.ctx, { org })
        await rollKey(ctx, {}, apiKeyId as string)
        return { objectId: apiKeyId }
      },
    },
    'key revoke': {
      act: 'apikey.revoke',
      run: async (ctx, org) => {
        const { apiKeyId } = await createKey(world.ctx, { org })
        await revokeKey(ctx, {}, apiKeyId as string)
        return { objectId: apiKeyId }
      },
    },
    'client create': {
      act: 'client.create',
      run: async (ctx, org) => ({ objectId: (await createClient(ctx, { org })).clientId }),
    },
    'client update': {
      act: 'client.limits',
      run: async (ctx, org) => {
        const { clientId } = await createClient(world.ctx, { org })
        await updateClient(ctx, { 'max-per-second': '5' }, clientId as string)
        return { objectId: clientId }
      },
    },
    'client roll': {
      act: 'client.roll',
      run: async (ctx, org) => {
        const { clientId } = await createClient(world.ctx, { org })
        await rollClient(ctx, {}, clientId as string)
        return { objectId: clientId }
      },
    },
    'client revoke': {
      act: 'client.revoke',
      run: async (ctx, org) => {
        const { clientId } = await createClient(world.ctx, { org })
        await revokeClient(ctx, {}, clientId as string)
        return { objectId: clientId }
      },
    },
    'signing-key rotate': {
      act: 'signingkey.rotate',
      of: 'installation',
      entries: 2,
      run: async (ctx) => {
        await rotateSigningKeys(ctx, {})
        return { objectId: (await rotateSigningKeys(ctx, { now: true })).keyId }
      },
    },
    'secrets rotate': {
      act: 'secretskey.rotate',
      of: 'installation',
      run: async (ctx) => {
        await rotateSecrets(ctx)
        return { objectId: ctx.settings.keys.keyIds[0] }
      },
    },
    'suspense return': {
      act: 'suspense.return',
      // That it is being returned, and that it was.
      entries: 2,
      run: async (ctx) => {
        const { suspenseId } = await lateMoney()
        await returnSuspenseItem(ctx, {}, suspenseId)
        return { objectId: suspenseId }
      },
    },
    'suspense attach': {
      act: 'suspense.attach',
      run: async (ctx) => {
        const { suspenseId, payinId } = await lateMoney()
        await attachSuspenseItem(ctx, { payin: payinId }, suspenseId)
        return { objectId: suspenseId }
      },
    },
    'alarm resolve': {
      act: 'alarm.resolve',
      run: async (ctx, org) => {
        const alarmId = ctx.ids.next()
        const alarm = { alarmId, kind: 'orphan-notice', detail: 'x' } as const
        await insertAlarm(world.db, org, alarmId, alarm, ctx.clock.now())
        await resolveAlarmCommand(ctx, {}, alarmId)
        return { objectId: alarmId }
      },
    },
    reconcile: {
      act: 'reconciliation.run',
      of: 'installation',
      run: async (ctx) => {
        await world.passTime(2 * DAY_MS)
        await reconcileDay(ctx, { day: daysAfter(bogotaDay(ctx.clock.now()), -1), rail: 'BRE_B' })
        return { objectId: null }
      },
    },
    'user invite': {
      act: 'invitation.create',
      run: async (ctx, org) => {
        const invited = await inviteUser(ctx, { org, email: 'nueva@example.com', role: 'owner' })
        return { objectId: invited.invitationId }
      },
    },
    'user remove': {
      act: 'member.remove',
      run: async (ctx, org) => {
        const { userId, email } = await people.newMember('support')
        await removeUser(ctx, { org }, email)
        return { objectId: userId }
      },
    },
    'user sign-in-link': {
      act: 'user.signinlink',
      run: async (ctx) => {
        const { userId, email } = await people.newMember('support')
        await makeSignInLink(ctx, {}, email)
        return { objectId: userId }
      },
    },
    'user reset': {
      act: 'user.reset',
      run: async (ctx) => {
        const { userId, email } = await people.newMember('support')
        await letIn(ctx, {}, email)
        return { objectId: userId }
      },
    },
    'webhooks enable': {
      act: 'webhook.change',
      run: async (ctx) => {
        const id = await newEndpoint()
        await world.client('PATCH', `/webhook-endpoints/${id}`, { status: 'DISABLED' })
        await enableEndpoint(ctx, {}, id)
        return { objectId: id }
      },
    },
    'webhooks recover': {
      act: 'webhook.recover',
      run: async (ctx) => {
        const id = await newEndpoint()
        await recoverEndpoint(ctx, { since: '2026-11-01T00:00:00Z' }, id)
        return { objectId: id }
      },
    },
    'customer erase': {
      act: 'customer.erase',
      run: async (ctx, org) => {
        const inlineCustomer = { ...CUSTOMER, idNumber: '52123456' }
        const { json } = await world.client('POST', '/payins', brebPayin({ inlineCustomer }))
        await world.client('POST', `/payins/${json.id}/cancel`)
        const erased = await eraseCustomer(ctx, { org, document: 'CO_CC:52123456', yes: true })
        return { objectId: (erased as Record<string, unknown>).erasureId }
      },
    },
  }

  it('has a row in this table, or changes nothing', () => {
    const commands = Object.values(HELP).flatMap((group) => Object.keys(group))
    const changing = commands.filter((name) => !READS.test(name))
    assert.deepEqual(changing.sort(), [...Object.keys(ROWS), ...Object.keys(NOT_AUDITED)].sort())
  })

  for (const [command, row] of Object.entries(ROWS)) {
    it(`recaudo ${command} is written down as ${row.act}`, async () => {
      const org = world.organization.organizationId
      const ran = await row.run(ctx, org)
      const organizationId = row.of ? UNATTRIBUTED_ORGANIZATION : String(ran.org ?? org)
      const found = (await entriesOf(world, { organizationId })).filter(
        ({ act, actor }) => act === row.act && actor.kind === 'operator',
      )
      assert.equal(found.length, row.entries ?? 1)
      const last = found.at(-1)
      assert.deepEqual([last?.actor.name, last?.objectId, last?.outcome], ['maria', ran.objectId, 'done'])
      assert.doesNotMatch(last?.changes ?? '', /rk_stg_\w{10}|rs_stg_|52123456/)
      // Sessions, links and invitations live by real time.
      const now = /^(?:user|invitation)/.test(row.act) ? ctx.clock.wallClock() : ctx.clock.now()
      const changes = found.flatMap((entry) => auditedChangesOf(entry, now))
      assert.deepEqual(changes, CHANGES_BY_COMMAND[command])
    })
  }

  it('says what a key was rolled into, and until when it works', async () => {
    const org = world.organization.organizationId
    const { apiKeyId } = await createKey(ctx, { org })
    const rolled = await rollKey(ctx, {}, apiKeyId as string)
    const entry = (await entriesOf(world, world.organization)).findLast(({ act }) => act === 'apikey.roll')
    assert.deepEqual(JSON.parse(entry?.changes ?? ''), {
      replacedBy: { before: null, after: rolled.apiKeyId },
      expiresAt: { before: null, after: rolled.oldKeyWorksUntil },
    })
  })

  it('shows the last acts of the installation, or of an organization', async () => {
    await rotateSigningKeys(ctx, {})
    const [last] = await showAudit(ctx, {})
    assert.deepEqual([last?.actor, last?.act, last?.outcome], ['operator maria', 'signingkey.rotate', 'done'])
    const ofOne = await showAudit(ctx, { org: world.organization.organizationId })
    assert.ok(ofOne.some(({ act }) => act === 'apikey.create'))
  })
})
