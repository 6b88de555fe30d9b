// The accountant's days: what each was made of, closed or as it stands, and the statement of a month.

import { bogotaDay, daysAfter } from '../../core/bogota-day.ts'
import { RAILS } from '../../core/connections/rail.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { writtenCharges } from '../../core/ledger/charges.ts'
import { type FieldProblem, isRefusal, refuseFields } from '../../core/refusal.ts'
import { dayProblem, monthOf, type ReportedDay, readDays } from '../../flows/ledger/read-days.ts'
import { requestClose } from '../../flows/ledger/request-close.ts'
import { type ApiRequest, json, type Operation, renderOnce } from '../http/operation.ts'
import { OneOf } from '../http/schema.ts'
import { DAY_EXAMPLE, MONTH_EXAMPLE } from './report-examples.ts'
import {
  DayReportList,
  DayReportObject,
  DayText,
  MonthReportObject,
  presentDay,
  presentMonth,
} from './report-schema.ts'

// A quarter. More days are asked for in parts.
export const MAX_REPORTED_DAYS = 92
const DEFAULT_REPORTED_DAYS = 31

export const DAY_PARAM = {
  day: { description: 'The day in Bogotá.', example: '2026-11-14', maxLength: 10 },
} as const

// The day that the path names, or what is wrong with it.
export function dayOf({ ctx, caller, params }: ApiRequest): string | FieldProblem {
  const day = params.day ?? ''
  return dayProblem('/day', day, caller.organization, ctx.clock.now()) ?? day
}

const ListDaysQuery = Type.Object({
  from: Type.Optional(DayText('The first day. Without it: 30 days before the last.')),
  to: Type.Optional(DayText('The last day. Without it: today.')),
})

export const listDaysOperation: Operation = {
  method: 'GET',
  path: '/reports/days',
  operationId: 'listReportDays',
  tag: 'Reports',
  summary: 'List days',
  description: `Days in Bogotá, the latest first, at most ${MAX_REPORTED_DAYS} at once. A closed day never changes: what is learned later is booked on the day on which it is learned. A day without movements is there too.`,
  access: { scope: 'ledger:read', shown: 'apiKey' },
  query: ListDaysQuery,
  success: {
    status: 200,
    description: 'The days.',
    schema: DayReportList,
    examples: { days: { summary: 'A day', value: { data: [DAY_EXAMPLE] } } },
  },
  refusals: ['INVALID_INPUT'],
  handle: async ({ ctx, caller, query }) => {
    const { organization } = caller
    const asked = query as Static<typeof ListDaysQuery>
    const now = ctx.clock.now()
    const problems = (['from', 'to'] as const).flatMap((name) => {
      const text = asked[name]
      return (text === undefined ? undefined : dayProblem(`/${name}`, text, organization, now)) ?? []
    })
    if (problems.length > 0) return refuseFields(problems)
    const { to = bogotaDay(now) } = asked
    const born = bogotaDay(organization.createdAt)
    const earlier = daysAfter(to, 1 - DEFAULT_REPORTED_DAYS)
    const from = asked.from ?? (earlier < born ? born : earlier)
    if (from > to)
      return refuseFields([{ path: '/from', code: 'NOT_ALLOWED', message: 'must not be after `to`' }])
    if (daysAfter(from, MAX_REPORTED_DAYS - 1) < to)
      return refuseFields([
        {
          path: '/from',
          code: 'NOT_ALLOWED',
          message: `must be at most ${MAX_REPORTED_DAYS - 1} days before \`to\``,
        },
      ])
    const days = await readDays(ctx, organization.organizationId, from, to)
    return json(200, { data: days.reverse().map((day) => presentDay(organization, day)) })
  },
}

export const getDayOperation: Operation = {
  method: 'GET',
  path: '/reports/days/{day}',
  operationId: 'getReportDay',
  tag: 'Reports',
  summary: 'Get a day',
  description: 'What a day was made of. While it is open, the figures are those of now.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  params: DAY_PARAM,
  success: {
    status: 200,
    description: 'The day.',
    schema: DayReportObject,
    examples: { day: { summary: 'A closed day', value: DAY_EXAMPLE } },
  },
  refusals: ['INVALID_INPUT'],
  handle: async (request) => {
    const day = dayOf(request)
    return typeof day === 'string' ? shownDay(request, day) : refuseFields([day])
  },
}

