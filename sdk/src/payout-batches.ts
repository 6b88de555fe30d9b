// Files of payouts, and the book of whose key is which. An entry of its own, so that whoever only collects and sends does not load it.

import { type ClientOptions, type Connection, openConnection } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { type List, listOf } from './list.ts'
import type { CallOptions } from './request.ts'
import type {
  Beneficiary,
  BeneficiaryList,
  CreatePayoutBatch,
  DeletedBeneficiary,
  LeaveOutRows,
  ListBeneficiariesQuery,
  ListPayoutBatchesQuery,
  ListPayoutBatchRowsQuery,
  PayoutBatch,
  PayoutBatchList,
  PayoutBatchRow,
  PayoutBatchRowChanges,
  PayoutBatchRowList,
  SubmitPayoutBatch,
  WriteBeneficiary,
} from './schema.ts'

export { ApiError, ConnectionError, RecaudoError, TimeoutError } from './errors.ts'
export type {
  Beneficiary,
  CreatePayoutBatch,
  PayoutBatch,
  PayoutBatchRow,
  PayoutBatchRowChanges,
  SubmitPayoutBatch,
  WriteBeneficiary,
} from './schema.ts'

/** Batches of payouts of one organization. */
export class PayoutBatches {
  readonly #connection: Connection

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  /** Hands in a file: base64 of a CSV or a workbook. Nothing is sent. */
  create(body: CreatePayoutBatch, options?: CallOptions): Promise<PayoutBatch> {
    return this.#connection.call('POST /payout-batches', { body }, options)
  }

  list(query?: ListPayoutBatchesQuery, options?: CallOptions): List<PayoutBatchList> {
    const read = (page?: ListPayoutBatchesQuery) =>
      this.#connection.call('GET /payout-batches', { query: page }, options)
    return listOf(read, query)
  }

  get(batchId: string, options?: CallOptions): Promise<PayoutBatch> {
    return this.#connection.call('GET /payout-batches/{batchId}', { id: batchId }, options)
  }

  /** In the order of the file, each with what is wrong with its cells. */
  rows(batchId: string, query?: ListPayoutBatchRowsQuery, options?: CallOptions): List<PayoutBatchRowList> {
    const read = (page?: ListPayoutBatchRowsQuery) =>
      this.#connection.call('GET /payout-batches/{batchId}/rows', { id: batchId, query: page }, options)
    return listOf(read, query)
  }

  changeRow(
    batchId: string,
    row: number,
    body: PayoutBatchRowChanges,
    options?: CallOptions,
  ): Promise<PayoutBatchRow> {
    const route = `PATCH /payout-batches/{batchId}/rows/${Number(row)}`
    return this.#connection.call(
      route as 'PATCH /payout-batches/{batchId}/rows/{row}',
      { id: batchId, body },
      options,
    )
  }

  /** The rows that are named, or all that have errors. */
  leaveOut(batchId: string, body?: LeaveOutRows, options?: CallOptions): Promise<PayoutBatch> {
    return this.#connection.call('POST /payout-batches/{batchId}/leave-out', { id: batchId, body }, options)
  }

  /** Looks up the keys that the budget did not allow before. */
  check(batchId: string, options?: CallOptions): Promise<PayoutBatch> {
    return this.#connection.call('POST /payout-batches/{batchId}/check', { id: batchId }, options)
  }

  /** Sets the money of all rows aside, and makes each of them one payout. */
  submit(batchId: string, body?: SubmitPayoutBatch, options?: CallOptions): Promise<PayoutBatch> {
    return this.#connection.call('POST /payout-batches/{batchId}/submit', { id: batchId, body }, options)
  }

  cancel(batchId: string, options?: CallOptions): Promise<PayoutBatch> {
    return this.#connection.call('POST /payout-batches/{batchId}/cancel', { id: batchId }, options)
  }

  /** The failed rows, as a batch of their own. */
  retry(batchId: string, options?: CallOptions): Promise<PayoutBatch> {
    return this.#connection.call('POST /payout-batches/{batchId}/retry', { id: batchId }, options)
  }

  /** Every row and what became of it, as a CSV. */
  result(batchId: string, options?: CallOptions): Promise<Blob> {
    return this.#connection.call('GET /payout-batches/{batchId}/result.csv', { id: batchId }, options)
  }

  /** The columns of a file, with one row as an example, as a CSV. */
  template(options?: CallOptions): Promise<Blob> {
    return this.#connection.call('GET /payout-batches/template.csv', {}, options)
  }
}

/** The beneficiary book of one organization. */
export class Beneficiaries {
  readonly #connection: Connection

  constructor(credentials: Credentials, options: ClientOptions = {}) {
    this.#connection = openConnection(credentials, options)
  }

  /** Writes the entry of a document, or writes it anew. */
  write(body: WriteBeneficiary, options?: CallOptions): Promise<Beneficiary> {
    return this.#connection.call('PUT /beneficiaries', { body }, options)
  }

  list(query?: ListBeneficiariesQuery, options?: CallOptions): List<BeneficiaryList> {
    const read = (page?: ListBeneficiariesQuery) =>
      this.#connection.call('GET /beneficiaries', { query: page }, options)
    return listOf(read, query)
  }

  get(beneficiaryId: string, options?: CallOptions): Promise<Beneficiary> {
    return this.#connection.call('GET /beneficiaries/{beneficiaryId}', { id: beneficiaryId }, options)
  }

  delete(beneficiaryId: string, options?: CallOptions): Promise<DeletedBeneficiary> {
    return this.#connection.call('DELETE /beneficiaries/{beneficiaryId}', { id: beneficiaryId }, options)
  }
}
