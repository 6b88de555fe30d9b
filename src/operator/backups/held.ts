// recaudo backup held | release | hold: what waits since a restore, because the database that was lost may have paid it.

import { HELD_KINDS, type HeldKind } from '../../core/backups/held-back.ts'
import { railReference } from '../../core/connections/reference.ts'
import { isUuid } from '../../core/ids.ts'
import { isoInstant } from '../../core/instant.ts'
import { centsToDecimal } from '../../core/money.ts'
import {
  heldSince,
  holdBack,
  listHeldBack,
  paymentsOf,
  type ReleaseOutcome,
  releaseHeldBack,
} from '../../flows/backups/held-back.ts'
import type { Context } from '../../flows/context.ts'
import { type HeldBack, readHoldState } from '../../store/backups/hold-back.ts'
import { listOrganizations } from '../../store/organizations/organizations.ts'
import { countListeners } from '../../store/work-signals.ts'
import { OperatorFailure, USAGE_EXIT_CODE } from '../failure.ts'
import { type Flags, type Row, timeOf } from '../flags.ts'

// One row for each thing that is held back, or for each payment that it would be.
export async function showHeld(ctx: Context, flags: Flags): Promise<Row[]> {
  const rows: Row[] = []
  for (const held of await listHeldBack(ctx.db)) {
    const payments = flags.payments === true || held.kind !== 'batch' ? await paymentsOf(ctx, held) : []
    if (flags.payments === true)
      rows.push(
        ...payments.map(({ rowNumber, amountInCents, key }) => ({
          kind: held.kind,
          id: held.id,
          row: rowNumber,
          pesos: centsToDecimal(amountInCents),
          key,
        })),
      )
    else
      rows.push({
        ...heldRow(held),
        key: payments[0]?.key ?? null,
        reference: held.kind === 'payout' ? railReference('payout', held.organizationId, held.id) : null,
        heldSince: isoInstant(heldSince(held)),
      })
  }
  return rows
}

function heldRow({ kind, id, organizationId, amountInCents, payments }: HeldBack): Row {
  return { kind, id, organizationId, pesos: centsToDecimal(amountInCents), payments }
}

export async function releaseHeld(ctx: Context, flags: Flags, argument: string): Promise<Row[]> {
  if (flags.all === true) return releaseAll(ctx)
  const { kind, id } = subjectOf(argument)
  const held = (await listHeldBack(ctx.db)).find((one) => one.kind === kind && one.id === id)
  if (held === undefined) throw await notHeld(ctx, kind, id)
  const release = await releaseHeldBack(ctx, held)
  if (release !== 'released') throw notReleased(kind, id, release)
  return [heldRow(held)]
}

// What is canceled meanwhile is not released, and does not stop the others.
async function releaseAll(ctx: Context): Promise<Row[]> {
  const rows: Row[] = []
  for (const held of await listHeldBack(ctx.db))
    if ((await releaseHeldBack(ctx, held)) === 'released') rows.push(heldRow(held))
  return rows
}

function subjectOf(argument: string): { kind: HeldKind; id: string } {
  const [given = '', id = ''] = argument.split(' ')
  const kind = HELD_KINDS.find((one) => one === given)
  if (kind === undefined)
    throw new OperatorFailure(
      `The kind must be batch, refund or payout, not ${JSON.stringify(given)}: \`recaudo backup held\` shows it.`,
      USAGE_EXIT_CODE,
    )
  if (!isUuid(id)) throw new OperatorFailure(`${id} is not an id.`, USAGE_EXIT_CODE)
  return { kind, id: id.toLowerCase() }
}

// The operator knows the id, and not always whose it is.
async function notHeld(ctx: Context, kind: HeldKind, id: string): Promise<OperatorFailure> {
  for (const { organizationId } of await listOrganizations(ctx.db)) {
    const found = await readHoldState(ctx.db, { kind, id, organizationId })
    if (found !== undefined) return notReleased(kind, id, found)
  }
  return notReleased(kind, id, 'unknown')
}

function notReleased(kind: HeldKind, id: string, release: ReleaseOutcome): OperatorFailure {
  if (typeof release === 'string')
    return new OperatorFailure(
      `No ${kind} has the id ${id}: \`recaudo backup held\` shows what is held back. Nothing was changed.`,
    )
  return new OperatorFailure(
    `The ${kind} ${id} is not held back: it is ${release.state}. Nothing was changed.`,
  )
}

export async function holdNow(ctx: Context, flags: Flags): Promise<Row> {
  const asOf = flags['as-of'] === undefined ? null : timeOf(flags, 'as-of')
  if (asOf !== null && asOf > ctx.clock.wallClock())
    throw new OperatorFailure(
      '--as-of has not come yet: name the moment that the database went back to.',
      USAGE_EXIT_CODE,
    )
  const processes = await countListeners(ctx.db)
  if (processes > 0)
    throw new OperatorFailure(
      `Recaudo runs on this database, in ${processes} ${processes === 1 ? 'process' : 'processes'}, and may be paying: stop it first. Nothing was changed.`,
    )
  const held = await holdBack(ctx, asOf)
  return { heldBack: held.map(({ kind, id }) => `${kind} ${id}`) }
}
