// The words of the settings about the balance and about accounting.

import type { PucEntry } from '../../core/ledger/accounting.ts'
import type { UserLanguage } from '../../core/team/user.ts'

const es = {
  minimum: {
    title: 'Saldo mínimo',
    text: 'Cuando haya menos que esto para pagar, se abre una alarma: una vez cada vez que baja. No detiene ningún pago.',
    label: 'Avisar con menos de',
    hint: 'En pesos. Vacío: no se avisa.',
    tooLow: 'Debe ser más de cero. Para que no se avise, déjalo vacío.',
    available: 'Para pagar hay ahora',
    below: 'Ya hay menos que este valor.',
    whom: 'A quién se le avisa',
  },
  puc: {
    title: 'Cuentas del PUC',
    text: 'La cuenta de tu plan contable que los reportes nombran junto a cada columna. Deja vacías las que no uses.',
    wrong: 'Escribe solo números, como 530515: 1, 2, 4, 6, 8, 10 o 12 dígitos.',
    example: (account: string) => `Por ejemplo ${account}.`,
    balance: 'Saldo',
    movementTax: 'GMF',
  },
  estimate: 'Estimar el GMF (4 por mil) de lo que pagas',
  estimateHint:
    'Es una línea aparte en los reportes, marcada como estimado. Nunca se registra en tus movimientos.',
  yes: 'sí',
  no: 'no',
  charges: {
    title: 'Comisiones y retenciones',
    text: 'Lo que se descuenta de cada cobro cuando se liquida, y lo que cuesta cada pago cuando se confirma. Lo fija quien opera el servicio.',
    none: 'Hoy no se descuenta nada.',
    fee: 'Comisión de un cobro',
    payoutFee: 'Comisión de un pago',
    tax: 'IVA de la comisión',
    withholding: 'Retención',
    from: (day: string) => `desde el ${day}`,
    nothing: 'ninguna',
  },
  seeReports: 'Ver reportes',
}

export type MoneySettingWords = typeof es

const en: MoneySettingWords = {
  minimum: {
    title: 'Minimum balance',
    text: 'When there is less than this to pay out, an alarm is raised: once each time that it falls below. It stops no payout.',
    label: 'Tell us below',
    hint: 'In pesos. Empty: nobody is told.',
    tooLow: 'It must be more than zero. To be told nothing, leave it empty.',
    available: 'There is now',
    below: 'That is less than this amount already.',
    whom: 'Who is told',
  },
  puc: {
    title: 'PUC accounts',
    text: 'The account of your chart of accounts that reports name beside each column. Leave those that you do not use empty.',
    wrong: 'Write digits only, such as 530515: 1, 2, 4, 6, 8, 10 or 12 of them.',
    example: (account) => `For example ${account}.`,
    balance: 'Balance',
    movementTax: 'GMF',
  },
  estimate: 'Estimate the GMF (four per thousand) of what you pay out',
  estimateHint:
    'It is a line of its own in reports, marked as an estimate. It is never booked in your movements.',
  yes: 'yes',
  no: 'no',
  charges: {
    title: 'Fees and withholdings',
    text: 'What is taken from each payin when it is settled, and what each payout costs when it is confirmed. Whoever operates the service sets it.',
    none: 'Nothing is taken today.',
    fee: 'Fee of a payin',
    payoutFee: 'Fee of a payout',
    tax: 'IVA on the fee',
    withholding: 'Withholding',
    from: (day) => `from ${day}`,
    nothing: 'none',
  },
  seeReports: 'See reports',
}

export const MONEY_SETTING_WORDS: Readonly<Record<UserLanguage, MoneySettingWords>> = { es, en }

// As accountants here number them, where most do alike.
export const PUC_EXAMPLES: Readonly<Partial<Record<PucEntry, string>>> = {
  fees: '530515',
  feeTax: '2408',
  movementTax: '511555',
}
