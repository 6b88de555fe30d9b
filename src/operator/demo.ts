// Creates a demo organization with an API key and an OAuth client on staging's first start, so that a newcomer can call
// the API at once. The secrets are stored in DATA_DIR, readable by the owner only, so that every start can print them.

import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { DEMO_ORGANIZATION_ID } from '../core/organizations/organization.ts'
import { DEMO_LINK_MS } from '../core/team/sign-in.ts'
import { makeDirectory } from '../embedded/directory.ts'
import type { Context } from '../flows/context.ts'
import { createOrganization } from '../flows/organizations/create.ts'
import { issueApiKey, issueOAuthClient, secretDigest } from '../flows/organizations/issue-credential.ts'
import { ensureOwner } from '../flows/team/let-in.ts'
import { createSignInLink } from '../flows/team/sign-in-links.ts'
import { sqlState, UNIQUE_VIOLATION } from '../store/db.ts'
import { findApiKeys, findOAuthClients } from '../store/organizations/credentials.ts'
import { OperatorFailure } from './failure.ts'

export type DemoCredentials = {
  apiKey: string | null
  client: { id: string; secret: string } | null
}

const DEMO_OWNER = { email: 'demo@recaudo.example', name: 'Demo' }

// `consoleLink` signs in as its owner, once.
export type Demo = DemoCredentials & { consoleLink: string }

export async function ensureDemo(ctx: Context, config: Config): Promise<Demo> {
  const file = join(config.dataDir, 'demo-credentials.json')
  const created = await createOrganizationOnce(ctx)
  const stored = readStored(file)
  const apiKey = await ensureApiKey(ctx, config.bootstrapApiKey ?? stored.apiKey, created)
  const client = await ensureClient(ctx, stored.client, created)
  if (apiKey !== stored.apiKey || client?.id !== stored.client?.id) {
    makeDirectory(config.dataDir, 0o700)
    writeFileSync(file, `${JSON.stringify({ apiKey, client }, null, 2)}\n`, { mode: 0o600 })
  }
  // A mode is given to new files only.
  if (((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0) chmodSync(file, 0o600)
  return { apiKey, client, consoleLink: await newConsoleLink(ctx) }
}

// The owner has no password. Every start prints another link.
async function newConsoleLink(ctx: Context): Promise<string> {
  const { userId } = await ensureOwner(ctx, DEMO_ORGANIZATION_ID, DEMO_OWNER)
  return (await createSignInLink(ctx, userId, DEMO_LINK_MS)).url
}

async function createOrganizationOnce(ctx: Context): Promise<boolean> {
  try {
    await createOrganization(ctx, 'Demo', DEMO_ORGANIZATION_ID)
    return true
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return false
    throw error
  }
}

async function ensureApiKey(ctx: Context, wanted: string | null, created: boolean): Promise<string | null> {
  if (wanted === null && !created) return null
  const request = { organizationId: DEMO_ORGANIZATION_ID, name: 'demo', scopes: null, expiresAt: null }
  const issued = await issueApiKey(ctx, wanted === null ? request : { ...request, secret: wanted })
  if (issued !== undefined || wanted === null) return issued?.secret ?? null
  const [existing] = await findApiKeys(ctx.db, [secretDigest(wanted)])
  if (existing?.organizationId !== DEMO_ORGANIZATION_ID) {
    throw new OperatorFailure('BOOTSTRAP_API_KEY is the key of another organization: choose another value.')
  }
  return wanted
}

async function ensureClient(
  ctx: Context,
  stored: DemoCredentials['client'],
  created: boolean,
): Promise<DemoCredentials['client']> {
  const [existing] = stored === null ? [] : await findOAuthClients(ctx.db, [stored.id])
  if (existing !== undefined) return stored
  if (stored === null && !created) return null
  const { secret, client } = await issueOAuthClient(ctx, {
    organizationId: DEMO_ORGANIZATION_ID,
    name: 'demo',
    scopes: null,
  })
  return { id: client.clientId, secret }
}

function readStored(file: string): DemoCredentials {
  try {
    const { apiKey, client } = JSON.parse(readFileSync(file, 'utf8')) as Partial<DemoCredentials>
    return { apiKey: apiKey ?? null, client: client ?? null }
  } catch {
    return { apiKey: null, client: null }
  }
}
