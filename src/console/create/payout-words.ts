// The words of the pages that make a payout.

import type { KeyType } from '../../core/directory/breb-key.ts'
import { wordsOf } from '../../core/html.ts'
import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  title: 'Hacer un pago',
  steps: { label: 'Pasos del pago', names: ['Llave', 'Valor y datos', 'Revisar y enviar'] },
  lead: 'Envía dinero de tu saldo a una llave Bre-B. Primero miramos de quién es.',
  key: 'Llave Bre-B de quien recibe',
  keyHint: 'Celular, documento, correo, código de comercio o @alias.',
  find: 'Buscar llave',
  keyProblems: {
    KEY_INVALID: 'Esto no tiene forma de llave Bre-B. Revisa que esté completa.',
    KEY_NOT_FOUND: 'Nadie tiene esta llave. Pídela de nuevo a quien recibe.',
    KEY_SUSPENDED: 'La llave está suspendida: no puede recibir dinero. Pide otra a quien recibe.',
    REQUIRED: 'Escribe la llave.',
  } as Record<string, string>,
  goesTo: 'Va para',
  holder: 'Titular',
  document: 'Documento',
  account: 'Cuenta',
  keyOf: 'Llave',
  keyTypes: wordsOf<KeyType>({
    DOCUMENT: 'documento',
    PHONE: 'celular',
    EMAIL: 'correo',
    ALPHANUMERIC: 'alias',
    MERCHANT_CODE: 'código de comercio',
  }),
  accountTypes: {
    SAVINGS: 'Ahorros',
    CHECKING: 'Corriente',
    LOW_AMOUNT_DEPOSIT: 'Depósito de bajo monto',
    INCLUSIVE_LOW_AMOUNT_DEPOSIT: 'Depósito de bajo monto',
    ORDINARY_DEPOSIT: 'Depósito ordinario',
  } as Record<string, string>,
  ending: (digits: string) => `terminada en ${digits}`,
  otherKey: 'Cambiar llave',
  person: 'Datos de quien recibe',
  personHint: 'Como los tienes tú. La red compara el documento con el del titular.',
  referenceHint: 'El nombre que tú le das, como “Nómina noviembre”.',
  descriptionHint: 'Para tus registros.',
  goOn: 'Revisar',
  balance: 'Tienes para pagar',
  reviewTitle: 'Revisa y envía',
  reviewLead: 'Un pago que la red acepta no se puede devolver: solo quien recibe puede hacerlo.',
  after: 'Te quedarán',
  send: (amount: string) => `Enviar ${amount}`,
  sendAnyway: (amount: string) => `Enviar ${amount} de todas formas`,
  edit: 'Corregir',
  short: (available: string, missing: string) =>
    `Tienes para pagar ${available}: faltan ${missing}. Así la red no lo recibiría.`,
  shortLock:
    'Baja el valor o espera a que se liquiden tus cobros. Si pagas por una conexión, registra lo que depositaste allá.',
  same: (when: string, reference: string) =>
    `Ya hiciste un pago igual, de este valor y a esta llave, ${when} (${reference}). Revisa que no sea el mismo.`,
  seeSame: 'Ver ese pago',
}

export type PayoutFormWords = typeof es

const en: PayoutFormWords = {
  title: 'Make a payout',
  steps: { label: 'Steps of the payout', names: ['Key', 'Amount and details', 'Review and send'] },
  lead: 'Sends money of your balance to a Bre-B key. First we look at whose it is.',
  key: 'Bre-B key of the receiver',
  keyHint: 'Mobile phone, document, e-mail, merchant code or @alias.',
  find: 'Look the key up',
  keyProblems: {
    KEY_INVALID: 'This has not the form of a Bre-B key. Check that all of it is there.',
    KEY_NOT_FOUND: 'Nobody has this key. Ask the receiver for it again.',
    KEY_SUSPENDED: 'The key is suspended: it cannot receive money. Ask the receiver for another.',
    REQUIRED: 'Write the key.',
  },
  goesTo: 'Goes to',
  holder: 'Holder',
  document: 'Document',
  account: 'Account',
  keyOf: 'Key',
  keyTypes: {
    DOCUMENT: 'document',
    PHONE: 'mobile phone',
    EMAIL: 'e-mail',
    ALPHANUMERIC: 'alias',
    MERCHANT_CODE: 'merchant code',
  },
  accountTypes: {
    SAVINGS: 'Savings',
    CHECKING: 'Checking',
    LOW_AMOUNT_DEPOSIT: 'Low-amount deposit',
    INCLUSIVE_LOW_AMOUNT_DEPOSIT: 'Low-amount deposit',
    ORDINARY_DEPOSIT: 'Ordinary deposit',
  },
  ending: (digits) => `ending in ${digits}`,
  otherKey: 'Change key',
  person: 'Details of the receiver',
  personHint: 'As you have them. The network compares the document with the holder’s.',
  referenceHint: 'Your own name for it, such as “November salary”.',
  descriptionHint: 'For your records.',
  goOn: 'Review',
  balance: 'You can pay out',
  reviewTitle: 'Review and send',
  reviewLead: 'A payout that the network takes cannot be undone: only the receiver can send it back.',
  after: 'You will have left',
  send: (amount) => `Send ${amount}`,
  sendAnyway: (amount) => `Send ${amount} anyway`,
  edit: 'Correct',
  short: (available, missing) =>
    `You can pay out ${available}: ${missing} is missing. The network would not take it.`,
  shortLock:
    'Lower the amount, or wait until your payins settle. If you pay out over a connection, record what you deposited there.',
  same: (when, reference) =>
    `You made the same payout, of this amount and to this key, ${when} (${reference}). Check that it is not the same one.`,
  seeSame: 'See that payout',
}

export const PAYOUT_FORM_WORDS: Readonly<Record<UserLanguage, PayoutFormWords>> = { es, en }