export const closeDayOperation: Operation = {
  method: 'POST',
  path: '/reports/days/{day}/close',
  operationId: 'closeReportDay',
  tag: 'Reports',
  summary: 'Close a day',
  description:
    'A day is closed by itself ten minutes after midnight in Bogotá. Whoever cannot wait asks for it here as soon as the day has ended: from then on nothing is booked in it, and a minute later it is summed and `CLOSED`. Days before it are closed with it. A day that is closed stays as it is.',
  access: { scope: 'reports:write', shown: 'apiKey' },
  act: 'day.close',
  params: DAY_PARAM,
  success: {
    status: 202,
    description: 'The day, which is being closed or is closed already.',
    schema: DayReportObject,
    examples: {
      day: {
        summary: 'A day that is being closed',
        value: { ...DAY_EXAMPLE, status: 'CLOSING', closedAt: null, digest: null, movementsDigest: null },
      },
    },
  },
  refusals: ['INVALID_INPUT', 'DAY_NOT_OVER'],
  idempotent: true,
  handle: async (request) => {
    const day = dayOf(request)
    if (typeof day !== 'string') return refuseFields([day])
    const { organization } = request.caller
    const answer = renderOnce((shown: ReportedDay) => json(202, presentDay(organization, shown)))
    const idempotency = request.idempotency && { ...request.idempotency, answer }
    const shown = await requestClose(request.ctx, organization.organizationId, day, idempotency)
    return isRefusal(shown) ? shown : answer(shown)
  },
}

async function shownDay({ ctx, caller }: ApiRequest, day: string) {
  const [shown] = await readDays(ctx, caller.organization.organizationId, day, day)
  if (shown === undefined) throw new Error('a day that was asked for is not there')
  return json(200, presentDay(caller.organization, shown))
}

export const getMonthOperation: Operation = {
  method: 'GET',
  path: '/reports/months/{month}',
  operationId: 'getReportMonth',
  tag: 'Reports',
  summary: 'Get the statement of a month',
  description:
    'The days of a month and their sums. Of the current month the days until today; of the first one those since the organization exists.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  params: { month: { description: 'The month in Bogotá.', example: '2026-11', maxLength: 7 } },
  success: {
    status: 200,
    description: 'The statement.',
    schema: MonthReportObject,
    examples: { month: { summary: 'A month', value: MONTH_EXAMPLE } },
  },
  refusals: ['INVALID_INPUT'],
  handle: async ({ ctx, caller, params }) => {
    const { organization } = caller
    const text = params.month ?? ''
    const now = ctx.clock.now()
    const month = monthOf(text, organization, now)
    if ('path' in month) return refuseFields([month])
    const days = await readDays(ctx, organization.organizationId, month.from, month.until)
    return json(200, presentMonth(organization, text, days, text < bogotaDay(now).slice(0, 7)))
  },
}

const Points = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000, description })
const Fee = Type.Object({
  fixedInCents: Type.Integer({ minimum: 0, description: 'Of each payin.' }),
  basisPoints: Points('Of the amount, in hundredths of a percent: 265 is 2.65 %.'),
  taxBasisPoints: Points('The IVA on the fee: 1900 is 19 %.'),
})

export const ChargesObject = Type.Object({
  fees: Type.Object(Object.fromEntries(RAILS.map((rail) => [rail, Type.Optional(Fee)])), {
    description: 'The fee of a payin over each rail. A rail without one costs nothing.',
  }),
  payoutFees: Type.Object(Object.fromEntries(RAILS.map((rail) => [rail, Type.Optional(Fee)])), {
    description: 'The fee of a payout over each rail, beside its amount. A rail without one costs nothing.',
  }),
  withholdings: Type.Array(
    Type.Object({
      rail: OneOf(RAILS),
      from: Type.String({ format: 'date', description: 'The first day on which it is withheld.' }),
      basisPoints: Points('Of the amount, from that day on; 0 ends it.'),
    }),
    { description: 'Taxes that are withheld, by day. Empty: none.' },
  ),
})

export const getChargesOperation: Operation = {
  method: 'GET',
  path: '/reports/charges',
  operationId: 'getCharges',
  tag: 'Reports',
  summary: 'Get what payments cost',
  description:
    'Fees and withholdings, which whoever runs the service sets. They are booked when the money of a payin is settled, in columns of their own, and never add up to more than it. The fee of a payout is set aside with its amount, booked when the payout is confirmed, and stays if its money comes back. Refunds by payout cost nothing. Payments over your own connections are charged by your provider.',
  access: { scope: 'ledger:read', shown: 'apiKey' },
  success: {
    status: 200,
    description: 'The charges.',
    schema: ChargesObject,
    examples: {
      charges: {
        summary: 'A fee on PSE',
        value: {
          fees: { PSE: { fixedInCents: 0, basisPoints: 265, taxBasisPoints: 1_900 } },
          payoutFees: {},
          withholdings: [],
        },
      },
    },
  },
  refusals: [],
  handle: ({ caller }) => json(200, writtenCharges(caller.organization.charges)),
}
