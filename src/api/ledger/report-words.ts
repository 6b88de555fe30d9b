// What the columns of reports are called, in files and on pages.

import type { CloseColumn } from '../../core/ledger/close-columns.ts'
import type { UserLanguage } from '../../core/team/user.ts'

export type ReportWords = {
  readonly movements: string
  readonly month: string
  readonly heads: Readonly<
    Record<
      | 'day'
      | 'ownDay'
      | 'bookedAt'
      | 'booking'
      | 'amount'
      | 'debit'
      | 'credit'
      | 'reference'
      | 'networkId'
      | 'rail'
      | 'name'
      | 'idType'
      | 'idNumber'
      | 'checkDigit'
      | 'id'
      | 'subject'
      | 'puc'
      | 'state'
      | 'opening'
      | 'closing'
      | 'movementTax'
      | 'movementCount'
      | 'digest',
      string
    >
  >
  readonly columns: Readonly<Record<CloseColumn, string>>
  readonly states: Readonly<Record<'OPEN' | 'CLOSING' | 'CLOSED', string>>
}

const es: ReportWords = {
  movements: 'Movimientos',
  month: 'Extracto',
  heads: {
    day: 'Día contable',
    ownDay: 'Fecha propia',
    bookedAt: 'Registrado',
    booking: 'Movimiento',
    amount: 'Valor',
    debit: 'Débito',
    credit: 'Crédito',
    reference: 'Referencia',
    networkId: 'CUS o id de la red',
    rail: 'Red',
    name: 'Tercero',
    idType: 'Tipo de documento',
    idNumber: 'Documento',
    checkDigit: 'DV',
    id: 'Id del movimiento',
    subject: 'Id del cobro o pago',
    puc: 'Cuenta PUC',
    state: 'Estado',
    opening: 'Saldo inicial',
    closing: 'Saldo final',
    movementTax: 'GMF (estimado)',
    movementCount: 'Movimientos',
    digest: 'Huella',
  },
  columns: {
    confirmed: 'Cobros confirmados',
    settled: 'Liquidado',
    attached: 'Asignado de por identificar',
    refunded: 'Devoluciones',
    chargedBack: 'Contracargos',
    paidOut: 'Pagos',
    payoutsReturned: 'Pagos devueltos',
    deposited: 'Depósitos',
    withdrawn: 'Retiros',
    fees: 'Comisiones',
    feeTax: 'IVA de comisiones',
    withheld: 'Retenciones',
    suspenseIn: 'Entró por identificar',
    suspenseOut: 'Salió de por identificar',
  },
  states: { OPEN: 'Abierto', CLOSING: 'Cerrando', CLOSED: 'Cerrado' },
}

const en: ReportWords = {
  movements: 'Movements',
  month: 'Statement',
  heads: {
    day: 'Accounting day',
    ownDay: 'Own date',
    bookedAt: 'Booked',
    booking: 'Movement',
    amount: 'Amount',
    debit: 'Debit',
    credit: 'Credit',
    reference: 'Reference',
    networkId: 'CUS or network id',
    rail: 'Rail',
    name: 'Third party',
    idType: 'Document type',
    idNumber: 'Document',
    checkDigit: 'Check digit',
    id: 'Movement id',
    subject: 'Payin or payout id',
    puc: 'PUC account',
    state: 'Status',
    opening: 'Opening balance',
    closing: 'Closing balance',
    movementTax: 'GMF (estimate)',
    movementCount: 'Movements',
    digest: 'Digest',
  },
  columns: {
    confirmed: 'Confirmed payins',
    settled: 'Settled',
    attached: 'Given from suspense',
    refunded: 'Refunds',
    chargedBack: 'Chargebacks',
    paidOut: 'Paid out',
    payoutsReturned: 'Payouts returned',
    deposited: 'Deposits',
    withdrawn: 'Withdrawals',
    fees: 'Fees',
    feeTax: 'IVA on fees',
    withheld: 'Withheld',
    suspenseIn: 'Into suspense',
    suspenseOut: 'Out of suspense',
  },
  states: { OPEN: 'Open', CLOSING: 'Closing', CLOSED: 'Closed' },
}

export const REPORT_WORDS: Readonly<Record<UserLanguage, ReportWords>> = { es, en }
