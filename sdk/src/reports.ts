// The accountant's days: closes, movements, files, and balances as they stood. An entry of its own, so that whoever only collects and
// sends does not load it.

import { type ClientOptions, type Connection, openConnection, type Route } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { TimeoutError } from './errors.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions, Input } from './request.ts'
import type {
  Balance,
  Charges,
  DayReport,
  DayReportList,
  DownloadReportMonthQuery,
  DownloadReportMovementsQuery,
  ListReportDaysQuery,
  ListReportMovementsQuery,
  MonthReport,
  MovementList,
} from './schema.ts'

export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type { List } from './list.ts'
export type {
  Balance,
  Charges,
  DayReport,
  DayReportList,
  DownloadReportMonthQuery,
  DownloadReportMovementsQuery,
  ListReportDaysQuery,
  ListReportMovementsQuery,
  MonthReport,
  Movement,
  MovementList,
} from './schema.ts'

const PART_TIMEOUT_MS = 60_000

/** The reports of one organization. Days are of Bogotá, written YYYY-MM-DD. */
export class Reports {
  readonly #connection: Connection

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  /** Days with what they are made of, the latest first. */
  days(query?: ListReportDaysQuery, options?: CallOptions): List<DayReportList> {
    return listOf((asked) => this.#connection.call('GET /reports/days', { query: asked }, options), query)
  }

  /** One day: closed, or as it stands. */
  day(day: string, options?: CallOptions): Promise<DayReport> {
    return this.#connection.call('GET /reports/days/{day}', { id: day }, options)
  }

  /** Closes a day that has ended, before it is closed by itself. It is `CLOSED` a minute later. */
  close(day: string, options?: CallOptions): Promise<DayReport> {
    return this.#connection.call('POST /reports/days/{day}/close', { id: day }, options)
  }

  /** The movements of a day, newest first. */
  movements(day: string, query?: ListReportMovementsQuery, options?: CallOptions): List<MovementList> {
    const route = 'GET /reports/days/{day}/movements'
    return listOf((page) => this.#connection.call(route, { id: day, query: page }, options), query)
  }

  /** The movements of a day as a file, in parts as they come: nothing is asked for before the first is read. */
  movementsFile(
    day: string,
    query?: DownloadReportMovementsQuery,
    options: CallOptions = {},
  ): AsyncIterable<Uint8Array> {
    return this.#file('GET /reports/days/{day}/movements/file', { id: day, query }, options)
  }

  /** The statement of a month, written YYYY-MM. */
  month(month: string, options?: CallOptions): Promise<MonthReport> {
    return this.#connection.call('GET /reports/months/{month}', { id: month }, options)
  }

  /** The statement of a month as a file, a day in each line. */
  monthFile(
    month: string,
    query?: DownloadReportMonthQuery,
    options: CallOptions = {},
  ): AsyncIterable<Uint8Array> {
    return this.#file('GET /reports/months/{month}/file', { id: month, query }, options)
  }

  /** What payins cost. */
  charges(options?: CallOptions): Promise<Charges> {
    return this.#connection.call('GET /reports/charges', {}, options)
  }

  /** The balance as it stood at a time, in ISO 8601. */
  balanceAt(at: string, options?: CallOptions): Promise<Balance> {
    return this.#connection.call('GET /balance', { query: { at } }, options)
  }

  // A file may take long. Each of its parts has as much time as an answer.
  async *#file(route: Route, input: Input, options: CallOptions): AsyncGenerator<Uint8Array> {
    const { response, watch } = await this.#connection.open(route, input, options)
    const limit = () => watch.limit(PART_TIMEOUT_MS, () => new TimeoutError('The file stopped coming.'))
    try {
      limit()
      for await (const part of response.body ?? []) {
        yield part
        limit()
      }
    } finally {
      watch.stop()
    }
  }
}
