// recaudo payout-batches: pays many from a file.

import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { ListPayoutBatchRowsQuery } from '@recaudo/sdk'
import type {
  PayoutBatch,
  PayoutBatches,
  PayoutBatchRow,
  PayoutBatchRowChanges,
} from '@recaudo/sdk/payout-batches'
import { callOptions } from './client.ts'
import { fields } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { readSignIn } from './credentials.ts'
import { usageFailure } from './failure.ts'
import { filters, listed, pageSizeFor, readCount, readLimit } from './listing.ts'
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
      row.errorCode ?? problemsOf(row),
    ],
  )
}

const CELLS = {
  key: 'key',
  amount: 'amount',
  reference: 'reference',
  name: 'name',
  'document-type': 'idType',
  'document-number': 'idNumber',
  email: 'email',
} as const
// Cells that may be empty: the word none empties them.
const MAY_BE_EMPTY = ['key', 'email'] as const

export async function correctRow({ argument, flags }: Call): Promise<Shown> {
  const row = readCount(flags, 'row', 1, 9_999_999)
  if (row === undefined) throw usageFailure('--row is required.')
  const isOut = flags['leave-out'] === true
  if (isOut && flags['take-in'] === true)
    throw usageFailure('--leave-out and --take-in contradict each other.')
  const body: PayoutBatchRowChanges = filters(flags, CELLS)
  for (const cell of MAY_BE_EMPTY) if (body[cell] === 'none') body[cell] = ''
  if (isOut || flags['take-in'] === true) body.leftOut = isOut
  if (Object.keys(body).length === 0) throw usageFailure('Say what to change, such as --amount 1.250.000.')
  return shownRow(await (await openBatches()).changeRow(argument, row, body))
}

function shownRow(row: PayoutBatchRow): Shown {
  return {
    json: row,
    text: () =>
      fields([
        ['row', String(row.row)],
        ['state', row.state],
        ['key', row.key],
        ['amount', row.amountInCents === null ? row.amount : pesos(row.amountInCents)],
        ['reference', row.reference],
        ['name', row.name],
        ['document', `${row.idType} ${row.idNumber}`],
        ['e-mail', row.email],
        ['wrong', problemsOf(row)],
      ]),
  }
}

function problemsOf({ problems }: PayoutBatchRow): string {
  return problems.map(({ column, code }) => `${column}: ${code}`).join(', ')
}

export async function checkBatch(call: Call): Promise<Shown> {
  return shownBatch(await (await openBatches()).check(call.argument, callOptions(call)))
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

const feesOf = ({ reservedFeesInCents }: PayoutBatch): [string, string | null] => [
  'fees set aside',
  pesos(reservedFeesInCents),
]

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
        ...(batch.reservedFeesInCents > 0 ? [feesOf(batch)] : []),
        ['with errors', String(batch.rowsWithErrors)],
        ['with warnings', String(batch.rowsWithWarnings)],
        ['keys not looked up', String(batch.keysPending + batch.keysUnchecked)],
        ['paid', String(batch.payoutsConfirmed)],
        ['failed', String(batch.payoutsFailed)],
      ]),
  }
}
