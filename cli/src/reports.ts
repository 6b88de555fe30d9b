// recaudo report: days, movements and months for the accountant, and balances as they stood.

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type {
  Balance,
  DayReport,
  DownloadReportMovementsQuery,
  ListReportDaysQuery,
  ListReportMovementsQuery,
} from '@recaudo/sdk/reports'
import { fields, table } from './columns.ts'
import type { Call, Shown } from './command.ts'
import { readSignIn } from './credentials.ts'
import { usageFailure } from './failure.ts'
import { filters, listed, pageSizeFor, readLimit } from './listing.ts'
import { pesos } from './money.ts'
import { readSpanSeconds, readTimeMs, shownTime, wrongTime } from './time.ts'

export async function openReports() {
  const { Reports } = await import('@recaudo/sdk/reports')
  const { credentials, baseUrl } = readSignIn()
  return new Reports(credentials, { baseUrl })
}

export async function listDays({ flags }: Call): Promise<Shown> {
  const query = filters(flags, { from: 'from', to: 'to' }) as ListReportDaysQuery
  const { data } = await (await openReports()).days(query)
  return daysShown(data, { data })
}

export async function showDay({ argument }: Call): Promise<Shown> {
  const day = await (await openReports()).day(argument as string)
  return dayShown(day)
}

export async function closeDay({ argument }: Call): Promise<Shown> {
  const day = await (await openReports()).close(argument as string)
  return dayShown(day)
}

export async function listMovements({ argument, flags }: Call): Promise<Shown> {
  const limit = readLimit(flags)
  const query = filters(flags, { column: 'column' }) as ListReportMovementsQuery
  const reports = await openReports()
  return listed(
    reports.movements(argument as string, { ...query, pageSize: pageSizeFor(limit + 1) }),
    limit,
    ['booked', 'own date', 'movement', 'pesos', 'reference', 'network id', 'third party', 'document'],
    (one) => [
      shownTime(one.bookedAt),
      one.ownDay,
      one.booking,
      pesos(one.amountInCents),
      one.reference,
      one.networkId,
      one.thirdParty?.name ?? null,
      one.thirdParty === null
        ? null
        : [one.thirdParty.idNumber, one.thirdParty.checkDigit].filter((part) => part !== null).join('-'),
    ],
  )
}

export async function showMonth({ argument }: Call): Promise<Shown> {
  const month = await (await openReports()).month(argument as string)
  return daysShown(month.days, month)
}

// A day's movements or a month's days, into a file or to whatever reads the output.
export async function downloadReport({ argument, flags, isJson }: Call): Promise<Shown | undefined> {
  const period = argument as string
  const reports = await openReports()
  const names = { format: 'format', language: 'language', column: 'column' } as const
  const query = filters(flags, names) as DownloadReportMovementsQuery
  const isMonth = /^\d{4}-\d{2}$/.test(period)
  const file = isMonth ? reports.monthFile(period, query) : reports.movementsFile(period, query)
  const { out } = flags
  if (typeof out === 'string') {
    await pipeline(Readable.from(file), createWriteStream(out))
    return { json: { file: out }, text: () => `Written to ${out}.` }
  }
  // The output is the file then, and nothing else.
  if (isJson) throw usageFailure('With --json, name a file with --out.')
  if (query.format === 'xlsx' && process.stdout.isTTY)
    throw usageFailure('An XLSX file is no text: name a file with --out.')
  await pipeline(Readable.from(file), process.stdout, { end: false })
  return undefined
}

export async function showCharges(_: Call): Promise<Shown> {
  const charges = await (await openReports()).charges()
  const rowsOf = (what: string, fees: typeof charges.fees) =>
    Object.entries(fees).map(([rail, fee]) => [
      what,
      rail,
      pesos(fee?.fixedInCents ?? 0),
      `${(fee?.basisPoints ?? 0) / 100} %`,
      `${(fee?.taxBasisPoints ?? 0) / 100} %`,
    ])
  const withheld = charges.withholdings.map(({ rail, from, basisPoints }) => [
    `withheld from ${from} on`,
    rail,
    null,
    `${basisPoints / 100} %`,
    null,
  ])
  const rows = [...rowsOf('payins', charges.fees), ...rowsOf('payouts', charges.payoutFees), ...withheld]
  return { json: charges, text: () => table(['of', 'rail', 'fixed', 'percent', 'IVA on it'], rows) }
}

// As it stood at a time, or so long ago.
export async function readBalanceAt(text: string): Promise<Balance> {
  const seconds = readSpanSeconds(text)
  const ms = seconds === undefined ? readTimeMs(text) : Date.now() - seconds * 1_000
  if (ms === undefined) throw wrongTime('--at', text)
  return (await openReports()).balanceAt(new Date(ms).toISOString())
}

function daysShown(days: readonly DayReport[], json: unknown): Shown {
  const titles = ['day', 'status', 'opening', 'confirmed', 'paid out', 'fees', 'IVA', 'closing', 'movements']
  return {
    json,
    text: () =>
      table(
        titles,
        days.map(({ day, status, columns, ...report }) => [
          day,
          status,
          pesos(report.openingBalanceInCents),
          pesos(columns.confirmed.amountInCents),
          pesos(columns.paidOut.amountInCents),
          pesos(columns.fees.amountInCents),
          pesos(columns.feeTax.amountInCents),
          pesos(report.closingBalanceInCents),
          String(report.movements),
        ]),
      ),
  }
}

function dayShown(report: DayReport): Shown {
  const columns = Object.entries(report.columns) as [string, { movements: number; amountInCents: number }][]
  return {
    json: report,
    text: () =>
      fields([
        ['day', report.day],
        ['status', report.status],
        ['closed', shownTime(report.closedAt)],
        ['opening balance', pesos(report.openingBalanceInCents)],
        ...columns
          .filter(([, { movements }]) => movements > 0)
          .map(([name, sum]): [string, string] => [
            name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
            `${pesos(sum.amountInCents)}  (${sum.movements})`,
          ]),
        ['closing balance', pesos(report.closingBalanceInCents)],
        ['GMF (estimate)', pesos(report.estimatedMovementTaxInCents)],
        ['digest', report.digest],
      ]),
  }
}
