// Proves a restored database: the books, the audit log and its ends, the closed days, approvals, the numbers of events, and that the
// secrets key opens what is sealed. Whatever does not hold is said at once.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { createContext } from '../../context.ts'
import { operatorNamed } from '../../core/audit/actor.ts'
import type { Manifest } from '../../core/backups/manifest.ts'
import { deriveKeys } from '../../core/seal.ts'
import type { Context } from '../../flows/context.ts'
import { type Db, openDb } from '../../store/db.ts'
import { verifyEventNumbers } from '../../store/events/verify-numbers.ts'
import { readClockOffset } from '../../store/staging-clock.ts'
import { verifyApprovalsCommand } from '../approvals/commands.ts'
import { verifyAudit } from '../audit/commands.ts'
import { OperatorFailure } from '../failure.ts'
import type { Row } from '../flags.ts'
import { verifyClosesCommand, verifyLedgerCommand } from '../ledger.ts'
import { operatorName } from '../operator-name.ts'
import { takeSecretsKey } from '../secrets.ts'
import { secretsKeysOf } from '../secrets-key.ts'

// A proof reads everything, so it has the time that it takes.
const CONNECTIONS = 4
const NO_METRICS = { observeBatch: () => {} }

export async function withRestored<Result>(
  config: Config,
  url: string,
  use: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const db = openDb({ url, poolSize: CONNECTIONS, statementTimeoutMs: 0 })
  const ctx = createContext(config, db, secretsKeysOf(config), NO_METRICS)
  try {
    if (config.environment === 'staging') ctx.clock.setOffset(await readClockOffset(db))
    return await use({ ...ctx, actor: operatorNamed(operatorName()) })
  } finally {
    await ctx.networks.close()
    await db.close()
  }
}

// Before anything is written: without its key, half of what is restored could never be read again.
export function assertSecretsKey(config: Config, { secretsKeyId, isKeyHalfChanged }: Manifest): void {
  if (secretsKeyId === null) return
  const file = join(config.dataDir, 'secrets.key')
  const isGiven = config.secretsKey !== null || existsSync(file)
  const keyIds = isGiven ? deriveKeys(...secretsKeysOf(config)).keyIds : []
  const hasAll = keyIds.length > 1 || !isKeyHalfChanged
  if (keyIds.includes(secretsKeyId) && hasAll) return
  if (keyIds.includes(secretsKeyId))
    throw new OperatorFailure(
      'The backup was taken while SECRETS_KEY was being changed: some secrets in it are sealed under the one before. Set SECRETS_KEY_PREVIOUS to that one. Nothing was written.',
    )
  const found = isGiven ? `the one given has the id ${keyIds[0]}` : `there is none in ${file}`
  throw new OperatorFailure(
    `The backup needs the SECRETS_KEY with the id ${secretsKeyId}, and ${found}. Set SECRETS_KEY to it, or put the secrets.key of the old DATA_DIR there. Nothing was written.`,
  )
}

// One row for each proof that holds. Fails with all that do not.
export async function proveRestored(ctx: Context, manifest: Manifest, opensSecrets: boolean): Promise<Row[]> {
  const proofs: Readonly<Record<string, () => Promise<string>>> = {
    'the books hold': async () => `${(await verifyLedgerCommand(ctx)).organizations} organizations`,
    'the audit log ends where it ended': () => proveAudit(ctx, manifest),
    'closed days equal the ledger': async () => {
      const closed = await verifyClosesCommand(ctx, {})
      return `${closed.reduce((sum, { days }) => sum + Number(days), 0)} days`
    },
    'approvals are as they were decided': async () => {
      const verified = await verifyApprovalsCommand(ctx, {})
      return `${verified.reduce((sum, { approvals }) => sum + Number(approvals), 0)} approvals`
    },
    'events are numbered without a gap': () => proveEvents(ctx.db, manifest),
    ...(opensSecrets && {
      'SECRETS_KEY is the one of this database': async () => {
        await takeSecretsKey(ctx)
        return 'what is sealed can be opened'
      },
    }),
  }
  const rows: Row[] = []
  const problems: string[] = []
  for (const [proof, prove] of Object.entries(proofs)) {
    try {
      rows.push({ proof, found: await prove() })
    } catch (error) {
      if (!(error instanceof OperatorFailure)) throw error
      problems.push(`Not so that ${proof}: ${error.message}`)
    }
  }
  if (problems.length > 0) throw new OperatorFailure(problems.join('\n'))
  return rows
}

async function proveAudit(ctx: Context, manifest: Manifest): Promise<string> {
  const chains = await verifyAudit(ctx, {})
  const other = manifest.organizations.filter(({ organizationId, auditHead }) => {
    const head = chains.find((chain) => chain.organizationId === organizationId)?.head
    return auditHead !== null && head !== auditHead
  })
  if (other.length > 0)
    throw new OperatorFailure(
      other.map(({ organizationId, auditHead }) => `  ${organizationId}: not at ${auditHead}.`).join('\n'),
    )
  return `${chains.reduce((sum, { entries }) => sum + Number(entries), 0)} entries`
}

async function proveEvents(db: Db, manifest: Manifest): Promise<string> {
  const problems = await verifyEventNumbers(db)
  if (problems.length > 0)
    throw new OperatorFailure(
      problems.map(({ organizationId, detail }) => `\n  ${organizationId}: ${detail}.`).join(''),
    )
  return `${manifest.organizations.reduce((sum, { lastEvent }) => sum + lastEvent, 0)} numbers`
}
