// recaudo payout-batches: pays many from a file.

import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { ListPayoutBatchRowsQuery } from '@recaudo/sdk'
import type { PayoutBatch, PayoutBatches } from '@recaudo/sdk/payout-batches'
import { callOptions } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { readSignIn } from './credentials.ts'
import { usageFailure } from './failure.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { shownTime } from './time.ts'

async function openBatches(): Promise<PayoutBatches> {
  const { PayoutBatches } = await import('@recaudo/sdk/payout-batches')
  const { credentials, baseUrl } = readSignIn()
  return new PayoutBatches(credentials, { baseUrl })
}

export async function createBatch(call: Call): Promise<Shown> {
  const { argument, flags } = call
  const body = {
    file: fileIn(argument).toString('base64'),
    fileName: basename(argument),
    ...(flags.repeat === true && { repeat: true }),
  }
  return shownBatch(await (await openBatches()).create(body, callOptions(call)))
}

function fileIn(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw usageFailure(`The file ${path} cannot be read: ${(error as Error).message}`)
  }
}

export async function listBatches({ flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, { status: 'status' } as const)
  return listed(
    (await openBatches()).list({ ...query, pageSize: pageSizeFor(limit + 1) } as object),
    limit,
    ['id', 'created', 'status', 'rows', 'total', 'file'],
    (batch) => [
      batch.id,
      shownTime(batch.createdAt),
      batch.status,
      String(batch.rowsToSend),
      pesos(batch.totalInCents),
      batch.fileName,
    ],
  )
}

export async function showBatch({ argument }: Call): Promise<Shown> {
  return shownBatch(await (await openBatches()).get(argument))
}

export async function listRows({ argument, flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, { only: 'only' } as const) as ListPayoutBatchRowsQuery
  return listed(
    (await openBatches()).rows(argument, { ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['row', 'state', 'key', 'amount', 'reference', 'what'],
    (row) => [
      String(row.row),
      row.payoutStatus ?? row.state,
      row.key,
      row.amountInCents === null ? row.amount : pesos(row.amountInCents),
      row.reference,
      row.errorCode ?? row.problems.map(({ column, code }) => `${column}: ${code}`).join(', '),
    ],
  )
}

export async function leaveOutErrors(call: Call): Promise<Shown> {
  return shownBatch(await (await openBatches()).leaveOut(call.argument, {}, callOptions(call)))
}

export async function submitBatch(call: Call): Promise<Shown> {
  const body = { acceptWarnings: call.flags['accept-warnings'] === true }
  return shownBatch(await (await openBatches()).submit(call.argument, body, callOptions(call)))
}

export async function cancelBatch(call: Call): Promise<Shown> {
  return shownBatch(await (await openBatches()).cancel(call.argument, callOptions(call)))
}

export async function retryBatch(call: Call): Promise<Shown> {
  return shownBatch(await (await openBatches()).retry(call.argument, callOptions(call)))
}

export async function saveTemplate({ argument }: Call): Promise<Shown> {
  return saved(argument, await (await openBatches()).template())
}

export async function saveResult({ argument, flags }: Call): Promise<Shown> {
  const path = typeof flags.out === 'string' ? flags.out : `lote-${argument}.csv`
  return saved(path, await (await openBatches()).result(argument))
}

async function saved(path: string, file: Blob): Promise<Shown> {
  try {
    writeFileSync(path, Buffer.from(await file.arrayBuffer()))
  } catch (error) {
    throw usageFailure(`The file ${path} cannot be written: ${(error as Error).message}`)
  }
  return { json: { file: path }, text: () => `Saved as ${path}.` }
}

function shownBatch(batch: PayoutBatch): Shown {
  return {
    json: batch,
    text: () =>
      fields([
        ['id', batch.id],
        ['status', batch.status],
        ['file', batch.fileName],
        ['rows to send', String(batch.rowsToSend)],
        ['total', pesos(batch.totalInCents)],
        ['with errors', String(batch.rowsWithErrors)],
        ['with warnings', String(batch.rowsWithWarnings)],
        ['paid', String(batch.payoutsConfirmed)],
        ['failed', String(batch.payoutsFailed)],
      ]),
  }
}
